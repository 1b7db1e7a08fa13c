"""Whether values look normal: the test of Shapiro and Wilk, of scipy.stats.

The one test on the path of `lint` for which `scipy.stats` is loaded: its coefficients are no short formula, and few
claims rest on it.
"""

from __future__ import annotations

from collections.abc import Sequence

MOST = 5000
"""Values beyond which its p is not known to hold."""


def normality_p(values: Sequence[float]) -> float:
    """Return the p of "these values are normal", for 3 to 5000 finite values that are not all equal.

    Source: Royston, algorithm AS R94, Applied Statistics 44 (1995).
    """
    from scipy.stats import shapiro

    return float(shapiro(values).pvalue)
