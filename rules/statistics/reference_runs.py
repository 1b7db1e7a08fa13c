"""Runs to a target against reference runs: the comparison of the training suite."""

from __future__ import annotations

import math
from collections.abc import Sequence


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
