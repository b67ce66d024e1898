"""What a check found; the names are those of design.md section 4."""

from enum import StrEnum

from curation.domain.base import Value


class Level(StrEnum):
    """An error blocks, a warning needs a word of why, fine is said too."""

    ERROR = "error"
    WARNING = "warning"
    FINE = "fine"


class Check(StrEnum):
    """The name of a check."""

    # errors
    REFERENCE_MISSING = "reference_missing"
    EVIDENCE_MISSING = "evidence_missing"
    FACTS_MISSING = "facts_missing"
    QUESTION_MISSING = "question_missing"
    RED_PASSES = "red_passes"
    GREEN_FAILS = "green_fails"
    QUOTE_NOT_IN_CHUNK = "quote_not_in_chunk"
    CHUNK_NOT_IN_CORPUS = "chunk_not_in_corpus"
    FORBIDDEN_IN_REFERENCE = "forbidden_in_reference"
    FORBIDDEN_EQUALS_REQUIRED = "forbidden_equals_required"
    REQUIRED_ON_UNANSWERABLE = "required_on_unanswerable"
    NO_SEARCH = "no_search"
    CATEGORY_MISSING = "category_missing"
    COPIED_ANSWER = "copied_answer"
    SECRET = "secret"  # noqa: S105 - the name of a check
    BAD_TEXT = "bad_text"
    EXACT_DUPLICATE = "exact_duplicate"
    QUESTION_CHANGED = "question_changed"
    LAST_GUARD = "last_guard"
    # warnings
    RED_UNSURE = "red_unsure"
    RED_OTHER = "red_other"
    GREEN_UNSURE = "green_unsure"
    FACT_UNSUPPORTED = "fact_unsupported"
    VERSION_MISMATCH = "version_mismatch"
    COMMON_FACT = "common_fact"
    NEAR_DUPLICATE = "near_duplicate"
    MODEL_LIKE = "model_like"
    ONLY_QUOTE = "only_quote"
    PERSONAL_DATA = "personal_data"
    INVISIBLE_TEXT = "invisible_text"
    LEAKS_REFERENCE = "leaks_reference"
    SHORT_FORBIDDEN = "short_forbidden"
    NO_REFERENCE = "no_reference"
    UNKNOWN_SLICE = "unknown_slice"
    BASELINE_FAILS = "baseline_fails"
    # said when fine
    RED = "red"
    GREEN = "green"
    QUOTES = "quotes"


class Finding(Value):
    """One line of the checks: what was found, where, and how it is repaired.

    `field` names a field of the case (`reference`, `facts`, `evidence`, ...), `item` an id in it
    (`f1`, `e2`, `d1`), `key` the key of the review page that leads to the repair.
    """

    check: Check
    level: Level
    message: str
    field: str | None = None
    item: str | None = None
    key: str | None = None

    @property
    def blocks(self) -> bool:
        """Whether this finding keeps a case from being proposed."""
        return self.level is Level.ERROR


def blocking(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Return the errors among the findings."""
    return tuple(f for f in findings if f.blocks)
