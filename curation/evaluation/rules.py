"""The rules of a gate: three profiles, and what `golden.toml` sets of them.

```toml
[gate]
mode = "point"                    # or "noninferior", then with a margin
margin = 0.02
guarded = ["recall@k", "faithfulness"]    # what may not get worse in a protected slice
recall = { floor = 0.70 }         # for every profile

[gate.deploy]
faithfulness = { floor = 0.90 }
p95_ms = { ceiling = 4000 }
cost = { ceiling = 0.02 }

[[gate.ci.rules]]
metric = "required_recall"
slice = "billing"
max_drop = 0.0
```
A rule that is set replaces the profile's own of the same metric, slice, weighting and kind.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from curation.domain.base import Value
from curation.domain.gate import PROTECTED_RULE, Profile
from curation.domain.policy import Policy
from curation.errors import PolicyError, first_problem
from curation.metrics.metric import Metric, parse_metric

__all__ = ["GateSettings", "IfMissing", "Mode", "Rule", "Weighting", "gate_settings", "rules_of"]


class Mode(StrEnum):
    """Whether points decide, or the lower end of the interval against a margin."""

    POINT = "point"
    NONINFERIOR = "noninferior"


class IfMissing(StrEnum):
    """What a rule says when one side has no number."""

    UNDECIDED = "undecided"
    WARN = "warn"


class Weighting(StrEnum):
    """Whether each case counts once or by its weight."""

    UNWEIGHTED = "unweighted"
    WEIGHTED = "weighted"


def _metric(name: object) -> object:
    """Return the metric that a policy names in one of its spellings."""
    found = parse_metric(name) if isinstance(name, str) else None
    if found is None:
        raise ValueError(f"{name!r} is no metric")
    return found


MetricName = Annotated[Metric, BeforeValidator(_metric)]


_BOUNDS = ("floor", "ceiling", "max_drop", "min_gain")


class Rule(Value):
    """One rule, with one bound.

    `max_drop` is how much worse, and `min_gain` how much better the candidate is at least, in the
    metric's own direction.
    """

    metric: MetricName
    slice: str | None = None
    weighting: Weighting = Weighting.UNWEIGHTED
    floor: float | None = None
    ceiling: float | None = None
    max_drop: float | None = Field(default=None, ge=0)
    min_gain: float | None = None
    if_missing: IfMissing | None = None
    protected: bool = False

    @model_validator(mode="after")
    def _one_bound(self) -> Self:
        if sum(getattr(self, name) is not None for name in _BOUNDS) != 1:
            raise ValueError("a rule has exactly one of floor, ceiling, max_drop and min_gain")
        return self

    @property
    def kind(self) -> str:
        """Which bound it has."""
        return next(name for name in _BOUNDS if getattr(self, name) is not None)

    @property
    def name(self) -> str:
        """What it is called among the reasons."""
        return PROTECTED_RULE if self.protected else self.kind

    @property
    def key(self) -> tuple[object, ...]:
        """What two rules share when the later one replaces the earlier."""
        return (self.kind, self.metric, self.slice, self.weighting)

    @property
    def compares(self) -> bool:
        """Whether it needs a baseline."""
        return self.max_drop is not None or self.min_gain is not None

    @property
    def missing(self) -> IfMissing:
        """What it says without a number: what is headline, a bound or of the run is undecided."""
        if self.if_missing is not None:
            return self.if_missing
        if self.metric.headline or self.metric.pooled or not self.compares:
            return IfMissing.UNDECIDED
        return IfMissing.WARN


GUARDED = (
    Metric.RECALL,
    Metric.REQUIRED_RECALL,
    Metric.FAITHFULNESS,
    Metric.FORBIDDEN_RATE,
    Metric.FALSE_ANSWER_RATE,
)


class _RuleTable(Value):
    """Rules, written one by one or under the name of their metric."""

    rules: tuple[Rule, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _rules_by_metric(cls, given: object) -> object:
        """Turn `recall = { floor = 0.7 }` into a rule."""
        if not isinstance(given, dict):
            return given
        named = [key for key in given if key not in cls.model_fields and parse_metric(str(key))]
        kept = {key: value for key, value in given.items() if key not in named}
        rules = [rule for key in named for rule in _each_bound(key, given[key])]
        return kept | {"rules": [*kept.get("rules", ()), *rules]}


def _each_bound(metric: str, table: object) -> list[dict[str, object]]:
    """Return one rule for each bound of a metric's table."""
    if not isinstance(table, dict):
        raise ValueError(  # noqa: TRY004 - pydantic reports only a ValueError
            f"{metric} is not a table such as {{ floor = 0.7 }}"
        )
    common = {key: value for key, value in table.items() if key not in _BOUNDS}
    bounds = [key for key in table if key in _BOUNDS] or ["floor"]
    return [{"metric": metric, **common, key: table.get(key)} for key in bounds]


