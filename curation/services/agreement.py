"""How far each judge agrees with people: per metric and prompt version, and per slice.

Only blind labels count. A judge's failures are counted beside the figures and enter none of them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from curation.config import AgreementSettings
from curation.domain.human_label import (
    WHOLE_ANSWER,
    HumanLabel,
    LabelSource,
    Settled,
    last_words,
    level_of,
    own_scale,
    settle,
)
from curation.domain.judging import PROXY, JudgeMetric
from curation.domain.model_family import judges_its_own
from curation.domain.person import Person
from curation.domain.plain_day import plain_day
from curation.metrics.agreement import Pair, agreement
from curation.metrics.agreement_between_people import Measure, alpha
from curation.metrics.agreement_verdict import judge_verdict
from curation.services.agreement_report import (
    BetweenPeople,
    Disagreement,
    JudgeReport,
    LabelCounts,
    SliceAgreement,
    Tie,
)
from curation.services.labels import all_labels
from curation.services.workspace import Workspace
from curation.store.human_labels import tagged
from curation.store.judge_draws import scored_by_chance
from curation.store.scores_by_judge import (
    JudgedItem,
    JudgeKey,
    ScoreCount,
    judged_items,
    score_counts,
)

NO_SLICE = "no slice"
SLICE_DRAWS = 500
Unit = tuple[str, str | None]


@dataclass(frozen=True, kw_only=True)
class AgreementQuery:
    """Which judges to compare; `below` says from which score down the judge says bad."""

    judge: str | None = None
    metric: str | None = None
    slice: str | None = None
    below: float | None = None


@dataclass
class _Labelled:
    """The labels of one metric: settled by item, and what was left out."""

    settled: dict[Unit, Settled] = field(default_factory=dict)
    labels: list[HumanLabel] = field(default_factory=list)
    left_out: LabelCounts = field(default_factory=LabelCounts)


def judge_reports(
    workspace: Workspace, query: AgreementQuery | None = None, *, person: Person | None = None
) -> tuple[JudgeReport, ...]:
    """Return each judge against people, those with the most labels first.

    Args:
        workspace: the opened workspace.
        query: which judges; all without one.
        person: who looks; their labels of unfinished spot checks are left out.
    """
    query = query or AgreementQuery()
    with workspace.store.reading() as session:
        counts = score_counts(session)
        labels = all_labels(session, hidden_from=person)
        answers = sorted({label.answer_id for label in labels})
        relative = tagged(session, answers, workspace.settings.agreement.relative)
        items = judged_items(session, answers)
        chances = {
            count.key: scored_by_chance(session, count.key.judge, count.key.prompt_version, answers)
            for count in counts
        }
    given = _Labels(labels, relative, workspace.settings.agreement)
    by_key: defaultdict[JudgeKey, list[JudgedItem]] = defaultdict(list)
    for item in items:
        if query.slice is None or item.slice == query.slice:
            by_key[item.key].append(item)
    newest = _newest(counts)
    found = [
        _report(
            count,
            given.of(count),
            by_key[count.key],
            query,
            chances[count.key],
        ).model_copy(update={"stale": _stale(count, newest.get(_in_use(count.key)))})
        for count in counts
        if query.judge in {None, count.key.judge} and query.metric in {None, count.key.metric}
    ]
    return tuple(sorted(found, key=lambda one: (-one.figures.n, one.name)))


class _Labels:
    """The labels of people by what they are about; those that do not count are only counted."""

    def __init__(
        self, labels: Iterable[HumanLabel], relative: frozenset[str], settings: AgreementSettings
    ) -> None:
        self._given: defaultdict[str, list[HumanLabel]] = defaultdict(list)
        for label in labels:
            self._given[label.metric].append(label)
        self._relative = relative
        self._settings = settings
        self._made: dict[tuple[str, ...], _Labelled] = {}

    def of(self, count: ScoreCount) -> tuple[str, _Labelled]:
        """Return the labels that a judge's metric is compared with, and their names."""
        names = self._names(count)
        if names not in self._made:
            self._made[names] = self._gathered(names)
        return " and ".join(names), self._made[names]

    def _names(self, count: ScoreCount) -> tuple[str, ...]:
        """Return the metric's own labels, and those that the configuration names.

        A metric that this program does not define is also compared with what people gave the
        whole answer.
        """
        metric = count.key.metric
        other = self._settings.compare.get(metric)
        if other is None and metric not in set(JudgeMetric) and not count.per_chunk:
            other = WHOLE_ANSWER
        names = [name for name in (metric, other) if name and self._given.get(name)]
        return tuple(dict.fromkeys(names)) or (metric,)

    def _gathered(self, names: Iterable[str]) -> _Labelled:
        made = _Labelled()
        left_out: Counter[str] = Counter()
        by_unit: defaultdict[Unit, list[HumanLabel]] = defaultdict(list)
        for label in (label for name in names for label in self._given.get(name, ())):
            if label.answer_id in self._relative and label.source is LabelSource.IMPORTED:
                left_out["relative"] += 1
            elif not label.blind:
                left_out["not_blind"] += 1
            else:
                made.labels.append(label)
                if not label.unsettled:
                    by_unit[label.unit].append(label)
        made.settled = {unit: settle(given) for unit, given in by_unit.items()}
        made.left_out = LabelCounts(**left_out)
        return made


