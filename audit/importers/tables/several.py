"""Cells that hold several quantities: "3.12 ms / 706 TFLOPS" is a time and a rate, each a column of its own."""

from __future__ import annotations

from msgspec.structs import replace

from ....schemas.pattern import Pattern
from .cells import Number, number
from .grids import Cell, Grid
from .units import Measure, measure

MOST_PARTS = 4
_BETWEEN = Pattern(r"\s+[/|]\s+|\s*[;,]\s+|\s+\((?=[0-9.])")
Part = tuple[str, Number, Measure]


def parted(grid: Grid) -> Grid:
    """Return a table with a column for each quantity of its cells, where all cells hold several in one order."""
    for index in range(len(grid.header) - 1, 0, -1):
        rows = [_parts(row[index].text) if row[index].text else () for row in grid.rows]
        kinds = {tuple(each.dimension for _, _, each in parts) for parts in rows if parts}
        if None in rows or not kinds or len(kinds) > 1:
            continue
        kind = kinds.pop()
        if len(kind) < 2 or len(set(kind)) < len(kind):
            continue
        grid = _widened(grid, index, rows, len(kind))
    return grid


def _parts(text: str) -> tuple[Part, ...] | None:
    """Return the quantities of a cell, each with its unit; None where it holds anything else."""
    pieces = [piece or "" for piece in _BETWEEN.split(text)]
    if not 2 <= len(pieces) <= MOST_PARTS:
        return None
    found: list[Part] = []
    for piece in pieces:
        bare = piece.strip().removesuffix(")") if "(" not in piece else piece.strip()
        value = number(bare)
        unit = measure(value.unit) if value is not None and value.unit else None
        if value is None or unit is None or unit.dimension == "scale":
            return None
        found.append((bare, value, unit))
    return tuple(found)


def _widened(grid: Grid, index: int, rows: list[tuple[Part, ...] | None], count: int) -> Grid:
    head = grid.header[index]
    names = [piece or "" for piece in _BETWEEN.split(head.text)]
    units = next([value.unit for _, value, _ in parts] for parts in rows if parts)
    if len(names) == count:
        heads = [replace(head, text=name.strip().removesuffix(")")) for name in names]
    else:
        heads = [replace(head, text=f"{head.text} ({unit})") for unit in units]
    body = []
    for row, parts in zip(grid.rows, rows, strict=True):
        cell = row[index]
        own = [
            Cell(text, cell.line, cell.column + max(cell.text.find(text), 0), cell.page) for text, _, _ in parts or ()
        ] or [replace(cell, text="")] * count
        body.append((*row[:index], *own, *row[index + 1 :]))
    groups = (*grid.groups[:index], *grid.groups[index : index + 1] * count, *grid.groups[index + 1 :])
    header = (*grid.header[:index], *heads, *grid.header[index + 1 :])
    return replace(grid, header=header, rows=tuple(body), groups=groups if grid.groups else ())
