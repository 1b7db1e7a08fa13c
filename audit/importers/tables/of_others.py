"""Numbers that others published, as brackets say: "mAP (official)", "NeRF (paper)" beside rows that were run."""

from __future__ import annotations

from ....rules.language.reading import read
from .grids import Grid


def is_of_others(text: str) -> bool:
    """Whether brackets at the end of a heading or a label say whose result it is, and it is another's."""
    before, bracket, inner = text.strip().removesuffix(")").rpartition("(")
    return bool(bracket and before.strip()) and read(inner, "header").is_only("heading.of_others")


def rows_of_others(grid: Grid) -> frozenset[int]:
    """Return the rows that others published, where some rows are of their own."""
    theirs = frozenset(n for n, row in enumerate(grid.rows) if is_of_others(row[0].text))
    return theirs if len(theirs) < len(grid.rows) else frozenset()
