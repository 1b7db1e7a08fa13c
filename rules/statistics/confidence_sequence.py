"""An interval that holds at every look, for who stops when the difference is clear."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .means import deviation

Bounds = tuple[float, float]


def confidence_sequence(values: Sequence[float], planned: int, confidence: float = 0.95) -> Bounds:
    """Return the asymptotic confidence sequence of a mean after the values so far.

    Half-width s sqrt(2 (n r + 1) / (n^2 r) ln(sqrt(n r + 1) / alpha)), where r makes it narrowest at the planned number
    of values: r = (-2 ln alpha + ln(-2 ln alpha + 1)) / planned. It covers the mean at all looks together, for n not
    too small; at the planned number it is about half as wide again as an interval that is looked at once.

    Source: Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence sequences (2021).

    Args:
        values: differences of interleaved pairs, or values of one side.
        planned: number of values at which it is to be narrowest, fixed before.
        confidence: over all looks.

    Raises:
        ValueError: fewer than two values, or one that is not finite.
    """
    n, alpha = len(values), 1 - confidence
    rho = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha) + 1)) / planned
    width = math.sqrt(2 * (n * rho + 1) / (n * n * rho) * math.log(math.sqrt(n * rho + 1) / alpha))
    mean, half = math.fsum(values) / n, deviation(values) * width
    return mean - half, mean + half
