"""A line of commits written by one `git fast-import`: a history in a tenth of a second."""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from curation.codec import case_id_of, loads
from curation.golden import Location
from curation.golden.parsed import ParsedCase
from curation.golden.release import built_files
from curation.golden.tree import Entry, blob_id, tree_id
from tests.golden.desk import git

MIA, ROB = "Mia Kim <mia@example.org>", "Rob Oduya <rob@example.org>"
_LIKE = "0" * 40
_START = 1_793_610_000


@dataclass
class Line:
    """Commits of a bare repository in the order in which they are made."""

    path: Path
    ids: list[str] = field(default_factory=list)
    _stream: list[bytes] = field(default_factory=list)
    _cases: dict[str, bytes] = field(default_factory=dict)
    _made: int = 0

    @property
    def location(self) -> Location:
        return Location.at(self.path)

    def commit(
        self,
        message: str,
        files: dict[str, str | bytes | None] | None = None,
        *,
        author: str = MIA,
        merges: int | None = None,
    ) -> int:
        """Commit files by path, None takes one away; return the commit's number, from 1."""
        self._made += 1
        text = message.encode()
        when = _START + 60 * self._made
        self._say(f"commit refs/heads/main\nmark :{self._made}\nauthor {author} {when} +0000\n")
        self._say(f"committer {author} {when} +0000\ndata {len(text)}\n")
        self._stream.append(text + b"\n")
        if self._made > 1:
            self._say(f"from :{self._made - 1}\n")
        if merges is not None:
            self._say(f"merge :{merges}\n")
        for path, content in (files or {}).items():
            self._file(path, content.encode() if isinstance(content, str) else content)
        self._say("\n")
        return self._made

    def release(self, version: str, **spoilt: str) -> int:
        """Commit what makes a version; `spoilt` says what a built file holds instead."""
        files = {**self.built(version), **{f"{name}.jsonl": text for name, text in spoilt.items()}}
        return self.commit(f"Release {version}\n\nRelease: {version}", files)

    def built(
        self, version: str, more: dict[str, bytes] | None = None
    ) -> dict[str, str | bytes | None]:
        """The built files of a version of the cases that are there now, and of some more."""
        there = self._cases | (more or {})
        files = [
            Entry("100644", "blob", blob_id(data, like=_LIKE), path.removeprefix("cases/"))
            for path, data in there.items()
        ]
        cases = {
            case_id: ParsedCase(loads(data, path))
            for path, data in there.items()
            if (case_id := case_id_of(path))
        }
        return dict(built_files(version, cases, cases_tree=tree_id(files, like=_LIKE)))

    def tag(self, name: str, at: int, *, annotated: bool = True) -> None:
        """Tag a commit."""
        if annotated:
            self._say(f"tag {name}\nfrom :{at}\ntagger {ROB} {_START} +0000\ndata 1\nx\n")
        else:
            self._say(f"reset refs/tags/{name}\nfrom :{at}\n\n")

    def write(self) -> "Line":
        """Write what was not yet written to the repository; `ids` are the commits' ids then."""
        if not self.path.exists():
            git(self.path.parent, "init", "-q", "--bare", "-b", "main", str(self.path))
        marks = self.path / "marks"
        kept = [f"--import-marks-if-exists={marks}", f"--export-marks={marks}"]
        subprocess.run(
            ["git", "-C", str(self.path), "fast-import", "--quiet", *kept],
            input=b"".join(self._stream),
            check=True,
        )
        self._stream.clear()
        rows = dict(row.split(" ") for row in marks.read_text().splitlines())
        self.ids = [rows[f":{number}"] for number in range(1, self._made + 1)]
        return self

    def _file(self, path: str, data: bytes | None) -> None:
        if data is None:
            self._say(f"D {path}\n")
            self._cases.pop(path, None)
            return
        self._say(f"M 100644 inline {path}\ndata {len(data)}\n")
        self._stream.append(data + b"\n")
        if path.startswith("cases/"):
            self._cases[path] = data

    def _say(self, text: str) -> None:
        self._stream.append(text.encode())
