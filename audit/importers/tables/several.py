"""Cells that hold several quantities: "3.12 ms / 706 TFLOPS" is a time and a rate, each a column of its own."""

from __future__ import annotations

from msgspec.structs import replace

from ....schemas.pattern import Pattern
from .cells import ABSENT, Number, number
from .grids import Cell, Grid
from .units import Measure, measure

MOST_PARTS = 4
_BETWEEN = Pattern(r"\s+[/|]\s+|\s*[;,]\s+|\s+\((?=[0-9.])")
_NAMES = Pattern(r"([^()]{1,60})\(([^()/]{1,20}(?:/[^()/]{1,20}){1,3})\)")
Part = tuple[str, Number, Measure]
MISFITS = 4
"""One row of so many may print something else: what it prints stays as it is, and is named as not read."""


def parted(grid: Grid) -> Grid:
    """Return a table with a column for each quantity of its cells, where all cells hold several in one order."""
    for index in range(len(grid.header) - 1, 0, -1):
        grid = _listed(grid, index)
    for index in range(len(grid.header) - 1, 0, -1):
        texts = [row[index].text for row in grid.rows]
        rows = [_parts(text) if text else None for text in texts]
        kinds = {kind for parts in rows if parts is not None and None not in (kind := _kind(parts))}
        if len(kinds) != 1:
            continue
        (kind,) = kinds
        if len(kind) < 2 or len(set(kind)) < len(kind):
            continue
        rows = [parts if parts is not None and _fits(parts, kind) else None for parts in rows]
        misfits = sum(parts is None and bool(text) for parts, text in zip(rows, texts, strict=True))
        if misfits * MISFITS <= len(rows):
            grid = _widened(grid, index, rows, len(kind))
    return grid


def _listed(grid: Grid, index: int) -> Grid:
    """Return a table whose column of "112/239/435" below "fps (fp32/fp16/int8)" is one for each name."""
    head = _NAMES.fullmatch(grid.header[index].text)
    names = head[2].split("/") if head is not None else []
    texts = [row[index].text for row in grid.rows]
    filled = [text.split("/") for text in texts if text.casefold() not in ABSENT]
    alike = all(len(parts) == len(names) for parts in filled)
    if head is None or not filled or not alike or not all(_is_plain(part) for parts in filled for part in parts):
        return grid
    heads = [replace(grid.header[index], text=f"{head[1].strip()} ({name.strip()})") for name in names]
    body = []
    for row in grid.rows:
        parts = row[index].text.split("/") if row[index].text.casefold() not in ABSENT else [""] * len(names)
        own = [replace(row[index], text=part.strip()) for part in parts]
        body.append((*row[:index], *own, *row[index + 1 :]))
    groups = (*grid.groups[:index], *grid.groups[index : index + 1] * len(names), *grid.groups[index + 1 :])
    header = (*grid.header[:index], *heads, *grid.header[index + 1 :])
    return replace(grid, header=header, rows=tuple(body), groups=groups if grid.groups else ())


def _is_plain(text: str) -> bool:
    found = number(text)
    return found is not None and not found.unit


def _kind(parts: tuple[Part | None, ...]) -> tuple[str | None, ...]:
    return tuple(part[2].dimension if part is not None else None for part in parts)


def _fits(parts: tuple[Part | None, ...], kind: tuple[str | None, ...]) -> bool:
    """Whether the quantities of a cell are those of its column; what is not there may be any."""
    own = _kind(parts)
    return len(own) == len(kind) and all(each in (None, other) for each, other in zip(own, kind, strict=True))


def _parts(text: str) -> tuple[Part | None, ...] | None:
    """Return the quantities of a cell, each with its unit, or None for "N/A"; None where it holds anything else."""
    pieces = [piece or "" for piece in _BETWEEN.split(text)]
    if not 2 <= len(pieces) <= MOST_PARTS:
        return None
    found: list[Part | None] = []
    for piece in pieces:
        bare = piece.strip().removesuffix(")") if "(" not in piece else piece.strip()
        value = number(bare)
        unit = measure(value.unit) if value is not None and value.unit else None
        if bare.casefold() in ABSENT:
            found.append(None)
        elif value is None or unit is None or unit.dimension == "scale":
            return None
        else:
            found.append((bare, value, unit))
    return tuple(found) if any(found) else None


def _widened(grid: Grid, index: int, rows: list[tuple[Part | None, ...] | None], count: int) -> Grid:
    head = grid.header[index]
    names = [piece or "" for piece in _BETWEEN.split(head.text)]
    units = next([part[1].unit for part in parts if part is not None] for parts in rows if parts and all(parts))
    if len(names) == count:
        heads = [replace(head, text=name.strip().removesuffix(")") if "(" not in name else name) for name in names]
    else:
        heads = [replace(head, text=f"{head.text} ({unit})") for unit in units]
    body = []
    for row, parts in zip(grid.rows, rows, strict=True):
        cell = row[index]
        own = [_own(cell, part) for part in parts] if parts else [cell, *[replace(cell, text="")] * (count - 1)]
        body.append((*row[:index], *own, *row[index + 1 :]))
    groups = (*grid.groups[:index], *grid.groups[index : index + 1] * count, *grid.groups[index + 1 :])
    header = (*grid.header[:index], *heads, *grid.header[index + 1 :])
    return replace(grid, header=header, rows=tuple(body), groups=groups if grid.groups else ())


def _own(cell: Cell, part: Part | None) -> Cell:
    text = part[0] if part is not None else ""
    return replace(cell, text=text, column=cell.column + max(cell.text.find(text), 0))
