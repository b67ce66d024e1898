"""Pure findings on a case: what is to fix, what to explain, what is fine."""

from curation.checks.context import CheckContext, KnownCase, ReferenceText, SimilarAnswer
from curation.checks.privacy import PrivateKind, find_private, first_secret
from curation.checks.references import reference_source
from curation.checks.run import run_checks

__all__ = [
    "CheckContext",
    "KnownCase",
    "PrivateKind",
    "ReferenceText",
    "SimilarAnswer",
    "find_private",
    "first_secret",
    "reference_source",
    "run_checks",
]
