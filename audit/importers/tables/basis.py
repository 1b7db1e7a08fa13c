"""How the numbers of a table came about, by the words around them: measured, projected, derived, or only aimed at."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from ....rules.language.reading import read
from .grids import Grid
from .words import in_english

_LONGEST = 60
"""Characters of a cell that says nothing but how its row came about."""

_OF_NAMES = frozenset("0123456789_")


def of_caption(grid: Grid) -> str:
    """Return what the headings above a table and the text before it say of its numbers; empty where nothing."""
    for text in (grid.title, grid.sentence, grid.above):
        caption = read(in_english(text), "caption")
        if caption.has("measured"):
            return ""
        for kind in ("projected", "derived", "target"):
            if caption.has(f"{kind}_numbers"):
                return kind
    return ""


def of_heading(heading: str) -> str:
    """Return what the heading of a column says of its numbers; empty where nothing."""
    column = read(in_english(heading), "header")
    found = next((kind for kind in ("target", "projected", "derived") if column.has(f"{kind}_column")), "")
    return "" if found and column.has("measured") else found


def basis(heading: str, cells: Iterable[str], caption: str) -> str:
    """Return the basis of a claim of one number: as its column says, else its row, else the caption."""
    said = of_heading(heading) or of_cells(cells) or caption
    return said if said in {"projected", "derived"} else "measured"


def of_cells(texts: Iterable[str]) -> str:
    """Return what a cell of a row says of its numbers, where it says nothing else: "Planned", "Theoretical peak"."""
    short = (text for text in texts if len(text) <= _LONGEST and _OF_NAMES.isdisjoint(text))
    return next(filter(None, map(_of_cell, short)), "")


@lru_cache(maxsize=4096)
def _of_cell(text: str) -> str:
    cell = read(in_english(text), "cell")
    return next((kind for kind in ("projected", "derived", "target") if cell.is_only(f"{kind}_row")), "")
