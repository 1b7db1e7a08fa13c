"""Tails of the binomial distribution."""

from __future__ import annotations

import math


def upper_tail(k: int, n: int, p: float) -> float:
    """Return P(X >= k) of a binomial variable over n trials with probability p.

    Raises:
        ValueError: p outside (0, 1), or no trial.
    """
    if not 0 < p < 1 or n < 1:
        raise ValueError(f"no binomial tail for n = {n}, p = {p}")
    if k <= 0:
        return 1.0
    return math.fsum(math.exp(_log_term(i, n, p)) for i in range(k, n + 1))


def _log_term(k: int, n: int, p: float) -> float:
    choices = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return choices + k * math.log(p) + (n - k) * math.log1p(-p)
