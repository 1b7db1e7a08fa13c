"""Tables with a column of units beside the one column of numbers that they are the units of."""

from __future__ import annotations

from msgspec.structs import replace

from ....rules.language.reading import read
from .cells import number
from .grids import Cell, Grid
from .units import measure


def with_units_beside(grid: Grid) -> Grid:
    """Return a table with the units of a column of their own behind the numbers at its left; another one as it is."""
    units = [i for i, cell in enumerate(grid.header) if read(cell.text, "header").is_only("heading.units")]
    if len(units) != 1 or units[0] == 0:
        return grid
    at, of = units[0], units[0] - 1
    if not all(_is_bare(row[of]) and _is_unit(row[at]) for row in grid.rows):
        return grid
    rows = tuple(
        tuple(
            Cell(f"{cell.text} {row[at].text}", cell.line, cell.column, cell.page) if i == of else cell
            for i, cell in enumerate(row)
            if i != at
        )
        for row in grid.rows
    )
    header = tuple(cell for i, cell in enumerate(grid.header) if i != at)
    groups = tuple(group for i, group in enumerate(grid.groups) if i != at)
    return replace(grid, header=header, rows=rows, groups=groups)


def _is_bare(cell: Cell) -> bool:
    value = number(cell.text)
    return value is not None and not value.unit


def _is_unit(cell: Cell) -> bool:
    found = measure(cell.text)
    return found is not None and found.dimension in {"time", "rate", "bytes"}
