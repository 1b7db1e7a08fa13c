"""The p of a test statistic: normal, Student, chi-square, Fisher, and a correlation."""

from __future__ import annotations

import math

from .student import t_cdf


def z_tail(z: float) -> float:
    """Return P(Z > z) of a standard normal variable, small ones too."""
    return math.erfc(z / math.sqrt(2)) / 2


def t_tail(t: float, degrees_of_freedom: float) -> float:
    """Return P(T > t) of a Student t variable.

    Raises:
        ValueError: degrees of freedom that are not positive.
    """
    if degrees_of_freedom <= 0:
        raise ValueError("degrees of freedom are positive")
    return t_cdf(-t, degrees_of_freedom)


def chi_square_tail(x: float, degrees_of_freedom: float) -> float:
    """Return P(X > x) of a chi-square variable.

    Raises:
        ValueError: degrees of freedom that are not positive and finite, or a NaN.
    """
    if not 0 < degrees_of_freedom < math.inf or math.isnan(x):
        raise ValueError(f"no chi-square tail at {x} with {degrees_of_freedom} degrees of freedom")
    if x <= 0:
        return 1.0
    from scipy.special import chdtrc

    return float(chdtrc(degrees_of_freedom, x))


def f_tail(f: float, numerator: float, denominator: float) -> float:
    """Return P(F > f) of a Fisher variable.

    Raises:
        ValueError: degrees of freedom that are not positive.
    """
    if numerator <= 0 or denominator <= 0:
        raise ValueError("degrees of freedom are positive")
    if f <= 0:
        return 1.0
    from scipy.special import fdtrc

    return float(fdtrc(numerator, denominator, f))


def r_tail(r: float, degrees_of_freedom: float) -> float:
    """Return P(R > r) of the correlation of two independent normal series: t = r sqrt(df / (1 - r^2))."""
    if abs(r) >= 1:
        return 0.0 if r > 0 else 1.0
    return t_tail(r * math.sqrt(degrees_of_freedom / (1 - r * r)), degrees_of_freedom)
