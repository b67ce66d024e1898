"""Writing the hook into a repository on a server."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.golden.errors import GoldenError, NotAGoldenSetError
from curation.golden.hook.bundle import MARK, hook_text
from curation.golden.location import Location, is_own_repository
from curation.golden.runner import GitRunner

NAME = "pre-receive"
_SETTINGS = (("receive.fsckObjects", "true"),)


class HookInTheWayError(GoldenError):
    """Another hook is there already."""

    exit_status = 2

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"The hook was not written: {path} is somebody else's. "
            "Move it away, or let it call this one, and try again."
        )


class HookNotWrittenError(GoldenError):
    """The file could not be written."""

    exit_status = 2

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} was not written: {problem}. Correct that and try again.")


@dataclass(frozen=True, kw_only=True)
class InstalledHook:
    """Where the hook is and what it guards."""

    path: Path
    golden_path: str
    branch: str
    replaced: bool

    def to_document(self) -> dict[str, Any]:
        """Return the document of `curation golden install-hook`."""
        return {
            "hook": str(self.path),
            "golden_path": self.golden_path,
            "branch": self.branch,
            "replaced": self.replaced,
            "settings": dict(_SETTINGS),
        }


def install_hook(repository: Path, *, golden_path: str = "", branch: str = "main") -> InstalledHook:
    """Write the hook into a repository, bare or not; one of ours is replaced.

    Objects that are pushed are checked by git itself from then on (`receive.fsckObjects`).

    Args:
        repository: the repository that is pushed to.
        golden_path: where the set is inside it; empty for the root.
        branch: the branch that holds the set.

    Raises:
        NotAGoldenSetError: there is no repository.
        HookInTheWayError: another hook is there.
        HookNotWrittenError: the file cannot be written.
    """
    place = Location.at(repository, branch=branch)
    if not is_own_repository(place.path):
        raise NotAGoldenSetError(place.path, "it is no git repository")
    git = GitRunner(place.path)
    doing = "find the folder of its hooks"
    folder = Path(
        git.text("rev-parse", "--path-format=absolute", "--git-path", "hooks", doing=doing)
    )
    path, prefix = folder / NAME, _prefix(golden_path)
    replaced = path.exists() or path.is_symlink()
    if replaced and MARK not in path.read_text("utf-8", "replace"):
        raise HookInTheWayError(path)
    _write(path, hook_text(branch=branch, prefix=prefix))
    for name, value in _SETTINGS:
        git.output("config", name, value, doing=f"set {name}")
    return InstalledHook(
        path=path, golden_path=prefix.rstrip("/"), branch=branch, replaced=replaced
    )


def _prefix(golden_path: str) -> str:
    parts = [part for part in Path(golden_path).as_posix().split("/") if part not in {"", "."}]
    return "/".join(parts) + "/" if parts else ""


def _write(path: Path, text: str) -> None:
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8", newline="\n")
        part.chmod(0o755)
        part.replace(path)
    except OSError as problem:
        raise HookNotWrittenError(path, problem.strerror or str(problem)) from problem
