"""How much the values of a series of times depend on those before them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from ...caching import fact
from ...case import Case, Side
from ...statistics.autocorrelation import autocorrelation, geyer_tau, ljung_box
from ...statistics.blocks import LEAST, LONGEST_TAU, independent_blocks
from ...statistics.change_points import LONGEST
from ...statistics.variation import coefficient_of_variation
from .kept_series import kept_series

ALPHA = 0.05
MOST_LAGS = 10


class Dependence(Struct, frozen=True):
    """The autocorrelation of a series.

    Attributes:
        n: values that were read.
        first: autocorrelation of neighbours.
        p: p of Ljung and Box's test of independence.
        tau: integrated autocorrelation time, at most a little above n / 20.
        scatter: standard deviation over the mean.
        blocks: medians of blocks that are nearly independent; None where the series is too short for its tau.
    """

    n: int
    first: float
    p: float
    tau: float
    scatter: float
    blocks: tuple[float, ...] | None

    @property
    def shown(self) -> bool:
        """Whether the values are not independent."""
        return self.first > 2 / math.sqrt(self.n) or self.p < ALPHA


@fact
def dependences(case: Case, side: Side, column: str) -> tuple[Dependence | None, ...]:
    """Return the dependence of every kept series of an arm, in their order; None where a series cannot tell."""
    return tuple(dependence(item.values) for item in kept_series(case, side, column))


def dependence(values: Sequence[float]) -> Dependence | None:
    """Return the dependence of a series, from its first 2,000 values; None below 30 values or where all are equal."""
    head = list(values[:LONGEST])
    n = len(head)
    if n < LEAST or min(head) == max(head):
        return None
    tau = geyer_tau(head, n / LONGEST_TAU)
    _, p = ljung_box(head, min(MOST_LAGS, n // 5))
    return Dependence(n, autocorrelation(head), p, tau, coefficient_of_variation(head), independent_blocks(head, tau))
