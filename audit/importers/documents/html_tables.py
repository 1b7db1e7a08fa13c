"""The tables of HTML inside a text, with the cells that span columns or rows laid out."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from msgspec import Struct

from ....schemas.pattern import Pattern

MOST_COLUMNS = 500
MOST_CELLS = 400_000
MOST_HEADS = 3
DEEPEST = 8
LONGEST_CELL = 2_000
# the sign that begins no tag of a table: what is left for the parser holds whole tags alone, and is read in one pass
_OTHER = Pattern(r"<(?!/?(?:table|thead|tbody|tfoot|tr|td|th|caption|br)\b[^<>]{0,2000}>)", re.IGNORECASE)
_KEPT = "\0"


class HtmlCell(Struct, frozen=True):
    """A cell: its text with the marks in it, and where it stands in the text that was read, lines from 0."""

    text: str
    line: int
    column: int
    head: bool = False


class HtmlTable(Struct, frozen=True):
    """A table.

    Attributes:
        line: where it begins, from 0.
        caption: what its caption says.
        rows: its rows; a cell that spans several stands in each of them.
        heads: how many of the first rows are headings, at least one.
    """

    line: int
    caption: str
    rows: tuple[tuple[HtmlCell, ...], ...]
    heads: int


class _Open:
    """A table that is being read."""

    def __init__(self, line: int) -> None:
        self.line, self.caption = line, ""
        self.rows: list[tuple[HtmlCell, ...]] = []
        self.heads, self.in_head = 0, False
        self.row: list[tuple[HtmlCell, int, int]] | None = None
        self.parts: list[str] | None = None
        self.in_caption = False
        self.spans: dict[int, tuple[int, HtmlCell]] = {}


class _Reader(HTMLParser):
    def __init__(self, most_cells: int) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[_Open] = []
        self.too_deep = 0
        self.cells_left = most_cells
        self.found: list[HtmlTable] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            if len(self.open) >= DEEPEST:
                self.too_deep += 1
            else:
                self.open.append(_Open(self.getpos()[0] - 1))
        elif self.open and not self.too_deep:
            self._inside(self.open[-1], tag, dict(attrs))

    def _inside(self, table: _Open, tag: str, attrs: dict[str, str | None]) -> None:
        if tag in {"td", "th"}:
            self._end_cell(table)
            line, column = self.getpos()
            table.row = table.row if table.row is not None else []
            cell = HtmlCell("", line - 1, column, tag == "th" or table.in_head)
            table.row.append((cell, _span(attrs.get("colspan")), _span(attrs.get("rowspan"))))
            table.parts = []
        elif tag == "tr":
            self._end_row(table)
            table.row = []
        elif tag in {"thead", "tbody", "tfoot"}:
            self._end_row(table)
            table.in_head = tag == "thead"
        elif tag == "br" and table.parts is not None:
            table.parts.append(" ")
        table.in_caption = tag == "caption" or (tag == "br" and table.in_caption)

    def handle_endtag(self, tag: str) -> None:
        if tag == "table" and self.too_deep:
            self.too_deep -= 1
        elif self.open and not self.too_deep:
            table = self.open[-1]
            table.in_caption = table.in_caption and tag != "caption"
            if tag in {"td", "th"}:
                self._end_cell(table)
            elif tag in {"tr", "thead", "tbody", "tfoot"}:
                self._end_row(table)
                table.in_head = table.in_head and tag == "tr"
            elif tag == "table":
                self._end_table()

    def handle_data(self, data: str) -> None:
        if not self.open or self.too_deep:
            return
        table = self.open[-1]
        if table.in_caption:
            table.caption = (table.caption + data)[:LONGEST_CELL]
        elif table.parts is not None:
            table.parts.append(data[:LONGEST_CELL])

    def close(self) -> None:
        super().close()
        while self.open:
            self._end_table()

    def _end_cell(self, table: _Open) -> None:
        if table.parts is not None and table.row:
            cell, across, down = table.row[-1]
            text = "".join(table.parts)[:LONGEST_CELL].replace(_KEPT, "<")
            table.row[-1] = (HtmlCell(text, cell.line, cell.column, cell.head), across, down)
        table.parts = None

    def _end_row(self, table: _Open) -> None:
        """Lay a row out: cells of earlier rows that reach into it, and its own in what is free."""
        self._end_cell(table)
        row, table.row = table.row, None
        if not row or self.cells_left <= 0:
            return
        laid: list[HtmlCell] = []

        def reach() -> None:
            while (held := table.spans.get(len(laid))) is not None and len(laid) < MOST_COLUMNS:
                left, cell = held
                if left > 1:
                    table.spans[len(laid)] = (left - 1, cell)
                else:
                    del table.spans[len(laid)]
                laid.append(cell)

        for cell, across, down in row:
            reach()
            for _ in range(min(across, MOST_COLUMNS - len(laid))):
                if down > 1:
                    table.spans[len(laid)] = (down - 1, cell)
                laid.append(cell)
        reach()
        # each row is as long as the first in the end
        self.cells_left -= max(len(laid), len(table.rows[0]) if table.rows else 0)
        if all(cell.head for cell in laid) and table.heads == len(table.rows) < MOST_HEADS:
            table.heads += 1
        table.rows.append(tuple(laid))

    def _end_table(self) -> None:
        table = self.open.pop()
        self._end_row(table)
        if len(table.rows) > 1:
            heads = min(max(table.heads, 1), len(table.rows) - 1)
            caption = table.caption.replace(_KEPT, "<")
            self.found.append(HtmlTable(table.line, caption, tuple(table.rows), heads))


def _span(text: str | None) -> int:
    """Return how many columns or rows a cell spans; what is no small number is as many as a table may have."""
    digits = (text or "1").strip()
    if not digits.isdecimal():
        return 1
    return min(int(digits[:6]), MOST_COLUMNS) or 1


def html_tables(text: str, most_cells: int = MOST_CELLS) -> tuple[HtmlTable, ...]:
    """Return the tables of a piece of HTML, in the order in which they begin; one in a cell stands by itself.

    Args:
        text: the piece.
        most_cells: how many cells are laid out; rows behind them are left out.
    """
    reader = _Reader(most_cells)
    reader.feed(_OTHER.sub(_KEPT, text.replace(_KEPT, " ")))
    reader.close()
    return tuple(sorted(reader.found, key=lambda table: table.line))
