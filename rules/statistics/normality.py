"""Whether values look normal: the test of Shapiro and Wilk."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .proportions import normal_quantile
from .tails import z_tail

LEAST, MOST = 12, 5000
LAST = (-2.706056, 4.434685, -2.071190, -0.147981, 0.221157, 0.0)
LAST_BUT_ONE = (-3.582633, 5.682633, -1.752461, -0.293762, 0.042981, 0.0)


def shapiro_wilk(values: Sequence[float]) -> tuple[float, float]:
    """Return W and the p of "these values are normal".

    Source: Royston, algorithm AS R94, Applied Statistics 44 (1995), for 12 to 5000 values.

    Raises:
        ValueError: fewer or more values, one that is not finite, or all of them equal.
    """
    n = len(values)
    if not LEAST <= n <= MOST or not all(math.isfinite(value) for value in values) or min(values) == max(values):
        raise ValueError(f"the test needs {LEAST} to {MOST} finite values that are not all equal")
    weights = _weights(n)
    ordered = sorted(values)
    mean = math.fsum(ordered) / n
    squares = math.fsum((value - mean) ** 2 for value in ordered)
    w = math.fsum(weight * (value - mean) for weight, value in zip(weights, ordered, strict=True)) ** 2 / squares
    log_n = math.log(n)
    centre = _polynomial((0.0038915, -0.083751, -0.31082, -1.5861), log_n)
    scale = math.exp(_polynomial((0.0030302, -0.082676, -0.4803), log_n))
    return w, z_tail((math.log(max(1 - w, 1e-300)) - centre) / scale)


def _weights(n: int) -> list[float]:
    scores = [normal_quantile((i - 0.375) / (n + 0.25)) for i in range(1, n + 1)]
    squares = math.fsum(score * score for score in scores)
    u, root = 1 / math.sqrt(n), math.sqrt(squares)
    last = scores[-1] / root + _polynomial(LAST, u)
    before = scores[-2] / root + _polynomial(LAST_BUT_ONE, u)
    rest = (squares - 2 * scores[-1] ** 2 - 2 * scores[-2] ** 2) / (1 - 2 * last**2 - 2 * before**2)
    middle = [score / math.sqrt(rest) for score in scores[2:-2]]
    return [-last, -before, *middle, before, last]


def _polynomial(coefficients: Sequence[float], x: float) -> float:
    """Return a polynomial whose coefficients begin with that of the highest power."""
    value = 0.0
    for coefficient in coefficients:
        value = value * x + coefficient
    return value
