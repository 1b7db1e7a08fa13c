"""The time of one step, by raw numbers or by a printed rate or time."""

from __future__ import annotations

from ....schemas.evidence import Metric
from ...case import Case, Side
from ...statistics.intervals import median
from ..quantities.per_second import seconds, work_per_second
from .raw_numbers import samples_of


def step_s(case: Case, side: Side, metric: Metric) -> float | None:
    """Return the time of one step in seconds: the median of raw ones, else as printed; None where neither tells."""
    if metric.column is not None and metric.column.endswith("_s"):
        found = samples_of(case, side, metric)
        if found is not None:
            return median(found.pooled)
    unit = seconds(metric.unit)
    if metric.quantity == "time" and metric.scope == "step" and unit is not None and metric.value is not None:
        return float(metric.value) * float(unit)
    return step_of_rate_s(metric)


def step_of_rate_s(metric: Metric | None) -> float | None:
    """Return the seconds of a step, from a rate of all devices and the work of one iteration."""
    unit = work_per_second(metric.unit) if metric is not None else None
    if metric is None or metric.value is None or unit is None or metric.work_per_iteration is None or unit.per_device:
        return None
    rate = float(metric.value) * float(unit.factor)
    return metric.work_per_iteration / rate if rate > 0 else None
