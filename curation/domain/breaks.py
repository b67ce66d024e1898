"""Where the pipeline breaks: what people confirmed, by failure category, slice and version."""

from datetime import date

from curation.domain.base import Value
from curation.domain.review import FailureCategory

MOST_ANSWERS = 5


class Confirmed(Value):
    """One answer whose failure a person confirmed, with what its question group weighs."""

    answer_id: str
    group_id: str
    question: str
    category: FailureCategory
    slice: str | None
    pipeline_version: str | None
    week: date
    asked: int
    priority: float


class Break(Value):
    """The confirmed failures of one category, slice and pipeline version.

    `asked` is how often their questions were asked in the window, `weight` the sum of frequency x
    impact over them; `answers` are the heaviest ones.
    """

    category: FailureCategory
    slice: str | None
    pipeline_version: str | None
    confirmed: int
    asked: int
    weight: float
    answers: tuple[str, ...]
    questions: tuple[str, ...]

    @property
    def stage(self) -> str:
        """The stage of the pipeline to fix."""
        return self.category.stage


class BreakWeek(Value):
    """How many answers of one week failed in each category."""

    week: date
    pipeline_version: str | None
    counts: dict[FailureCategory, int]


class Purchase(Value):
    """What it would buy if every case of one category passed: an upper bound.

    `cases` counts the active cases that came from such a failure, `failing` those of them that fail
    on the baseline's outputs.
    """

    category: FailureCategory
    cases: int
    failing: int
    pass_rate: float
    pass_rate_after: float


class BaselineLook(Value):
    """The run that the purchases are counted on, or why there is none."""

    version: str | None = None
    pipeline: str | None = None
    n: int = 0
    missing: str = ""
    purchases: tuple[Purchase, ...] = ()


class Breaks(Value):
    """Everything of the page, the heaviest break first."""

    breaks: tuple[Break, ...] = ()
    weeks: tuple[BreakWeek, ...] = ()
    confirmed: int = 0
    unconfirmed: int = 0
    baseline: BaselineLook = BaselineLook()


def breaks_of(found: tuple[Confirmed, ...]) -> tuple[Break, ...]:
    """Return the failures by category, slice and version; a question group counts once in each."""
    cells: dict[tuple[FailureCategory, str | None, str | None], list[Confirmed]] = {}
    for one in found:
        cells.setdefault((one.category, one.slice, one.pipeline_version), []).append(one)
    made = [_break(key, members) for key, members in cells.items()]
    return tuple(sorted(made, key=lambda b: (-b.weight, -b.confirmed, b.category, b.slice or "")))


def _break(key: tuple[FailureCategory, str | None, str | None], members: list[Confirmed]) -> Break:
    groups = {one.group_id: one for one in members}
    heaviest = sorted(members, key=lambda one: (-one.priority, one.answer_id))[:MOST_ANSWERS]
    return Break(
        category=key[0],
        slice=key[1],
        pipeline_version=key[2],
        confirmed=len(members),
        asked=sum(one.asked for one in groups.values()),
        weight=sum(one.priority for one in groups.values()),
        answers=tuple(one.answer_id for one in heaviest),
        questions=tuple(one.question for one in heaviest),
    )


def weeks_of(found: tuple[Confirmed, ...]) -> tuple[BreakWeek, ...]:
    """Return the failures by the week in which the answers were asked, the oldest first."""
    cells: dict[tuple[date, str | None], dict[FailureCategory, int]] = {}
    for one in found:
        counts = cells.setdefault((one.week, one.pipeline_version), {})
        counts[one.category] = counts.get(one.category, 0) + 1
    return tuple(
        BreakWeek(week=week, pipeline_version=version, counts=cells[week, version])
        for week, version in sorted(cells, key=lambda key: (key[0], key[1] or ""))
    )
