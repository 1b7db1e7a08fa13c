"""A number and its interval in as many digits as the interval makes sense of."""

from __future__ import annotations

import math

from ...schemas.tender import TenderMetric
from .figures import Figure

MOST_DECIMALS = 12


def digits(metric: TenderMetric, figure: Figure) -> tuple[str, str, str]:
    """Return a number and the ends of its interval, rounded to two digits of how far the interval reaches.

    Where they would then stand on another side of a limit than they do, more digits are kept. The ends are empty where
    there is no interval.
    """
    value, interval = figure.printed, figure.interval
    if interval is None:
        return value, "", ""
    low, high = interval.low, interval.high
    limits = [each for each in (metric.least, metric.most) if each is not None]
    numbers = [float(value), float(low), float(high)]
    reach = max(numbers[2] - numbers[0], numbers[0] - numbers[1])
    if not 0 < reach < math.inf:
        return value, low, high
    first = 1 - math.floor(math.log10(reach))
    for decimals in range(first, MOST_DECIMALS):
        rounded = [round(number, decimals) for number in numbers]
        if all(_side(a, limit) == _side(b, limit) for a, b in zip(rounded, numbers, strict=True) for limit in limits):
            told = [f"{number:.{max(decimals, 0)}f}" for number in rounded]
            return told[0], told[1], told[2]
    return value, low, high


def _side(number: float, limit: str) -> int:
    return (number > float(limit)) - (number < float(limit))
