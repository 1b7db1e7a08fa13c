"""Every usual way to form the scatter of raw numbers: over which values, and as what."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from ...statistics.intervals import quantile
from ...statistics.means import deviation
from ...statistics.student import t_quantile
from ..series.raw_numbers import Samples
from .performance import Transform

Z95 = 1.959963984540054


def sets(found: Samples, how: Transform) -> list[list[float]]:
    """Return the sets of values that a scatter may be of: all, each trial's, and the trials' means and medians."""
    by_trial = [[how.value(x) for x in values] for values in found.values]
    pooled = [x for values in by_trial for x in values]
    centres = [[how.value(x) for x in values] for values in (found.means, found.medians)]
    return [pooled, *by_trial, *centres, [fmean(values) for values in by_trial]]


def widths(values: Sequence[float], name: str) -> tuple[float, ...]:
    """Return what a plus-minus of two or more values is: sd, sem, ci95, iqr or range, by each usual definition."""
    n = len(values)
    sd = deviation(values)
    population = sd * math.sqrt((n - 1) / n)
    if name == "sd":
        return sd, population
    if name == "sem":
        return sd / math.sqrt(n), population / math.sqrt(n)
    if name == "ci95":
        quantiles = (Z95, 2.0, t_quantile(0.975, n - 1))
        return tuple(q * s / math.sqrt(n) for q in quantiles for s in (sd, population))
    if name == "iqr":
        width = quantile(values, 0.75) - quantile(values, 0.25)
        return width, width / 2
    width = max(values) - min(values)
    return width, width / 2


def deviations(found: Samples, how: Transform) -> list[float]:
    """Return what a standard deviation of raw numbers may be, also that within the trials."""
    series = [found] if found.cut is None else [found, found.cut]
    given = []
    for item in series:
        given += [x for values in sets(item, how) if len(values) > 1 for x in widths(values, "sd")]
        within = [deviation([how.value(x) for x in values]) for values in item.values if len(values) > 1]
        given += [fmean(within), math.sqrt(fmean([x * x for x in within]))] if within else []
    return [x for x in given if math.isfinite(x)]
