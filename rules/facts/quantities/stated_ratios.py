"""Stated ratios beside the gains that the document's own numbers give: of two arms, and within a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from ....schemas.evidence import Metric
from ....schemas.submission import Claim, Table
from ...caching import remembered_of_parts
from ...case import Case
from ...language.printed import Span, span
from ..comparison.base_row import base_rows, cut_span, small_counts, table_gains
from .per_second import times_over
from .performance import more_is_better
from .ratios import cell_readings, gain, of_the_other, readings

SPEED = frozenset({"rate", "time", "latency"})


class Statement(Struct, frozen=True):
    """A stated ratio and one gain that its document's numbers give.

    Attributes:
        at: place of the stated ratio.
        printed: the ratio as printed.
        readings: the gains that it may mean beside the other.
        gain: what the numbers give.
        more_is_better: which way is better in them.
        new: place of the subject's number.
        base: place of the base's number.
        row: the row of the table, where they are cells.
    """

    at: str
    printed: str
    readings: tuple[Span, ...]
    gain: Span
    more_is_better: bool
    new: str
    base: str
    row: str | None = None


def statements(claim: Claim, case: Case) -> Iterator[Statement]:
    """Yield every stated ratio of a claim beside every gain that it may be."""
    yield from _of_arms(claim, case)
    yield from _of_table(claim, case)


def said_of_base(claim: Claim, case: Case) -> bool:
    """Whether a claim's sentence says how much more its base is than its subject."""
    own, base, row = case.subject(claim), case.base(claim), case.row(claim)
    names = (own.arm.label if own is not None else None, row.label if row is not None else None)
    others = (
        base.arm.label if base is not None else None,
        claim.comparator.name if claim.comparator is not None else None,
        claim.base.definition if claim.base is not None else None,
    )
    return of_the_other(claim.statement, " ".join(filter(None, names)), " ".join(filter(None, others)))


def gains_of_rows(claim: Claim, case: Case, without: str) -> dict[str, Span]:
    """Return the gain of every other row of the claim's table, by its name in words."""
    table = case.table(claim)
    if table is None:
        return {}
    found = {}
    for name in table.rows:
        gains = table_gains(table, name, base_rows(table, name, claim), SPEED) if name != without else ()
        if gains:
            found[f"row `{name}`"] = gains[0].gain
    return found


def filled_in_part(claim: Claim, case: Case, cell: Literal["speedup", "efficiency"]) -> bool:
    """Whether some rows of the claim's table state a speed-up or efficiency and others, which are no base, do not."""
    table = case.table(claim)
    if table is None:
        return False
    bases = {table.base_row, claim.row.base_row if claim.row is not None else None}
    return len({getattr(row, cell) is not None for name, row in table.rows.items() if name not in bases}) > 1


def _of_arms(claim: Claim, case: Case) -> Iterator[Statement]:
    metric = case.metric(claim.measured)
    if metric is None or metric.value is None or claim.value is None:
        return
    # a ratio of times to train is none of step rates, nor one of energy one of rates
    if metric.quantity not in {claim.quantity, *_own_quantities(claim)}:
        return
    ways = more_is_better(metric.quantity, metric.unit)
    if ways is None:
        return
    for base, at in _bases(claim, case, metric):
        found = gain(span(metric.value, digits=metric.digits), base, ways)
        if found is not None:
            # the two numbers of "up to 4.6x" are those of the largest ratio, which is 4.6 then
            read = readings(claim, ways, said_of_base(claim, case), reached=claim.range is None)
            yield Statement(claim.place("value"), claim.value, read, found, ways, metric.at, at)


def _own_quantities(claim: Claim) -> frozenset[str]:
    """Return the quantities in which a ratio can be recomputed: rates and times stand for each other within a step."""
    if claim.quantity not in SPEED:
        return frozenset()
    return frozenset({claim.quantity}) if claim.scope in {"training_run", "epoch"} else SPEED


def _bases(claim: Claim, case: Case, metric: Metric) -> Iterator[tuple[Span, str]]:
    other = case.metric(claim.base)
    scale = times_over(other.unit, metric.unit) if other is not None and other.quantity == metric.quantity else None
    if other is not None and other.value is not None and scale is not None:
        yield span(other.value, digits=other.digits).times(scale), other.at
    if claim.base is not None and claim.base.value is not None and claim.base.unit in {None, metric.unit}:
        yield span(claim.base.value), claim.base.place("value")


def _of_table(claim: Claim, case: Case) -> Iterator[Statement]:
    table = case.table(claim)
    if table is None or claim.row is None:
        return
    for name in [claim.row.row] if claim.row.row is not None else list(table.rows):
        if name in table.rows:
            yield from _of_row(claim, case, table, name)


@remembered_of_parts(64)
def _speedups_may_be_cut(table: Table) -> bool:
    return small_counts(item.speedup for item in table.rows.values())


def _bases_of_column(claim: Claim, table: Table) -> tuple[str, ...]:
    """Return the rows that a column of speed-ups may be relative to, beside the claim's own base.

    Where the table names none and the claim compares with an arm of its own choice, any.
    """
    if table.base_row in table.rows:
        return (table.base_row,)
    return tuple(table.rows) if claim.base is not None and claim.base.arm is not None else ()


def _of_row(claim: Claim, case: Case, table: Table, name: str) -> Iterator[Statement]:
    row, bases = table.rows[name], base_rows(table, name, claim)
    if not bases:
        return
    if row.speedup is not None:
        cut = _speedups_may_be_cut(table)
        # The column is relative to the table's base, whichever row the claim itself compares with.
        others = tuple(other for other in _bases_of_column(claim, table) if other not in (*bases, name))
        for found in table_gains(table, name, (*bases, *others), SPEED):
            read = cell_readings(cut_span(row.speedup, cut), found.more_is_better)
            ways, cells = found.more_is_better, (found.new, found.base)
            yield Statement(row.place("speedup"), row.speedup, read, found.gain, ways, *cells, row=name)
    if claim.row is not None and name == claim.row.row and claim.value is not None:
        for found in table_gains(table, name, bases, _own_quantities(claim)):
            read = readings(claim, found.more_is_better, said_of_base(claim, case))
            ways, cells = found.more_is_better, (found.new, found.base)
            yield Statement(claim.place("value"), claim.value, read, found.gain, ways, *cells, row=name)