def _report(
    count: ScoreCount,
    named: tuple[str, _Labelled],
    items: Sequence[JudgedItem],
    query: AgreementQuery,
    chances: Mapping[str, float],
) -> JudgeReport:
    against, labelled = named
    compared = _compared(items, labelled, query.below, chances)
    figures = agreement([one.pair for one in compared])
    return JudgeReport(
        **count.key._asdict(),
        against=against,
        scores=count.scores,
        failed=count.failed,
        newest=count.newest,
        own_kind=_own_kind(count.key.judge, compared),
        by_chance=sum(one.item.answer_id in chances for one in compared),
        compared_failed=sum(
            _level(item) is None and _unit(item) in labelled.settled for item in items
        ),
        read_as_levels=any(
            not own_scale(one.item.scale) or not one.settled.as_given for one in compared
        ),
        labels=_counts(items, labelled),
        figures=figures,
        verdict=judge_verdict(figures.clear),
        people=between_people(_about(items, labelled)),
        slices=_slices(compared),
        disagreements=disagreements((one.pair, one.item) for one in compared),
        ties=_ties(items, labelled),
    )


def _unit(item: JudgedItem) -> Unit:
    return item.answer_id, item.chunk_id


def _about(items: Iterable[JudgedItem], labelled: _Labelled) -> list[HumanLabel]:
    """Return the labels that are about what a judge scored."""
    scored = {_unit(item) for item in items}
    return [label for label in labelled.labels if label.unit in scored]


def _counts(items: Iterable[JudgedItem], labelled: _Labelled) -> LabelCounts:
    """Return how many labels of which source are about what a judge scored."""
    about = _about(items, labelled)
    sources = Counter(label.source.value for label in about if not label.unsettled)
    return labelled.left_out.model_copy(update=dict(sources))


def _own_kind(judge: str | None, compared: Iterable["_Compared"]) -> int:
    """Return how many of the answers a model of the judge's own family wrote."""
    models = Counter(one.item.model for one in compared)
    return sum(times for model, times in models.items() if judges_its_own(judge, model))


@dataclass(frozen=True)
class _Compared:
    """One item that both people and the judge have a level for."""

    item: JudgedItem
    settled: Settled
    pair: Pair


def _level(item: JudgedItem) -> int | None:
    return None if item.failed else level_of(item.value, item.scale, None)


def _compared(
    items: Iterable[JudgedItem],
    labelled: _Labelled,
    below: float | None,
    chances: Mapping[str, float],
) -> list[_Compared]:
    """Return the items with a level of both; a failed score, or a tie, has none.

    Where the judge scored an answer by chance, the draw of the label and that of the score are
    independent: their probabilities are multiplied.
    """
    found = []
    for item in items:
        settled = labelled.settled.get(_unit(item))
        judge = _level(item)
        if settled is None or settled.level is None or judge is None:
            continue
        pair = Pair(
            cluster=item.answer_id,
            human=settled.level,
            judge=judge,
            probability=_both(settled.probability, chances.get(item.answer_id)),
            flagged=None if below is None else _worse(item, below),
        )
        found.append(_Compared(item, settled, pair))
    return found


