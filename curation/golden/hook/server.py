"""Git on the server, while a push waits: what the hook asks of the repository.

Standard library only: the server-side hook carries this module. The environment stays as git made
it, because what was pushed lies in quarantine and only that environment finds it.
"""

import re
import subprocess
from collections.abc import Sequence

from curation.codec.paths import case_id_of
from curation.golden.chain import Chain, Rulebook, read_rulebook
from curation.golden.experiment_record import FOLDER, experiment_id_of, read_record
from curation.golden.kinds import (
    MAILMAP_FILE,
    POLICY_FILE,
    ROOT_MAILMAP,
    read_claim,
)
from curation.golden.record import (
    CLAIMS_FORMAT,
    FILE_MODE,
    LOG_OPTIONS,
    PLAIN_OPTIONS,
    Commit,
    parse_log,
)

_OPTIONS = ("--no-replace-objects", *PLAIN_OPTIONS)
_NOTHING = re.compile(r"0+")


class GitProblemError(Exception):
    """Git could not tell what the hook asked."""


class Server:
    """The repository that a push arrives at.

    `prefix` is the golden path with its slash; `folder` is where git runs, the present one for
    None.
    """

    def __init__(self, prefix: str = "", folder: str | None = None) -> None:
        self.prefix = prefix
        self._where = () if folder is None else ("-C", folder)

    def git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Return what a git command wrote.

        Raises:
            GitProblemError: it failed.
        """
        ran = subprocess.run(  # noqa: S603 - an argument list, no shell
            ["git", *self._where, *_OPTIONS, *arguments],  # noqa: S607 - the server's own git
            input=stdin,
            capture_output=True,
            check=False,
        )
        if ran.returncode != 0:
            said = ran.stderr.decode("utf-8", "replace").strip()
            raise GitProblemError(f"git {arguments[0]} failed: {said}")
        return ran.stdout

    def text(self, *arguments: str) -> str:
        """Return what a git command wrote, as a text."""
        return self.git(*arguments).decode("utf-8", "replace").removesuffix("\n")

    def contents(self, names: Sequence[str]) -> dict[str, bytes | None]:
        """Return the named objects; None for one that is not there."""
        wanted = [name for name in names if not _NOTHING.fullmatch(name)]
        if not wanted:
            return {}
        listed = "".join(f"{name}\n" for name in wanted).encode()
        return dict(
            zip(wanted, _objects(self.git("cat-file", "--batch", stdin=listed)), strict=True)
        )

    def line_of(self, tip: str, after: str | None) -> list[tuple[str, str | None]]:
        """Return the first-parent commits up to `tip`, newest first, each with its first parent."""
        less = [f"^{after}"] if after else []
        out = self.text("rev-list", "--first-parent", "--parents", tip, *less, "--")
        rows = [line.split() for line in out.split("\n") if line]
        return [(row[0], row[1] if len(row) > 1 else None) for row in rows]

    def log(self, tip: str, after: str | None) -> list[Commit]:
        """Return the commits up to `tip` that touch the golden set, oldest first."""
        revisions = [tip] if after is None else [tip, f"^{after}"]
        paths = [self.prefix.rstrip("/"), MAILMAP_FILE] if self.prefix else []
        return parse_log(self.git("log", *LOG_OPTIONS, *revisions, "--", *paths), self.prefix)[::-1]

    def release_of(self, commit: str) -> int | None:
        """Return the number of the version that a commit says it makes."""
        said = self.text("log", "-1", f"--format={CLAIMS_FORMAT}", commit, "--")
        return read_claim(said).version

    def aliases(self) -> dict[str, str]:
        """Return the branches and tags that are another name of one, with that one."""
        form = "--format=%(refname)%00%(symref)"
        lines = self.text("for-each-ref", form, "refs/heads", "refs/tags").split("\n")
        pairs = (line.split("\0") for line in lines if line)
        return {ref: other for ref, other in pairs if other}

    def commit_at(self, ref: str) -> str | None:
        """Return the commit that a reference leads to; None where there is none."""
        form = "--format=%(refname)%00%(objectname)%00%(*objectname)"
        for line in self.text("for-each-ref", form, ref).split("\n"):
            name, _, ids = line.partition("\0")
            if name == ref:
                direct, _, peeled = ids.partition("\0")
                return peeled or direct
        return None

    def chain_at(self, commit: str | None) -> Chain:
        """Return what is known of the set at a commit; of nothing for None."""
        chain = Chain(linear=not self.prefix)
        if commit is None:
            return chain
        root = f"{commit}:{self.prefix}"
        names = {MAILMAP_FILE: root + MAILMAP_FILE}
        if self.prefix:
            names[ROOT_MAILMAP] = f"{commit}:{MAILMAP_FILE}"
        found = self.contents([root + POLICY_FILE, *names.values()])
        policy = found[root + POLICY_FILE]
        if policy is None:
            chain.unjudged = set(self._case_ids(commit))
            return chain
        chain.begun = True
        chain.rulebook = read_rulebook(policy.decode("utf-8", "replace")) or Rulebook()
        chain.mailmaps = {
            name: (found[where] or b"").decode("utf-8", "replace") for name, where in names.items()
        }
        chain.experiments = self._experiments(commit)
        chain.used_ids = set(self._case_ids(commit))
        self._read_trailers(chain, commit)
        return chain

    def _names(self, commit: str, folder: str) -> list[tuple[str, str, str]]:
        """Return mode, blob and path of the files below a folder of the set."""
        where = self.prefix + folder
        out = self.git("ls-tree", "-r", "-z", "--full-tree", commit, "--", f"{where}/")
        rows = []
        for line in out.split(b"\0"):
            if line:
                head, _, path = line.partition(b"\t")
                mode, _, oid = head.decode().split(" ")
                rows.append((mode, oid, path.decode("utf-8", "surrogateescape")))
        return [(mode, oid, path.removeprefix(self.prefix)) for mode, oid, path in rows]

    def _experiments(self, commit: str) -> dict[str, dict[str, object]]:
        files = {
            experiment_id_of(path.removeprefix(f"{FOLDER}/")): oid if mode == FILE_MODE else None
            for mode, oid, path in self._names(commit, FOLDER)
        }
        named = {name: oid for name, oid in files.items() if name is not None}
        found = self.contents([oid for oid in named.values() if oid is not None])
        return {name: read_record(found.get(oid or "")) for name, oid in named.items()}

    def _case_ids(self, commit: str) -> list[str]:
        ids = (case_id_of(path) for _, _, path in self._names(commit, "cases"))
        return [case_id for case_id in ids if case_id is not None]

    def _read_trailers(self, chain: Chain, commit: str) -> None:
        """Take in the change ids and the newest version of the history up to a commit."""
        paths = [self.prefix.rstrip("/")] if self.prefix else []
        form = f"--format={CLAIMS_FORMAT}%x00"
        for said in self.text("log", "--first-parent", form, commit, "--", *paths).split("\0"):
            claim = read_claim(said)
            chain.change_ids.update(claim.change_ids)
            chain.version = max(chain.version, claim.version or 0)


def _objects(out: bytes) -> list[bytes | None]:
    """Return what `cat-file --batch` wrote, object by object."""
    found: list[bytes | None] = []
    at = 0
    while at < len(out):
        end = out.index(b"\n", at)
        head = out[at:end].rsplit(b" ", 2)
        at = end + 1
        if len(head) != 3 or not head[2].isdigit():
            found.append(None)
            continue
        size = int(head[2])
        found.append(out[at : at + size])
        at += size + 1
    return found
