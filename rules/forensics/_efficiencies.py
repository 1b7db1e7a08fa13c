"""Stated scaling efficiencies beside what speed-up, rates and device counts give."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim, Row, Table
from ..case import Case
from ..facts.comparison.base_row import base_rows, table_gains
from ..facts.comparison.scaling_mode import label_of
from ..facts.quantities.numbers import PERCENT
from ..facts.quantities.per_second import operations_per_second, work_per_second
from ..facts.quantities.performance import more_is_better
from ..facts.quantities.ratios import gain, positive
from ..fields import row_devices
from ..language.printed import Span, span
from ..language.reading import read

SPEED = frozenset({"rate", "time", "latency", "flops"})
PERCENT_FROM = Decimal(2)
"""No efficiency is 2; a number without a unit that is at least 2 is a percentage."""


class Efficiency(Struct, frozen=True):
    """One stated efficiency.

    Attributes:
        at: its place.
        printed: as printed.
        readings: the shares that it may mean.
        expected: the efficiencies that follow, each with where it comes from; empty where none does.
        base_at: place of the base.
        row: the row of the table, where it is a cell.
    """

    at: str
    printed: str
    readings: tuple[Span, ...]
    expected: tuple[tuple[str, Span], ...]
    base_at: str
    row: str | None = None

    @property
    def fits(self) -> bool:
        """Whether a reading meets one of the efficiencies that follow."""
        return any(reading.meets(value) for reading in self.readings for _, value in self.expected)


def efficiencies(claim: Claim, case: Case) -> Iterator[Efficiency]:
    """Yield the efficiencies that a claim states: its own number, and the cells of its row or table."""
    table = case.table(claim)
    own = _of_arms(claim, case)
    if table is not None and claim.row is not None:
        names = [claim.row.row] if claim.row.row is not None else [key for key in table.rows if key != table.base_row]
        for name in names:
            if name in table.rows:
                expected, base_at = expected_of_row(claim, case, table, name)
                efficiency = table.rows[name].efficiency
                if efficiency is not None:
                    at = table.rows[name].place("efficiency")
                    yield Efficiency(at, efficiency, _readings(span(efficiency), None), expected, base_at, name)
                if name == claim.row.row:
                    own = (own[0] + expected, base_at)
    words = read(claim.statement)
    if claim.value is not None and not words.has("stepwise", affirmed=False):
        readings = _readings(span(claim.value, claim.qualifier, claim.digits), claim.unit)
        if words.has("lost_share", affirmed=False):  # what is missing from the ideal
            readings = (*readings, *(Span(1 - read.high, 1 - read.low) for read in readings))
        row = claim.row.row if claim.row is not None else None
        yield Efficiency(claim.place("value"), claim.value, readings, own[0], own[1], row)


def beside_speedup(claim: Claim, case: Case) -> Efficiency | None:
    """Return the efficiency in the row of a claim that is none itself, beside what the row's own speed-up gives.

    The speed-up is divided by the growth in devices from the base row, and from any other device count of the table:
    rows may have bases of their own. None where the row states not both, or another claim rests on its efficiency.
    """
    table, row = case.table(claim), case.row(claim)
    if table is None or row is None or row.efficiency is None or row.speedup is None or claim.row is None:
        return None
    if claim.row.row is None or claim.row.row == table.base_row or _claimed(claim, case):
        return None
    mine, gained = _size(row, case), positive(span(row.speedup))
    sizes = {_size(other, case) for other in table.rows.values()}
    shares = [share for size in sorted(sizes, key=str) if (share := _share(size, mine)) is not None]
    base = table.rows.get(table.base_row or "")
    if gained is None or (base is not None and not _size(base, case)[1]):
        return None
    found = [("the speed-up and device counts", gained * share) for share in shares]
    if "strong" not in {claim.label, table.label}:
        found.append(("the ratio of times", gained))
    at = row.place("efficiency")
    return Efficiency(at, row.efficiency, _readings(span(row.efficiency), None), tuple(found), row.place("speedup"))


def _claimed(claim: Claim, case: Case) -> bool:
    """Whether a claim about an efficiency names the same row, or its whole table."""
    assert claim.row is not None
    rows = [other.row for other in case.submission.claims.values() if other.form == "efficiency"]
    return any(row is not None and row.table == claim.row.table and row.row in {None, claim.row.row} for row in rows)


def expected_of_row(claim: Claim, case: Case, table: Table, name: str) -> tuple[tuple[tuple[str, Span], ...], str]:
    """Return the efficiencies that follow for a row: from its speed-up, and from its numbers against its base's."""
    bases = base_rows(table, name, claim)
    found: list[tuple[str, Span]] = []
    for base in bases:
        share = _share(_size(table.rows[base], case), _size(table.rows[name], case))
        if share is None:
            continue
        speedup = _relative_speedup(table.rows[name], table.rows[base])
        if speedup is not None:
            found.append(("speed-up and device counts", speedup * share))
        for item in table_gains(table, name, (base,), SPEED):
            column = item.new.rpartition("/")[2]
            if f"/{base}/" in item.base:
                found += _of_gain(claim, case, item.gain, share, table.columns[column].unit)
    return tuple(found), table.rows[bases[0]].at if bases else table.at


