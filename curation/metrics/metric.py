"""The names of what is measured, and which way is better."""

from enum import StrEnum

__all__ = ["Metric", "display_name", "parse_metric"]


class Metric(StrEnum):
    """A number that a report gives per case and as a mean (measures.md sections 2 to 4)."""

    HIT_RATE = "hit_rate@k"
    RECALL = "recall@k"
    PRECISION = "precision@k"
    PRECISION_RETRIEVED = "precision_retrieved@k"
    MRR = "mrr"
    REQUIRED_RECALL = "required_recall"
    FORBIDDEN_RATE = "forbidden_rate"
    FAITHFULNESS = "faithfulness"
    FAITHFULNESS_CHECKED = "faithfulness_checked"
    SEED_FAITHFULNESS = "seed_faithfulness"
    CITATION = "citation"
    CITATION_COVERAGE = "citation_coverage"
    FALSE_ANSWER_RATE = "false_answer_rate"
    OVER_ABSTENTION_RATE = "over_abstention_rate"
    CLARIFICATION_RATE = "clarification_rate"
    LATENCY_P95 = "latency_p95_ms"
    COST = "cost_per_query_usd"

    @property
    def lower_is_better(self) -> bool:
        """Whether a smaller number is the better one."""
        return self in _LOWER_IS_BETTER

    @property
    def headline(self) -> bool:
        """Whether a gate cannot be judged without it."""
        return self in _HEADLINE

    @property
    def bounded(self) -> bool:
        """Whether facts that are unsure give it a low and a high end."""
        return self in _BOUNDED

    @property
    def pooled(self) -> bool:
        """Whether it is a figure of the whole run and not a mean over cases."""
        return self in _POOLED

    def gain(self, baseline: float, candidate: float) -> float:
        """Return how much better the candidate is; negative when it is worse."""
        return baseline - candidate if self.lower_is_better else candidate - baseline


_POOLED = frozenset({Metric.LATENCY_P95, Metric.COST})
_LOWER_IS_BETTER = _POOLED | {
    Metric.FORBIDDEN_RATE,
    Metric.FALSE_ANSWER_RATE,
    Metric.OVER_ABSTENTION_RATE,
}
_HEADLINE = frozenset({Metric.RECALL, Metric.FAITHFULNESS})
_BOUNDED = frozenset({Metric.REQUIRED_RECALL, Metric.FORBIDDEN_RATE})

_OTHER_NAMES = {
    "context_recall": Metric.RECALL,
    "p95": Metric.LATENCY_P95,
    "p95_ms": Metric.LATENCY_P95,
    "latency_p95": Metric.LATENCY_P95,
    "cost": Metric.COST,
    "cost_usd": Metric.COST,
    "false_answer": Metric.FALSE_ANSWER_RATE,
    "over_abstention": Metric.OVER_ABSTENTION_RATE,
    "forbidden": Metric.FORBIDDEN_RATE,
    "clarification": Metric.CLARIFICATION_RATE,
}


def parse_metric(name: str) -> Metric | None:
    """Return the metric of a name: `recall`, `recall@5` and `recall_at_k` are `recall@k`."""
    plain = name.strip().casefold().replace("_at_", "@")
    head, cut, depth = plain.partition("@")
    if cut and not (depth == "k" or depth.isdigit()):
        return None
    for candidate in (f"{head}@k", head):
        if candidate in set(Metric):
            return Metric(candidate)
    return _OTHER_NAMES.get(head)


def display_name(metric: Metric, k: int | None) -> str:
    """Return the metric's name with the depth written out: `recall@5`."""
    return metric.value if k is None else metric.value.replace("@k", f"@{k}")
