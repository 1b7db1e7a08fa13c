"""The coefficient of variation, and what it is at least."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .means import deviation


def coefficient_of_variation(values: Sequence[float]) -> float:
    """Return the standard deviation (n - 1) over the mean of positive values.

    Raises:
        ValueError: fewer than two values, one that is not finite, or a mean that is not positive.
    """
    mean = math.fsum(values) / len(values) if values else 0.0
    if mean <= 0:
        raise ValueError("a coefficient of variation needs a positive mean")
    return deviation(values) / mean


def least_variation(values: Sequence[float], confidence: float = 0.95) -> float:
    """Return the lower bound of the coefficient of variation of values.

    Raises:
        ValueError: as for the coefficient.
    """
    return lower_bound(coefficient_of_variation(values), len(values), confidence)


def lower_bound(variation: float, n: int, confidence: float = 0.95) -> float:
    """Return the lower bound of the coefficient of variation of n values: cv / sqrt(chi2(confidence, n - 1) / (n - 1)).

    Holds for normal values, and for others roughly; a point estimate above a limit is above it by chance in half of the
    cases in which the truth is at the limit.

    Raises:
        ValueError: fewer than two values.
    """
    if n < 2:
        raise ValueError("a variation needs two values")
    from scipy.special import chdtri

    return variation / math.sqrt(float(chdtri(n - 1, 1 - confidence)) / (n - 1))
