"""The points of a scaling claim: device counts with their values and options, from its table or its two sides."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ...schemas.submission import Claim, Row, Table
from ..case import Case, Side
from ..fields import row_devices
from .options import flat, with_global_batch


class Point(Struct, frozen=True):
    """One measured configuration.

    Attributes:
        id: row or arm.
        at: its place.
        devices: device count, or None where it is not known.
        options: its options, flattened; those of the row win over those of the arm.
        side: the arm behind it.
        row: the table row, where there is one.
        digest: digest of its effective option set.
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
    def digest(self) -> str | None:
        """Digest of the effective option set, where the arm carries one and the row changes nothing."""
        changed = self.row is not None and self.row.options is not None
        return self.side.arm.option_set if self.side is not None and not changed else None


def points(claim: Claim, case: Case) -> tuple[Point, ...]:
    """Return the points that a claim relates, in the order of its table; else its base and its subject."""
    table = case.table(claim)
    if table is not None:
        return table_points(table, case)
    sides = [(case.base(claim), claim.base.devices if claim.base is not None else None), (case.subject(claim), None)]
    return tuple(side_point(side, devices) for side, devices in sides if side is not None)


def table_points(table: Table, case: Case) -> tuple[Point, ...]:
    """Return the rows of a table as points."""
    arms = {side.id: side for side in case.sides() if side.study is None}
    found = []
    for name, row in table.rows.items():
        side = arms.get(row.arm or "")
        own = flat(row.options)
        options = with_global_batch({**(flat(side.arm.options) if side is not None else {}), **own})
        devices = row_devices(row.devices, row.arm, case)
        if devices is None and isinstance(options.get("devices"), int):
            devices = options["devices"]  # type: ignore[assignment]
        found.append(Point(name, row.at, devices, options, side, row))
    return tuple(found)


def side_point(side: Side, devices: int | None = None) -> Point:
    """Return an arm as a point."""
    return Point(side.id, side.arm.at, devices or side.devices, flat(side.arm.options), side)


def largest(found: tuple[Point, ...]) -> Point | None:
    """Return the point with the most devices, of those the one with the largest global batch."""
    counted = [point for point in found if point.devices is not None]
    return max(counted, key=lambda point: (point.devices or 0, point.global_batch or 0), default=None)
