"""The coverage grid: every case is counted in its cells, and a hole is a cell under the target."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.domain.coverage import Candidate, Hole, cover_first, coverage_of
from curation.domain.policy import DocumentRule, Policy
from curation.errors import PolicyError

POLICY = Policy(
    question_types=("value", "why"),
    documents=(
        DocumentRule(pattern="a/*", category="alpha"),
        DocumentRule(pattern="b/*", category="beta"),
        DocumentRule(pattern="x/*", family="no category"),
    ),
)


def test_a_cell_without_a_case_is_a_hole_when_the_policy_sets_no_target() -> None:
    grid = coverage_of([("value", ("alpha",)), ("value", ("alpha", "beta"))], POLICY, "golden/v2")
    assert (grid.rows, grid.columns) == (("value", "why"), ("alpha", "beta"))
    assert grid.cells == {"value": {"alpha": 2, "beta": 1}, "why": {"alpha": 0, "beta": 0}}
    assert grid.target is None
    assert [(hole.row, hole.column) for hole in grid.holes] == [("why", "alpha"), ("why", "beta")]
    assert grid.cases == 2
    assert grid.to_document()["version"] == "golden/v2"


def test_a_target_of_the_policy_makes_a_cell_with_too_few_a_hole() -> None:
    policy = POLICY.model_copy(update={"coverage": {"per_cell": 2}})
    cases = [("value", ("alpha",))] * 2 + [("why", ("alpha",)), ("value", ("beta",))]
    grid = coverage_of(cases, policy)
    assert Hole(row="value", column="beta", cases=1, wanted=2) in grid.holes
    assert "alpha" not in {hole.column for hole in grid.holes if hole.row == "value"}
    assert coverage_of(cases, POLICY.model_copy(update={"coverage": {"per_cell": 0}})).holes == ()


def test_what_has_no_category_is_counted_and_is_no_hole() -> None:
    grid = coverage_of([("value", ("uncategorised",)), ("list", ("gamma",))], POLICY)
    assert grid.columns == ("alpha", "beta", "gamma", "uncategorised")
    assert grid.rows == ("value", "why", "list")
    assert grid.uncategorised == 1
    assert "uncategorised" not in {hole.column for hole in grid.holes}


@pytest.mark.parametrize("table", [{"per_cell": "3"}, {"per_cell": -1}, {"per_cell": True}])
def test_a_target_that_is_no_number_is_refused(table: dict[str, object]) -> None:
    with pytest.raises(PolicyError, match="per_cell is no number of cases"):
        coverage_of([], POLICY.model_copy(update={"coverage": table}))


def test_an_unknown_key_is_refused_with_the_one_that_is_known() -> None:
    with pytest.raises(PolicyError, match="cells is no key; the key is per_cell"):
        coverage_of([], POLICY.model_copy(update={"coverage": {"cells": {}}}))


NAMES = st.sampled_from(["alpha", "beta", "gamma", "uncategorised"])


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["value", "why", "list"]),
            st.sets(NAMES, min_size=1).map(lambda found: tuple(sorted(found))),
        )
    )
)
def test_the_cells_hold_every_case_once_for_each_of_its_categories(
    cases: list[tuple[str, tuple[str, ...]]],
) -> None:
    grid = coverage_of(cases, POLICY)
    assert sum(sum(row.values()) for row in grid.cells.values()) == sum(len(c) for _, c in cases)
    cells = len(grid.rows) * len([name for name in grid.columns if name != "uncategorised"])
    filled = {(t, c) for t, found in cases for c in found if c != "uncategorised"}
    assert len(grid.holes) == cells - len(filled)


def candidate(name: str, row: str, column: str, priority: float = 0) -> Candidate:
    return Candidate(answer_id=name, question=name, row=row, column=column, priority=priority)


def first_of(*candidates: Candidate, most: int = 10, per_cell: int = 1) -> list[str]:
    policy = POLICY.model_copy(update={"coverage": {"per_cell": per_cell}})
    found = cover_first(candidates, coverage_of([("value", ("alpha",))], policy), most)
    return [one.candidate.answer_id for one in found]


def test_the_most_urgent_question_of_each_hole_is_covered_first() -> None:
    low, high = candidate("low", "why", "alpha", 1), candidate("high", "why", "alpha", 9)
    other, full = candidate("other", "why", "beta", 4), candidate("full", "value", "alpha", 99)
    assert first_of(low, high, other, full) == ["high", "other"]
    assert first_of(low, high, other, full, most=1) == ["high"]
    assert first_of(candidate("lost", "why", "uncategorised")) == []


def test_an_emptier_cell_comes_before_one_that_is_half_full() -> None:
    half, empty = candidate("half", "value", "alpha", 3), candidate("empty", "why", "beta", 2)
    assert first_of(half, empty, per_cell=2) == ["empty", "half"]


@given(
    st.lists(
        st.tuples(st.sampled_from(["value", "why"]), st.sampled_from(["alpha", "beta"])),
        max_size=20,
    ),
    st.integers(1, 4),
)
def test_every_proposed_question_fills_its_cell_further(
    cells: list[tuple[str, str]], per_cell: int
) -> None:
    asked = [candidate(f"a{n}", *cell, n) for n, cell in enumerate(cells)]
    policy = POLICY.model_copy(update={"coverage": {"per_cell": per_cell}})
    grid = coverage_of([], policy)
    found = cover_first(asked, grid, 100)
    assert len({one.candidate.answer_id for one in found}) == len(found)
    for cell in set(cells):
        taken = [o.cases for o in found if (o.candidate.row, o.candidate.column) == cell]
        assert taken == list(range(min(per_cell, cells.count(cell))))
