"""Rows that name a group of the rows below them: "Batch 8" alone in its row, or across all columns."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from ....schemas.pattern import Pattern
from .cells import number
from .grids import Cell, Grid

_NUMBERED = Pattern(r"(?P<name>[^\W\d_][^\d:=]{0,60}?)\s*[:=]?\s*(?P<number>[0-9][0-9.,]*[kKmMbB]?)")


def with_sections(grid: Grid) -> Grid:
    """Return a table with what its group rows say as a first column of the rows below them.

    A group row has one text, and no number; each has rows below it. Where all are one name with a number ("Batch 1",
    "Batch 8"), the name is the heading.
    """
    named = [_name(row) for row in grid.rows]
    if not any(named) or all(named) or len(grid.header) < 2 or named[-1]:
        return grid
    follows_itself = any(one and other for one, other in pairwise(named))
    if follows_itself or not any(cell.text for cell in grid.rows[-1][1:]):
        return grid
    parted = [_NUMBERED.fullmatch(cell.text) for cell in named if cell is not None]
    names = {match["name"] if match is not None else "" for match in parted}
    heading = names.pop() if len(names) == 1 else ""
    rows: list[tuple[Cell, ...]] = []
    current = Cell("", grid.header[0].line, grid.header[0].column, grid.header[0].page)
    for cell, row in zip(named, grid.rows, strict=True):
        if cell is None:
            rows.append((current, *row))
        else:
            match = _NUMBERED.fullmatch(cell.text) if heading else None
            current = replace(cell, text=match["number"]) if match is not None else cell
    head = replace(grid.header[0], text=heading)
    groups = ("", *grid.groups) if grid.groups else ()
    return replace(grid, header=(head, *grid.header), rows=tuple(rows), groups=groups)


def _name(row: tuple[Cell, ...]) -> Cell | None:
    """Return the one text of a row; None where it has several, or a number."""
    texts = {cell.text for cell in row if cell.text}
    if len(texts) != 1 or (not row[0].text and len(row) > 1) or any(number(text) is not None for text in texts):
        return None
    alone = sum(bool(cell.text) for cell in row) == 1
    return row[0] if alone or len({cell.text for cell in row}) == 1 else None
