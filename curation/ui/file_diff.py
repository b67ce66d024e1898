"""The exact diff of a file in lines; what a line is comes from the diff, not from its text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

_HUNK = re.compile(r"@@ -\d+(?:,(?P<old>\d+))? \+\d+(?:,(?P<new>\d+))? @@")


class LineKind(StrEnum):
    """What a line of a diff is."""

    HEAD = "head"
    SAME = "same"
    WAS = "was"
    NOW = "now"


@dataclass(frozen=True)
class DiffLine:
    """One line of a diff: its kind and its text without the diff's own mark."""

    kind: LineKind
    text: str


_MARKS = {" ": LineKind.SAME, "-": LineKind.WAS, "+": LineKind.NOW}


def diff_lines(diff: str) -> Iterator[DiffLine]:
    """Yield the lines of a unified diff.

    The head of a hunk says how many lines follow; only those have a mark, so that a removed text
    that begins with `--` is not taken for the head of a file.
    """
    old = new = 0
    for line in diff.split("\n")[:-1] if diff.endswith("\n") else diff.split("\n"):
        if old <= 0 and new <= 0:
            hunk = _HUNK.match(line)
            old, new = (int(hunk[side] or 1) for side in ("old", "new")) if hunk else (0, 0)
            yield DiffLine(LineKind.HEAD, line)
            continue
        kind = _MARKS.get(line[:1], LineKind.HEAD)
        old -= kind in {LineKind.SAME, LineKind.WAS}
        new -= kind in {LineKind.SAME, LineKind.NOW}
        yield DiffLine(kind, line if kind is LineKind.HEAD else line[1:])