def _of_arms(claim: Claim, case: Case) -> tuple[tuple[tuple[str, Span], ...], str]:
    new, base = case.metric(claim.measured), case.metric(claim.base)
    ours, theirs = case.subject(claim), case.base(claim)
    if new is None or base is None or new.value is None or base.value is None or claim.base is None:
        return (), claim.at
    ways = more_is_better(new.quantity, new.unit)
    if (new.unit, new.quantity) != (base.unit, base.quantity) or ways is None or new.quantity not in SPEED:
        return (), base.at
    found = gain(span(new.value, digits=new.digits), span(base.value, digits=base.digits), ways)
    devices = ours.devices if ours is not None else None, theirs.devices if theirs is not None else None
    share = _share(("devices", claim.base.devices or devices[1]), ("devices", devices[0]))
    return (_of_gain(claim, case, found, share, new.unit) if found is not None and share is not None else ()), base.at


def _of_gain(claim: Claim, case: Case, found: Span, share: Span, unit: str) -> tuple[tuple[str, Span], ...]:
    """Return the efficiencies of a gain: times the share of the devices, or itself for numbers of one device.

    In weak scaling the time of a step stays, so that the ratio of times is the efficiency itself.
    """
    per_second = work_per_second(unit) or operations_per_second(unit)
    if per_second is not None and per_second.per_device:
        return (("values per device", found),)
    scaled = ("values and device counts", found * share)
    if per_second is None and label_of(claim, case)[0] != "strong":
        return (scaled, ("the times", found))
    return (scaled,)


def _relative_speedup(row: Row, base: Row) -> Span | None:
    """Return a row's stated speed-up over its base row; a base that states none stands for 1."""
    speedup = positive(span(row.speedup)) if row.speedup is not None else None
    # The base's own "1.00" is no measurement: it is 1.
    measured = base.speedup is not None and Decimal(base.speedup) != 1
    own = positive(span(base.speedup)) if measured and base.speedup is not None else Span(Decimal(1), Decimal(1))
    return speedup / own if speedup is not None and own.low > 0 else None


def _size(row: Row, case: Case) -> tuple[str, int | None]:
    devices = row_devices(row.devices, row.arm, case)
    return ("devices", devices) if devices is not None else ("nodes", row.nodes)


def _share(base: tuple[str, int | None], point: tuple[str, int | None]) -> Span | None:
    """Return the base's devices over the point's, or None where both are not known in one unit."""
    if base[0] != point[0] or not base[1] or not point[1]:
        return None
    share = Decimal(base[1]) / point[1]
    return Span(share, share)


def _readings(printed: Span, unit: str | None) -> tuple[Span, ...]:
    percent = Span(printed.low / 100, printed.high / 100)
    if unit in PERCENT:
        return (percent,)
    return (printed, percent) if printed.high >= PERCENT_FROM else (printed,)
