"""The chi-square distribution in pure Python."""

from __future__ import annotations

import math


def chi_square_tail(x: float, degrees_of_freedom: float) -> float:
    """Return P(X > x): the upper regularised incomplete gamma function at (df / 2, x / 2).

    Source: Abramowitz & Stegun 6.5.29 (series) and 6.5.31 (continued fraction, Lentz's method).

    Raises:
        ValueError: degrees of freedom that are not positive and finite, or a NaN.
    """
    if not 0 < degrees_of_freedom < math.inf or math.isnan(x):
        raise ValueError(f"no chi-square tail at {x} with {degrees_of_freedom} degrees of freedom")
    if x <= 0:
        return 1.0
    if x == math.inf:
        return 0.0
    a, x = degrees_of_freedom / 2, x / 2
    return 1 - _series(a, x) if x < a + 1 else _fraction(a, x)


def chi_square_quantile(p: float, degrees_of_freedom: float) -> float:
    """Return the x with P(X <= x) = p, by bisection.

    Raises:
        ValueError: p outside (0, 1), or degrees of freedom that are not positive and finite.
    """
    if not 0 < p < 1:
        raise ValueError(f"no chi-square quantile for p = {p}")
    low, high = 0.0, max(1.0, 2 * degrees_of_freedom)
    while chi_square_tail(high, degrees_of_freedom) > 1 - p:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if chi_square_tail(middle, degrees_of_freedom) > 1 - p else (low, middle)
    return (low + high) / 2


def _front(a: float, x: float) -> float:
    return math.exp(a * math.log(x) - x - math.lgamma(a))


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    k = a
    while term > total * 1e-17:
        k += 1
        term *= x / k
        total += term
    return min(1.0, total * _front(a, x))


def _fraction(a: float, x: float) -> float:
    b = x + 1 - a
    c, d = 1e300, 1 / b
    value = d
    for i in range(1, 1000 + int(20 * math.sqrt(a))):
        numerator = -i * (i - a)
        b += 2
        d = 1 / _away_from_zero(numerator * d + b)
        c = _away_from_zero(b + numerator / c)
        value *= c * d
        if abs(1 - c * d) < 1e-15:
            break
    return value * _front(a, x)


def _away_from_zero(value: float) -> float:
    return value if abs(value) > 1e-300 else 1e-300
