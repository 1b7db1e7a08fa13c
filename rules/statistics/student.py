"""The Student t distribution of scipy, imported when the first number needs it: most claims need none."""

from __future__ import annotations

import math


def t_cdf(t: float, degrees_of_freedom: float) -> float:
    """Return P(T <= t) of a Student t variable; degrees of freedom may be fractional (Welch)."""
    from scipy.special import stdtr

    return float(stdtr(degrees_of_freedom, t))


def t_quantile(p: float, degrees_of_freedom: float) -> float:
    """Return the t with P(T <= t) = p.

    Raises:
        ValueError: p outside (0, 1), or degrees of freedom not positive and finite.
    """
    if not 0 < p < 1 or not 0 < degrees_of_freedom < math.inf:
        raise ValueError(f"no t quantile for p = {p} with {degrees_of_freedom} degrees of freedom")
    from scipy.special import stdtrit

    return float(stdtrit(degrees_of_freedom, p))
