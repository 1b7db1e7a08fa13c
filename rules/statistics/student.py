"""The Student t distribution in pure Python, so that a small lint needs neither numpy nor scipy."""

from __future__ import annotations

import math
from functools import lru_cache

from .beta import regularised_beta


def t_cdf(t: float, degrees_of_freedom: float) -> float:
    """Return P(T <= t) of a Student t variable; degrees of freedom may be fractional (Welch).

    Source: Abramowitz & Stegun 26.7.1, through the regularised incomplete beta function.
    """
    x = degrees_of_freedom / (degrees_of_freedom + t * t)
    tail = 0.5 * regularised_beta(degrees_of_freedom / 2, 0.5, x)
    return 1 - tail if t > 0 else tail


@lru_cache(maxsize=4096)
def t_quantile(p: float, degrees_of_freedom: float) -> float:
    """Return the t with P(T <= t) = p, to about 12 significant digits.

    By Newton's method from 0: above it the distribution function is concave, so that the steps lead up to the quantile
    and never beyond it, but for rounding.

    Raises:
        ValueError: p outside (0, 1), or degrees of freedom not positive and finite.
    """
    if not 0 < p < 1 or not 0 < degrees_of_freedom < math.inf:
        raise ValueError(f"no t quantile for p = {p} with {degrees_of_freedom} degrees of freedom")
    if p < 0.5:
        return -t_quantile(1 - p, degrees_of_freedom)
    t, last = 0.0, math.inf
    for _ in range(200):
        density = _density(t, degrees_of_freedom)
        step = (p - t_cdf(t, degrees_of_freedom)) / density if density else 0.0
        if (step <= 0 and -step >= last / 2) or not density:
            break
        t, last = t + step, abs(step)
        if last <= 1e-15 * t:
            break
    return t


def _density(t: float, degrees_of_freedom: float) -> float:
    """Return the density of a Student t variable; Abramowitz & Stegun 26.7.1, differentiated."""
    half = (degrees_of_freedom + 1) / 2
    log_front = math.lgamma(half) - math.lgamma(degrees_of_freedom / 2)
    log_tail = half * math.log1p(t * t / degrees_of_freedom)
    return math.exp(log_front - log_tail) / math.sqrt(degrees_of_freedom * math.pi)
