"""How many independent values a percentile needs."""

from __future__ import annotations

import math


def least_for_bound(p: float, confidence: float = 0.95) -> int:
    """Return how many values put the largest one above the p quantile with a given confidence (Wilks 1941).

    Raises:
        ValueError: p or confidence outside (0, 1).
    """
    if not 0 < p < 1 or not 0 < confidence < 1:
        raise ValueError("p and confidence lie inside (0, 1)")
    return math.ceil(math.log(1 - confidence) / math.log(p) - 1e-9)


def least_for_interval(p: float, confidence: float = 0.95) -> int:
    """Return how many values give the p quantile an equal-tailed interval: a bound at each end."""
    return least_for_bound(max(p, 1 - p), (1 + confidence) / 2)
