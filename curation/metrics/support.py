"""Faithfulness: the share of an answer's quantities that its sources hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curation.metrics.anchors import Quantity
from curation.metrics.items import quantities

__all__ = ["Faithfulness", "faithfulness", "unsupported_quantities"]


@dataclass(frozen=True, kw_only=True)
class Faithfulness:
    """The share supported (1 where nothing can be checked), how many, and which were not."""

    value: float
    n_checked: int
    unsupported: tuple[Quantity, ...]


def unsupported_quantities(answer: str, sources: Sequence[str]) -> tuple[Quantity, ...]:
    """Return the answer's quantities that no source holds, in order."""
    return faithfulness(answer, sources).unsupported


def faithfulness(answer: str, sources: Sequence[str]) -> Faithfulness:
    """Return the share of the answer's quantities that the sources hold."""
    known = {reading for source in sources for q in quantities(source) for reading in q.readings}
    checked = quantities(answer)
    unsupported = tuple(q for q in checked if not q.readings & known)
    value = 1.0 if not checked else 1 - len(unsupported) / len(checked)
    return Faithfulness(value=value, n_checked=len(checked), unsupported=unsupported)
