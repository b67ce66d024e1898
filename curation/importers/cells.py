"""Cells of a table to the fields of a record: every cell is text until its column says else."""

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from curation.importers.fields import FieldError
from curation.importers.json_lines import decode

NESTED = frozenset(
    {
        "conversation",
        "retrieved",
        "citations",
        "tags",
        "scores",
        "signals",
        "labels",
        "metadata",
    }
)
ALWAYS_TEXT = frozenset({"id", "question", "answer", "text"})


def fields_of(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that the cells of a row mean; an empty cell is no field.

    Nested columns hold JSON as text, or are nested already. The words null, N/A and 007 are text.

    Raises:
        FieldError: a nested column does not hold JSON, or a cell is binary.
    """
    found: dict[str, Any] = {}
    for name, cell in cells.items():
        if cell is None or (cell == "" and name not in ALWAYS_TEXT):
            continue
        value = _nested(name, cell) if name in NESTED else _plain(name, cell)
        if value is not None:
            found[name] = value
    return found


def shown(fields: Mapping[str, Any]) -> str:
    """Return the row as one line of JSON, for the rejects file."""
    return json.dumps(fields, default=str, ensure_ascii=True)


def _nested(name: str, cell: Any) -> Any:  # noqa: ANN401 - any cell
    """Return what a nested column holds."""
    if not isinstance(cell, str):
        return _without_nothing(_plain(name, cell)) if name != "metadata" else _plain(name, cell)
    try:
        return decode(cell)
    except ValueError as problem:
        raise FieldError(name, "the cell is not JSON") from problem


def _without_nothing(value: Any) -> Any:  # noqa: ANN401 - any cell
    """Return the value without the keys that a table had to give and a row left empty."""
    if isinstance(value, dict):
        return {key: _without_nothing(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_nothing(item) for item in value]
    return value


def _plain(name: str, cell: Any) -> Any:  # noqa: ANN401 - any cell
    """Return the cell as JSON could hold it."""
    if isinstance(cell, dict):
        return {str(key): _plain(name, item) for key, item in cell.items()}
    if isinstance(cell, list | tuple):
        return [_plain(name, item) for item in cell]
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, Decimal):
        return float(cell)
    if isinstance(cell, bytes):
        raise FieldError(name, "the cell is binary")
    return cell
