"""The smallest difference that two samples of their size and scatter would have shown."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .means import deviation
from .proportions import normal_quantile
from .student import t_quantile


def least_detectable(left: Sequence[float], right: Sequence[float], alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the difference of means that Welch's test would find with a power: (t(1 - alpha / 2) + t(power)) x error.

    Satterthwaite's degrees of freedom; 0 where neither side varies. The sum of two quantiles stands for the non-central
    t: within 2 % of it from three values a side.

    Source: Cohen, Statistical Power Analysis for the Behavioral Sciences (1988), 2.4.

    Args:
        left: values of one side.
        right: values of the other.
        alpha: two-sided error.
        power: probability of finding the difference.

    Raises:
        ValueError: fewer than two values on a side, or one that is not finite.
    """
    errors = [deviation(side) ** 2 / len(side) for side in (left, right)]
    total = math.fsum(errors)
    if total <= 0:
        return 0.0
    shares = [error / total for error in errors]
    freedom = 1 / math.fsum(share**2 / (len(side) - 1) for share, side in zip(shares, (left, right), strict=True))
    return (t_quantile(1 - alpha / 2, freedom) + t_quantile(power, freedom)) * math.sqrt(total)


def least_detectable_share(left: float, n_left: int, right: float, n_right: int, alpha: float = 0.05) -> float:
    """Return the difference of two shares of n examples each that a test would find with power 0.8.

    By the normal approximation: (z(1 - alpha / 2) + z(0.8)) x error (Fleiss, Statistical Methods for Rates and
    Proportions, 1981, 3.2).

    Raises:
        ValueError: a share outside [0, 1], or no example.
    """
    if not (0 <= left <= 1 and 0 <= right <= 1) or min(n_left, n_right) < 1:
        raise ValueError(f"no shares {left} of {n_left} and {right} of {n_right}")
    error = math.sqrt(left * (1 - left) / n_left + right * (1 - right) / n_right)
    return (normal_quantile(1 - alpha / 2) + normal_quantile(0.8)) * error
