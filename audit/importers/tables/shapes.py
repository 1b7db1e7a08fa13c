"""Tables whose headings do not stand in one row: headings of two levels, and tables whose rows are the metrics."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from msgspec.structs import replace

from ....rules.language.reading import read
from ....schemas.pattern import Pattern
from .cells import number
from .grids import JOINED, Cell, Grid
from .numbers import relates
from .pairs import named_apart
from .precisions import precision_of
from .roles import RATIOS, VALUES, Role, guess
from .sections import with_sections
from .series import NONE
from .several import parted
from .units import measure
from .units_beside import with_units_beside

MOST_TURNED = 60
LEAST_MEASURED = 2
"""Columns of numbers with units from which on one row of metrics is enough."""
LONGEST_CORNER = 33
"""Characters of a first heading that says that the rows are metrics."""
_PAIR = Pattern(r"([^:/÷]{1,40}?) ?[:/÷] ?([^:/÷]{1,40})")
_ROW_UNIT = Pattern(r"(?:, (?:in )?|\()([A-Za-z][A-Za-z/]{0,20})\)?$")


def shaped(grid: Grid) -> Grid:
    """Return a table with one heading a column, and a column for each quantity."""
    levelled = parted(named_apart(with_sections(_levelled(_without_gaps(grid)))))
    turned = _turned(levelled)
    return with_units_beside(_of_rows(levelled)) if turned is levelled else turned


def _without_gaps(grid: Grid) -> Grid:
    """Return a table without the columns that hold nothing: they only keep others apart."""
    kept = [i for i, cell in enumerate(grid.header) if cell.text or any(row[i].text for row in grid.rows)]
    if len(kept) == len(grid.header) or not kept or not grid.rows:
        return grid
    rows = tuple(tuple(row[i] for i in kept) for row in grid.rows)
    return replace(
        grid,
        header=tuple(grid.header[i] for i in kept),
        rows=rows,
        groups=tuple(grid.groups[i] for i in kept) if grid.groups else (),
    )


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

    Where headings of the second row recur under several of the first, those behind the last that does belong to none of
    them; nor does one that compares, for nothing says which of them it is about.
    """
    below = [cell.text.casefold() for cell in grid.rows[0]]
    counts = Counter(below)
    recurring = any(count > 1 for text, count in counts.items() if text)
    uppers, left = [], ""
    for head, text in zip(grid.header, below, strict=True):
        left = head.text or left
        uppers.append("" if not head.text and _says(text, "heading.compares") else left)
    for index in range(len(below) - 1, 0, -1):
        if not recurring or grid.header[index].text or counts[below[index]] > 1:
            break
        uppers[index] = ""
    return uppers


def _of_rows(grid: Grid) -> Grid:
    """Return a table with the one unit that all its rows state, as "BERT, minutes", in the headings of its numbers."""
    units = {found[1].casefold() if (found := _ROW_UNIT.search(row[0].text)) else "" for row in grid.rows}
    unit = measure(next(iter(units), ""))
    if len(units) != 1 or unit is None or unit.dimension not in {"time", "rate"} or grid.groups:
        return grid
    header = list(grid.header)
    for index, cell in enumerate(header[1:], 1):
        read = [number(row[index].text) for row in grid.rows if row[index].text.casefold() not in NONE]
        bare = read and all(value is not None and not value.unit for value in read)
        if bare and heading_role(cell.text).role in {"extra", "library"} and not _compares(cell.text, grid):
            header[index] = Cell(f"{cell.text} ({unit.at(unit.exponent)})".strip(), cell.line, cell.column)
    return replace(grid, header=tuple(header))


def _measuring(grid: Grid) -> list[int]:
    """Return the column whose cells say what each row measures, and in which unit: "90th percentile latency, ms"."""
    found = []
    for index, cell in enumerate(grid.header[1:], 1):
        texts = [row[index].text for row in grid.rows]
        roles = [_measured(text).role for text in texts]
        if heading_role(cell.text).role == "extra" and len(set(texts)) > 1 and all(role in VALUES for role in roles):
            found.append(index)
    return found if len(found) == 1 else []


def _measured(text: str) -> Role:
    value = number(text)
    if value is not None and " " not in value.unit:  # "90th percentile latency, ms" is no number
        return Role("extra")
    role = heading_role(_bracketed(text))
    return role if role.unit is not None else Role("extra")


def _bracketed(text: str) -> str:
    """Return what a cell says that is measured, with its unit in brackets."""
    what, comma, unit = text.rpartition(", ")
    return f"{what} ({unit})" if comma else text


