"""How many trials a comparison needs."""

from __future__ import annotations

import math
from bisect import bisect_left

LEAST, MOST = 3, 10_000
PLAIN = 10.0
"""A difference in standard deviations that few trials find for sure."""


def trials_per_arm(deviation: float, difference: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """Return the least number of trials in each of two arms that finds a difference with the wanted power.

    By the exact power of Student's t test, at least 3. None beyond 10,000.

    Args:
        deviation: standard deviation between trials, in the unit of `difference`.
        difference: the difference to be found, above 0.
        alpha: two-sided error.
        power: probability of finding it.
    """
    effect = min(difference / deviation, PLAIN) if deviation > 0 else PLAIN
    numbers = range(LEAST, MOST + 1)
    place = bisect_left(numbers, power, key=lambda n: _power(effect, n, alpha))
    return numbers[place] if place < len(numbers) else None


def _power(effect: float, n: int, alpha: float) -> float:
    """Return the power of n trials an arm for an effect in standard deviations.

    The library has no value for the tail on the far side where that is too small, nor for the near one where the power
    is 1 but for rounding.
    """
    from statsmodels.stats.power import TTestIndPower

    of = TTestIndPower().power
    both, near = float(of(effect, n, alpha)), float(of(effect, n, alpha / 2, alternative="larger"))
    return next((value for value in (both, near) if not math.isnan(value)), 1.0)
