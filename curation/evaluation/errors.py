"""What keeps an evaluation from being made; each ends a command with status 2."""

from collections.abc import Sequence

from curation.errors import CurationError

__all__ = ["EvaluationError", "GoldenFileError", "ReportError", "RunError", "RunFormError"]

_SHOWN = 20


def _names(names: Sequence[str]) -> str:
    """Return the first names and how many more there are."""
    shown = ", ".join(names[:_SHOWN])
    more = len(names) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


class EvaluationError(CurationError):
    """An evaluation could not be made."""

    exit_status = 2


class RunFormError(EvaluationError):
    """A line of a run does not have the form of a run line."""

    def __init__(self, line: int, problem: str) -> None:
        self.line = line
        super().__init__(
            f"Line {line} of the run cannot be read: {problem}. Correct the line and try again."
        )


class RunError(EvaluationError):
    """A run does not hold exactly one output for each case (and repeat)."""

    def __init__(
        self,
        *,
        missing: Sequence[str] = (),
        extra: Sequence[str] = (),
        duplicate: Sequence[str] = (),
        failed: Sequence[str] = (),
    ) -> None:
        self.missing = tuple(missing)
        self.extra = tuple(extra)
        self.duplicate = tuple(duplicate)
        self.failed = tuple(failed)
        parts = [
            f"{label}: {_names(names)}"
            for label, names in (
                ("no output for", self.missing),
                ("not cases of this version", self.extra),
                ("more than one output for", self.duplicate),
                ("failed", self.failed),
            )
            if names
        ]
        super().__init__(
            f"The run was not scored: {'; '.join(parts)}. "
            "Run these cases again, so that every case counts."
        )


class GoldenFileError(EvaluationError):
    """A line of a golden.jsonl cannot be scored."""

    def __init__(self, line: int, problem: str) -> None:
        self.line = line
        super().__init__(
            f"Line {line} of the golden set cannot be read: {problem}. "
            "Correct the line and try again."
        )


class ReportError(EvaluationError):
    """A document is not a report."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"This is not a report: {problem}. Make it with curation eval run.")
