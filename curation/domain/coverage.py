"""Where a golden set has cases and where it has none: question type by document category."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from curation.domain.base import Value
from curation.domain.policy import UNCATEGORISED, DocumentRule, Policy, category_by
from curation.errors import PolicyError

PER_CELL = "per_cell"


class Hole(Value):
    """A cell with fewer cases than it should have."""

    row: str
    column: str
    cases: int
    wanted: int


class Holes(Value):
    """The cells that want cases, and how a document's category is known."""

    cells: tuple[tuple[str, str], ...] = ()
    documents: tuple[DocumentRule, ...] = ()

    def finder(self) -> "HoleFinder":
        """Return what says of many questions whether they fill a hole."""
        return HoleFinder(self)


class HoleFinder:
    """Says whether a case of a question type, made from some documents, would fill a hole."""

    def __init__(self, holes: Holes) -> None:
        self._cells = frozenset(holes.cells)
        self._rules = holes.documents
        self._known: dict[str, str] = {}

    def category(self, documents: Mapping[str, float]) -> str:
        """Return the category that most of these documents have, each counted by its weight.

        What is in no category counts only where nothing else does.
        """
        votes: defaultdict[str, float] = defaultdict(float)
        for doc_id in sorted(documents):
            votes[self._category(doc_id)] += documents[doc_id]
        votes.pop(UNCATEGORISED, None)
        return max(votes, key=lambda name: votes[name], default=UNCATEGORISED)

    def filled_by(self, question_type: str, documents: Mapping[str, float]) -> bool:
        """Return whether such a case would fill a hole."""
        return bool(self._cells) and (question_type, self.category(documents)) in self._cells

    def _category(self, doc_id: str) -> str:
        if doc_id not in self._known:
            self._known[doc_id] = category_by(self._rules, doc_id)
        return self._known[doc_id]


class Coverage(Value):
    """The grid: a row for each question type, a column for each category, cases in each cell.

    `target` is what the policy asks of each cell; None where it says nothing, and a hole is then
    a cell without a case. A case of two categories counts in both.
    """

    version: str | None
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: dict[str, dict[str, int]]
    target: int | None
    cases: int
    uncategorised: int

    @property
    def wanted(self) -> int:
        """How many cases a cell should have."""
        return 1 if self.target is None else self.target

    @property
    def holes(self) -> tuple[Hole, ...]:
        """The cells with too few cases, row by row; what has no category is no cell to fill."""
        return tuple(
            Hole(row=row, column=column, cases=self.cells[row][column], wanted=self.wanted)
            for row in self.rows
            for column in self.columns
            if column != UNCATEGORISED and self.cells[row][column] < self.wanted
        )

    def wanting(self, policy: Policy) -> Holes:
        """Return the holes as what finds the questions that fill them."""
        cells = tuple((hole.row, hole.column) for hole in self.holes)
        return Holes(cells=cells, documents=policy.documents)

    def to_document(self) -> dict[str, Any]:
        """Return the grid as a JSON object."""
        return {
            "version": self.version,
            "rows": list(self.rows),
            "columns": list(self.columns),
            "cells": self.cells,
            "target": self.target,
            "cases": self.cases,
            "uncategorised": self.uncategorised,
            "holes": [hole.model_dump(mode="json") for hole in self.holes],
        }


def coverage_of(
    cases: Iterable[tuple[str, tuple[str, ...]]], policy: Policy, version: str | None = None
) -> Coverage:
    """Return the grid of these cases, each given as its question type and its categories.

    Args:
        cases: the active cases.
        policy: names the question types, the categories of documents and the target.
        version: the version that the cases are of.

    Raises:
        PolicyError: `[coverage]` says something that is no target.
    """
    counted: Counter[tuple[str, str]] = Counter()
    found = list(cases)
    for question_type, categories in found:
        counted.update((question_type, category) for category in set(categories))
    rows = _in_order(policy.question_types, (row for row, _ in counted))
    named = [rule.category for rule in policy.documents if rule.category]
    columns = _in_order(named, (column for _, column in counted if column != UNCATEGORISED))
    lost = sum(UNCATEGORISED in categories for _, categories in found)
    columns += (UNCATEGORISED,) if lost else ()
    return Coverage(
        version=version,
        rows=rows,
        columns=columns,
        cells={row: {column: counted[row, column] for column in columns} for row in rows},
        target=_target(policy.coverage),
        cases=len(found),
        uncategorised=lost,
    )


def _in_order(known: Iterable[str], found: Iterable[str]) -> tuple[str, ...]:
    """Return the known names in their order, then the others by name."""
    first = dict.fromkeys(known)
    return (*first, *sorted({name for name in found if name not in first}))


def _target(table: Mapping[str, Any]) -> int | None:
    """Return how many cases each cell should have by the policy; None where it does not say."""
    unknown = [name for name in table if name != PER_CELL]
    if unknown:
        raise PolicyError("golden.toml", f"coverage.{unknown[0]} is no key; the key is {PER_CELL}")
    target = table.get(PER_CELL)
    if target is None:
        return None
    if isinstance(target, bool) or not isinstance(target, int) or target < 0:
        raise PolicyError("golden.toml", f"coverage.{PER_CELL} is no number of cases")
    return target


class Candidate(Value):
    """A logged question that a case could be made of: its cell, and its place in the queue."""

    answer_id: str
    question: str
    row: str
    column: str
    priority: float


class FirstToCover(Value):
    """A question to cover, the cell that it fills, and how many cases that has by then."""

    candidate: Candidate
    cases: int
    wanted: int

    def to_document(self) -> dict[str, Any]:
        """Return the question as a JSON object."""
        return self.candidate.model_dump(mode="json") | {
            "cases": self.cases,
            "wanted": self.wanted,
        }


def cover_first(
    candidates: Iterable[Candidate], grid: Coverage, most: int
) -> tuple[FirstToCover, ...]:
    """Return the questions whose cases fill the grid fastest, the first to cover first.

    Greedy: each step takes the question with the largest product of what its cell still lacks, as
    a share of its target, and 1 + its priority. Every one fills a cell further.
    """
    waiting: dict[tuple[str, str], list[Candidate]] = {}
    holes = {(hole.row, hole.column): hole for hole in grid.holes}
    for one in candidates:
        if (one.row, one.column) in holes:
            waiting.setdefault((one.row, one.column), []).append(one)
    for queue in waiting.values():
        queue.sort(key=lambda one: (one.priority, one.answer_id))
    cases = {cell: holes[cell].cases for cell in waiting}
    found: list[FirstToCover] = []
    while waiting and len(found) < most:
        lacks = {cell: 1 - cases[cell] / grid.wanted for cell in waiting}
        best = max(waiting, key=lambda c: (lacks[c] * (1 + waiting[c][-1].priority), c))
        chosen = waiting[best].pop()
        found.append(FirstToCover(candidate=chosen, cases=cases[best], wanted=grid.wanted))
        cases[best] += 1
        if not waiting[best] or cases[best] >= grid.wanted:
            del waiting[best]
    return tuple(found)
