"""What a version builds of its cases, kept along while cases come and go."""

import hashlib
from bisect import bisect_left, insort
from collections.abc import Mapping

from curation.codec.built import Tally, counts, listing
from curation.golden.parsed import ParsedCase

GOLDEN_FILE = "golden.jsonl"
MANIFEST_FILE = "MANIFEST.json"


class BuiltSet:
    """The lines of `golden.jsonl` and the counts of `MANIFEST.json`, by case."""

    def __init__(self, cases: Mapping[str, ParsedCase]) -> None:
        self._tally = Tally(item.case for item in cases.values())
        self._active = {name: item for name, item in cases.items() if counts(item.case)}
        self._ids = sorted(self._active)

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
