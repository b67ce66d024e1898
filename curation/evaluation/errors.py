"""What keeps an evaluation from being made; each ends a command with status 2."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from curation.domain.experiment import Experiment
from curation.errors import CurationError

__all__ = [
    "CaseLinesError",
    "DepthError",
    "EvaluationError",
    "ExperimentError",
    "GoldenFileError",
    "OtherVersionError",
    "ReportError",
    "RunError",
    "RunFormError",
    "naming",
]

_SHOWN = 20


def _names(names: Sequence[str]) -> str:
    """Return the first names and how many more there are."""
    shown = ", ".join(names[:_SHOWN])
    more = len(names) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


class EvaluationError(CurationError):
    """An evaluation could not be made."""

    exit_status = 2


class _LineError(EvaluationError):
    """A line of a file cannot be read; `whole` is what the file is called without its name."""

    whole = "the file"

    def __init__(self, line: int, problem: str, *, file: str | None = None) -> None:
        self.line = line
        self.problem = problem
        super().__init__(
            f"Line {line} of {file or self.whole} cannot be read: {problem}. "
            "Correct the line and try again."
        )

    def of_file(self, file: str) -> Self:
        """Return the same refusal with the name of the file."""
        return type(self)(self.line, self.problem, file=file)


class RunFormError(_LineError):
    """A line of a run does not have the form of a run line."""

    whole = "the run"


class RunError(EvaluationError):
    """A run does not hold exactly one output for each case (and repeat)."""

    def __init__(
        self,
        *,
        missing: Sequence[str] = (),
        extra: Sequence[str] = (),
        duplicate: Sequence[str] = (),
        failed: Sequence[str] = (),
        first_error: str | None = None,
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
        if self.failed and first_error:
            parts[-1] += f" (the first: {first_error})"
        super().__init__(
            f"The run was not scored: {'; '.join(parts)}. "
            "Run these cases again, so that every case counts."
        )


class OtherVersionError(EvaluationError):
    """A run was made on another version of the golden set."""

    def __init__(self, made_on: str, version: str) -> None:
        super().__init__(
            f"The run was not scored, because it was made on {made_on} and the cases are those of "
            f"{version}. Score it on {made_on}, or run the pipeline on {version}."
        )


class GoldenFileError(_LineError):
    """A line of a golden.jsonl cannot be scored."""

    whole = "the golden set"


class ReportError(EvaluationError):
    """A document is not a report."""

    def __init__(self, problem: str, *, file: str = "This") -> None:
        self.problem = problem
        super().__init__(f"{file} is not a report: {problem}. Make it with curation eval run.")

    def of_file(self, file: str) -> Self:
        """Return the same refusal with the name of the file."""
        return type(self)(self.problem, file=file)


@contextmanager
def naming(file: Path) -> Generator[None]:
    """Let a refusal of what is read here name the file: a gate reads several."""
    try:
        yield
    except (_LineError, ReportError) as problem:
        raise problem.of_file(str(file)) from problem


class DepthError(EvaluationError):
    """Hits are to be counted to a depth that is none."""

    def __init__(self, k: int, most: int) -> None:
        super().__init__(
            f"Nothing was run, because k is {k}. Name how many hits count: from 1 to {most}."
        )


class CaseLinesError(EvaluationError):
    """The numbers beside an experiment cannot be read."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(
            f"Line {line} of the experiment's numbers cannot be read: {problem}. "
            "Take the file from the commit that wrote it."
        )


class ExperimentError(CurationError):
    """An experiment cannot be recorded or closed as asked."""

    @classmethod
    def closed(cls, experiment: Experiment) -> Self:
        """Return the refusal of an experiment that is closed."""
        return cls(f"{experiment.id} is closed and never changes. Open a new experiment.")

    @classmethod
    def nothing_changed(cls, declared: str) -> Self:
        """Return the refusal of two runs of the same pipeline."""
        return cls(
            f"Nothing changed: both manifests are equal, also in {declared!r}. "
            "Run the pipeline with the change."
        )

    @classmethod
    def other_components(cls, declared: str, changed: Sequence[str]) -> Self:
        """Return the refusal of a run that changes more, or something else, than declared."""
        return cls(
            f"The experiment declares {declared!r}, but the manifests differ in "
            f"{', '.join(changed)}. Change one component at a time, so that its effect is known."
        )

    @classmethod
    def other_version(cls, experiment: Experiment, version: str) -> Self:
        """Return the refusal of a run on another version than the pinned one."""
        return cls(
            f"{experiment.id} measures {experiment.version}, the run was made on {version}. "
            f"Run it on {experiment.version}."
        )

    @classmethod
    def no_reason(cls, experiment: Experiment) -> Self:
        """Return the refusal of a decision without a reason."""
        return cls(f"{experiment.id} was not closed, because the reason is empty. Write why.")

    @classmethod
    def no_result(cls, experiment: Experiment) -> Self:
        """Return the refusal to promote what was never measured."""
        return cls(f"{experiment.id} has no result to promote. Record a run first.")

    @classmethod
    def baseline_moved(cls, experiment: Experiment) -> Self:
        """Return the refusal to promote over a baseline that is no longer the pinned one."""
        return cls(
            f"{experiment.id} was measured against a baseline that another experiment replaced. "
            "Close it as void and open a successor on the new baseline."
        )

    @classmethod
    def gate_refuses(cls, experiment: Experiment, text: str) -> Self:
        """Return the refusal to promote against the gate."""
        return cls(
            f"{experiment.id} was not promoted: {text}. "
            "Close it as a reject, or let an admin override the gate with a reason."
        )
