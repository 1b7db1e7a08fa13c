"""XLSX by openpyxl: the values that stand in its sheets. Formulas are not computed: their stored values count."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from openpyxl import load_workbook

from ....schemas.pattern import Pattern
from .aligned import one_line
from .blocks import Block, Cell, Place, Written
from .pieces import sectioned, tabled

MOST_SHEETS = 100
MOST_CELLS = 400_000
MOST_COLUMNS = 500
_DECIMALS = Pattern(r"0(?:\.(?P<decimals>0+))?(?P<percent>%)?")
Row = tuple[int, list[str]]


def read(data: bytes) -> Written:
    """Return the document that the bytes of an XLSX file are: a section for each sheet, whose number is the page."""
    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    blocks: list[Block] = []
    unread: list[str] = []
    left, line = MOST_CELLS, 1
    for page, sheet in enumerate(book.worksheets[:MOST_SHEETS], 1):
        if sheet.sheet_state != "visible":
            unread.append(f"sheet {sheet.title}: hidden")
            continue
        blocks.append(Block("heading", one_line(sheet.title), ((0, Place(page, line)),), 1))
        rows: list[Row] = []
        for number, row in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS), 1):
            left -= len(row)
            if left < 0:
                unread.append(f"sheet {sheet.title}: rows from {number} on: more than {MOST_CELLS:,} cells")
                break
            rows.append((number, [_printed(cell) for cell in row]))
        blocks += _regions(rows, page, line)
        line += len(rows) + 1
    unread += [f"sheet {sheet.title}: beyond the first {MOST_SHEETS}" for sheet in book.worksheets[MOST_SHEETS:]]
    return Written("xlsx", sectioned(blocks), (*unread, *_uncomputed(data)))


def _uncomputed(data: bytes) -> Iterator[str]:
    """Yield the sheets in which formulas stand without a value: some programs store none."""
    formulas = load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
    values = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    for sheet, stored in zip(formulas.worksheets[:MOST_SHEETS], values.worksheets, strict=False):
        pairs = zip(sheet.iter_rows(max_col=MOST_COLUMNS), stored.iter_rows(max_col=MOST_COLUMNS), strict=False)
        count = sum(
            isinstance(one.value, str) and one.value.startswith("=") and two.value is None
            for row, beside in pairs
            for one, two in zip(row, beside, strict=False)
        )
        if count:
            yield f"sheet {sheet.title}: formulas without a stored value: {count}"


def _printed(cell: Any) -> str:
    """Return a value as its sheet shows it: with the decimals of its format, and a share as percent."""
    value = cell.value
    if value is None or isinstance(value, str):
        return one_line(value or "")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    found = next(_DECIMALS.finditer(str(cell.number_format).split(";")[0]), None)
    if found is None:
        return f"{value:.15g}"
    decimals = len(found["decimals"] or "")
    return f"{value * 100:.{decimals}f}%" if found["percent"] else f"{value:.{decimals}f}"


def _regions(rows: list[Row], page: int, title: int) -> Iterator[Block]:
    """Yield the tables and sentences of a sheet, parted by empty rows; one text alone in its row is a sentence.

    Args:
        rows: of the sheet, each with its number.
        page: the number of the sheet.
        title: the line of its title, from which its rows are counted.
    """
    held: list[Row] = []
    for number, texts in [*rows, (len(rows) + 1, [])]:
        filled = [index for index, text in enumerate(texts) if text]
        if len(filled) > 1 or (filled and len(held) > 1):
            held.append((number, texts))
            continue
        yield from _table(held, page, title)
        held = []
        if filled:
            yield Block("paragraph", texts[filled[0]], ((0, Place(page, title + number, filled[0] + 1)),))


def _table(rows: list[Row], page: int, title: int) -> Iterator[Block]:
    if not rows:
        return
    used = [index for _, texts in rows for index, text in enumerate(texts) if text]
    first, last = min(used), max(used)
    cells = tuple(
        tuple(
            Cell(
                texts[index] if index < len(texts) else "", Place(page, title + number, index + 1), number == rows[0][0]
            )
            for index in range(first, last + 1)
        )
        for number, texts in rows
    )
    found = tabled(cells)
    if found is not None:
        yield found
