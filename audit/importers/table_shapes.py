"""Tables whose headings do not stand in one row: headings of two levels, and tables whose rows are the metrics."""

from __future__ import annotations

import re
from collections import Counter

from msgspec.structs import replace

from .table_cells import number
from .table_grids import JOINED, Cell, Grid
from .table_roles import RATIOS, VALUES, guess, precision_of
from .table_series import NONE

MOST_TURNED = 60
_COMPARES = re.compile(
    r"speed-? ?up|improve|gain|chang|diff|delta|[Δ∆×%↑↓]|ratio|reduc|relative|normali|\bvs\b|over|against|\bx\b|"
    r"target|goal|limit|bound|required|note|comment|\bunits?\b|total|sum",
    re.IGNORECASE,
)
_STATISTIC = re.compile(
    r"\b(?:mean|avg|average|median|min|max|minimum|maximum|std|sd|stddev|sigma|best|worst|p[0-9]{2}|[0-9]{2}(?:th|%)|"
    r"percentile|seed|run|trial|n)\b",
    re.IGNORECASE,
)
_OF_METRICS = re.compile(r"(?:metric|measure|measurement|quantity|benchmark|property|item|name)s?(?: .{0,20})?")


def shaped(grid: Grid) -> Grid:
    """Return a table with one heading a column, and a column for each quantity."""
    return _turned(_levelled(grid))


def _levelled(grid: Grid) -> Grid:
    """Return a table whose first row is a second row of headings with the two joined: "A100 - batch 1"."""
    if grid.groups or len(grid.rows) < 2:
        return grid
    below, named = grid.rows[0], [cell.text for cell in grid.header if cell.text]
    repeated = len(set(named)) < len(named)
    if not (repeated or any(not cell.text for cell in grid.header[1:])) or not _is_heading(grid):
        return grid
    uppers = _uppers(grid)
    header = []
    for upper, cell, head in zip(uppers, below, grid.header, strict=True):
        texts = dict.fromkeys(text for text in (upper, cell.text) if text)
        header.append(Cell(JOINED.join(texts), *((cell.line, cell.column) if cell.text else (head.line, head.column))))
    groups = tuple(upper if cell.text and upper != cell.text else "" for upper, cell in zip(uppers, below, strict=True))
    return replace(grid, header=tuple(header), rows=grid.rows[1:], groups=groups if any(groups) else ())


def _is_heading(grid: Grid) -> bool:
    """Whether the first row names columns: texts alone, one below each empty heading, and numbers below it."""
    below = grid.rows[0]
    texts = [cell.text for cell in below if cell.text]
    words = all(number(text) is None and text.casefold() not in NONE for text in texts)
    filled = all(cell.text for cell, head in zip(below[1:], grid.header[1:], strict=True) if not head.text)
    numbers = [number(row[i].text) is not None for row in grid.rows[1:] for i in range(1, len(below)) if below[i].text]
    return len(texts) >= 2 and words and filled and sum(numbers) * 2 >= len(numbers) > 0


def _uppers(grid: Grid) -> list[str]:
    """Return the upper heading of each column: an empty one continues that at its left.

    Where headings of the second row recur under several of the first, one that does not recur belongs to none of them;
    nor does one that compares, for nothing says which of them it is about.
    """
    below = [cell.text.casefold() for cell in grid.rows[0]]
    counts = Counter(below)
    recurring = any(count > 1 for text, count in counts.items() if text)
    uppers, left = [], ""
    for head, text in zip(grid.header, below, strict=True):
        left = head.text or left
        alone = not head.text and ((recurring and counts[text] == 1) or _COMPARES.search(text) is not None)
        uppers.append("" if alone else left)
    return uppers


def _turned(grid: Grid) -> Grid:
    """Return a table whose rows are the quantities, turned; another one as it is.

    It is turned where the first column reads as headings, and the header row does not: none of it has a known role,
    compares, or is a statistic.
    """
    if len(grid.header) < 2 or not 0 < len(grid.rows) <= MOST_TURNED or grid.groups:
        return grid
    across = [cell.text for cell in grid.header[1:]]
    corner = _read(grid.header[0].text)
    if corner in (*VALUES, *RATIOS) or any(not text or _closed(text) for text in across):
        return grid
    down = [(row, _read(row[0].text)) for row in grid.rows if any(cell.text for cell in row[1:])]
    measured = sum(role in (*VALUES, *RATIOS) for _, role in down)
    known = sum(role != "extra" for _, role in down)
    scale = corner != "extra" and all(number(text) is not None for text in across)
    if (
        not any(role in VALUES for _, role in down)
        or known * 2 < len(down)
        or (measured < 2 and known < 2 and not scale)
    ):
        return grid
    first = grid.header[0]
    corner_text = "" if _OF_METRICS.fullmatch(first.text.casefold()) else first.text
    if all(precision_of(text) for text in across):
        corner_text = "Precision"
    header = (Cell(corner_text, first.line, first.column), *(row[0] for row, _ in down))
    rows = tuple((grid.header[i], *(row[i] for row, _ in down)) for i in range(1, len(grid.header)))
    return replace(grid, header=header, rows=rows)


def _read(heading: str) -> str:
    """Return the role that a heading alone tells."""
    return guess(Grid("", "", (Cell(heading, 1, 1),), ()), 0).role


def _closed(heading: str) -> bool:
    """Whether a heading is that of a quantity, an option or a comparison: then its table is no turned one."""
    return _read(heading) not in {"extra", "library"} or bool(_COMPARES.search(heading) or _STATISTIC.search(heading))
