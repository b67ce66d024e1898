"""Spot checks: blind labelling of a stratified draw over a judge's scores.

The judge's word, other people's, and how they agree are told when a person's session is at its
end; everybody who takes part in a spot check gets the same items in the same order.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from curation.domain.answer import Answer
from curation.domain.human_label import LEVELS, level_of
from curation.domain.person import Person, Role
from curation.errors import CurationError, NotFoundError
from curation.services.agreement import AgreementQuery, judge_reports
from curation.services.agreement_report import Tie
from curation.services.workspace import Workspace
from curation.store import Session
from curation.store.answers import get_answer
from curation.store.reviews import is_blind
from curation.store.scores_by_judge import (
    JudgedItem,
    JudgeKey,
    ScoreCount,
    items_of,
    score_counts,
)
from curation.store.spot_checks import (
    SpotCheck,
    SpotItem,
    SpotLabel,
    add_check,
    add_label,
    all_checks,
    drop_label,
    items_of_check,
    label_counts,
    labels_of_check,
)

FAILED = "failed"
TIED = "tied"
MOST_ITEMS = 500
Tied = tuple[JudgeKey, tuple[Tie, ...]]


class NothingToDrawError(CurationError):
    """No judge has scored what a spot check was asked for."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"Nothing was drawn: no judge has scored {what}. Run `curation judge run` first."
        )


class NoTiesError(CurationError):
    """There is nothing between people to decide."""

    def __init__(self) -> None:
        super().__init__(
            "Nothing was drawn: no item has labels without a majority. "
            "Leave --ties out to draw over the judge's scores."
        )


class NotDrawnError(CurationError):
    """A label names an item that the spot check does not have."""

    exit_status = 2

    def __init__(self, number: int, name: str) -> None:
        super().__init__(
            f"Nothing was stored: spot check {number} has no item {name}. "
            "Use the positions that it lists."
        )


class NoLevelError(CurationError):
    """A label is not 0, 1 or 2."""

    exit_status = 2

    def __init__(self, given: object) -> None:
        super().__init__(f"Nothing was stored: {given!r} is not 0, 1 or 2. Give one of them.")


