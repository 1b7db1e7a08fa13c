"""How much the values of a series depend on those before them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul

from .tails import chi_square_tail


def autocorrelation(values: Sequence[float], lag: int = 1) -> float:
    """Return the autocorrelation at a lag: sum of products of deviations `lag` apart over the sum of squares.

    0 for a constant series. Source: Box and Jenkins, Time Series Analysis, 2.1.

    Raises:
        ValueError: a value that is not finite, or a lag outside 1 to n - 1.
    """
    if not 1 <= lag < len(values):
        raise ValueError(f"no lag {lag} in {len(values)} values")
    return _Deviations(values).at(lag)


def geyer_tau(values: Sequence[float], enough: float = math.inf) -> float:
    """Return the integrated autocorrelation time: how many values weigh as one independent value, at least 1.

    Geyer's initial monotone sequence: tau = -1 + 2 sum of pairs r(2k) + r(2k + 1), while a pair is positive, none above
    the one before it. 1 for a constant series or fewer than 4 values.

    Source: Geyer, Practical Markov chain Monte Carlo (1992), section 3.3.

    Args:
        values: the series in its order.
        enough: stop once tau exceeds this; the time is linear in n for every lag.

    Raises:
        ValueError: a value that is not finite.
    """
    if len(values) < 4:
        return 1.0
    series = _Deviations(values)
    total, before, lag = 0.0, math.inf, 0
    while lag + 1 < len(values) and 2 * total - 1 <= enough:
        pair = series.at(lag) + series.at(lag + 1)
        if pair <= 0:
            break
        before = min(pair, before)
        total += before
        lag += 2
    return max(1.0, 2 * total - 1)


def ljung_box(values: Sequence[float], lags: int) -> tuple[float, float]:
    """Return Ljung and Box's Q over the first lags and its p under independence, chi-square with `lags` df.

    (0, 1) for a constant series. Source: Ljung and Box, Biometrika 65 (1978).

    Raises:
        ValueError: a value that is not finite, or as many lags as values.
    """
    n = len(values)
    if not 1 <= lags < n:
        raise ValueError(f"no {lags} lags in {n} values")
    series = _Deviations(values)
    q = n * (n + 2) * math.fsum(series.at(lag) ** 2 / (n - lag) for lag in range(1, lags + 1))
    return q, chi_square_tail(q, lags)


class _Deviations:
    """A series less its mean, so that several lags share the work."""

    def __init__(self, values: Sequence[float]) -> None:
        mean = math.fsum(values) / len(values)
        self._deviations = [value - mean for value in values]
        self._squares = math.fsum(value * value for value in self._deviations)
        if not math.isfinite(self._squares):
            raise ValueError("a correlation needs finite values")

    def at(self, lag: int) -> float:
        if self._squares <= 0:
            return 0.0
        if lag == 0:
            return 1.0
        return math.fsum(map(mul, self._deviations, self._deviations[lag:])) / self._squares
