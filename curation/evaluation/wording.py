"""The words of a gate: short phrases for one line, sentences with the numbers."""

from curation.domain.gate import GateOutcome
from curation.domain.plural import plural
from curation.evaluation.compare import Delta
from curation.evaluation.rules import Rule, Weighting
from curation.metrics.metric import Metric, display_name

__all__ = ["bound_sentence", "noise_label", "phrase_of", "points", "signed"]

_FEW = 10
_NAMES = {
    Metric.RECALL: "recall",
    Metric.HIT_RATE: "hit rate",
    Metric.PRECISION: "precision",
    Metric.PRECISION_RETRIEVED: "precision of what was retrieved",
    Metric.MRR: "MRR",
    Metric.REQUIRED_RECALL: "required recall",
    Metric.FORBIDDEN_RATE: "forbidden rate",
    Metric.FALSE_ANSWER_RATE: "false-answer rate",
    Metric.OVER_ABSTENTION_RATE: "over-abstention rate",
    Metric.CLARIFICATION_RATE: "clarification rate",
    Metric.CITATION: "citation",
    Metric.CITATION_COVERAGE: "citation coverage",
    Metric.LATENCY_P95: "p95",
    Metric.COST: "cost",
}
_LIMITS = {Metric.LATENCY_P95: "the SLO", Metric.COST: "the budget"}


def spoken(rule: Rule) -> str:
    """Return the rule's metric as people say it."""
    name = _NAMES.get(rule.metric, rule.metric.value.replace("_", " "))
    weighted = "weighted " if rule.weighting is Weighting.WEIGHTED else ""
    place = f" in {rule.slice!r}" if rule.slice is not None and not rule.protected else ""
    return f"{weighted}{name}{place}"


def phrase_of(rule: Rule, outcome: GateOutcome) -> str:
    """Return what a rule says in a few words."""
    name = spoken(rule)
    if outcome is GateOutcome.UNDECIDED:
        place = f" in the protected slice {rule.slice!r}" if rule.protected else ""
        return f"{name}{place} cannot be judged"
    if outcome is GateOutcome.PASS:
        return f"{name} held" if rule.slice is None else f"{name} held in {rule.slice!r}"
    return "protected slice regressed" if rule.protected else _failing(rule, name)


def _failing(rule: Rule, name: str) -> str:
    if rule.min_gain is not None:
        return f"{name} gain under {rule.min_gain:g}"
    if rule.floor is not None:
        return f"{name} under its floor {rule.floor:g}"
    if rule.ceiling is not None:
        limit = _LIMITS.get(rule.metric, f"its ceiling {rule.ceiling:g}")
        return f"{name} above {limit}"
    return f"{name} {'rose' if rule.metric.lower_is_better else 'dropped'}"


def signed(value: float) -> str:
    """Return a difference with its sign and three decimals."""
    return f"{value:+.3f}".replace("-", "\u2212")


def points(rule: Rule, delta: Delta, doubt: str) -> str:
    """Return the sentence of a rule that compares, with both values and the noise."""
    weighted = "Weighted " if delta.weighted else ""
    place = f" in {delta.slice}" if delta.slice is not None else ""
    head = (
        f"{weighted}{delta.metric.value}{place} went from {delta.baseline:.3f} to "
        f"{delta.candidate:.3f} ({signed(delta.delta or 0.0)}{_needed(rule)})"
    )
    tail = "; ".join(part for part in (noise_label(delta), doubt) if part)
    return f"{head}; {tail}." if tail else f"{head}."


def _needed(rule: Rule) -> str:
    if rule.min_gain is not None:
        return f", needs {signed(rule.min_gain)}"
    return f", tolerance {rule.max_drop:g}" if rule.max_drop else ""


def noise_label(delta: Delta) -> str:
    """Return whether a delta is beyond noise, with n and the cases that flipped."""
    if delta.n is None or not delta.delta:
        return ""
    changed = delta.lost + delta.gained
    if delta.n < _FEW:
        return f"{len(changed)} of {delta.n} cases: {', '.join(changed)}"
    noise = delta.uncertainty
    flipped = f"n = {delta.n}, {plural(len(changed), 'case')} flipped: {', '.join(changed)}"
    if noise is None:
        return f"n = {delta.n}"
    if noise.interval is None:
        p = "" if noise.mcnemar_p is None else f", exact McNemar p = {noise.mcnemar_p:.3f}"
        return f"within noise ({flipped}; {noise.note}{p})"
    low, high = noise.interval.low, noise.interval.high
    ends = f"95 % interval [{low:.3f}, {high:.3f}]"
    if noise.interval.beyond_noise:
        return f"beyond noise ({ends}, n = {delta.n})"
    return f"within noise ({flipped}; {ends})"


def bound_sentence(rule: Rule, value: float, k: int | None, doubt: str) -> str:
    """Return the sentence of a floor or a ceiling."""
    place = f" in {rule.slice}" if rule.slice is not None else ""
    weighted = "Weighted " if rule.weighting is Weighting.WEIGHTED else ""
    bound = f"floor {rule.floor:g}" if rule.floor is not None else f"ceiling {rule.ceiling:g}"
    name = display_name(rule.metric, k)
    head = f"{weighted}{name}{place} is {value:.4g}, its {bound}"
    return f"{head}; {doubt}." if doubt else f"{head}."
