"""How far an interval reaches from its value, and how many trials would bring it close enough."""

from __future__ import annotations

import math

from ...rules.statistics.student import t_quantile

LEAST, MOST = 3, 10_000
MOST_EXAMPLES = 100_000
LEVEL = 0.975
"""Quantile of the ends of an interval at 95 %."""


def share(value: float, low: float, high: float) -> float:
    """Return by which share of its value an interval reaches from it at most."""
    return max(high - value, value - low) / abs(value)


def trials_for(reach: float, trials: int, wanted: float, level: float = LEVEL) -> int | None:
    """Return how many trials bring an interval that reaches so far to within what is wanted; None beyond 10,000.

    By Student's t over trials that scatter as these do: the reach falls as t / sqrt(n).

    Args:
        reach: from the value to the farther end, on a scale on which trials scatter alike, as logarithms.
        trials: that the interval is made of, at least 2.
        wanted: largest reach, above 0.
        level: quantile of the interval's ends.
    """
    if trials < 2 or wanted <= 0:
        return None
    scatter = reach / _unit(trials, level)
    if scatter * _unit(MOST, level) > wanted:
        return None
    low, high = LEAST, MOST
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if scatter * _unit(middle, level) <= wanted else (middle + 1, high)
    return low


def scatter_for(trials: int, wanted: float, level: float = LEVEL) -> float:
    """Return the standard deviation up to which an interval reaches no further than is wanted, on the same scale.

    Args:
        trials: that the interval is made of, at least 2.
        wanted: largest reach.
        level: quantile of the interval's ends.
    """
    return wanted / _unit(trials, level)


def _unit(trials: int, level: float) -> float:
    return t_quantile(level, trials - 1) / math.sqrt(trials)


def examples_for(reach: float, examples: int, wanted: float) -> int | None:
    """Return about how many examples bring the interval of a share to within what is wanted; None beyond 100,000.

    Args:
        reach: from the share to the end in question.
        examples: that the share is made of.
        wanted: largest reach, above 0.
    """
    needed = math.ceil(examples * (reach / wanted) ** 2) if wanted > 0 else MOST_EXAMPLES + 1
    return needed if needed <= MOST_EXAMPLES else None
