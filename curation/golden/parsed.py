"""Parsed cases, kept by blob id: the same bytes are the same case in every repository."""

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from curation.codec import golden_line, loads
from curation.domain.case import Case
from curation.golden.errors import GitFailedError
from curation.golden.runner import GitRunner
from curation.golden.tree import Entry

_LIMIT = 25_000


@dataclass(frozen=True)
class ParsedCase:
    """A case with its line of `golden.jsonl`, which is made when it is first asked for."""

    case: Case

    @cached_property
    def line(self) -> bytes:
        """The line that `golden.jsonl` has for the case."""
        return golden_line(self.case)


class ParsedCases:
    """A bounded store of parsed cases that threads may share."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, ParsedCase] = OrderedDict()

    def read(self, git: GitRunner, entries: Iterable[Entry]) -> dict[str, ParsedCase]:
        """Return the cases of the entries by path; parses what is not kept.

        Raises:
            CaseFormError: a file is not a case.
            GitFailedError: a blob cannot be read.
        """
        wanted = list(entries)
        with self._lock:
            found = {e.oid: self._kept[e.oid] for e in wanted if e.oid in self._kept}
        missing = {e.oid: e.path for e in wanted if e.oid not in found}
        for (oid, path), data in zip(missing.items(), git.objects(list(missing)), strict=True):
            if data is None:
                raise GitFailedError(f"read {path}", f"the blob {oid} is missing")
            found[oid] = ParsedCase(loads(data, path))
        self._keep({oid: found[oid] for oid in missing})
        return {entry.path: found[entry.oid] for entry in wanted}

    def forget(self) -> None:
        """Keep nothing any more."""
        with self._lock:
            self._kept.clear()

    def _keep(self, fresh: dict[str, ParsedCase]) -> None:
        with self._lock:
            self._kept.update(fresh)
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)


PARSED = ParsedCases(_LIMIT)
