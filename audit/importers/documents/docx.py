"""DOCX by python-docx: paragraphs by their styles, and tables. Macros, links and embedded objects are not opened."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from docx import Document
from docx.table import Table

from .aligned import one_line
from .blocks import Block, Cell, Kind, Place, Written
from .pieces import sectioned, tabled

if TYPE_CHECKING:
    from docx.text.paragraph import Paragraph

MOST_BLOCKS = 50_000


def read(data: bytes) -> Written:
    """Return the document that the bytes of a DOCX file are; a line of it is a paragraph, or a row of a table."""
    return Written("docx", sectioned(_blocks(Document(io.BytesIO(data)).iter_inner_content())))


def _blocks(parts: Iterator[Paragraph | Table]) -> Iterator[Block]:
    line = 1
    for count, part in enumerate(parts):
        if count >= MOST_BLOCKS:
            return
        if isinstance(part, Table):
            rows = tuple(_cells(part, line))
            line += len(rows)
            found = tabled(rows) if rows else None
        else:
            found = _paragraph(part, line)
            line += 1
        if found is not None:
            yield found


def _cells(table: Table, first: int) -> Iterator[tuple[Cell, ...]]:
    for number, row in enumerate(table.rows):
        cells = [""] * row.grid_cols_before + [one_line(cell.text) for cell in row.cells]
        yield tuple(Cell(text, Place(line=first + number, column=at), not number) for at, text in enumerate(cells, 1))


def _paragraph(part: Paragraph, line: int) -> Block | None:
    text = one_line(part.text)
    style = (part.style.name or "").casefold() if part.style is not None else ""
    digits = style.removeprefix("heading ")
    kind: Kind = "paragraph"
    level = 0
    if style.startswith("heading "):
        kind, level = "heading", int(digits) if digits.isdecimal() and len(digits) == 1 else 1
    elif style in {"title", "caption"}:
        kind = "title" if style == "title" else "caption"
    elif style.startswith("list"):
        kind, level = "item", 1
    elif "quote" in style:
        kind = "quote"
    return Block(kind, text, ((0, Place(line=line)),), level) if text else None
