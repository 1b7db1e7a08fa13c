"""The row that a ratio in a table is relative to, and the gains that follow from the table's own numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from msgspec import Struct

from ....schemas.submission import Claim, Row, Table
from ...caching import remembered_of_parts
from ...language.printed import Span, span
from ..quantities.performance import more_is_better
from ..quantities.ratios import gain
from .options import flat

SCALE = frozenset({"devices", "nodes", "global_batch", "data_parallel", "accumulation"})
MOST_BASES = 50
RELATIVE = frozenset({"%", "percent", "x", "times", "fold"})
"""Units of columns that are relations already: 2522 % and 2249 % more have no ratio that means a speed-up."""
Cell = tuple[str, str]


class TableGain(Struct, frozen=True):
    """A gain between two cells of a table.

    Attributes:
        gain: the gain.
        more_is_better: which way is better in those cells.
        new: place of the subject's cell.
        base: place of the base's cell.
    """

    gain: Span
    more_is_better: bool
    new: str
    base: str


def base_rows(table: Table, name: str, claim: Claim) -> tuple[str, ...]:
    """Return the rows that may be the base of a row; empty where none fits.

    The row that the claim names is the base. The table's base row is it if it differs from the row in one option at
    most: device counts with what scales with them are one. Where it differs in more (two models, each at two
    precisions), the base is a row that shares one of those options with it and all others with the row; of more than
    `MOST_BASES` such rows none is it.
    """
    named = claim.row.base_row if claim.row is not None else None
    if named is not None:
        return (named,) if named in table.rows and named != name else ()
    if table.base_row is None or table.base_row not in table.rows or table.base_row == name:
        return ()
    point, base = option_columns(table.rows[name]), option_columns(table.rows[table.base_row])
    differing = {key for key in point.keys() | base.keys() if point.get(key) != base.get(key)}
    if len(differing) <= 1:
        return (table.base_row,)
    alike = _by_columns(table)
    wanted = [{**point, key: base.get(key)} for key in differing]
    found = {other for columns in wanted for other in alike.get(_as_key(columns), ())}
    return tuple(other for other in table.rows if other in found) if 0 < len(found) <= MOST_BASES else ()


@remembered_of_parts(64)
def _by_columns(table: Table) -> dict[frozenset[tuple[str, object]], tuple[str, ...]]:
    """Return the rows of a table by the options that they state."""
    found: dict[frozenset[tuple[str, object]], list[str]] = {}
    for name, row in table.rows.items():
        found.setdefault(_as_key(option_columns(row)), []).append(name)
    return {columns: tuple(names) for columns, names in found.items()}


def _as_key(columns: Mapping[str, object]) -> frozenset[tuple[str, object]]:
    return frozenset((key, value) for key, value in columns.items() if value is not None)


def option_columns(row: Row) -> dict[str, object]:
    """Return the options that a row itself states, with its system; the device count and its like are one of them."""
    columns = flat(row.options) | {"devices": row.devices, "nodes": row.nodes, "system": row.system}
    scale = tuple((key, columns.pop(key, None)) for key in sorted(SCALE))
    return {key: value for key, value in columns.items() if value is not None} | {"scale": scale}


def table_gains(table: Table, name: str, bases: tuple[str, ...], quantities: frozenset[str]) -> tuple[TableGain, ...]:
    """Return every gain that a ratio in a row may state: against a base row, or against another column of the row."""
    return tuple(_against_rows(table, name, bases, quantities)) + tuple(_against_columns(table, name, quantities))


def _against_rows(table: Table, name: str, bases: tuple[str, ...], quantities: frozenset[str]) -> Iterator[TableGain]:
    for column in table.columns:
        for base in bases:
            yield from _gain(table, (name, column), (base, column), quantities)


def _against_columns(table: Table, name: str, quantities: frozenset[str]) -> Iterator[TableGain]:
    for column, other in ((a, b) for a in table.columns for b in table.columns if a != b):
        one, two = table.columns[column], table.columns[other]
        if (one.quantity, one.unit) == (two.quantity, two.unit):
            yield from _gain(table, (name, column), (name, other), quantities)


def _gain(table: Table, new: Cell, base: Cell, quantities: frozenset[str]) -> Iterator[TableGain]:
    column = table.columns[new[1]]
    ways = more_is_better(column.quantity, column.unit)
    spans = cell_span(table, new), cell_span(table, base)
    if column.quantity not in quantities or ways is None or spans[0] is None or spans[1] is None:
        return
    if column.unit in RELATIVE:
        return
    found = gain(spans[0], spans[1], ways)
    if found is not None:
        places = [table.rows[row].place("values", name) for row, name in (new, base)]
        yield TableGain(found, ways, places[0], places[1])


def cell_span(table: Table, cell: Cell) -> Span | None:
    """Return what a cell's digits imply, or None where it is empty.

    In a column that holds nothing but whole numbers below 100, they may have been cut off instead of rounded.
    """
    row, column = cell
    value = table.rows[row].values.get(column)
    return None if value is None else cut_span(value, _column_of_small_counts(table, column))


@remembered_of_parts(256)
def _column_of_small_counts(table: Table, column: str) -> bool:
    return small_counts(row.values.get(column) for row in table.rows.values())


def small_counts(column: Iterable[str | None]) -> bool:
    """Whether a column holds nothing but whole numbers below 100, which may have been cut off instead of rounded."""
    return all(text is None or (text.isdigit() and len(text) <= 2) for text in column)


def cut_span(value: str, cut: bool) -> Span:
    """Return what a printed value implies; `cut` where it may have been cut off instead of rounded."""
    printed = span(value)
    return Span(printed.low, Decimal(value) + 1) if cut else printed
