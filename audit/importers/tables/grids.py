"""A table with what stands around it; the table of a CSV or TSV file."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from ..documents.html_tables import MOST_COLUMNS
from ..report_file import ReportFile

JOINED = " - "
"""Between the levels of a heading, as published tables with one level write it: "Throughput - FP16"."""


class Cell(Struct, frozen=True):
    """A cell: its plain text, and where it stands; the page is 0 where a document has none."""

    text: str
    line: int
    column: int
    page: int = 0


class Grid(Struct, frozen=True):
    """A table.

    Attributes:
        title: the heading above it, else the file's name.
        sentence: the text between the heading and the table.
        header: its first row.
        rows: the others, each as long as the header.
        cut: rows that are longer than the header: what stands beyond it is left out.
        groups: where the header has two levels, the upper one of each column, empty where a column has none.
        left_out: what to say of columns that its shape leaves no room for.
        stated: what the document says of all its numbers: "The reported metric is throughput (tokens/s)."
        below: the text that follows it.
        above: the headings of higher levels that it stands under.
        at: index of its block in the document; -1 where there is none.
    """

    title: str
    sentence: str
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    cut: int = 0
    groups: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    stated: str = ""
    below: str = ""
    above: str = ""
    at: int = -1

    @property
    def place(self) -> str:
        """The table in words."""
        return f"the table in line {self.header[0].line}"


def of_columns(file: ReportFile) -> tuple[Grid, ...]:
    """Return the table of a CSV or TSV file; none where it is another file."""
    rows = file.table
    width = len(rows[0][1]) if rows else 0
    # a text with commas is no table: most of the rows are as long as the first
    if len(rows) < 2 or not 2 <= width <= MOST_COLUMNS or sum(len(row[1]) == width for row in rows) < 0.8 * len(rows):
        return ()
    header = _placed(file, rows[0])
    body = [_placed(file, row) for row in rows[1:]]
    return (Grid(file.short_name, "", header, *fitted(header, body)),)


def _placed(file: ReportFile, row: tuple[int, tuple[str, ...]]) -> tuple[Cell, ...]:
    line, texts = row
    text, at = file.lines[line - 1] if line <= len(file.lines) else "", 0
    found = []
    for cell in texts:
        start = text.find(cell, at)
        column = (start if start >= 0 else at) + 1
        at = max(at, column - 1 + len(cell))
        found.append(Cell(cell, line, column))
    return tuple(found)


def fitted(header: tuple[Cell, ...], body: Iterable[tuple[Cell, ...]]) -> tuple[tuple[tuple[Cell, ...], ...], int]:
    """Return rows as long as the header, and how many of them were longer."""
    rows, cut = [], 0
    for row in body:
        missing = tuple(Cell("", row[0].line, row[-1].column) for _ in range(len(header) - len(row)))
        cut += any(cell.text for cell in row[len(header) :])
        rows.append((*row[: len(header)], *missing))
    return tuple(rows), cut
