"""What a person is told at the end of a spot check."""

from datetime import datetime
from statistics import fmean, median

from curation.domain.base import Value
from curation.domain.human_label import HumanLabel, LabelSource, level_of
from curation.domain.person import Person
from curation.domain.plural import plural
from curation.errors import CurationError
from curation.metrics.agreement import Agreement, Pair, agreement
from curation.metrics.agreement_verdict import JudgeVerdict, judge_verdict
from curation.services.agreement import between_people, disagreements
from curation.services.agreement_report import BetweenPeople, Disagreement
from curation.services.judge_blindness import mark_seen
from curation.services.spot_check import Standing, standing
from curation.services.workspace import Workspace
from curation.store.scores_by_judge import JudgedItem, judged_items
from curation.store.spot_checks import labels_of_check


class NotAtTheEndError(CurationError):
    """A spot check was to tell its figures while items are left."""

    def __init__(self, number: int, left: int) -> None:
        super().__init__(
            f"Nothing was told: {plural(left, 'item is', 'items are')} left in spot check "
            f"{number}, and the figures would show what the judge says. "
            "Go on with `curation judge spot-check`."
        )


class SpotSummary(Value):
    """A finished spot check: how long it took, and how the person agrees with the judge."""

    number: int
    metric: str
    judge: str | None
    prompt_version: str | None
    seed: int
    items: int
    blind: int
    seconds_mean: float | None
    seconds_median: float | None
    judge_failed: int
    figures: Agreement
    verdict: JudgeVerdict
    people: BetweenPeople
    disagreements: tuple[Disagreement, ...]


def summary(workspace: Workspace, number: int, *, person: Person, now: datetime) -> SpotSummary:
    """Return the end of a person's spot check, which shows them what the judge said.

    Their later reviews of these answers are not blind any more.

    Raises:
        NotAtTheEndError: the person has not labelled every item.
    """
    where = standing(workspace, number, person)
    if not where.finished:
        raise NotAtTheEndError(number, len(where.items) - where.done)
    scores = _scores(workspace, where)
    mark_seen(workspace, {i.answer_id for i in where.items}, person=person, now=now)
    found = _pairs(where, scores)
    seconds = [label.seconds for label in where.mine if label.seconds is not None]
    figures = agreement([pair for pair, _ in found])
    return SpotSummary(
        **where.check.key._asdict(),
        number=number,
        seed=where.check.seed,
        items=len(where.items),
        blind=sum(label.blind for label in where.mine),
        seconds_mean=fmean(seconds) if seconds else None,
        seconds_median=median(seconds) if seconds else None,
        judge_failed=len(where.items) - len(found),
        figures=figures,
        verdict=judge_verdict(figures.clear),
        people=between_people(_all_labels(workspace, where)),
        disagreements=disagreements(found),
    )


def _scores(workspace: Workspace, where: Standing) -> dict[tuple[str, str | None], JudgedItem]:
    """Return what the judge of a spot check says of its items now."""
    with workspace.store.reading() as session:
        items = judged_items(session, sorted({item.answer_id for item in where.items}))
    return {(i.answer_id, i.chunk_id): i for i in items if i.key == where.check.key}


def _pairs(
    where: Standing, scores: dict[tuple[str, str | None], JudgedItem]
) -> list[tuple[Pair, JudgedItem]]:
    """Return the items that the judge has a level for, with the person's."""
    levels = {label.position: label.level for label in where.mine}
    found = []
    for item in where.items:
        score = scores.get((item.answer_id, item.chunk_id))
        judge = None
        if score is not None and not score.failed:
            judge = level_of(score.value, score.scale, None)
        if score is None or judge is None:
            continue
        pair = Pair(
            cluster=item.answer_id,
            human=levels[item.position],
            judge=judge,
            probability=item.probability,
        )
        found.append((pair, score))
    return found


def _all_labels(workspace: Workspace, where: Standing) -> list[HumanLabel]:
    """Return what everybody said of the items."""
    items = {item.position: item for item in where.items}
    with workspace.store.reading() as session:
        labels = labels_of_check(session, where.check.number)
    return [
        HumanLabel(
            answer_id=items[label.position].answer_id,
            chunk_id=items[label.position].chunk_id,
            metric=where.check.metric,
            level=label.level,
            person=label.person.key,
            at=label.at,
            blind=label.blind,
            source=LabelSource.SPOT_CHECK,
        )
        for label in labels
    ]
