"""What a performance number says: which way is better, and how it follows from raw numbers."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct

from ....schemas.evidence import Metric
from .per_second import seconds, work_per_second

HIGHER = frozenset({"rate", "flops", "mfu", "accuracy"})
LOWER = frozenset({"time", "latency", "cost", "memory"})


def more_is_better(quantity: str, unit: str | None) -> bool | None:
    """Return whether more is better, or None where the quantity does not tell (energy without its unit, a count)."""
    if quantity in HIGHER | LOWER:
        return quantity in HIGHER
    if quantity == "energy" and unit is not None:
        per_energy = ("/J", "/kJ", "/MJ", "/Wh", "/kWh", "/W", " per joule", " per watt", " per kWh")
        if unit.endswith(per_energy):
            return True
        if unit in {"J", "kJ", "MJ", "GJ", "Wh", "kWh", "MWh"} or unit.startswith(("J/", "kJ/", "Wh/", "kWh/", "mJ/")):
            return False
    return None


PERIODS = {1 / Decimal(period): period for period in (1, 60, 3600, 86400)}


def column_seconds(column: str) -> Decimal | None:
    """Return the seconds in the unit of a column of raw numbers, by its suffix; None where it holds no times."""
    return None if column.endswith("_per_s") or "_" not in column else seconds(column.rpartition("_")[2])


def period_s(unit: str) -> int | None:
    """Return the seconds by which a unit of rate divides; None where it is none, or counts in thousands or millions."""
    found = work_per_second(unit)
    return PERIODS.get(found.factor) if found is not None else None


class Transform(Struct, frozen=True):
    """How a metric's value follows from one raw number x: factor / x where `inverse`, else factor * x.

    Attributes:
        factor: in the metric's unit, where that is known.
        inverse: whether x stands below the line.
        unit_known: whether the metric's unit was read; otherwise only ratios of equal units mean something.
    """

    factor: float
    inverse: bool
    unit_known: bool

    def value(self, x: float) -> float:
        """Return the metric's value of a raw number; infinite where x is too small to divide by."""
        if not self.inverse:
            return self.factor * x
        return self.factor / x if x > 0 else float("inf")


def transform(metric: Metric) -> Transform | None:
    """Return how a metric follows from its column, or None where that is not stated or not known."""
    if metric.column is None:
        return None
    column, time, period = column_seconds(metric.column), seconds(metric.unit), period_s(metric.unit)
    if column is not None and metric.quantity in {"time", "latency"}:
        return Transform(float(column / time) if time is not None else 1.0, inverse=False, unit_known=time is not None)
    if column is not None and metric.quantity == "rate" and metric.work_per_iteration is not None:
        scale = float((period or 1) / column)
        return Transform(metric.work_per_iteration * scale, inverse=True, unit_known=period is not None)
    if metric.column.endswith("_j") and metric.quantity == "energy":
        if metric.unit == "J":
            return Transform(1.0, inverse=False, unit_known=True)
        if metric.unit.endswith("/J") and metric.work_per_iteration is not None:
            return Transform(metric.work_per_iteration, inverse=True, unit_known=True)
    return None
