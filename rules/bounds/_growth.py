"""How much more a point of a scaling series does than its base, beside how many more devices it has."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Interval, Metric
from ...schemas.submission import Claim, Column, Table
from ..case import Case
from ..facts.comparison.matched_base import match
from ..facts.comparison.points import Point, device_of_point, points, side_point, table_points
from ..facts.comparison.table_series import SPEED, base_names
from ..facts.quantities.cells import cell
from ..facts.quantities.numbers import PERCENT
from ..facts.quantities.performance import more_is_better
from ..facts.quantities.ratios import gain, least
from ..language.printed import Span, span
from ..tables.names import plain


class Growth(Struct, frozen=True):
    """A gain from fewer to more devices.

    Attributes:
        gain: the least gain that is meant.
        devices: devices of the point over those of the base.
        interval: whether the least gain is the lower end of a stated interval, and not of the digits alone.
        words: the gain as printed.
        at: its place.
        base: place of the base.
    """

    gain: Decimal
    devices: Decimal
    interval: bool
    words: str
    at: str
    base: str


def growths(claim: Claim, case: Case) -> tuple[Growth, ...]:
    """Return the gains that a claim stands on: its own, and those of the rows of its table over their base.

    Beside a gain of its own the other rows count where their intervals are known. Only over a base that differs in
    nothing but the devices and what scales with them.
    """
    table = case.table(claim)
    own = tuple(_claimed(claim, case))
    if table is None:
        return own
    mine = claim.row.row if own and claim.row is not None else None
    return (*own, *(found for found in _tabulated(claim, case, table, mine) if found.interval or not own))


def _claimed(claim: Claim, case: Case) -> Iterator[Growth]:
    ends = _ends(claim, case)
    if ends is None or claim.value is None:
        return
    base, point = ends
    devices = _more(claim, case, base, point)
    if devices is None:
        return
    stated, low = _stated(claim, devices), None
    if claim.interval is not None and stated is not None:
        low = _low(claim, claim.interval, devices)
    elif stated is not None and claim.form == "ratio":
        low = _of_metrics(case.metric(claim.measured), case.metric(claim.base))
    found = low if low is not None else stated
    if found is not None:
        words = f"{claim.value} {claim.unit or ''}".strip()
        yield Growth(found, devices, low is not None, words, claim.place("value"), base.at)


def _ends(claim: Claim, case: Case) -> tuple[Point, Point] | None:
    """Return base and point of a claim: rows of its table, else its two sides."""
    table = case.table(claim)
    if table is not None and claim.row is not None and claim.row.row is not None:
        found = {point.id: point for point in table_points(table, case)}
        bases = base_names(claim, table)
        if claim.row.row in found and len(bases) == 1 and bases[0] in found:
            return found[bases[0]], found[claim.row.row]
        return None
    base, side = case.base(claim), case.subject(claim)
    if base is None or side is None:
        return None
    return side_point(base, claim.base.devices if claim.base is not None else None), side_point(side)


def _more(claim: Claim, case: Case, base: Point, point: Point) -> Decimal | None:
    if base.devices is None or point.devices is None or point.devices <= base.devices:
        return None
    if match(claim, case, point, base).different or _is_other_device(case, base, point):
        return None
    return Decimal(point.devices) / base.devices


def _is_other_device(case: Case, base: Point, point: Point) -> bool:
    """Whether the point runs on another device than its base: its gain then comes from the device, too."""
    ours, theirs = device_of_point(point, case), device_of_point(base, case)
    return ours is not None and theirs is not None and plain(ours) != plain(theirs)


def _stated(claim: Claim, devices: Decimal) -> Decimal | None:
    assert claim.value is not None
    if claim.form == "efficiency":
        low = span(claim.value, claim.qualifier, claim.digits).low
        return low / (100 if claim.unit in PERCENT else 1) * devices
    better = more_is_better(claim.quantity, claim.unit)
    return least(claim, better is not False) if claim.form == "ratio" and claim.quantity in SPEED else None


def _low(claim: Claim, interval: Interval, devices: Decimal) -> Decimal | None:
    low = span(interval.low).low
    if claim.form == "efficiency":
        return low / (100 if claim.unit in PERCENT else 1) * devices
    return low if claim.unit not in PERCENT else None


def _of_metrics(new: Metric | None, base: Metric | None) -> Decimal | None:
    if new is None or base is None or new.interval is None or base.interval is None or new.unit != base.unit:
        return None
    better = more_is_better(new.quantity, new.unit)
    spans = [Span(span(metric.low).low, span(metric.high).high) for metric in (new.interval, base.interval)]
    found = gain(spans[0], spans[1], better) if better is not None else None
    return found.low if found is not None else None


def _tabulated(claim: Claim, case: Case, table: Table, mine: str | None) -> Iterator[Growth]:
    """Yield the gains of the rows but the claim's own; of rows that print no speeds, their speed-up itself."""
    named = (claim.row.base_row if claim.row is not None else None) or table.base_row
    found = {point.id: point for point in points(claim, case)}
    base = found.get(named or "")
    columns = {key: column for key, column in table.columns.items() if column.quantity in SPEED}
    for point in found.values() if base is not None else ():
        if base is None or point.row is None or base.row is None or point.id == mine:
            continue
        devices = _more(claim, case, base, point)
        speeds = [key for key in columns if key in point.row.values and key in base.row.values]
        stated = cell(point.row.speedup) if devices is not None and not speeds else None
        if stated is not None and devices is not None:
            words = f"row `{point.id}` does {point.row.speedup} times row `{base.id}`"
            yield Growth(stated.low, devices, False, words, point.row.place("speedup"), base.row.at)
        for key, column in columns.items() if devices is not None else ():
            spans = cell(point.row.values.get(key)), cell(base.row.values.get(key))
            better = more_is_better(column.quantity, column.unit)
            if spans[0] is None or spans[1] is None or better is None or devices is None:
                continue
            intervals = [_metric(item, column, end) for item, end in ((point, spans[0]), (base, spans[1]))]
            measured = _of_metrics(intervals[0], intervals[1])
            by_digits = spans[0].low / spans[1].high if better else spans[1].low / spans[0].high
            low = measured if measured is not None else by_digits
            words = f"row `{point.id}` does {float(low):.4g} times row `{base.id}`"
            places = point.row.place("values", key), base.row.place("values", key)
            yield Growth(low, devices, measured is not None, words, *places)


def _metric(point: Point, column: Column, cell: Span) -> Metric | None:
    """Return the number of a row's arm that a cell prints: of its quantity and unit, with that value."""
    given = point.side.arm.performance.values() if point.side is not None and point.is_arm else ()
    fitting = [item for item in given if (item.quantity, item.unit) == (column.quantity, column.unit) and item.value]
    return next((item for item in fitting if span(item.value or "", digits=item.digits).meets(cell)), None)
