"""Curation: human review and a git-versioned golden set for teams that run a RAG system."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curation.evaluation.library import evaluate

__all__ = ["__version__", "evaluate"]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's attribute is anything
    """Return `evaluate`, imported when it is first asked for."""
    if name == "evaluate":
        from curation.evaluation.library import evaluate as loaded  # noqa: PLC0415

        return loaded
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
