"""Tails of the binomial distribution, of scipy."""

from __future__ import annotations


def upper_tail(k: int, n: int, p: float) -> float:
    """Return P(X >= k) of a binomial variable over n trials with probability p.

    Raises:
        ValueError: p outside (0, 1), or no trial.
    """
    if not 0 < p < 1 or n < 1:
        raise ValueError(f"no binomial tail for n = {n}, p = {p}")
    if not 0 < k <= n:
        return 1.0 if k <= 0 else 0.0
    from scipy.special import bdtrc

    return float(bdtrc(k - 1, n, p))
