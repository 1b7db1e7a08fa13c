"""When a percentile of latency has been met often enough to stop: the rule of the inference suite."""

from __future__ import annotations


def least_met(over: int, p: float, confidence: float = 0.99, slack: float = 0.0) -> int:
    """Return how many queries must meet a latency bound when `over` others do not, to stop with a given confidence.

    The least h with I(p - slack; h, over + 1) <= 1 - confidence: were a share p - slack or less of all queries within
    the bound, so few misses among so many would be that improbable.

    Source: MLPerf inference rules, appendix on early stopping.

    Args:
        over: queries above the bound so far.
        p: the percentile as a share, such as 0.99.
        confidence: one-sided confidence.
        slack: by how much the true share may fall short of p.
    """
    from scipy.special import betainc

    high = 1
    while betainc(high, over + 1, p - slack) > 1 - confidence:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if betainc(middle, over + 1, p - slack) <= 1 - confidence else (middle, high)
    return high