@dataclass(frozen=True, kw_only=True)
class SpotRequest:
    """What to draw; without a metric the one that was scored last.

    With `ties` it is the items whose labels have no majority, and the person's word decides.
    """

    n: int = 30
    judge: str | None = None
    metric: str | None = None
    seed: int | None = None
    new: bool = False
    ties: bool = False


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How far a person is in a spot check."""

    check: SpotCheck
    items: tuple[SpotItem, ...]
    mine: tuple[SpotLabel, ...]

    @property
    def done(self) -> int:
        """How many items the person has labelled."""
        return len(self.mine)

    @property
    def finished(self) -> bool:
        """Whether nothing is left."""
        return self.done >= len(self.items)

    @property
    def next(self) -> SpotItem | None:
        """The first item that the person has not labelled."""
        labelled = {label.position for label in self.mine}
        return next((one for one in self.items if one.position not in labelled), None)


@dataclass(frozen=True, kw_only=True)
class ShownItem:
    """An item as a person sees it: nothing of the judge, nothing of other people."""

    position: int
    number: int
    of: int
    answer: Answer
    chunk_id: str | None = None


def begin(workspace: Workspace, request: SpotRequest, *, person: Person, now: datetime) -> Standing:
    """Return a spot check to work on: one that was begun, by anybody, else a new draw.

    One with items that the person has not labelled is gone on with, so that a second person gets
    the items of the first. A seed names a draw, which is told again where it is at its end.

    Raises:
        RoleError: the person is no reviewer.
        NothingToDrawError: no judge has scored anything of the kind.
    """
    workspace.require(person, Role.REVIEWER, "A spot check")
    tied = _tied(workspace, request) if request.ties else None
    with workspace.store.reading() as session:
        going = None if request.new else _going_on(session, request, person)
        if going is not None:
            return _standing(session, going, person)
        check, items = _drawn(session, request, tied, person=person, now=now)
    with workspace.store.writing() as session:
        return _standing(session, add_check(session, check, items), person)


def _tied(workspace: Workspace, request: SpotRequest) -> Tied | None:
    """Return the items without a majority of the first judge that has some."""
    query = AgreementQuery(judge=request.judge, metric=request.metric)
    for report in judge_reports(workspace, query):
        if report.ties:
            return report.key, report.ties
    return None


def waiting(workspace: Workspace, person: Person) -> tuple[Standing, ...]:
    """Return the spot checks with items that the person has not labelled, newest first."""
    with workspace.store.reading() as session:
        counts = label_counts(session, person)
        return tuple(
            _standing(session, check, person)
            for check in all_checks(session)
            if counts[check.number][1] < counts[check.number][0]
        )


def _going_on(session: Session, request: SpotRequest, person: Person) -> SpotCheck | None:
    """Return the newest spot check of that kind that is not finished, or that a seed names."""
    counts = label_counts(session, person)
    for check in all_checks(session):
        items, done = counts[check.number]
        if (done < items or request.seed is not None) and _asked_for(check, request):
            return check
    return None


def _asked_for(check: SpotCheck, request: SpotRequest) -> bool:
    named = request.seed is None or (check.seed, check.wanted) == (request.seed, request.n)
    kind = named and check.decides is request.ties
    return kind and request.metric in {None, check.metric} and request.judge in {None, check.judge}


def _drawn(
    session: Session,
    request: SpotRequest,
    tied: Tied | None,
    *,
    person: Person,
    now: datetime,
) -> tuple[SpotCheck, tuple[SpotItem, ...]]:
    """Return a new spot check with its items."""
    seed = len(all_checks(session)) + 1 if request.seed is None else request.seed
    if request.ties:
        if tied is None:
            raise NoTiesError
        key, ties = tied
        items = _all_tied(ties, request.n)
    else:
        key = _chosen(score_counts(session), request)
        items = draw(items_of(session, key), n=min(request.n, MOST_ITEMS), seed=seed)
    check = SpotCheck(
        number=0,
        **key._asdict(),
        seed=seed,
        wanted=request.n,
        decides=request.ties,
        drawn_by=person,
        at=now,
    )
    return check, items


def _all_tied(ties: Sequence[Tie], n: int) -> tuple[SpotItem, ...]:
    return tuple(
        SpotItem(
            position=at,
            answer_id=tie.answer_id,
            chunk_id=tie.chunk_id,
            stratum=TIED,
            probability=1,
        )
        for at, tie in enumerate(ties[:n], start=1)
    )


def _chosen(counts: Sequence[ScoreCount], request: SpotRequest) -> JudgeKey:
    """Return whose scores to draw from: the newest judge of the metric, then the most scores."""
    fitting = [
        count
        for count in counts
        if request.metric in {None, count.key.metric} and request.judge in {None, count.key.judge}
    ]
    if not fitting:
        what = f"the metric {request.metric}" if request.metric else "anything"
        raise NothingToDrawError(what if request.judge is None else f"{what} as {request.judge}")
    return max(fitting, key=lambda one: (_moment(one), one.scores)).key


def _moment(count: ScoreCount) -> float:
    return count.newest.timestamp() if count.newest else 0.0


def draw(items: Sequence[JudgedItem], *, n: int, seed: int) -> tuple[SpotItem, ...]:
    """Return a stratified draw: as many of each of the judge's levels, and of its failures.

    A level with fewer items gives all of them, and the others more. The probability of an item is
    the share of its level that was drawn. The order is random, so that it says nothing.
    """
    strata: defaultdict[str, list[JudgedItem]] = defaultdict(list)
    for item in items:
        level = None if item.failed else level_of(item.value, item.scale, None)
        strata[FAILED if level is None else str(level)].append(item)
    random = Random(seed)  # noqa: S311 - a draw that can be drawn again
    drawn: list[tuple[JudgedItem, str, float]] = []
    for name, share in sorted(shares({k: len(v) for k, v in strata.items()}, n).items()):
        chosen = random.sample(strata[name], share)
        drawn += [(item, name, share / len(strata[name])) for item in chosen]
    random.shuffle(drawn)
    return tuple(
        SpotItem(
            position=at,
            answer_id=item.answer_id,
            chunk_id=item.chunk_id,
            stratum=name,
            probability=probability,
        )
        for at, (item, name, probability) in enumerate(drawn, start=1)
    )


def shares(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    """Return how many to draw from each stratum: equal parts, none more than it has."""
    left = min(n, sum(sizes.values()))
    given: dict[str, int] = {}
    order = sorted(sizes, key=lambda name: (sizes[name], name))
    for at, name in enumerate(order):
        given[name] = min(sizes[name], left // (len(order) - at))
        left -= given[name]
    for name in reversed(order):
        more = min(left, sizes[name] - given[name])
        given[name] += more
        left -= more
    return {name: number for name, number in given.items() if number}


def standing(workspace: Workspace, number: int, person: Person) -> Standing:
    """Return how far a person is in a spot check.

    Raises:
        NotFoundError: there is no such spot check.
    """
    with workspace.store.reading() as session:
        return _standing(session, _found(session, number), person)


def _found(session: Session, number: int) -> SpotCheck:
    for check in all_checks(session):
        if check.number == number:
            return check
    raise NotFoundError("spot check", str(number), "Begin one with `curation judge spot-check`.")


def _standing(session: Session, check: SpotCheck, person: Person) -> Standing:
    labels = labels_of_check(session, check.number)
    return Standing(
        check=check,
        items=items_of_check(session, check.number),
        mine=tuple(label for label in labels if label.person.key == person.key),
    )


def shown_items(workspace: Workspace, where: Standing) -> tuple[ShownItem, ...]:
    """Return the items that are left to a person, as that person may see them."""
    labelled = {label.position for label in where.mine}
    left = [item for item in where.items if item.position not in labelled]
    return tuple(shown_item(workspace, where, item) for item in left)


def shown_item(workspace: Workspace, where: Standing, item: SpotItem) -> ShownItem:
    """Return an item as a person may see it: without scores and labels."""
    with workspace.store.reading() as session:
        answer = get_answer(session, item.answer_id)
    if answer is None:
        raise NotFoundError("answer", item.answer_id)
    bare = {"scores": (), "labels": (), "signals": ()}
    return ShownItem(
        position=item.position,
        number=where.done + 1,
        of=len(where.items),
        answer=answer.model_copy(update=bare),
        chunk_id=item.chunk_id,
    )


@dataclass(frozen=True, kw_only=True)
class Said:
    """A person's word on one item."""

    position: int
    level: int
    seconds: float | None = None


