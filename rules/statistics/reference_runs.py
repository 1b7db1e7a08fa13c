"""Runs to a target against reference runs: the comparison of the training suite."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .student import t_quantile


def trimmed(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard deviation (n) of runs without the fastest and the slowest one.

    Source: MLPerf training rules, appendix on reference convergence points. The suite's own checker takes the deviation
    of all runs instead, which allows more.

    Raises:
        ValueError: fewer than three runs.
    """
    kept = sorted(values)[1:-1]
    if not kept:
        raise ValueError("trimming needs three runs")
    mean = math.fsum(kept) / len(kept)
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in kept) / len(kept))


def least_mean(reference: Sequence[float], runs: int, alpha: float = 0.05) -> float:
    """Return the least trimmed mean of `runs` runs that is not significantly below the reference (one-sided Student t).

    Raises:
        ValueError: fewer than three runs on a side.
    """
    mean, spread = trimmed(reference)
    n, m = len(reference) - 2, runs - 2
    if m < 1:
        raise ValueError("trimming needs three runs")
    return mean - t_quantile(1 - alpha, n + m - 2) * spread * math.sqrt(1 / n + 1 / m)
