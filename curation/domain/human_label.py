"""What people say of one metric of one answer, on the judge's own scale of 0, 1 and 2."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from enum import StrEnum

from curation.domain.answer import Moment
from curation.domain.base import Value
from curation.domain.judging import GRADES, JudgeMetric
from curation.domain.review import FailureCategory, Review, Verdict

LEVELS = GRADES
BAD, MIDDLE, GOOD = LEVELS
WHOLE_ANSWER = "verdict"
_WORDS = {"bad": BAD, "partial": MIDDLE, "good": GOOD}
_NO_DATE = datetime(1, 1, 1, tzinfo=UTC)
_BAD_ON = {
    FailureCategory.FAITHFULNESS: JudgeMetric.FAITHFULNESS,
    FailureCategory.ANSWER_RELEVANCY: JudgeMetric.ANSWER_RELEVANCY,
    FailureCategory.OVER_ABSTENTION: JudgeMetric.ANSWER_RELEVANCY,
    FailureCategory.CONTEXT_RECALL: JudgeMetric.CONTEXT_RECALL,
}


class LabelSource(StrEnum):
    """Where a label comes from."""

    IMPORTED = "imported"
    REVIEW = "review"
    SPOT_CHECK = "spot_check"


class HumanLabel(Value):
    """One person's word on one metric of an answer, or of one of its chunks.

    `value` is the number as it was given on `scale`; `level` is it read as 0, 1 or 2. A label of
    an adjudication `decides` against the others. `probability` is how probable the item's draw
    was, None where nothing was drawn. An `unsettled` label is of a verdict that does not stand, or
    not yet: it says nothing of the answer, only how far people agree.
    """

    answer_id: str
    chunk_id: str | None = None
    metric: str
    level: int
    value: float | None = None
    scale: tuple[float, float] | None = None
    person: str
    at: Moment | None = None
    blind: bool
    source: LabelSource
    probability: float | None = None
    decides: bool = False
    unsettled: bool = False

    @property
    def rates(self) -> bool:
        """Whether it is a rater's own word; that of an adjudication between raters is not."""
        return not self.decides or self.source is LabelSource.REVIEW

    @property
    def unit(self) -> tuple[str, str | None]:
        """What the label is about."""
        return self.answer_id, self.chunk_id

    @property
    def given(self) -> tuple[float, tuple[float, float]]:
        """The number as it was given, with its scale; the level where it was a word."""
        if self.value is None or self.scale is None:
            return float(self.level), (BAD, GOOD)
        return self.value, self.scale


class Settled(Value):
    """What the people who labelled one item say together; a tie has no level."""

    answer_id: str
    chunk_id: str | None = None
    level: int | None
    raters: int
    probability: float | None = None
    as_given: bool = True

    @property
    def unit(self) -> tuple[str, str | None]:
        """What the labels are about."""
        return self.answer_id, self.chunk_id


def labels_of_review(review: Review, probability: float | None = None) -> tuple[HumanLabel, ...]:
    """Return what a verdict says of the judge's metrics (measures.md section 10).

    Right says 2 on faithfulness and answer relevancy; a failure category says 0 on its own metric;
    every other metric gets no label from a review.
    """
    said: dict[str, int] = {}
    if review.verdict is Verdict.RIGHT:
        said = {JudgeMetric.FAITHFULNESS: GOOD, JudgeMetric.ANSWER_RELEVANCY: GOOD}
    elif review.verdict is not Verdict.NOT_ACTIONABLE and review.failure in _BAD_ON:
        said = {_BAD_ON[review.failure]: BAD}
    return tuple(
        HumanLabel(
            answer_id=review.answer_id,
            metric=metric,
            level=level,
            person=review.person.key,
            at=review.at,
            blind=review.blind,
            source=LabelSource.REVIEW,
            probability=probability,
        )
        for metric, level in said.items()
    )


def level_of(
    value: float | None, scale: tuple[float, float] | None, word: str | None
) -> int | None:
    """Return a number or word as 0, 1 or 2; None for one that says nothing.

    `bad`, `partial` and `good` are the levels themselves. A number on another scale is read by how
    far it falls short of the best (measures.md section 9): the nearest level, in between 1. One
    outside its scale says nothing.
    """
    if word is not None and word.casefold() in _WORDS:
        return _WORDS[word.casefold()]
    if value is None:
        return None
    worst, best = scale or (0.0, 1.0)
    if worst == best or not min(worst, best) <= value <= max(worst, best):
        return None
    return _nearest(2 * (value - worst) / (best - worst))


def _nearest(place: float) -> int:
    if place < 0.5:
        return BAD
    return GOOD if place > 1.5 else MIDDLE


def own_scale(scale: tuple[float, float] | None) -> bool:
    """Return whether a scale is that of the levels, in either direction."""
    return scale is not None and set(scale) == {BAD, GOOD}


def settle(labels: Sequence[HumanLabel]) -> Settled:
    """Return what the labels of one item say together: the majority, never the mean.

    A person counts once, with the last word. The word of an adjudication decides.

    Args:
        labels: the labels of one item, at least one.
    """
    last = last_words(labels)
    deciding = [label for label in last if label.decides]
    level = deciding[-1].level if deciding else _majority(last)
    drawn = [label.probability for label in last if label.probability is not None]
    return Settled(
        answer_id=labels[0].answer_id,
        chunk_id=labels[0].chunk_id,
        level=level,
        raters=len(last),
        probability=max(drawn, default=None),
        as_given=all(own_scale(label.given[1]) for label in last),
    )


def last_words(labels: Iterable[HumanLabel]) -> list[HumanLabel]:
    """Return each person's last label, in the order of their dates."""
    ordered = sorted(labels, key=lambda label: label.at or _NO_DATE)
    return list({(label.person, label.decides): label for label in ordered}.values())


def _majority(labels: Sequence[HumanLabel]) -> int | None:
    """Return the level that most say; None for a tie.

    Numbers of one scale are counted as they were given, before they are read as levels, so that
    two different ones never pass for a majority.
    """
    one_scale = len({label.given[1] for label in labels}) == 1
    counted = Counter(label.given[0] if one_scale else label.level for label in labels)
    (most, times), *others = counted.most_common()
    if others and others[0][1] == times:
        return None
    return next(
        label.level for label in labels if (label.given[0] if one_scale else label.level) == most
    )
