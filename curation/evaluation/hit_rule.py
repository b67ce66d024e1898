"""Which hit rule a comparison must use, and the gold chunks that a corpus does not have."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from curation.evaluation.cases import ScoringCase
from curation.metrics.hits import HitRule

__all__ = ["HitRuleChoice", "choose_hit_rule", "unknown_gold"]

_UNKNOWN_SHARE = 0.01
_RECHUNKING = frozenset({"chunker", "corpus"})


@dataclass(frozen=True, slots=True, kw_only=True)
class HitRuleChoice:
    """The hit rule of a comparison and why."""

    rule: HitRule
    reason: str


def unknown_gold(
    cases: Iterable[ScoringCase], is_known: Callable[[str, str | None], bool]
) -> tuple[str, ...]:
    """Return the gold chunks, by id and version, that a corpus does not have."""
    gold = {(item.chunk_id, item.doc_version) for case in cases for item in case.case.gold}
    return tuple(
        chunk_id if version is None else f"{chunk_id} ({version})"
        for chunk_id, version in sorted(gold, key=str)
        if not is_known(chunk_id, version)
    )


def choose_hit_rule(
    cases: Sequence[ScoringCase],
    *,
    component: str | None = None,
    is_known: Callable[[str, str | None], bool] | None = None,
) -> HitRuleChoice:
    """Return the hit rule that a comparison must use (measures.md section 3).

    The quote decides when the component is the chunker or the corpus, or when more than 1 % of
    the gold ids are unknown to the candidate's corpus: an id that the corpus no longer has is a
    broken yardstick, not a bad retriever.

    Args:
        cases: The cases.
        component: What an experiment changes, where there is one.
        is_known: Whether the candidate's corpus has a chunk of a version; None where unknown.
    """
    unknown = () if is_known is None else unknown_gold(cases, is_known)
    total = len({(item.chunk_id, item.doc_version) for case in cases for item in case.case.gold})
    if component in _RECHUNKING:
        reason = f"the {component} changes, so that chunk ids cannot be compared"
        return HitRuleChoice(rule=HitRule.QUOTE, reason=reason)
    if len(unknown) > _UNKNOWN_SHARE * total:
        reason = f"{len(unknown)} of {total} gold chunks are unknown to the candidate's corpus"
        return HitRuleChoice(rule=HitRule.QUOTE, reason=reason)
    return HitRuleChoice(rule=HitRule.ID, reason="the chunk ids are known")
