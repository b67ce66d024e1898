"""Priority = frequency x impact (measures.md section 9): the pure part of it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from curation.domain.answer import Answer, Score, ScoreStatus, Signal, SignalKind
from curation.domain.base import Value
from curation.domain.judging import PROXY
from curation.domain.queue import PriorityWeights

SCORE_OR_SAMPLE = "score or sample"
JUDGE_FAILED = "judge failed"
FILLS_A_HOLE = "fills a hole"
REGRESSION = "regression"
MOST_REASONS = 4
_BITS = {kind: 1 << place for place, kind in enumerate(SignalKind)}
_WORDS = {SignalKind.FOLLOW_UP: "follow-up"}


class Judged(Value):
    """The worst of an answer's scores: how far it falls short, 0 at best and 1 at worst."""

    shortfall: float | None = None
    metric: str | None = None
    value: float | None = None
    failed: bool = False


class GroupParts(Value):
    """What the priority of a question group is made of, before any weight."""

    asked: int
    said: dict[SignalKind, float]
    shortfall: float | None = None
    hole: bool = False
    factor: float = 1  # the weight of its slice
    newest: datetime


class Reason(Value):
    """Why a row is in the queue, with its part of the impact."""

    words: str
    strength: float


def signal_bit(kind: SignalKind) -> int:
    """Return the bit that stands for a kind of signal."""
    return _BITS[kind]


def signal_mask(signals: Iterable[Signal]) -> int:
    """Return the kinds of signals as bits."""
    mask = 0
    for signal in signals:
        mask |= _BITS[signal.kind]
    return mask


def shortfall(score: Score) -> float | None:
    """Return (best - value) / (best - worst); None for a failed score or one without a scale.

    A score between 0 and 1 without a scale is read on 0 to 1.
    """
    if score.status is ScoreStatus.FAILED or score.value is None:
        return None
    if score.scale is None:
        return 1 - score.value if 0 <= score.value <= 1 else None
    worst, best = score.scale
    return (best - score.value) / (best - worst) if best != worst else None


def judged(answer: Answer) -> Judged:
    """Return the worst of the scores that are about the whole answer.

    The proxy stands in where nobody else scored the answer: beside a judge its coarse grades would
    only put more answers at the very end.
    """
    whole = [score for score in answer.scores if score.chunk_id is None]
    judges = [score for score in whole if score.judge != PROXY]
    counted = judges if any(shortfall(score) is not None for score in judges) else whole
    found = Judged()
    for score in counted:
        if score.status is ScoreStatus.FAILED or score.value is None:
            found = found.model_copy(update={"failed": True})
            continue
        short = shortfall(score)
        if short is not None and (found.shortfall is None or short > found.shortfall):
            found = Judged(
                shortfall=short, metric=score.metric, value=score.value, failed=found.failed
            )
    return found


def severity(kinds: Iterable[SignalKind], short: float | None, weights: PriorityWeights) -> float:
    """Return how bad one answer looks among those of its group."""
    said = sum(weights.signals.get(kind, 0) for kind in set(kinds))
    return max(0.0, said + weights.judge * (short or 0))


def signal_part(confidences: Mapping[SignalKind, float], weights: PriorityWeights) -> float:
    """Return the users' part of the impact.

    Args:
        confidences: per kind, the sum over distinct users of the best confidence.
        weights: the weights of the configuration.
    """
    return sum(weights.signals.get(kind, 0) * sure for kind, sure in confidences.items())


def priority_of(parts: GroupParts, weights: PriorityWeights) -> float:
    """Return frequency x impact (measures.md section 9)."""
    said = signal_part(parts.said, weights) + weights.judge * (parts.shortfall or 0)
    impact = max(0.0, said + (weights.hole if parts.hole else 0))
    return max(parts.asked, 1) * parts.factor * impact


def signal_reasons(
    confidences: Mapping[SignalKind, float], weights: PriorityWeights
) -> tuple[Reason, ...]:
    """Return a reason for every kind of signal that speaks for a look."""
    return tuple(
        Reason(words=signal_words(kind), strength=weights.signals[kind] * sure)
        for kind, sure in confidences.items()
        if weights.signals.get(kind, 0) > 0 and sure > 0
    )


def judge_reasons(worst: Judged, weights: PriorityWeights) -> tuple[Reason, ...]:
    """Return the judge's reasons; a failed judge adds a word and nothing to the number."""
    found: list[Reason] = []
    if worst.shortfall and worst.metric is not None:
        words = f"{worst.metric} {worst.value:g}"
        found.append(Reason(words=words, strength=weights.judge * worst.shortfall))
    if worst.failed:
        found.append(Reason(words=JUDGE_FAILED, strength=0))
    return tuple(found)


def shown_reasons(reasons: Sequence[Reason], *, regressed: bool = False) -> tuple[str, ...]:
    """Return at most four reasons in words, strongest first; and that a case fills a hole.

    That a question regressed is said before all others.
    """
    hole = tuple(reason.words for reason in reasons if reason.words == FILLS_A_HOLE)
    others = [reason for reason in reasons if reason.words != FILLS_A_HOLE]
    others.sort(key=lambda reason: -reason.strength)
    words = (*((REGRESSION,) if regressed else ()), *(reason.words for reason in others))
    return (*(words[:MOST_REASONS] or (SCORE_OR_SAMPLE,)), *hole)


def signal_words(kind: SignalKind) -> str:
    """Return what a kind of signal is called."""
    return _WORDS.get(kind, kind.value.replace("_", " "))
