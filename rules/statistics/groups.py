"""Several groups at once: a gate before pairs are compared, never a statement about a pair."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from .chi_square import chi_square_tail
from .means import deviation
from .tails import f_tail


def one_way_f(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return Fisher's F of equal means under equal variances, and its p; (0, 1) where nothing varies.

    Raises:
        ValueError: fewer than two groups, or a group of fewer than two finite values.
    """
    k, n = len(groups), sum(map(len, groups))
    if k < 2:
        raise ValueError("a comparison needs two groups")
    means = [math.fsum(group) / len(group) for group in groups]
    grand = math.fsum(math.fsum(group) for group in groups) / n
    between = math.fsum(len(group) * (mean - grand) ** 2 for group, mean in zip(groups, means, strict=True)) / (k - 1)
    within = math.fsum((len(group) - 1) * deviation(group) ** 2 for group in groups) / (n - k)
    if within <= 0:
        return (math.inf, 0.0) if between > 0 else (0.0, 1.0)
    f = between / within
    return f, f_tail(f, k - 1, n - k)


def welch_f(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return Welch's F of equal means under unequal variances, and its p.

    Source: Welch, Biometrika 38 (1951).

    Raises:
        ValueError: fewer than two groups, or a group of fewer than two finite values or of equal ones.
    """
    k = len(groups)
    errors = [deviation(group) ** 2 / len(group) for group in groups]
    if k < 2 or not all(error > 0 for error in errors):
        raise ValueError("a comparison needs two groups that vary")
    weights = [1 / error for error in errors]
    total = math.fsum(weights)
    means = [math.fsum(group) / len(group) for group in groups]
    grand = math.fsum(weight * mean for weight, mean in zip(weights, means, strict=True)) / total
    between = math.fsum(w * (mean - grand) ** 2 for w, mean in zip(weights, means, strict=True)) / (k - 1)
    spread = math.fsum((1 - w / total) ** 2 / (len(group) - 1) for w, group in zip(weights, groups, strict=True))
    f = between / (1 + 2 * (k - 2) / (k * k - 1) * spread)
    return f, f_tail(f, k - 1, (k * k - 1) / (3 * spread))


def kruskal_wallis(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return Kruskal and Wallis's H, corrected for ties, and its p; (0, 1) where all values are equal.

    Source: Kruskal and Wallis, Journal of the American Statistical Association 47 (1952).

    Raises:
        ValueError: fewer than two groups, or an empty one.
    """
    pooled = sorted(value for group in groups for value in group)
    n = len(pooled)
    if len(groups) < 2 or not all(groups):
        raise ValueError("a comparison needs two groups with values")
    counts, ranks, before = Counter(pooled), {}, 0
    for value in sorted(counts):
        ranks[value] = before + (counts[value] + 1) / 2
        before += counts[value]
    ties = 1 - sum(count**3 - count for count in counts.values()) / (n**3 - n) if n > 1 else 0.0
    if ties <= 0:
        return 0.0, 1.0
    sums = math.fsum(sum(ranks[value] for value in group) ** 2 / len(group) for group in groups)
    h = (12 / (n * (n + 1)) * sums - 3 * (n + 1)) / ties
    return h, chi_square_tail(h, len(groups) - 1)
