"""The means that an average over rates may be: the arithmetic one, and what total work over total time gives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from statistics import fmean

from msgspec import Struct

from ...schemas.submission import Claim, Row, Table
from ..case import Case
from ..facts.quantities.numbers import exact
from ..facts.quantities.performance import more_is_better, transform
from ..facts.series.raw_numbers import samples_of
from ..language.printed import Span, span
from ..language.reading import read
from ..outcome import Related

EQUAL = 0.01
"""Durations of windows that differ by less are equal."""


class Averages(Struct, frozen=True):
    """Means of the values behind an average.

    Attributes:
        what: what was averaged, as words.
        how: what the right mean is, as words.
        arithmetic: arithmetic means that the number may be.
        right: the harmonic mean, or total work over total time.
        geometric: the geometric mean, where it could be meant.
        gap: how far the arithmetic mean lies from the right one, as a share of it.
        aggregator: how the table says that it was formed.
        exact: whether all windows are of one duration, so that the arithmetic mean is right.
        at: place of the values.
        related: further places.
    """

    what: str
    how: str
    arithmetic: tuple[Span, ...]
    right: Span
    geometric: Span | None
    gap: float
    aggregator: str | None
    exact: bool
    at: str
    related: tuple[Related, ...] = ()


def averages(claim: Claim, case: Case) -> Averages | str:
    """Return the means behind a claim's average, or why there is none to be judged."""
    table = case.table(claim)
    ratio = claim.form in {"ratio", "efficiency"}
    if (not ratio and more_is_better(claim.quantity, claim.unit) is not True) or claim.quantity == "accuracy":
        return "times, costs and amounts are averaged arithmetically"
    row = case.row(claim)
    if table is None:
        return "the claim names no table" if ratio else _of_samples(claim, case)
    if row is not None and not _aggregate(row):
        return "the ratio is that of one row" if ratio else _of_samples(claim, case)
    return _of_rows(claim, table, ratio)


def _aggregate(row: Row) -> bool:
    return read(row.label or "").has("all_rows")


def _of_rows(claim: Claim, table: Table, ratio: bool) -> Averages | str:
    rows = [row for row in table.rows.values() if not _aggregate(row)]
    printed = _values(claim, table, rows, ratio)
    if printed is None:
        return "not every row of the table holds the averaged value"
    values = [span(text) for text in printed]
    if len(values) < 2 or any(value.low <= 0 for value in values):
        return "the table holds fewer than two values above 0"
    ends = [value.low for value in values], [value.high for value in values]
    arithmetic, harmonic, geometric = (Span(*map(centre, ends)) for centre in (_mean, _harmonic, _geometric))
    right = _totals(claim, rows) if not ratio else None
    how = "total work over total time" if right is not None else "their harmonic mean"
    right = right if right is not None else harmonic
    gap = abs((arithmetic.low + arithmetic.high) / (right.low + right.high) - 1)
    return Averages(
        what="ratios" if ratio else "rates",
        how=how,
        arithmetic=(arithmetic,),
        right=right,
        geometric=geometric,
        gap=float(gap),
        aggregator=table.aggregator,
        exact=_equal([row.wall_s for row in rows]),
        at=table.at,
        related=(Related(table.at, "the averaged values"),),
    )


def _values(claim: Claim, table: Table, rows: Sequence[Row], ratio: bool) -> list[str] | None:
    """Return the column that a claim averages: the only one of its quantity and unit; None where a row lacks it."""
    columns = [
        [row.values.get(key) for row in rows]
        for key, column in table.columns.items()
        if column.quantity == claim.quantity and _plain(column.unit) == _plain(claim.unit)
    ]
    if ratio and claim.form == "efficiency":
        columns.append([row.efficiency for row in rows])
    elif ratio:
        columns.append([row.speedup for row in rows])
    whole = [[text for text in column if text is not None] for column in columns]
    whole = [column for column in whole if len(column) == len(rows)]
    return whole[0] if len(whole) == 1 and whole[0] else None


def _plain(unit: str | None) -> str:
    return (unit or "").strip().casefold()


def _totals(claim: Claim, rows: Sequence[Row]) -> Span | None:
    """Return total work over total time, for a rate per second of which every row states both."""
    work = [row.samples for row in rows if row.samples is not None]
    walls = [row.wall_s for row in rows if row.wall_s is not None]
    if not len(work) == len(walls) == len(rows) or not _plain(claim.unit).endswith(("/s", "per second")):
        return None
    total = exact(math.fsum(work) / math.fsum(walls))
    return total.widened(0.001)


def _equal(walls: Sequence[float | None]) -> bool:
    known = [wall for wall in walls if wall is not None]
    return len(known) == len(walls) >= 2 and max(known) - min(known) <= EQUAL * min(known)


def _of_samples(claim: Claim, case: Case) -> Averages | str:
    """Return the means of the rate over the raw times of the claim's arm."""
    side, metric = case.subject(claim), case.metric(claim.measured)
    if side is None or metric is None:
        return "the raw times behind the row are not given"
    how, found = transform(metric), samples_of(case, side, metric)
    if how is None or not how.inverse or not how.unit_known or found is None or not found.complete:
        return "the raw times behind the row are not given"
    trials = [how.value(fmean(values)) for values in found.values]
    means = (fmean(how.value(x) for x in found.pooled), fmean(trials))
    right = how.value(fmean(found.pooled))
    return Averages(
        what="rates",
        how="total work over total time",
        arithmetic=tuple(exact(mean) for mean in means),
        right=exact(right).widened(0.0005),
        geometric=None,
        gap=abs(max(means) / right - 1),
        aggregator=None,
        exact=False,
        at=found.at,
        related=(Related(found.at, "the raw times"),),
    )


def _mean(values: Sequence[Decimal]) -> Decimal:
    return sum(values, Decimal(0)) / len(values)


def _harmonic(values: Sequence[Decimal]) -> Decimal:
    return len(values) / sum((1 / value for value in values), Decimal(0))


def _geometric(values: Sequence[Decimal]) -> Decimal:
    return (sum((value.ln() for value in values), Decimal(0)) / len(values)).exp()