def _turned(grid: Grid) -> Grid:
    """Return a table whose rows are the quantities, turned; another one as it is.

    It is turned where the first column reads as headings, and the header row does not: none of it has a known role, or
    is a statistic. Columns that compare others become rows of ratios, or are left out; units join the headings.
    """
    if len(grid.header) < 2 or not 0 < len(grid.rows) <= MOST_TURNED or _shared(grid.groups):
        return grid
    first, *across = grid.header
    units = [i for i, cell in enumerate(grid.header) if read(cell.text, "header").is_only("heading.units")]
    measuring = _measuring(grid) if not units else []
    units = units or measuring
    of_metrics = len(first.text) <= LONGEST_CORNER and read(first.text, "header").begins("heading.metrics")
    compared = [i for i, cell in enumerate(grid.header) if i and i not in units and _compares(cell.text, grid)]
    kept = [i for i in range(1, len(grid.header)) if i not in units and i not in compared]
    if not kept or (compared and len(kept) < 2) or any(_closed(grid.header[i].text) for i in kept):
        return grid
    down = [(_with_unit(row, units), row) for row in grid.rows if any(cell.text for cell in row[1:])]
    stated = bool(measuring) or (bool(units) and of_metrics)
    if _says(first.text, "heading.settings") or not _are_quantities(
        [_row_role(cell, [row[i] for i in kept if of_metrics]) for cell, row in down],
        first.text,
        across,
        stated
        or (
            of_metrics and len(kept) >= LEAST_MEASURED and any(_is_measured([row[i] for i in kept]) for _, row in down)
        ),
        of_metrics,
    ):
        return grid
    corner = "" if measuring or of_metrics else first.text
    if all(precision_of(grid.header[i].text) for i in kept):
        corner = "Precision"
    header = (Cell(corner, first.line, first.column), *(cell for cell, _ in down))
    across_rows = {i: (grid.header[i], *(row[i] for _, row in down)) for i in (*kept, *compared)}
    told = [i for i in compared if relates(across_rows[i], range(1, len(header)))]
    rows = tuple(across_rows[i] for i in (*kept, *told))
    heads = [grid.header[i] for i in compared if i not in told]
    said = tuple(
        f"{cell.text} (line {cell.line}): compares columns, and the rows are quantities: left out" for cell in heads
    )
    return replace(grid, header=header, rows=rows, left_out=(*grid.left_out, *said))


def _are_quantities(roles: list[str], corner: str, across: list[Cell], stated: bool, of_metrics: bool) -> bool:
    """Whether what stands in the first column reads as headings: half of it, and two of them, or one over a scale.

    One suffices, too, where the heading says that these are metrics, and a column gives their units, or its cells do;
    two where it says so without units.
    """
    known = sum(role != "extra" for role in roles)
    own = _read(corner)
    scale = own != "extra" and all(number(cell.text) is not None for cell in across)
    least = 1 if scale or stated else 2
    return (
        own not in (*VALUES, *RATIOS)
        and any(role in VALUES for role in roles)
        and known >= max(least, 0 if of_metrics else len(roles) / 2)
    )


def _is_measured(cells: list[Cell]) -> bool:
    """Whether each cell of a row is a number with a unit: "3.2 %", "41 ms"."""
    values = [number(cell.text) for cell in cells]
    return all(value is not None and value.unit for value in values)


def _row_role(head: Cell, cells: list[Cell]) -> str:
    """Return what a row holds, as its name and the units of its cells tell."""
    if not cells:
        return _read(head.text)
    return guess(Grid("", "", (head,), tuple((cell,) for cell in cells)), 0).role


def _shared(groups: tuple[str, ...]) -> bool:
    """Whether a heading of the upper level stands over several columns."""
    named = [group for group in groups if group]
    return len(set(named)) < len(named)


def _with_unit(row: tuple[Cell, ...], units: list[int]) -> Cell:
    text = next((row[i].text for i in units if row[i].text), "")
    head = row[0]
    if not text or "(" in head.text:
        return head
    named = f"{head.text} ({text})" if ", " not in text else f"{head.text} {_bracketed(text)}"
    return Cell(named, head.line, head.column)


@lru_cache(maxsize=4096)
def heading_role(heading: str) -> Role:
    """Return what a heading alone tells."""
    return guess(Grid("", "", (Cell(heading, 1, 1),), ()), 0)


def _read(heading: str) -> str:
    return heading_role(heading).role


def _compares(heading: str, grid: Grid | None = None) -> bool:
    if _read(heading) in RATIOS or _says(heading, "heading.compares"):
        return True
    pair = _PAIR.fullmatch(heading)
    others = [cell.text.casefold() for cell in grid.header if cell.text != heading] if grid is not None else []
    return pair is not None and all(any(name.casefold() in other for other in others) for name in pair.groups())


def _says(heading: str, concept: str) -> bool:
    return read(heading, "header").has(concept, affirmed=False)


def _closed(heading: str) -> bool:
    """Whether a heading is empty, or that of a quantity, an option or a statistic: then its table is no turned one."""
    return not heading or _read(heading) not in {"extra", "library"} or _says(heading, "heading.statistic")
