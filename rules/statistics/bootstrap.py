"""Bootstrap intervals, seeded: for reports; no rule uses one, since every lint must give the same answer quickly."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from random import Random

from .intervals import Interval, quantile
from .proportions import normal_quantile
from .tails import z_tail

Statistic = Callable[[Sequence[float]], float]


def percentile_interval(
    values: Sequence[float], statistic: Statistic, seed: int, resamples: int = 10_000, confidence: float = 0.95
) -> Interval:
    """Return the percentile bootstrap interval of a statistic of independent values; too narrow below 20 values.

    Source: Efron and Tibshirani, An introduction to the bootstrap (1993), chapter 13.
    """
    replicates = _replicates(values, statistic, seed, resamples)
    tail = (1 - confidence) / 2
    return Interval(quantile(replicates, tail), quantile(replicates, 1 - tail), confidence, "bootstrap-percentile")


def ratio_interval(
    numerator: Sequence[float],
    denominator: Sequence[float],
    statistic: Statistic,
    seed: int,
    resamples: int = 10_000,
    confidence: float = 0.95,
) -> Interval:
    """Return the percentile bootstrap interval of a ratio of statistics, such as medians, of two independent samples.

    Raises:
        ValueError: a denominator that can be 0.
    """
    above = _replicates(numerator, statistic, seed, resamples)
    below = _replicates(denominator, statistic, seed + 1, resamples)
    if min(below) <= 0:
        raise ValueError("a ratio needs a positive denominator")
    ratios = [top / bottom for top, bottom in zip(above, below, strict=True)]
    tail = (1 - confidence) / 2
    return Interval(quantile(ratios, tail), quantile(ratios, 1 - tail), confidence, "bootstrap-percentile")


def accelerated_interval(
    values: Sequence[float], statistic: Statistic, seed: int, resamples: int = 10_000, confidence: float = 0.95
) -> Interval:
    """Return the bias-corrected and accelerated bootstrap interval, for smooth statistics: of a median it has no value.

    Source: Efron, Journal of the American Statistical Association 82 (1987).

    Raises:
        ValueError: the statistic does not vary, or its replicates lie on one side of it.
    """
    replicates = _replicates(values, statistic, seed, resamples)
    observed = statistic(values)
    below = sum((value < observed) + (value == observed) / 2 for value in replicates) / resamples
    left_out = [statistic([*values[:index], *values[index + 1 :]]) for index in range(len(values))]
    mean = math.fsum(left_out) / len(left_out)
    squares = math.fsum((mean - value) ** 2 for value in left_out)
    if squares <= 0:
        raise ValueError("the statistic does not vary")
    bias = normal_quantile(below)
    acceleration = math.fsum((mean - value) ** 3 for value in left_out) / (6 * squares**1.5)
    ends = []
    for level in ((1 - confidence) / 2, (1 + confidence) / 2):
        z = bias + normal_quantile(level)
        ends.append(quantile(replicates, z_tail(-(bias + z / (1 - acceleration * z)))))
    return Interval(ends[0], ends[1], confidence, "bootstrap-bca")


def _replicates(values: Sequence[float], statistic: Statistic, seed: int, resamples: int) -> list[float]:
    source, n = Random(seed), len(values)  # noqa: S311
    return [statistic(source.choices(values, k=n)) for _ in range(resamples)]
