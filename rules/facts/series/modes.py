"""Whether times fall into several groups: Hartigan's dip test, ties spread over the resolution of the clock."""

from __future__ import annotations

from collections.abc import Sequence

from ...statistics.change_points import LONGEST
from ...statistics.dip import LEAST, dip, dip_p, spread_ties
from ..quantities.resolution import recorded_resolution, tied_share

ALPHA = 0.01
TIES = 0.2
"""Share of tied values above which a clock is too coarse to show modes."""
SHORTEST = 10
"""Values of a trial below which its mean does not tell its level."""


def modes_p(values: Sequence[float], ties: float = TIES) -> float | None:
    """Return the p of one mode, from the first 2,000 values; None below 50 of them or with too many ties."""
    head = values[:LONGEST]
    if len(head) < LEAST or tied_share(head) > ties:
        return None
    return dip_p(dip(spread_ties(head, recorded_resolution(head))), len(head))


def pooled_modes_p(trials: Sequence[Sequence[float]], ties: float = TIES) -> float | None:
    """Return the p of one mode of the values of several trials, each over the mean of its trial; None where few."""
    pooled: list[float] = []
    for values in trials:
        if len(values) < SHORTEST or tied_share(values) > ties:
            return None
        mean = sum(values) / len(values)
        pooled += [value / mean for value in spread_ties(values, recorded_resolution(values))]
    return dip_p(dip(sorted(pooled)), len(pooled)) if LEAST <= len(pooled) <= LONGEST else None
