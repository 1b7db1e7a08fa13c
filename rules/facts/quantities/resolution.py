"""The resolution at which numbers were recorded, as they show it themselves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def recorded_resolution(values: Sequence[float]) -> float:
    """Return the smallest distance of two different values; 0 where all are equal."""
    return min((high - low for low, high in pairwise(sorted(set(values)))), default=0.0)


def tied_share(values: Sequence[float]) -> float:
    """Return which share of the values stands more than once, beyond the first of each; 0 for no value."""
    return 1 - len(set(values)) / len(values) if len(values) else 0.0
