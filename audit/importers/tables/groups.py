"""Cells that say what a row is: links in place of names, and blank cells that continue those above them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ....rules.language import lexicon
from .cells import number
from .grids import Cell, Grid
from .ratio_words import sums_up
from .roles import BESIDE, RATIOS, VALUES, Role

_LABELS = {"label", "model", "dataset", "extra"}


def are_links(texts: Sequence[str]) -> bool:
    """Whether the cells of a column are links to something, or its numbers, not names."""
    told = [text.casefold() for text in texts if any(sign.isalnum() for sign in text)]
    return bool(told) and all(map(_is_link, told))


def _is_link(text: str) -> bool:
    """Whether a text is made of the names of links alone, or is a number or a digest that some store goes by."""
    digest = text.isascii() and text.isalnum() and (text.isdigit() or 7 <= len(text) <= 40)
    if digest and len(text) >= 5 and not set(text) - set("0123456789abcdef"):
        return True
    names = "".join(sign if sign.isalnum() else " " for sign in text).split()
    return set(names) <= lexicon.words("columns", "links")


def continued(grid: Grid, roles: Sequence[Role]) -> Grid:
    """Return a table with blank cells of its first columns as those above them, where these show groups of rows.

    A group goes on only while every column at the left goes on with it, and another cell says what the row is.
    """
    leading = _leading(grid, roles)
    options = [i for i, role in enumerate(roles) if role.role not in (*VALUES, *RATIOS, *BESIDE, "ignore")]
    above: list[Cell] = []
    rows = []
    for row in grid.rows:
        cells = list(row)
        names = [row[i].text for i in options if row[i].text]
        if above and names and not any(map(sums_up, names)):
            for index in leading:
                if cells[index].text:
                    break
                cells[index] = Cell(above[index].text, cells[index].line, cells[index].column)
        above = cells
        rows.append(tuple(cells))
    return replace(grid, rows=tuple(rows)) if leading else grid


def _leading(grid: Grid, roles: Sequence[Role]) -> list[int]:
    """Return the first columns, as far as they hold names and their first cell is none that is blank."""
    found: list[int] = []
    for index, role in enumerate(roles):
        texts = [row[index].text for row in grid.rows]
        named = [text for text in texts if text]
        if role.role not in _LABELS or not texts or not texts[0] or any(number(text) is not None for text in named):
            break
        found.append(index)
    return found if len(found) < len(roles) else []
