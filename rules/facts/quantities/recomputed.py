"""A printed statistic recomputed from raw numbers, by every usual way, in the unit of its metric."""

from __future__ import annotations

import math
from decimal import Decimal

from ....schemas.evidence import Metric
from ...case import Side
from ...language.printed import Span
from ..series.raw_numbers import Samples, candidates
from .numbers import exact
from .per_second import work_per_second
from .performance import transform

STATISTICS = frozenset({"mean", "median", "min", "max", "best_of", "total", "percentile"})
ROUNDING = 2.0**-52
"""What an addition of two floating-point numbers, or a change of unit, may round away, as a share of the result."""


def recomputed(found: Samples, side: Side, metric: Metric, statistic: str, percent: float | None) -> list[Span]:
    """Return what a statistic may be by the raw numbers, in the metric's unit; empty where that cannot be said.

    Each is an interval: whoever added the numbers up one by one has rounded as often as there are numbers.
    """
    how = transform(metric)
    if how is None or not how.unit_known:
        return []
    percents = [percent, None if percent is None else 100 - percent] if how.inverse else [percent]
    series = [found] if found.cut is None else [found, found.cut]
    ranges = [item for values in series for p in percents for item in candidates(values, statistic, p)]
    scales = [Decimal(1)]
    unit = work_per_second(metric.unit)
    if unit is not None and unit.per_device and side.devices is not None:
        scales.append(Decimal(1) / side.devices)
    values = [(how.value(low), how.value(high)) for low, high in ranges]
    spans = [Span(exact(min(pair)).low, exact(max(pair)).low) for pair in values if math.isfinite(sum(pair))]
    slack = (len(found.pooled) + 2) * ROUNDING
    return [value.times(scale).widened(slack) for value in spans for scale in scales]


def percent_of(metric: Metric) -> float | None:
    """Return which percentile a metric's value is, where its summary gives the value by name."""
    percentiles = metric.summary.percentiles if metric.summary is not None else {}
    key = next((key for key, text in percentiles.items() if text == metric.value), "")
    try:
        percent = float(key.casefold().removeprefix("p"))
    except ValueError:
        return None
    return percent if 0 < percent < 100 else None