class GateSettings(_RuleTable):
    """What `[gate]` of a golden.toml sets."""

    mode: Mode = Mode.POINT
    margin: float | None = Field(default=None, gt=0)
    guarded: tuple[MetricName, ...] = GUARDED
    ci: _RuleTable = _RuleTable()
    promote: _RuleTable = _RuleTable()
    deploy: _RuleTable = _RuleTable()

    @model_validator(mode="after")
    def _margin_for_noninferior(self) -> Self:
        if self.mode is Mode.NONINFERIOR and self.margin is None:
            raise ValueError("the mode noninferior needs a margin")
        return self

    def rules_for(self, profile: Profile) -> tuple[Rule, ...]:
        """Return the rules for every profile and those of one."""
        own: _RuleTable = getattr(self, profile.value)
        return self.rules + own.rules


def gate_settings(policy: Policy) -> GateSettings:
    """Return what the policy sets of the gate.

    Raises:
        PolicyError: a key or value of `[gate]` is not known.
    """
    try:
        return GateSettings.model_validate(policy.gate)
    except ValidationError as problem:
        raise PolicyError("golden.toml", first_problem(problem, below="gate")) from problem


_EXPECTED: Mapping[Profile, tuple[tuple[str, Metric], ...]] = {
    Profile.CI: (("floor", Metric.RECALL), ("floor", Metric.FAITHFULNESS)),
    Profile.PROMOTE: (("floor", Metric.RECALL), ("floor", Metric.FAITHFULNESS)),
    Profile.DEPLOY: (
        ("floor", Metric.FAITHFULNESS),
        ("ceiling", Metric.LATENCY_P95),
        ("ceiling", Metric.COST),
    ),
}
_NOT_WORSE: Mapping[Profile, tuple[Metric, ...]] = {
    Profile.CI: (
        Metric.RECALL,
        Metric.FAITHFULNESS,
        Metric.REQUIRED_RECALL,
        Metric.FORBIDDEN_RATE,
        Metric.CITATION,
        Metric.FALSE_ANSWER_RATE,
        Metric.OVER_ABSTENTION_RATE,
    ),
    Profile.PROMOTE: (
        Metric.FAITHFULNESS,
        Metric.REQUIRED_RECALL,
        Metric.FORBIDDEN_RATE,
        Metric.CITATION,
        Metric.FALSE_ANSWER_RATE,
        Metric.OVER_ABSTENTION_RATE,
    ),
    Profile.DEPLOY: (Metric.RECALL, Metric.CITATION, Metric.FALSE_ANSWER_RATE),
}


def rules_of(policy: Policy, profile: Profile) -> tuple[tuple[Rule, ...], tuple[str, ...]]:
    """Return the rules of a profile in the order they are told, and the bounds not set.

    ci: floors, nothing worse. promote: as ci, with a gain of recall and no protected slice
    worse. deploy: recall, citation and false answers not worse, floors and ceilings.
    """
    settings = gate_settings(policy)
    own = settings.rules_for(profile)
    rules = [*_of_profile(policy, profile), *own]
    if profile is Profile.PROMOTE:
        rules += _protected(policy, settings.guarded)
    last = {rule.key: rule for rule in rules}
    bounded = {(rule.kind, rule.metric) for rule in own if rule.slice is None}
    not_set = tuple(
        f"{kind} of {metric.value}"
        for kind, metric in _EXPECTED[profile]
        if (kind, metric) not in bounded
    )
    return tuple(last.values()), not_set


def _of_profile(policy: Policy, profile: Profile) -> list[Rule]:
    """Return the rules that a profile has by itself."""
    rules = [
        Rule(metric=metric, max_drop=tolerance(policy, metric)) for metric in _NOT_WORSE[profile]
    ]
    if profile is not Profile.PROMOTE:
        return rules
    gain = Rule(metric=Metric.RECALL, min_gain=policy.min_gain)
    return [gain, rules[0], _weighted_recall(policy), *rules[1:]]


def _weighted_recall(policy: Policy) -> Rule:
    return Rule(
        metric=Metric.RECALL,
        weighting=Weighting.WEIGHTED,
        max_drop=tolerance(policy, Metric.RECALL),
        if_missing=IfMissing.WARN,
    )


def _protected(policy: Policy, guarded: Iterable[Metric]) -> list[Rule]:
    metrics = tuple(guarded)
    return [
        Rule(
            protected=True,
            metric=metric,
            slice=name,
            max_drop=tolerance(policy, metric),
            if_missing=IfMissing.UNDECIDED,
        )
        for name in policy.protected
        for metric in metrics
    ]


def tolerance(policy: Policy, metric: Metric) -> float:
    """Return how much worse a metric may be before a rule fails."""
    if isinstance(policy.tolerance, dict):
        named = {parse_metric(name): value for name, value in policy.tolerance.items()}
        return named.get(metric, 0.0)
    return policy.tolerance
