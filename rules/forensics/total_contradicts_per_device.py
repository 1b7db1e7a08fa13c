"""F20: a total that is not the devices times the value per device."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim, Row, Table
from ..caching import fact
from ..case import Case
from ..facts.quantities.discrepancy import decides, gap, weighed
from ..facts.quantities.each_device import whole_and_each, without_device
from ..facts.quantities.likely_cause import common_factor, counts_of, likely_cause
from ..facts.quantities.per_second import PerSecond, operations_per_second, work_per_second
from ..language.printed import Span, span
from ..language.reading import read
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ._column_digits import in_column

Cell = tuple[Decimal, Decimal, int]
FEWEST = 3
PARTS = ("input", "output", "forward", "backward", "effective", "peak")
"""Kinds of work in names by which a number is of other work than one in the same unit without them."""
OPPOSITES = (("training", "inference"), ("model", "hardware"))


class Point(Struct, frozen=True):
    """A total and a value per device of one point, in one unit.

    Attributes:
        total: over all devices.
        each: per device.
        devices: devices of the point.
        at: place of the total.
        each_at: place of the value per device.
    """

    total: Span
    each: Span
    devices: int
    at: str
    each_at: str


@rule(
    "F20",
    "total-contradicts-per-device",
    effect=REFUTES,
    confidence=C3,
    applies="has(per_device)",
    origin="J, MEAS",
)
def total_contradicts_per_device(claim: Claim, case: Case) -> Iterator[Branch]:
    """A total and a value per device that the device count does not join.

    ## What it does
    Multiplies the value per device by the devices of the same row, or of the same arm, and compares the product with
    the total there, each as the interval that its digits allow (whole numbers per device may be cut off instead of
    rounded, if all of their column is; three and more whole numbers of one column that all end in zeros were rounded
    to the digits before). A value of another point (a single device beside 512) is no partner. The same for a claim
    whose own number, per device by its unit or the words behind it, is derived from that of its arm.

    ## Why it misleads
    Either the system is smaller than it says, or one of the numbers is of another run.

    ## Branches
    - (a) refutes, C3: the total lies outside devices times the value per device; a caveat where it is off by at most
      1 %.
    - not applicable: total, value per device and device count of one point are not all given in one unit, or their
      names are of different work: all tokens and generated ones, forward passes and whole steps.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"devices": 8, "performance": {
       "each": {"quantity": "rate", "value": "250", "unit": "images/s/GPU", "statistic": "median"}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"devices": 8, "performance": {
       "each": {"quantity": "rate", "value": "312.5", "unit": "images/s/GPU", "statistic": "median"}}}}}
    ```

    ## How to fix
    Correct the total, the value per device or the count.

    ## References
    Arithmetic.
    """
    points = [*_of_rows(claim, case), *_of_arm(claim, case), *_derived(claim, case)]
    if not points:
        yield Inapplicable("a total, a value per device and the devices of one point are not given together")
    products = [point.each.times(point.devices) for point in points]
    pairs = [(point.total, product) for point, product in zip(points, products, strict=True)]
    common = common_factor(pair for pair in pairs if not pair[0].meets(pair[1]))
    for point, product in zip(points, products, strict=True):
        distance = gap(point.total, product)
        if distance > 0:
            cause = common or likely_cause(point.total, product, counts_of(case.subject(claim)))
            message = f"{point.devices} devices at {point.each} each give {product}; the total is {point.total}{cause}"
            related = (Related(point.each_at, "value per device"),)
            effect = weighed(REFUTES, distance, _decides(claim, case, point, product))
            yield Violation("a", effect, C3, message, point.at, str(point.total), str(product), related)


def _decides(claim: Claim, case: Case, point: Point, product: Span) -> bool:
    """Whether the discrepancy of a claim's own total changes who wins, or how a coarser headline is rounded."""
    metric = case.metric(claim.measured)
    unit = _unit(metric.unit) if metric is not None else None
    if metric is None or unit is None or unit.factor != 1 or point.at != metric.place("value"):
        return False
    return decides(claim, case, point.total, product, metric.unit)


def _of_rows(claim: Claim, case: Case) -> Iterator[Point]:
    table = case.table(claim)
    if table is None or claim.row is None:
        return
    units = {name: _unit(column.unit) for name, column in table.columns.items()}
    for name in [claim.row.row] if claim.row.row is not None else list(table.rows):
        row = table.rows.get(name)
        if row is None or row.devices is None:
            continue
        for total, each in _partners({key: unit for key, unit in units.items() if key in row.values}):
            same = table.columns[total].statistic == table.columns[each].statistic
            if same and table.columns[total].quantity == table.columns[each].quantity:
                stated = _cell(table, row, total), _cell(table, row, each)
                if _cut_off(_cells(table, total, each)):
                    stated = stated[0], Span(stated[1].low, Decimal(row.values[each]) + 1)
                values = [_scaled(value, units[key]) for value, key in zip(stated, (total, each), strict=True)]
                yield Point(values[0], values[1], row.devices, row.place("values", total), row.place("values", each))


def _cell(table: Table, row: Row, name: str) -> Span:
    return in_column(row.values[name], [other.values[name] for other in table.rows.values() if name in other.values])


def _cells(table: Table, total: str, each: str) -> Iterator[Cell]:
    for row in table.rows.values():
        if total in row.values and each in row.values and row.devices:
            yield Decimal(row.values[total]), Decimal(row.values[each]), row.devices


@fact
def _cut_off_in_arms(case: Case, total: str, each: str) -> bool:
    """Whether the arms' values per device in some unit are cut off: a table may be told as one arm for each row."""
    cells = []
    for side in case.sides():
        units = {metric.unit: metric.value for metric in side.arm.performance.values() if metric.value is not None}
        if total in units and each in units and side.arm.devices:
            cells.append((Decimal(units[total]), Decimal(units[each]), side.arm.devices))
    return _cut_off(cells)


def _cut_off(cells: Iterable[Cell]) -> bool:
    """Whether whole numbers per device are quotients that were cut off instead of rounded, all of them.

    At least three have to fit: one that does may be a slip.
    """
    given = list(cells)
    whole = all(value == value.to_integral_value() for _, value, _ in given)
    cut = all(value <= (total + 1) / n and total / n < value + 1 for total, value, n in given)
    return len(given) >= FEWEST and whole and cut


def _of_arm(claim: Claim, case: Case) -> Iterator[Point]:
    side, metric = case.subject(claim), case.metric(claim.measured)
    if side is None or metric is None or side.arm.devices is None:
        return
    metrics = side.arm.performance
    units = {name: _unit(item.unit) for name, item in metrics.items() if item.value is not None}
    for total, each in _partners(units):
        left, right = metrics[total], metrics[each]
        kinds = {(item.statistic, item.scope, item.quantity) for item in (left, right)}
        if metric not in (left, right) or len(kinds) > 1:
            continue
        stated = [span(item.value or "0", digits=item.digits) for item in (left, right)]
        if _cut_off_in_arms(case, left.unit, right.unit):
            stated[1] = Span(stated[1].low, Decimal(right.value or "0") + 1)
        values = [_scaled(value, _unit(item.unit)) for value, item in zip(stated, (left, right), strict=True)]
        yield Point(values[0], values[1], side.arm.devices, left.place("value"), right.place("value"))


def _derived(claim: Claim, case: Case) -> Iterator[Point]:
    """Yield the claim's own number per device beside the arm's total, unless it is the total itself."""
    found, metric = whole_and_each(claim, case), case.metric(claim.measured)
    if found is None or metric is None or claim.basis != "derived" or claim.row is not None:
        return
    total, each, devices = found
    if without_device(claim.unit) is not None or not total.meets(each):
        yield Point(total, each, devices, metric.place("value"), claim.place("value"))


def _partners(units: dict[str, PerSecond | None]) -> Iterator[tuple[str, str]]:
    """Yield pairs of names whose units differ in nothing but "per device", and that name the same work."""
    for total, unit in units.items():
        for each, other in units.items():
            if unit is None or other is None or unit.word != other.word or _of_other_work(total, each):
                continue
            if other.per_device and not unit.per_device:
                yield total, each


def _of_other_work(one: str, other: str) -> bool:
    """Whether the names of a total and of a value per device limit their numbers to different work."""
    names = [read(one), read(other)]
    # a number of one node has the total's unit where only devices are read in it
    if names[0].has("per_machine") or any(item.end == len(one) for item in names[0].mentions("machine_of_devices")):
        return True
    found = [[name.has(f"work.{kind}") for kind in PARTS] for name in names]
    opposed = [[name.has(f"work.{left}") - name.has(f"work.{right}") for left, right in OPPOSITES] for name in names]
    return found[0] != found[1] or any(left * right < 0 for left, right in zip(*opposed, strict=True))


def _unit(unit: str) -> PerSecond | None:
    return work_per_second(unit) or operations_per_second(unit)


def _scaled(interval: Span, unit: PerSecond | None) -> Span:
    return interval.times(unit.factor if unit is not None else 1)
