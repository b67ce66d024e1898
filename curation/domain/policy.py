"""The policy of a golden set, as `golden.toml` says it."""

import tomllib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any

from pydantic import Field, ValidationError

from curation.domain.base import Value
from curation.errors import PolicyError, first_problem

QUESTION_TYPES = (
    "value",
    "yes_no",
    "how_to",
    "why",
    "compare",
    "list",
    "definition",
    "other",
)
COMPONENTS = (
    "corpus",
    "chunker",
    "embedder",
    "retriever",
    "reranker",
    "query",
    "prompt",
    "model",
    "citation",
    "abstention",
)
DEFAULT_SLICE = "general"
UNCATEGORISED = "uncategorised"

MOST_K = 1000  # as deep as trec_eval reads a ranking


class SlicePolicy(Value):
    """Whether a slice is protected: it must not get worse."""

    protected: bool = False


class DocumentRule(Value):
    """Documents whose id matches `pattern` (shell style) have this category and family."""

    pattern: str
    category: str | None = None
    family: str | None = None


class ExperimentPolicy(Value):
    """How long an experiment may stay open, and further components."""

    max_days: int = Field(default=14, ge=1)
    components: tuple[str, ...] = ()


class Policy(Value):
    """What binds the set. Unknown keys are errors; `gate`, `pytest` and `coverage` are tables."""

    approvals: int = Field(default=1, ge=1)
    self_approval: bool = False
    max_self_approved: float | None = Field(default=None, ge=0, le=1)
    strict_warnings: bool = False
    k: int = Field(default=5, ge=1, le=MOST_K)
    min_gain: float = 0.01
    tolerance: float | dict[str, float] = 0.0
    min_cases: int = Field(default=20, ge=0)
    question_types: tuple[str, ...] = QUESTION_TYPES
    slices: dict[str, SlicePolicy] = Field(default_factory=lambda: {DEFAULT_SLICE: SlicePolicy()})
    documents: tuple[DocumentRule, ...] = ()
    experiment: ExperimentPolicy = ExperimentPolicy()
    gate: dict[str, Any] = Field(default_factory=dict)
    pytest: dict[str, Any] = Field(default_factory=dict)
    coverage: dict[str, Any] = Field(default_factory=dict)

    @property
    def protected(self) -> tuple[str, ...]:
        """The names of the protected slices, sorted."""
        return tuple(sorted(name for name, rule in self.slices.items() if rule.protected))

    @property
    def components(self) -> tuple[str, ...]:
        """The components that an experiment may change."""
        return COMPONENTS + self.experiment.components

    @property
    def self_approved_limit(self) -> float:
        """The largest allowed share of self-approved changes."""
        if self.max_self_approved is not None:
            return self.max_self_approved
        return 1.0 if self.self_approval else 0.0

    def category_of(self, doc_id: str) -> str:
        """Return the category of a document by the first matching pattern."""
        return category_by(self.documents, doc_id)


def category_by(rules: Iterable[DocumentRule], doc_id: str) -> str:
    """Return the category of a document by the first matching pattern of the rules."""
    for rule in rules:
        if rule.category is not None and fnmatchcase(doc_id, rule.pattern):
            return rule.category
    return UNCATEGORISED


def parse_policy(text: str, where: str = "golden.toml") -> Policy:
    """Return the policy that a golden.toml says.

    Raises:
        PolicyError: the text is not TOML, or a key or value of it is not known.
    """
    try:
        policy = Policy.model_validate(tomllib.loads(text))
    except ValidationError as problem:
        raise PolicyError(where, first_problem(problem)) from problem
    except (ValueError, RecursionError) as problem:  # no TOML, a number too long, too deep
        raise PolicyError(where, str(problem)) from problem
    if DEFAULT_SLICE in policy.slices:
        return policy
    return policy.model_copy(update={"slices": {DEFAULT_SLICE: SlicePolicy(), **policy.slices}})
