"""Two classifiers on the same examples: only those count on which they disagree."""

from __future__ import annotations

from .quantiles import at_most


def mcnemar_p(only_left: int, only_right: int) -> float:
    """Return the exact two-sided p of "both err equally often".

    Source: McNemar, Psychometrika 12 (1947), with the binomial distribution in place of its approximation.

    Args:
        only_left: examples that the left one alone gets right.
        only_right: examples that the right one alone gets right.
    """
    n = only_left + only_right
    return 1.0 if n == 0 else min(1.0, 2 * at_most(min(only_left, only_right), n, 0.5))
