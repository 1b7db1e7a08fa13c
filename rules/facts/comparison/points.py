"""The points of a scaling claim: device counts with their values and options, from its table or its two sides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from ....schemas.conditions import System
from ....schemas.submission import Claim, Row, Table
from ...caching import fact
from ...case import Case, Side
from .options import KEYS, class_of, compare_flat, flat, with_global_batch

MOST_KINDS = 100


class Point(Struct, frozen=True):
    """One measured configuration.

    Attributes:
        id: row or arm.
        at: its place.
        devices: device count, or None where it is not known.
        options: its options, flattened; those of the row win over those of the arm.
        side: the arm behind it.
        row: the table row, where there is one.
    """

    id: str
    at: str
    devices: int | None
    options: Mapping[str, object]
    side: Side | None = None
    row: Row | None = None

    @property
    def global_batch(self) -> int | None:
        """Samples per optimizer step, or None where it is not known."""
        batch = self.options.get("global_batch")
        return batch if isinstance(batch, int) else None

    @property
    def is_arm(self) -> bool:
        """Whether the point is its arm: the row changes none of the options and names no other device count."""
        if self.side is None or self.row is None:
            return self.side is not None
        same_options = dict(self.options) == flat(self.side.arm.options)
        return same_options and self.devices == (self.side.devices or self.devices)

    @property
    def digest(self) -> str | None:
        """Digest of the effective option set, where the arm carries one and the row changes nothing."""
        return self.side.arm.option_set if self.side is not None and self.is_arm else None


def points(claim: Claim, case: Case) -> tuple[Point, ...]:
    """Return the points that a claim relates, in the order of its table; else its base and its subject.

    Of a table that holds several models or formats, a claim about one row relates the rows of that row's series.
    """
    return _points(case, claim)


@fact
def _points(case: Case, claim: Claim) -> tuple[Point, ...]:
    table = case.table(claim)
    if table is not None:
        kind = _kind_of_row(case, table).get(claim.row.row or "") if claim.row is not None else None
        return table_points(table, case) if kind is None else _series_of(case, table, kind)
    sides = [(case.base(claim), claim.base.devices if claim.base is not None else None), (case.subject(claim), None)]
    return tuple(side_point(side, devices) for side, devices in sides if side is not None)


@fact
def _kind_of_row(case: Case, table: Table) -> dict[str, int]:
    """Return a number of its problem for every row: rows that agree in it need not be compared."""
    numbers: dict[object, int] = {}
    return {point.id: numbers.setdefault(_problem(point), len(numbers)) for point in _table_points(case, table)}


@fact
def _series_of(case: Case, table: Table, kind: int) -> tuple[Point, ...]:
    """Return the rows that may solve the same problem as those of one kind."""
    kinds, found = _kind_of_row(case, table), _table_points(case, table)
    first: dict[int, Point] = {}
    for point in found:
        first.setdefault(kinds[point.id], point)
    fits = {other: one_problem(first[kind], point) for other, point in first.items()}
    return tuple(point for point in found if fits[kinds[point.id]])


def ends(claim: Claim, case: Case) -> tuple[Point, ...]:
    """Return the two points that a ratio compares: its base and its subject; all points where it names no row."""
    table = case.table(claim)
    if table is None or claim.row is None or claim.row.row is None:
        return points(claim, case)
    names = (claim.row.base_row or table.base_row, claim.row.row)
    return tuple(point for name in names for point in table_points(table, case) if point.id == name)


def table_points(table: Table, case: Case) -> tuple[Point, ...]:
    """Return the rows of a table as points."""
    return _table_points(case, table)


@fact
def _table_points(case: Case, table: Table) -> tuple[Point, ...]:
    arms = {side.id: side for side in case.sides() if side.study is None}
    found = []
    for name, row in table.rows.items():
        side = arms.get(row.arm or "")
        devices = row.devices if row.devices is not None or side is None else side.devices
        options = {**_of_arm(side, devices), **flat(row.options)}
        count = options.get("devices")
        if devices is None and isinstance(count, int):
            devices = count
        found.append(Point(name, row.at, devices, with_global_batch(options), side, row))
    return tuple(found)


def _of_arm(side: Side | None, devices: int | None) -> dict[str, object]:
    """Return an arm's options as far as they hold at a device count: elsewhere its layout and batch tell nothing."""
    options = flat(side.arm.options) if side is not None else {}
    if side is None or devices is None or side.devices in {None, devices}:
        return options
    return {key: value for key, value in options.items() if class_of(key) not in {"LAYOUT", "STAT"}}


def side_point(side: Side, devices: int | None = None) -> Point:
    """Return an arm as a point."""
    return Point(side.id, side.arm.at, devices or side.devices, flat(side.arm.options), side)


def system_of(point: Point, case: Case) -> System | None:
    """Return the system that a point ran on: that of its row, else that of its arm."""
    system = case.submission.systems.get(point.row.system or "") if point.row is not None else None
    return system if system is not None or point.side is None else point.side.system


def device_of_point(point: Point, case: Case) -> str | None:
    """Return the model of the device that a point ran on, or None where it is not stated."""
    system = system_of(point, case)
    return system.device if system is not None and isinstance(system.device, str) else None


def largest(found: Iterable[Point]) -> Point | None:
    """Return the point with the most devices, of those the one with the largest global batch, of those the last."""
    best: Point | None = None
    for point in found:
        if best is None or _size(point) >= _size(best):
            best = point
    return best


def _size(point: Point) -> tuple[int, int]:
    return (point.devices or 0, point.global_batch or 0)


def one_problem(left: Point, right: Point) -> bool:
    """Whether two points may solve the same problem: no HARD option and no model size that both state differs."""
    sizes = [point.row.parameters for point in (left, right) if point.row is not None and point.row.parameters]
    if len(sizes) == 2 and sizes[0] != sizes[1]:
        return False
    return not compare_flat(left.options, right.options).differing("HARD")


def by_problem(found: Iterable[Point]) -> tuple[tuple[Point, ...], ...]:
    """Split points into series of one problem each: a table may list several models below each other.

    Of more than `MOST_KINDS` kinds none is compared with another: so many are no series, and each pair costs time.
    """
    kinds: dict[object, list[Point]] = {}
    for point in found:
        kinds.setdefault(_problem(point), []).append(point)
    if len(kinds) > MOST_KINDS:
        return tuple(tuple(kind) for kind in kinds.values())
    series: list[list[list[Point]]] = []
    for kind in kinds.values():
        fitting = (group for group in series if all(one_problem(other[0], kind[0]) for other in group))
        group = next(fitting, None)
        if group is None:
            series.append([kind])
        else:
            group.append(kind)
    return tuple(tuple(point for kind in group for point in kind) for group in series)


def _problem(point: Point) -> object:
    """Return what tells one problem from another: points that agree in it need not be compared."""
    size = point.row.parameters if point.row is not None else None
    return (size, *(point.options.get(key) for key in KEYS["HARD"]))


def named(point: Point) -> str:
    """Return a point as words: `8 devices, global batch 2048`."""
    parts = []
    if point.devices is not None:
        parts.append(f"{point.devices} device" + ("s" if point.devices != 1 else ""))
    if point.global_batch is not None:
        parts.append(f"global batch {point.global_batch}")
    return ", ".join(parts) or f"`{point.id}`"
