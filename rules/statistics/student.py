"""The Student t distribution in pure Python, so that a small lint needs neither numpy nor scipy."""

from __future__ import annotations

import math


def t_cdf(t: float, degrees_of_freedom: float) -> float:
    """Return P(T <= t) of a Student t variable; degrees of freedom may be fractional (Welch).

    Source: Abramowitz & Stegun 26.7.1, through the regularised incomplete beta function.
    """
    x = degrees_of_freedom / (degrees_of_freedom + t * t)
    tail = 0.5 * _regularised_beta(degrees_of_freedom / 2, 0.5, x)
    return 1 - tail if t > 0 else tail


def t_quantile(p: float, degrees_of_freedom: float) -> float:
    """Return the t with P(T <= t) = p, to about 12 significant digits.

    Raises:
        ValueError: p outside (0, 1), or degrees of freedom not positive and finite.
    """
    if not 0 < p < 1 or not 0 < degrees_of_freedom < math.inf:
        raise ValueError(f"no t quantile for p = {p} with {degrees_of_freedom} degrees of freedom")
    if p < 0.5:
        return -t_quantile(1 - p, degrees_of_freedom)
    low, high = 0.0, 1.0
    while t_cdf(high, degrees_of_freedom) < p and high < 1e15:
        low, high = high, high * 2
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if t_cdf(middle, degrees_of_freedom) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _regularised_beta(a: float, b: float, x: float) -> float:
    """Return I_x(a, b) by its continued fraction (Abramowitz & Stegun 26.5.8, evaluated with Lentz's method)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _regularised_beta(b, a, 1 - x)
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
