"""Where a series of times becomes steady: a slow head, by its first change of level."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from ...caching import fact
from ...case import Case, Side
from ...statistics.autocorrelation import geyer_tau
from ...statistics.blocks import LONGEST_TAU
from ...statistics.change_points import CLIP, LONGEST, PENALTY, SHORTEST_SEGMENT, change_points, noise
from ...statistics.intervals import median
from ..quantities.resolution import recorded_resolution
from .kept_series import kept_series

LEAST = 15
LEAST_REST = 10
DECAY = 0.1
EXCESS = 0.02
WINDOW = 0.2


class SteadyStart(Struct, frozen=True):
    """How a series begins.

    Attributes:
        head: number of slow values at its head; 0 where it begins steady.
        excess: by which share the head's median is above that of the rest.
    """

    head: int
    excess: float


@fact
def steady_starts(
    case: Case, side: Side, column: str, excess: float = EXCESS, window: float = WINDOW, penalty: float = PENALTY
) -> tuple[SteadyStart | None, ...]:
    """Return how every kept series of an arm begins, in their order; None where a series cannot tell."""
    return tuple(steady_start(item.values, excess, window, penalty) for item in kept_series(case, side, column))


def steady_start(
    values: Sequence[float], excess: float = EXCESS, window: float = WINDOW, penalty: float = PENALTY
) -> SteadyStart | None:
    """Return how a series begins, from its first 2,000 values.

    A head is the first segment of the best cut into segments, where it ends within `window` of the series and its
    median is more than `excess` above that of the rest. Segments have at least three values; one or two first values
    are a head where each is above every later one, by more than `excess` and five deviations of the noise. A head that
    is longer than the window is one only where it decays: its levels fall one after another, the first values lie more
    than a tenth above the rest, most of the fall is in its first half, and the rest is steady beside it.

    None for fewer than 15 values, a constant series, one recorded at a resolution coarser than its noise, and where
    what follows the head is so dependent (tau above n / 20) that wandering looks like a change.
    """
    kept = list(values[:LONGEST])
    n = len(kept)
    if n < LEAST:
        return None
    scale = noise(kept)
    if scale <= 0 or scale < recorded_resolution(kept):
        return None
    longest = int(window * n)
    if not _may_begin_slow(kept, longest, excess):
        return SteadyStart(0, 0.0)
    cuts = change_points(kept, penalty)
    head = cuts[0] if cuts and cuts[0] <= longest else _first_values(kept, scale)
    rest = kept[head:]
    above = median(kept[:head]) / median(rest) - 1 if head else 0.0
    if above > excess and geyer_tau(rest, n / LONGEST_TAU) <= n / LONGEST_TAU:
        return SteadyStart(head, above)
    decayed = _decay(kept, cuts)
    if decayed:
        return SteadyStart(decayed, median(kept[:decayed]) / median(kept[decayed:]) - 1)
    return None if above > excess else SteadyStart(0, 0.0)


def _decay(values: Sequence[float], cuts: Sequence[int]) -> int:
    """Return the length of a head that decays to the level of the rest; 0 where the series does not begin so."""
    head = cuts[-1] if cuts else 0
    if head < 2 * SHORTEST_SEGMENT or len(values) - head < LEAST_REST:
        return 0
    levels = [median(values[low:high]) for low, high in pairwise([0, *cuts, len(values)])]
    middle = head // 2
    first, half = median(values[:SHORTEST_SEGMENT]), median(values[middle - 1 : middle + 2])
    last, rest = median(values[head - SHORTEST_SEGMENT : head]), values[head:]
    falls = all(later < earlier for earlier, later in pairwise(levels))
    steady = max(rest) - min(rest) < (first - levels[-1]) / 2
    return head if falls and steady and first > (1 + DECAY) * levels[-1] and first - half > half - last else 0


def _first_values(values: Sequence[float], scale: float) -> int:
    """Return whether the first two values, or the first alone, stand out above all later ones."""
    limit = median(values) + CLIP * scale
    return next((n for n in (2, 1) if min(values[:n]) > max(limit, max(values[n:]))), 0)


def _may_begin_slow(values: Sequence[float], longest: int, excess: float) -> bool:
    """Whether any head could be slow enough: what is left without it has at least the median computed here."""
    least = sorted(values)[max(0, (len(values) - longest - 1) // 2)]
    head: list[float] = []
    for index, value in enumerate(values[:longest], start=1):
        insort(head, value)
        if head[index // 2] > (1 + excess) * least:
            return True
    return False
