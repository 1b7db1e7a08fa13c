"""Two classifiers on the same examples: only those count on which they disagree."""

from __future__ import annotations


def mcnemar_p(only_left: int, only_right: int) -> float:
    """Return the exact two-sided p of "both err equally often".

    Source: McNemar, Psychometrika 12 (1947), with the binomial distribution in place of its approximation.

    Args:
        only_left: examples that the left one alone gets right.
        only_right: examples that the right one alone gets right.
    """
    if only_left == only_right:
        return 1.0
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(only_left, only_right), only_left + only_right, 0.5)))
