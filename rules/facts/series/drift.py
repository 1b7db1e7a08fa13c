"""Whether a series of times rises or falls from its beginning to its end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean

from msgspec import Struct

from ...caching import fact
from ...case import Case, Side
from ...statistics.autocorrelation import geyer_tau
from ...statistics.blocks import LEAST, LONGEST_TAU, block_medians
from ...statistics.change_points import LONGEST, change_points
from ...statistics.intervals import median
from ...statistics.slope import theil_sen
from ...statistics.trend import trend
from .kept_series import kept_series

BLOCKS = 10
MOST_PER_BLOCK = 1000
ALPHA = 0.01
CHANGE = 0.02
"""Total change, as a share of the median, below which a trend does not matter."""


class Drift(Struct, frozen=True):
    """The trend of a series.

    Attributes:
        p: two-sided p of Kendall's tau over 10 block medians.
        change: total change by their Theil-Sen slope, as a share of their median; positive where the series rises.
    """

    p: float
    change: float


@fact
def drifts(case: Case, side: Side, column: str) -> tuple[Drift | None, ...]:
    """Return the drift of every kept series of an arm, in their order; None where a series cannot tell."""
    return tuple(drift(item.values) for item in kept_series(case, side, column))


def drift(values: Sequence[float]) -> Drift | None:
    """Return the drift of a series, from 10 contiguous blocks, of which at most the middle 1,000 values are read.

    None for fewer than 30 values, and where the series without its slope, and without its changes of level, is so
    dependent (tau above n / 20) that wandering looks like a drift.
    """
    n = len(values)
    if n < LEAST:
        return None
    medians = _medians(values)
    slope = theil_sen(medians)
    if _wanders(values[:LONGEST], slope * BLOCKS / n):
        return None
    found = trend(medians)
    return Drift(min(1.0, 2 * min(found.p_rises, found.p_falls)), slope * (BLOCKS - 1) / median(medians))


def _wanders(head: Sequence[float], slope: float) -> bool:
    """Whether a series is dependent beyond a drift: beside a straight line, and beside its changes of level.

    A drift that is no straight line, or comes in steps, makes the rest beside a line dependent as well.
    """
    most = len(head) / LONGEST_TAU
    if geyer_tau([value - slope * index for index, value in enumerate(head)], most) <= most:
        return False
    ends = [0, *change_points(head), len(head)]
    level = [
        value - mean for low, high in pairwise(ends) for mean in (fmean(head[low:high]),) for value in head[low:high]
    ]
    return len(ends) == 2 or geyer_tau(level, most) > most


def _medians(values: Sequence[float]) -> tuple[float, ...]:
    n = len(values)
    if n <= BLOCKS * MOST_PER_BLOCK:
        return block_medians(values, BLOCKS)
    ends = [n * index // BLOCKS for index in range(BLOCKS + 1)]
    starts = [(low + high - MOST_PER_BLOCK) // 2 for low, high in pairwise(ends)]
    return tuple(median(values[start : start + MOST_PER_BLOCK]) for start in starts)
