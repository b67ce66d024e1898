"""A golden repository with a remote that has the hook, and commits as a bystander makes them."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from curation.codec import dumps
from curation.golden import Location, create
from curation.golden.hook.install import install_hook
from tests.golden.conftest import ROB, START, Desk, git, make_case

EVERYTHING = ("main", "--tags")


@dataclass
class Pushed:
    """How a push ended."""

    status: int
    said: str

    @property
    def refused(self) -> bool:
        return self.status != 0 and "The push was refused" in self.said


@dataclass
class Remote:
    """A bare repository with the hook, and a desk whose work is pushed to it."""

    desk: Desk
    path: Path

    def push(self, *what: str, force: bool = False, plain: bool = False) -> Pushed:
        """Push these, or everything; plain: as they stand, the remote among them."""
        options, where = ["--force"] if force else [], str(self.desk.location.path)
        named = what if plain else (*options, str(self.path), *(what or EVERYTHING))
        ran = subprocess.run(
            ["git", "-C", where, "push", *named],
            capture_output=True,
            text=True,
            check=False,
        )
        return Pushed(ran.returncode, ran.stderr)

    def tip(self) -> str:
        return git(self.path, "rev-parse", "main")


def begin_remote(folder: Path) -> Path:
    """Make a golden repository at golden/v2 with one case, and a remote that has it."""
    location = Location.at(folder / "golden")
    create(location, person=ROB, now=START)
    desk = Desk(location)
    desk.publish(desk.add("q-0001"))
    path = folder / "remote.git"
    git(folder, "init", "-q", "--bare", "-b", "main", str(path))
    install_hook(path)
    pushed = Remote(desk, path).push()
    assert pushed.status == 0, pushed.said
    return folder


def commit(desk: Desk, message: str, files: dict[str, str | None] | None = None) -> None:
    """Commit as a bystander: files by path to the byte, None takes one away."""
    for name, text in (files or {}).items():
        path = Path(desk.location.path, name)
        if text is None:
            desk.git("rm", "-q", name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        oid = desk.git("hash-object", "-w", "--no-filters", "--stdin", stdin=text.encode())
        desk.git("update-index", "--add", "--cacheinfo", f"100644,{oid},{name}")
    desk.git("commit", "-q", "--allow-empty", "-m", message)


def added(
    case_id: str = "q-0002", *, by: str = "Ana Ruiz <ana@example.org>", extra: str = ""
) -> str:
    """The message of a commit that adds a case, as the program would write it."""
    return (
        f"Add case {case_id}: Q\n\n It was missing.\n\nCase: {case_id}\nChange: add\n"
        f"Change-Id: 5f0c-{case_id}\nBase-Blob: none\nReviewed-by: {by}\n{extra}"
    )


def case_text(case_id: str = "q-0002") -> str:
    return dumps(make_case(case_id)).decode()
