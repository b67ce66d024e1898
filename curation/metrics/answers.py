"""Numbers of one answer: required recall, forbidden facts, the plain faithfulness formula."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from curation.domain.verdict import Presence

__all__ = ["Bounded", "forbidden_rate", "required_recall", "seed_faithfulness"]


class Bounded(NamedTuple):
    """A value with what it is when every unsure fact counts as absent, and as present."""

    value: float
    low: float
    high: float


def required_recall(presences: Sequence[Presence]) -> Bounded | None:
    """Return required facts present / required facts; None without required facts.

    What must be said not to be known (`declines`) counts as a required fact. The value counts an
    unsure fact as absent. Nugget recall over vital nuggets (TREC 2003 QA; AutoNuggetizer 2024).
    """
    if not presences:
        return None
    present, unsure = presences.count(Presence.PRESENT), presences.count(Presence.UNSURE)
    low, high = present / len(presences), (present + unsure) / len(presences)
    return Bounded(low, low, high)


def forbidden_rate(presences: Sequence[Presence]) -> Bounded | None:
    """Return 1 when any forbidden fact is asserted, else 0; None without forbidden facts.

    An attributed value ("it was 30 s in v3.9") is not asserted. The value counts an unsure fact
    as absent.
    """
    if not presences:
        return None
    low = float(Presence.PRESENT in presences)
    high = float(Presence.PRESENT in presences or Presence.UNSURE in presences)
    return Bounded(low, low, high)


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def seed_faithfulness(answer: str, sources: Sequence[str]) -> float:
    """Return the share of the answer's numbers that stand in the sources, as written.

    The plain formula of the method, kept for reproduction: numbers are runs of digits with inner
    points and commas, compared as text; 1 when the answer has none. Markers, units, versions and
    number forms are not looked at: `metrics.faithfulness` is the number that is gated.
    """
    numbers = _NUMBER.findall(answer)
    if not numbers:
        return 1.0
    missing = set(numbers)
    for source in sources:
        # A source without the digits cannot have the number; to look is far cheaper than to read.
        if any(number in source for number in missing):
            missing.difference_update(_NUMBER.findall(source))
    return sum(number not in missing for number in numbers) / len(numbers)
