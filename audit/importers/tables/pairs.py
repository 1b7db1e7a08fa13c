"""Cells of several numbers under a heading of as many names: "AP / FPS" over "40.3 / 14"."""

from __future__ import annotations

from msgspec.structs import replace

from ....schemas.pattern import Pattern
from .cells import number
from .grids import Cell, Grid
from .roles import VALUES, guess
from .series import NONE
from .units import measure, rate_in

MOST_PARTS = 4
_SLASH = Pattern(r"\s*/\s*")
_INSIDE = Pattern(r"([^()/]*[^()/\s])\s*\(([^()]*/[^()]*)\)")
_BRACKET = Pattern(r"([^()]*[^()\s])\s*(\([^()]{1,20}\))")
_SCALED = Pattern(r"([0-9.]+)\s*([KMGTP])")


def named_apart(grid: Grid) -> Grid:
    """Return a table with a column for each name of a heading whose cells hold as many numbers.

    Where another heading has no names of its own and its cells hold as many numbers, the names are those of it, too:
    "TFLOPS" beside "Ours / cuDNN". Only columns of measured numbers come apart: "Batch / GPU" is one name.
    """
    names = _names(grid)
    for index in range(len(grid.header) - 1, 0, -1):
        cells = [_parts(row[index].text) for row in grid.rows]
        counts = {len(parts) for parts in cells if len(parts) > 1}
        if len(counts) != 1 or any(len(parts) == 1 and parts[0].casefold() not in NONE for parts in cells):
            continue
        heads = _heads(grid.header[index].text, names, counts.pop())
        if heads:
            grid = _widened(grid, index, heads, cells)
    return grid


def _parts(text: str) -> list[str]:
    """Return the numbers of a cell, each with the unit that the last one has alone; the cell where it holds others."""
    pieces = [piece or "" for piece in _SLASH.split(text.strip())]
    values = [number(piece) for piece in pieces]
    if not 2 <= len(pieces) <= MOST_PARTS or any(
        value is None and piece.casefold() not in NONE for value, piece in zip(values, pieces, strict=True)
    ):
        return [text.strip()]
    last = values[-1].unit if values[-1] is not None else ""
    if last and measure(last) is not None and all(value is None or not value.unit for value in values[:-1]):
        return [piece if value is None else f"{piece} {last}" for value, piece in zip(values[:-1], pieces, strict=False)
                ] + pieces[-1:]  # fmt: skip
    return pieces


def _named(heading: str) -> list[str]:
    """Return the names that a heading joins by slashes; none where it is one name or a unit."""
    inside = _INSIDE.fullmatch(heading)
    if inside is not None and inside[2]:
        names = [f"{inside[1]} ({piece or ''})" for piece in _SLASH.split(inside[2])]
        return [] if rate_in(heading) is not None else names
    bare = _BRACKET.fullmatch(heading)
    outer = (bare[1] or "") if bare is not None else heading
    pieces = [piece or "" for piece in _SLASH.split(outer)]
    is_unit = rate_in(outer) is not None and all(rate_in(piece) is None for piece in pieces)
    return [] if len(pieces) < 2 or not all(pieces) or is_unit else pieces


def _names(grid: Grid) -> list[str]:
    """Return the names of arms that one heading joins: none of its names is that of a quantity or an option."""
    for index, cell in enumerate(grid.header):
        names = _named(cell.text)
        cells = [_parts(row[index].text) for row in grid.rows]
        apart = bool(names) and all(len(parts) == len(names) for parts in cells)
        if not apart or not {_role(name) for name in names} <= {"extra", "library"}:
            continue
        if _widened(grid, index, _heads(cell.text, [], len(names)), cells) is not grid:
            return names
    return []


def _heads(heading: str, names: list[str], count: int) -> list[str]:
    """Return the headings of the columns that come apart; none where nothing tells them."""
    bracket = _BRACKET.fullmatch(heading)
    unit = f" {bracket[2] or ''}" if bracket is not None else ""
    own = _named(heading)
    if len(own) == count:
        return own if bracket is None and heading.endswith(")") else _shared([f"{name}{unit}" for name in own])
    return [f"{name} {heading}" for name in names] if len(names) == count and not own else []


def _shared(heads: list[str]) -> list[str]:
    """Return headings with what one says for all: "Train / test accuracy", "Tuned AP / FPS"."""
    name, _, rest = heads[0].partition(" ")
    if rest and _role(rest) in VALUES and not any(" " in head for head in heads[1:]):
        return [heads[0], *(f"{name} {head}" for head in heads[1:])]
    what = heads[-1].partition(" ")[2]
    bare = [head for head in heads[:-1] if " " not in head and _role(head) == "extra"]
    if len(bare) == len(heads) - 1 and what and _role(what) in VALUES:
        return [*(f"{head} {what}" for head in heads[:-1]), heads[-1]]
    return heads


def _role(heading: str) -> str:
    return guess(Grid("", "", (Cell(heading, 1, 1),), ()), 0).role


def _widened(grid: Grid, index: int, heads: list[str], cells: list[list[str]]) -> Grid:
    """Return a table with a column come apart, where one of its headings is that of a measured number."""
    wide = _split(grid, index, heads, cells)
    return wide if any(guess(wide, index + at).role in VALUES for at in range(len(heads))) else grid


def _split(grid: Grid, index: int, heads: list[str], cells: list[list[str]]) -> Grid:
    head, count = grid.header[index], len(heads)
    body = []
    for row, parts in zip(grid.rows, cells, strict=True):
        cell, at, own = row[index], 0, []
        for part in parts if len(parts) == count else [""] * count:
            at = max(cell.text.find(part.partition(" ")[0], at), at)
            own.append(replace(cell, text=_of_unit(part, head.text), column=cell.column + at))
        body.append((*row[:index], *own, *row[index + 1 :]))
    groups = (*grid.groups[:index], *grid.groups[index : index + 1] * count, *grid.groups[index + 1 :])
    header = (*grid.header[:index], *(replace(head, text=text) for text in heads), *grid.header[index + 1 :])
    return replace(grid, header=header, rows=tuple(body), groups=groups if grid.groups else ())


def _of_unit(text: str, heading: str) -> str:
    """Return a number without the prefix of the unit that its heading names: "97T" below "TFLOPS"."""
    scaled = _SCALED.fullmatch(text)
    return str(scaled[1]) if scaled is not None and f"{scaled[2]}flop".casefold() in heading.casefold() else text
