"""Several tests of one family."""

from __future__ import annotations

from collections.abc import Sequence


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """Return the p of each test adjusted for all of them, in the order given.

    Source: Holm, Scandinavian Journal of Statistics 6 (1979).
    """
    adjusted = [0.0] * len(ps)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(ps)), key=lambda index: ps[index])):
        largest = max(largest, min(1.0, (len(ps) - rank) * ps[index]))
        adjusted[index] = largest
    return tuple(adjusted)


def holm_levels(ps: Sequence[float], alpha: float) -> list[float]:
    """Return the level that each test is held against by the same procedure, and at which its interval is to be read.

    The k-th smallest of m values of p is held against alpha / (m - k + 1); once one fails, those with larger p are held
    against its level too, so that none of them passes.
    """
    order = sorted(range(len(ps)), key=lambda index: ps[index])
    levels, level, failed = [0.0] * len(ps), 0.0, False
    for rank, index in enumerate(order):
        if not failed:
            level = alpha / (len(ps) - rank)
        failed = failed or ps[index] >= level
        levels[index] = level
    return levels
