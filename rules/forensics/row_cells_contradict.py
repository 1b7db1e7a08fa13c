"""F57: cells of one row that cannot all be true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import product

from msgspec import Struct

from ...schemas.options import Options
from ...schemas.submission import Row, Table
from ..case import Case
from ..facts.quantities.cells import cell
from ..facts.quantities.per_second import seconds, work_per_second
from ..language.printed import Span, short
from ..language.reading import read
from ..outcome import C3, UNDERMINES, Branch, Related, Violation
from ..registry import document_rule

MOST_COLUMNS = 8
"""Times of a row: a table of more is no step with its phases."""
LEAST_ROWS = 3
"""A relation that holds by chance does not hold three times."""
LEAST_SHARE = 0.75
OF_RATES, OF_SUMS = Decimal("0.02"), Decimal("0.004")
"""Relative difference that still fits: a mean of rates is not that of times, and sums are rounded."""
OFF = Decimal("2.5")
"""Times that difference and more contradict; what lies between decides nothing."""


class Relation(Struct, frozen=True):
    """What one column of a table is of others in most of its rows.

    Attributes:
        column: the column.
        of: the columns that it follows from.
        words: how.
        slack: relative difference that fits.
        expected: what they give by row.
    """

    column: str
    of: tuple[str, ...]
    words: str
    slack: Decimal
    expected: Mapping[str, Span]


@document_rule("F57", "row-cells-contradict", effect=UNDERMINES, confidence=C3, origin="MEAS")
def row_cells_contradict(case: Case) -> Iterator[Branch]:
    """A row of a table whose cells do not fit each other as those of its other rows do.

    ## What it does
    Looks in each table for what holds of most rows: that a rate is the batch over the time of a step (the batch of all
    devices, or that of one times the devices), or that one time is the sum of all others. A relation counts where it
    holds in at least three rows, and in three quarters of those that state all of its cells: within 2 % for a rate, and
    0.4 % for a sum. Then it asks which rows are more than 5 % or 1 % off.

    ## Why it misleads
    One of the cells is wrong, or belongs to another run. A reader who takes the rate gets another result than one who
    takes the time.

    ## Branches
    - (a) undermines, C3: the rate of a row is not the batch over its time, as it is in the other rows.
    - (b) undermines, C3: the times of a row do not add up to its total, as they do in the other rows.

    ## Flagged
    On `strong-scaling`, where the rate of four nodes is not that of their step:
    ```json
    {"tables": {"nodes": {"columns": {"step": {"quantity": "time", "unit": "ms"}},
       "rows": {"r1": {"values": {"step": "418.0"}}, "r2": {"values": {"step": "214.4"}},
                "r4": {"values": {"step": "155.0"}}, "r8": {"values": {"step": "63.21"}}}}}}
    ```

    ## Accepted
    On `strong-scaling`, where all rates are the batch over the step:
    ```json
    {"tables": {"nodes": {"columns": {"step": {"quantity": "time", "unit": "ms"}},
       "rows": {"r1": {"values": {"step": "418.0"}}, "r2": {"values": {"step": "214.4"}},
                "r4": {"values": {"step": "111.2"}}, "r8": {"values": {"step": "63.21"}}}}}}
    ```

    ## How to fix
    Take all cells of a row from one run.

    ## References
    Arithmetic: a step processes one batch, and disjoint phases add up.
    """
    for table in case.submission.tables.values():
        for branch, relations in (("a", _of_batches(table)), ("b", _of_sums(table))):
            found = next((item for item in relations if _holds(table, item)), None)
            off = _off(table, found) if found is not None else []
            if found is not None and off:
                yield _violation(table, found, branch, off)


def _cell(table: Table, row: str, column: str) -> Span | None:
    return cell(table.rows[row].values.get(column))


def _distance(stated: Span, expected: Span) -> Decimal:
    """Return how far two numbers are apart at least, as a share of what is expected; 0 where they meet."""
    apart = max(stated.low - expected.high, expected.low - stated.high, Decimal(0))
    return apart / expected.high


def _compared(table: Table, relation: Relation) -> Iterator[tuple[str, Decimal]]:
    for row, expected in relation.expected.items():
        stated = _cell(table, row, relation.column)
        if stated is not None:
            yield row, _distance(stated, expected)


def _holds(table: Table, relation: Relation) -> bool:
    distances = [distance for _, distance in _compared(table, relation)]
    fits = sum(distance <= relation.slack for distance in distances)
    return fits >= LEAST_ROWS and fits >= LEAST_SHARE * len(distances)


def _off(table: Table, relation: Relation) -> list[str]:
    """Return the rows that contradict a relation, the worst first."""
    found = [(distance, row) for row, distance in _compared(table, relation) if distance > OFF * relation.slack]
    return [row for _, row in sorted(found, reverse=True)]


def _violation(table: Table, relation: Relation, branch: str, off: list[str]) -> Violation:
    worst = table.rows[off[0]]
    printed, expected = worst.values[relation.column], relation.expected[off[0]]
    gives = short((expected.low + expected.high) / 2)
    others = f" ({len(off)} rows of {len(relation.expected)} are off)" if len(off) > 1 else ""
    named = f"of {worst.label!r} " if worst.label else ""
    message = f"the {relation.column} {named}is {printed}; {relation.words} gives {gives}, as it does elsewhere{others}"
    related = tuple(Related(worst.place("values", name), name) for name in relation.of)
    at = worst.place("values", relation.column)
    return Violation(branch, UNDERMINES, C3, message, at, printed, gives, related)


def _of_batches(table: Table) -> Iterator[Relation]:
    """Yield that a rate is the batch over a time, for every pair of columns and every reading of the batch."""
    rates = {name: work_per_second(column.unit) for name, column in table.columns.items() if column.quantity == "rate"}
    times = _times(table)
    for (rate, unit), (time, scale) in product(rates.items(), times.items()):
        if unit is None or unit.per_device:
            continue
        for words, shared, tokens in (
            ("the batch over the time", False, False),
            ("the batch of all devices over the time", True, False),
            ("the tokens of the batch over the time", False, True),
            ("the tokens of all devices over the time", True, True),
        ):
            expected: dict[str, Span] = {}
            for name, row in table.rows.items():
                spent, batch = _cell(table, name, time), _batch(row, shared=shared, tokens=tokens)
                if spent is not None and batch is not None:
                    most = batch / (scale * unit.factor)
                    expected[name] = Span(most / spent.high, most / spent.low)
            yield Relation(rate, (time,), words, OF_RATES, expected)


def _batch(row: Row, *, shared: bool, tokens: bool) -> Decimal | None:
    """Return the batch of a row: as stated, or that of one device times the devices; in tokens, of the input length."""
    options = row.options
    if options is None:
        return None
    stated = _printed(options)
    if stated is None or (shared and row.devices is None):
        return None
    length = options.input_length if tokens else 1
    return stated * (row.devices or 1 if shared else 1) * length if length else None


def _printed(options: Options) -> Decimal | None:
    """Return the batch that a row prints, whichever it is: of all devices, of one, or not said."""
    if options.global_batch is not None:
        return Decimal(str(options.global_batch))
    if options.micro_batch is not None:
        return Decimal(str(options.micro_batch))
    found = [str(value) for name, value in options.extra.items() if read(name).has("column.batch")]
    return Decimal(found[0]) if len(found) == 1 and found[0].isdigit() else None


def _times(table: Table) -> dict[str, Decimal]:
    """Return the columns of times, each with its unit in seconds."""
    units = {name: seconds(column.unit) for name, column in table.columns.items() if column.quantity == "time"}
    return {name: unit for name, unit in units.items() if unit is not None}


def _of_sums(table: Table) -> Iterator[Relation]:
    """Yield that a time is the sum of all others of a table."""
    units = _times(table)
    if not 3 <= len(units) <= MOST_COLUMNS or len(set(units.values())) != 1:
        return
    for total in units:
        parts = tuple(name for name in units if name != total)
        expected: dict[str, Span] = {}
        for row in table.rows:
            found = [_cell(table, row, name) for name in parts]
            known = [item for item in found if item is not None]
            if len(known) == len(parts):
                low, high = [item.low for item in known], [item.high for item in known]
                expected[row] = Span(sum(low, Decimal(0)), sum(high, Decimal(0)))
        yield Relation(total, parts, f"the sum of {' and '.join(parts)}", OF_SUMS, expected)
