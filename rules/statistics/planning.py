"""How many trials a comparison needs."""

from __future__ import annotations

import math

from .student import t_quantile

MOST = 10_000


def trials_per_arm(deviation: float, difference: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """Return the least number of trials in each of two arms that finds a difference with the wanted power.

    By Student's t with 2 (n - 1) degrees of freedom: n >= 2 (t(1 - alpha / 2) + t(power))^2 deviation^2 / difference^2
    (Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, 2.4), at least 3. None beyond 10,000.

    Args:
        deviation: standard deviation between trials, in the unit of `difference`.
        difference: the difference to be found, above 0.
        alpha: two-sided error.
        power: probability of finding it.
    """
    low, high = 2, 3
    while not _enough(high, deviation, difference, alpha, power):
        low, high = high, 2 * high
        if low > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _enough(middle, deviation, difference, alpha, power) else (middle, high)
    return high


def _enough(n: int, deviation: float, difference: float, alpha: float, power: float) -> bool:
    freedom = 2 * (n - 1)
    reach = t_quantile(1 - alpha / 2, freedom) + t_quantile(power, freedom)
    return math.sqrt(n / 2) * difference >= reach * deviation
