"""Whether a judge can be believed, in words (measures.md section 10)."""

from enum import StrEnum

from curation.domain.base import Value
from curation.metrics.agreement import Clear
from curation.metrics.wilson import Rate, needed

ENOUGH = 10  # labels of 0, and of 2
AGREES = 0.9  # exactly, on clear cases
MOST_GOOD_FOR_BAD = 0.05
GENEROUS_FROM = 0.10
GENEROUS_ITEMS = 2
HALF_WIDTH = 0.1


class Belief(StrEnum):
    """How far a judge can be believed."""

    BELIEVABLE = "believable"
    GENEROUS = "generous"
    NEEDS_LABELS = "needs_labels"
    NOT_BELIEVABLE = "not_believable"


class JudgeVerdict(Value):
    """What the labels say of a judge; `more` is how many labels are missing."""

    belief: Belief
    more: int = 0
    words: str


def judge_verdict(clear: Clear) -> JudgeVerdict:
    """Return whether the judge can be believed on clear cases, or what is missing."""
    if _generous(clear):
        return JudgeVerdict(belief=Belief.GENEROUS, words=_generous_words(clear.good_for_bad))
    if _believable(clear):
        return JudgeVerdict(belief=Belief.BELIEVABLE, words=_believable_words(clear))
    more = labels_missing(clear)
    if more == 0:
        return JudgeVerdict(belief=Belief.NOT_BELIEVABLE, words=_unbelievable_words(clear))
    return JudgeVerdict(belief=Belief.NEEDS_LABELS, more=more, words=_needs_words(clear, more))


def _generous(clear: Clear) -> bool:
    given = clear.good_for_bad
    return given.hits >= GENEROUS_ITEMS and given.hits >= GENEROUS_FROM * given.n


def _believable(clear: Clear) -> bool:
    return (
        clear.bad >= ENOUGH
        and clear.good >= ENOUGH
        and (clear.agreed.value or 0.0) >= AGREES
        and (clear.good_for_bad.value or 0.0) <= MOST_GOOD_FOR_BAD
    )


def labels_missing(clear: Clear) -> int:
    """Return about how many more labels of clear cases are needed.

    Until the Wilson interval of the agreement is 0.1 to either side, and until there are ten of 0
    and ten of 2.
    """
    narrow = needed(clear.agreed.value, HALF_WIDTH) - clear.agreed.n
    ends = max(0, ENOUGH - clear.bad) + max(0, ENOUGH - clear.good)
    return max(narrow, ends, 0)


def _believable_words(clear: Clear) -> str:
    return (
        f"Believable on clear cases: it agrees with people on {share(clear.agreed)} of them, "
        f"and gives 2 to {clear.good_for_bad.hits} of the {clear.bad} that people give 0."
    )


def _generous_words(given: Rate) -> str:
    return (
        f"Hands out good marks to bad answers: it gives 2 to {share(given)} of those that people "
        "give 0. A high score of it says little."
    )


def _needs_words(clear: Clear, more: int) -> str:
    so_far = (
        f"so far it agrees with people on {share(clear.agreed)} clear cases"
        if clear.agreed.n
        else "nobody has labelled a clear case of it yet"
    )
    short = [
        f"{ENOUGH - count} more that people give {level}"
        for level, count in ((0, clear.bad), (2, clear.good))
        if count < ENOUGH
    ]
    ends = f" It takes at least {' and '.join(short)}." if short else ""
    labels = "label" if more == 1 else "labels"
    return f"Needs about {more} more {labels}: {so_far}.{ends}"


def _unbelievable_words(clear: Clear) -> str:
    wrong = clear.agreed.n - clear.agreed.hits
    return (
        f"Not believable on clear cases: it agrees with people on {share(clear.agreed)} of them, "
        f"and {wrong} are too many. More labels would not change that."
    )


def share(counted: Rate) -> str:
    """Return `27 of 30 (0.74 to 0.97)`."""
    if counted.low is None or counted.high is None:
        return f"{counted.hits} of {counted.n}"
    return f"{counted.hits} of {counted.n} ({counted.low:.2f} to {counted.high:.2f})"
