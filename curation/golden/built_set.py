"""What a version builds of its cases, kept along while cases come and go."""

import hashlib
import json
import re
from bisect import bisect_left, insort
from collections.abc import Mapping
from typing import NamedTuple, Protocol, Self

from curation.codec.built import Tally, counts, listing
from curation.golden.parsed import ParsedCase

GOLDEN_FILE = "golden.jsonl"
MANIFEST_FILE = "MANIFEST.json"
_ID = re.compile(rb'\{"id": "([a-z0-9-]+)", .*', re.DOTALL)


class _Line(Protocol):
    """What has a line in `golden.jsonl`."""

    @property
    def line(self) -> bytes: ...


class _Known(NamedTuple):
    """A line whose case nobody has read."""

    line: bytes


class BuiltSet:
    """The lines of `golden.jsonl` and the counts of `MANIFEST.json`, by case."""

    def __init__(self, cases: Mapping[str, ParsedCase]) -> None:
        self._tally = Tally(item.case for item in cases.values())
        self._active: dict[str, _Line] = {
            name: item for name, item in cases.items() if counts(item.case)
        }
        self._ids = sorted(self._active)

    @classmethod
    def of_files(cls, lines: bytes, listed: bytes, *, cases_tree: str) -> Self | None:
        """Return what two built files say; None where they are not of each other or of the tree.

        Args:
            lines: a `golden.jsonl`.
            listed: the `MANIFEST.json` beside it.
            cases_tree: the tree of `cases` that they should be built of.
        """
        try:
            document = json.loads(listed)
            pins = document["golden_jsonl_sha256"], document["cases_tree"]
            built = cls({})
            built._tally = Tally.of_document(document)
        except (ValueError, LookupError, TypeError, AttributeError):
            return None
        found = [_ID.match(line) for line in lines.split(b"\n")[:-1]]
        built._active = {hit[1].decode(): _Known(hit.string + b"\n") for hit in found if hit}
        built._ids = list(built._active)
        digest = hashlib.sha256(lines).hexdigest()
        in_order = built._ids == sorted(built._active) and len(built._ids) == len(found)
        return built if in_order and pins == (digest, cases_tree) else None

    def replace(self, case_id: str, before: ParsedCase | None, after: ParsedCase | None) -> None:
        """Put a case in the place of what was there; None is no case."""
        if before is not None:
            self._tally.add(before.case, times=-1)
            if self._active.pop(case_id, None) is not None:
                del self._ids[bisect_left(self._ids, case_id)]
        if after is not None:
            self._tally.add(after.case)
            if counts(after.case):
                self._active[case_id] = after
                insort(self._ids, case_id)

    def files(self, version: str, *, cases_tree: str) -> tuple[tuple[str, bytes], ...]:
        """Return `golden.jsonl` and `MANIFEST.json` of a version, by path."""
        lines = b"".join([self._active[case_id].line for case_id in self._ids])
        digest = hashlib.sha256(lines).hexdigest()
        listed = listing(self._tally, version=version, golden_sha256=digest, cases_tree=cases_tree)
        return (GOLDEN_FILE, lines), (MANIFEST_FILE, listed)