def label_items(
    workspace: Workspace, number: int, said: Sequence[Said], *, person: Person, now: datetime
) -> Standing:
    """Store what a person says of items; a word that was given already stays.

    Raises:
        RoleError: the person is no reviewer.
        NotFoundError: there is no such spot check.
        NotDrawnError: it has no such item.
        NoLevelError: a label is not 0, 1 or 2.
    """
    workspace.require(person, Role.REVIEWER, "A spot check")
    with workspace.store.writing() as session:
        check = _found(session, number)
        items = {item.position: item for item in items_of_check(session, number)}
        for word in said:
            if isinstance(word.level, bool) or word.level not in LEVELS:
                raise NoLevelError(word.level)
            if word.position not in items:
                raise NotDrawnError(number, str(word.position))
            label = SpotLabel(
                position=word.position,
                person=person,
                level=int(word.level),
                seconds=word.seconds,
                at=now,
                blind=is_blind(session, items[word.position].answer_id, person),
            )
            add_label(session, number, label)
        return _standing(session, check, person)


def take_back(workspace: Workspace, number: int, *, person: Person) -> Standing:
    """Forget the person's last word in a spot check that is not at its end.

    Raises:
        NotFoundError: there is no such spot check.
    """
    with workspace.store.writing() as session:
        check = _found(session, number)
        where = _standing(session, check, person)
        if where.mine and not where.finished:
            drop_label(session, number, where.mine[-1].position, person)
        return _standing(session, check, person)
