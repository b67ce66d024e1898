"""Records from Parquet: nested columns as they are, or as JSON text."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from curation.importers.cells import fields_of, shown
from curation.importers.fields import FieldError
from curation.importers.reading import Raw, Refused

ROWS = 256


def read_parquet(path: Path, needed: tuple[str, ...]) -> Iterator[Raw | Refused]:
    """Return every row as a record or a refusal; `line` counts rows from 1.

    Args:
        path: the file.
        needed: the columns without which no row can be a record.
    """
    row = 0
    try:
        with pq.ParquetFile(path) as file:
            missing = [name for name in needed if name not in file.schema_arrow.names]
            if missing:
                reason = f"the file has no column {', '.join(missing)}; nothing of it was read"
                yield Refused(0, missing[0], reason)
                return
            for batch in file.iter_batches(batch_size=ROWS):
                for cells in batch.to_pylist(maps_as_pydicts="lossy"):
                    row += 1
                    yield _record(row, cells)
    except (pa.ArrowException, OSError, ValueError) as problem:
        lines = str(problem).splitlines() or [type(problem).__name__]
        yield Refused(row + 1, None, f"the file is damaged or no Parquet file ({lines[0]})")


def _record(row: int, cells: dict[str, object]) -> Raw | Refused:
    """Return the record of a row."""
    try:
        return Raw(row, fields_of(cells), "")
    except FieldError as problem:
        return Refused(row, problem.field, problem.reason, shown(cells))
