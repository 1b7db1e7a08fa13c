"""The rows of a table as records."""

from __future__ import annotations

from collections.abc import Mapping

from ....schemas.source import Source
from ..records import MOST_RECORDS, Record
from ..report_file import ReportFile
from .grids import Grid


def rows(file: ReportFile, grid: Grid, names: Mapping[str, str] = {}) -> tuple[Record, ...]:
    """Return the rows of a table as records: the cells that hold a text, by the names of their columns.

    Args:
        file: the file that holds the table.
        grid: the table.
        names: the name of a field by the heading that stands for it, where that is another one.
    """
    keys = [names.get(cell.text.casefold(), cell.text) for cell in grid.header]
    found = []
    for row in grid.rows[:MOST_RECORDS]:
        held = {key: cell for key, cell in zip(keys, row, strict=True) if cell.text}
        columns: dict[str | int, int] = {key: cell.column for key, cell in held.items()}
        value = {key: cell.text for key, cell in held.items()}
        found.append(Record(Source(file.name, b"", None, "json"), (), value, row[0].line, columns))
    return tuple(found)
