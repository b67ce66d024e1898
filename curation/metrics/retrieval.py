"""Rank metrics over the evidence groups that the hits of one case hold.

All work on `Relevance`, which a hit rule makes (`curation.metrics.hits`). trec_eval knows
relevant documents, we know evidence groups: where every group has one chunk of its own the two
agree (a test compares them). Unjudged chunks count as not relevant, so precision is a lower bound.
"""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = [
    "Relevance",
    "average_relevance",
    "hit_rate_at_k",
    "judged_precision_at_k",
    "precision_at_k",
    "precision_retrieved_at_k",
    "recall_at_k",
    "reciprocal_rank",
]


@dataclass(frozen=True, slots=True)
class Relevance:
    """What the hits of one output hold, in rank order, each chunk and version once.

    `found[i]` are the evidence groups that are found once the hits up to rank i + 1 are read;
    a group stands at the first rank that completes it. `relevant[i]` says whether that hit
    holds evidence.
    """

    groups: frozenset[str]
    found: tuple[frozenset[str], ...]
    relevant: tuple[bool, ...]


def hit_rate_at_k(relevance: Relevance, k: int) -> float | None:
    """Return 1 when any evidence group is among the first k hits, else 0; None without evidence.

    success@k of trec_eval. The first article of the method calls this recall.
    """
    if not relevance.groups:
        return None
    return float(any(relevance.found[:k]))


def recall_at_k(relevance: Relevance, k: int) -> float | None:
    """Return evidence groups found in the first k hits / evidence groups; None without evidence.

    recall@k of trec_eval with groups for relevant documents.
    """
    if not relevance.groups:
        return None
    hit: frozenset[str] = frozenset().union(*relevance.found[:k])
    return len(hit) / len(relevance.groups)


def precision_at_k(relevance: Relevance, k: int) -> float | None:
    """Return relevant hits among the first k / k; None without evidence.

    P@k of trec_eval: the denominator is k also when fewer hits came back.
    """
    if not relevance.groups:
        return None
    return sum(relevance.relevant[:k]) / k


def precision_retrieved_at_k(relevance: Relevance, k: int) -> float | None:
    """Return relevant hits / hits, both among the first k; None without evidence or hits."""
    if not relevance.groups or not relevance.relevant:
        return None
    return sum(relevance.relevant[:k]) / min(k, len(relevance.relevant))


def reciprocal_rank(relevance: Relevance) -> float | None:
    """Return 1 / rank of the first hit of any evidence group, 0 without one; None without evidence.

    recip_rank of trec_eval; it is not cut at k.
    """
    if not relevance.groups:
        return None
    for rank, found in enumerate(relevance.found, start=1):
        if found:
            return 1 / rank
    return 0.0


def judged_precision_at_k(
    grades: Sequence[float | None], k: int, *, lenient: bool = False
) -> float | None:
    """Return the share of the first k chunks that a judge graded relevant, over k.

    Strict counts grade 2 only, lenient 1 and above. None when a chunk among the first k has a
    failed or no grade, or there is none.
    """
    first = grades[:k]
    if not first or any(grade is None for grade in first):
        return None
    least = 1 if lenient else 2
    return sum(grade is not None and grade >= least for grade in first) / k


def average_relevance(grades: Sequence[float | None]) -> str:
    """Return the line of a judge's chunk grades: `Average relevance: 1.42 (3 failures)`."""
    scored = [grade for grade in grades if grade is not None]
    failures = len(grades) - len(scored)
    shown = f"{sum(scored) / len(scored):.2f}" if scored else "\u2013"
    return f"Average relevance: {shown} ({failures} failure{'' if failures == 1 else 's'})"
