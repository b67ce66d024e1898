"""What can go wrong with a golden repository, each with what to do."""

from collections.abc import Sequence
from pathlib import Path

from curation.domain.experiment import OpenExperiment
from curation.errors import CurationError


class GoldenError(CurationError):
    """The base of what goes wrong with the golden repository."""


class NotAGoldenSetError(GoldenError):
    """There is no golden set where one was expected."""

    exit_status = 2

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(
            f"{path} holds no golden set: {problem}. Make one with `curation init`, or correct "
            "golden.path in curation.toml."
        )


class NoRepositoryError(NotAGoldenSetError):
    """There is no git repository at the path, nor around it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "there is no git repository")


class UnknownVersionError(GoldenError):
    """A version was named that the set does not have."""

    exit_status = 2

    def __init__(self, name: str, newest: str | None, *, shallow: bool = False) -> None:
        known = f"The newest is {newest}." if newest else "It has no version yet."
        if shallow:
            known = "It is a shallow clone: `git fetch --unshallow --tags` brings what it lacks."
        super().__init__(f"The golden set has no version {name!r}. {known}")


class GitFailedError(GoldenError):
    """A git command failed."""

    exit_status = 2

    def __init__(self, doing: str, message: str) -> None:
        said = " ".join(message.split()) or "it gave no reason"
        super().__init__(f"Git could not {doing}: {said}. Correct that and try again.")


class GitMissingError(GoldenError):
    """There is no git."""

    exit_status = 2

    def __init__(self) -> None:
        super().__init__("Git was not found. Install git 2.31 or newer and try again.")


class ShallowError(GoldenError):
    """The clone lacks the older history, so nothing can be proved from it."""

    exit_status = 2

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is a shallow clone, so its history cannot be read whole. "
            "Run `git fetch --unshallow` there and try again."
        )


class FrozenError(GoldenError):
    """Open experiments freeze the set."""

    def __init__(self, experiments: Sequence[OpenExperiment]) -> None:
        self.experiments = tuple(experiments)
        names = "; ".join(_described(experiment) for experiment in experiments)
        super().__init__(
            f"Nothing was published, because the golden set is frozen: {names}. "
            "Close the experiment with a decision, or as void with a reason."
        )


def _described(experiment: OpenExperiment) -> str:
    text = f"{experiment.id} is open"
    if experiment.component:
        text = f"{experiment.id} ({experiment.component}) is open"
    if experiment.opened_by:
        text += f", opened by {experiment.opened_by}"
    if experiment.opened_at:
        text += f", since {experiment.opened_at:%d %b %Y, %H:%M}"
    return text


class GoldenWriteError(GoldenError):
    """Nothing was written to the golden repository."""

    def __init__(self, problem: str, what_to_do: str = "Nothing was changed. Try again.") -> None:
        super().__init__(f"The golden repository was not written: {problem}. {what_to_do}")


class MissingTagError(GoldenWriteError):
    """The clone lacks the tag of a version that the branch has released."""

    exit_status = 2

    def __init__(self, path: Path, version: str) -> None:
        super().__init__(
            f"{path} lacks the tag {version}, which its branch has released",
            "Fetch it with `git fetch --tags` there, or run `curation golden audit`.",
        )


class RemovedCaseError(GoldenWriteError):
    """A commit of somebody took the file of a case away, which nothing of the program does."""

    exit_status = 2

    def __init__(self, case_ids: Sequence[str], version: str, commit: str) -> None:
        named = ", ".join(case_ids[:3]) + (" and more" if len(case_ids) > 3 else "")
        super().__init__(
            f"the commit {commit[:12]} took away the file of {named}, which {version} has",
            "Move the branch back to before that commit, and retire the case instead.",
        )


class LockedError(GoldenWriteError):
    """Somebody else's lock lies in the repository."""

    def __init__(self, lock: Path, age_seconds: float) -> None:
        super().__init__(
            f"the lock {lock} has been there for {age_seconds:.0f} seconds",
            "If no git command is running there, remove the file and try again.",
        )


class RacedError(GoldenWriteError):
    """Other writers were faster every time."""

    def __init__(self, tries: int) -> None:
        super().__init__(f"other writers moved the branch {tries} times in a row")