def _both(drawn: float | None, chance: float | None) -> float | None:
    """Return the probability of two draws; None where the label was not drawn."""
    return None if drawn is None else drawn * (chance or 1.0)


def _worse(item: JudgedItem, below: float) -> bool:
    """Return whether a score is worse than a limit, in the direction of its own scale."""
    worst, best = item.scale or (0.0, 1.0)
    value = item.value or 0.0
    return value < below if best > worst else value > below


def _slices(compared: Iterable[_Compared]) -> tuple[SliceAgreement, ...]:
    by_slice: defaultdict[str, list[Pair]] = defaultdict(list)
    for one in compared:
        by_slice[one.item.slice or NO_SLICE].append(one.pair)
    return tuple(
        SliceAgreement(slice=name, figures=agreement(by_slice[name], draws=SLICE_DRAWS))
        for name in sorted(by_slice)
    )


def disagreements(pairs: Iterable[tuple[Pair, JudgedItem]]) -> tuple[Disagreement, ...]:
    """Return where they differ: good marks for bad answers first, then by how far apart."""
    found = [
        Disagreement(
            answer_id=item.answer_id,
            chunk_id=item.chunk_id,
            question=item.question,
            slice=item.slice,
            human=pair.human,
            judge=pair.judge,
            score=item.value or 0.0,
        )
        for pair, item in pairs
        if pair.human != pair.judge
    ]
    return tuple(sorted(found, key=lambda d: (d.human - d.judge, d.answer_id, d.chunk_id or "")))


def _ties(items: Iterable[JudgedItem], labelled: _Labelled) -> tuple[Tie, ...]:
    scored = {_unit(item) for item in items}
    tied = [one for one in labelled.settled.values() if one.level is None and one.unit in scored]
    return tuple(
        Tie(answer_id=one.answer_id, chunk_id=one.chunk_id, raters=one.raters)
        for one in sorted(tied, key=lambda one: (one.answer_id, one.chunk_id or ""))
    )


def between_people(labels: Sequence[HumanLabel]) -> BetweenPeople:
    """Return how far people agree; on the numbers as given where all stand on one scale.

    Both of two verdicts count, whichever stands; the word of an adjudication is no rater's.
    """
    one_scale = len({label.given[1] for label in labels}) == 1
    by_unit: defaultdict[Unit, list[HumanLabel]] = defaultdict(list)
    for label in labels:
        if label.rates:
            by_unit[label.unit].append(label)
    rated = [
        {one.person: one.given[0] if one_scale else float(one.level) for one in last_words(given)}
        for given in by_unit.values()
    ]
    shared = [row for row in rated if len(row) > 1]
    raters = sorted({person for row in shared for person in row})
    rows = [[row.get(person) for person in raters] for row in shared]
    figures = {measure.value: alpha(rows, measure) for measure in Measure}
    return BetweenPeople(items=len(shared), raters=len(raters), **figures)


def _in_use(key: JudgeKey) -> tuple[str, bool]:
    """Return what a judge is in use for; a proxy stands beside a model and replaces none."""
    return key.metric, (key.judge or "").startswith(PROXY)


def _newest(counts: Iterable[ScoreCount]) -> dict[tuple[str, bool], ScoreCount]:
    """Return for each use the judge whose scores are the newest."""
    found: dict[tuple[str, bool], ScoreCount] = {}
    for count in counts:
        last = found.get(_in_use(count.key))
        if count.newest and (last is None or last.newest is None or count.newest > last.newest):
            found[_in_use(count.key)] = count
    return found


def _stale(count: ScoreCount, newest: ScoreCount | None) -> str | None:
    """Return why figures of a judge say nothing of today's; None for the one in use."""
    if newest is None or newest.newest is None or newest.key == count.key:
        return None
    since = f"Since {plain_day(newest.newest)} {count.key.metric} is scored by "
    now = newest.key.judge or "an unnamed judge"
    if newest.key.judge == count.key.judge:
        return f"{since}the same judge with prompt {newest.key.prompt_version or 'unnamed'}."
    return f"{since}{now}."
