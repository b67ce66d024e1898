"""The coverage grid as it is drawn: question type by document category, with its holes."""

from collections.abc import Sequence

from curation.domain.coverage import Coverage, FirstToCover, Hole
from curation.domain.plural import plural
from curation.domain.policy import UNCATEGORISED
from curation.ui.tree import Child, Node, button, node

MOST_HOLES = 40
NO_GRID = (
    "There is no grid, because the policy names no document categories. "
    "List them under [[documents]] in golden.toml, and propose that as a policy change."
)


def words(name: str) -> str:
    """Return the name of a type or a category as people read it."""
    return name.replace("_", " ")


def draw_grid(grid: Coverage) -> list[Child]:
    """Return the grid; a hole is marked by a sign and its words, not by colour alone."""
    if not cells(grid):
        return [node("p", summary(grid), role="status"), *_uncategorised(grid)]
    head = node("tr", node("th", "Question type", scope="col"), *map(_column, grid.columns))
    return [
        node("p", summary(grid), role="status"),
        node(
            "table",
            node("thead", head),
            node("tbody", *(_row(grid, row) for row in grid.rows)),
            cls="cur-table cur-grid",
        ),
        *_uncategorised(grid),
    ]


def _column(name: str) -> Node:
    return node("th", words(name), scope="col", cls="cur-literal")


def cells(grid: Coverage) -> int:
    """Return how many cells the grid has; none where the policy names no category."""
    return len(grid.rows) * sum(column != UNCATEGORISED for column in grid.columns)


def summary(grid: Coverage) -> str:
    """Return how many cells are holes, and by which target; or why there is no grid."""
    number = cells(grid)
    if not number:
        return f"{plural(grid.cases, 'active case')}. {NO_GRID}"
    by = (
        f"the policy asks for {plural(grid.wanted, 'case')} in each"
        if grid.target is not None
        else "a cell without a case counts as one, because the policy sets no target"
    )
    return (
        f"{plural(grid.cases, 'active case')}. {len(grid.holes)} of {number} cells are holes: {by}."
    )


def _row(grid: Coverage, row: str) -> Node:
    holes = {(hole.row, hole.column) for hole in grid.holes}
    return node(
        "tr",
        node("th", words(row), scope="row", cls="cur-literal"),
        *(
            _cell(grid.cells[row][column], grid.wanted, hole=(row, column) in holes)
            for column in grid.columns
        ),
    )


def _cell(number: int, wanted: int, *, hole: bool) -> Node:
    """Return one cell; a hole says how many it lacks."""
    if not hole:
        return node("td", str(number), cls="cur-covered")
    said = f"hole: {number} of {plural(wanted, 'case')}"
    return node("td", f"○ {number}", cls="cur-hole", title=said, aria_label=said)


def _uncategorised(grid: Coverage) -> list[Child]:
    if not grid.uncategorised:
        return []
    one = grid.uncategorised == 1
    said = (
        f"{plural(grid.uncategorised, 'case')} {'is' if one else 'are'} in no category: no rule of "
        "the policy names the documents, or there are none and the case names no category."
    )
    return [node("p", said)]


def draw_first(first: Sequence[FirstToCover]) -> list[Child]:
    """Return the logged questions to cover first, so that the grid fills fastest."""
    head = node("h2", f"Cover first · {len(first)}")
    if not first:
        return [head, node("p", "No logged question that waits would fill a hole.")]
    return [head, node("ol", *(_to_cover(one) for one in first))]


def _to_cover(one: FirstToCover) -> Node:
    """Return one question as a link to its review, and the cell that it fills."""
    found = one.candidate
    cell = f"{words(found.row)} × {words(found.column)}: {one.cases} of {one.wanted}"
    return node(
        "li",
        button(found.question, "cover", arg=found.answer_id, cls="cur-link"),
        node("p", cell, cls="cur-small cur-soft cur-literal"),
    )


def draw_holes(grid: Coverage) -> list[Child]:
    """Return the holes by name, the emptiest first."""
    if not cells(grid):
        return []
    if not grid.holes:
        return [node("h2", "Holes · 0"), node("p", "Every cell has what it should have.")]
    order = sorted(grid.holes, key=lambda hole: hole.cases)
    rest = len(order) - MOST_HOLES
    return [
        node("h2", f"Holes · {len(order)}"),
        node("ul", *(node("li", _hole(hole), cls="cur-literal") for hole in order[:MOST_HOLES])),
        *([node("p", f"and {rest} more.")] if rest > 0 else []),
    ]


def _hole(hole: Hole) -> str:
    return f"{words(hole.row)} × {words(hole.column)}: {hole.cases} of {hole.wanted}"
