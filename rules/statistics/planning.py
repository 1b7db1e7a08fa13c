"""How many trials a comparison needs."""

from __future__ import annotations

import math

from .power import two_sample_power, values_per_arm

LEAST, MOST = 3, 10_000
SMALL, PLAIN = 0.5, 10.0
"""Differences in standard deviations that may need more than the most trials, and that three find for sure."""


def trials_per_arm(deviation: float, difference: float, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """Return the least number of trials in each of two arms that finds a difference with the wanted power.

    By the exact power of Student's t test (see `power`), at least 3. None beyond 10,000.

    Args:
        deviation: standard deviation between trials, in the unit of `difference`.
        difference: the difference to be found, above 0.
        alpha: two-sided error.
        power: probability of finding it.
    """
    effect = min(difference / deviation, PLAIN) if deviation > 0 else PLAIN
    if effect < SMALL and two_sample_power(effect, MOST, alpha) < power:
        return None
    return max(LEAST, math.ceil(values_per_arm(effect, alpha, power)))
