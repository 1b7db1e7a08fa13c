"""The beta distribution in pure Python: binomial, Student and Fisher probabilities all come from it."""

from __future__ import annotations

import math


def regularised_beta(a: float, b: float, x: float) -> float:
    """Return I_x(a, b), the distribution function of a beta variable.

    By its continued fraction (Abramowitz & Stegun 26.5.8, evaluated with Lentz's method), to about 14 digits.
    """
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - regularised_beta(b, a, 1 - x)
    front = math.exp(a * math.log(x) + b * math.log1p(-x) + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)) / a
    tiny = 1e-300
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    fraction = d
    for m in range(1, 1000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + term * d) or tiny)
            c = (1 + term / c) or tiny
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the x with I_x(a, b) = p, by bisection.

    Raises:
        ValueError: p outside (0, 1), or a shape that is not positive.
    """
    if not 0 < p < 1 or a <= 0 or b <= 0:
        raise ValueError(f"no beta quantile for p = {p}, a = {a}, b = {b}")
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if regularised_beta(a, b, middle) < p else (low, middle)
    return (low + high) / 2
