"""Whether the timed trials of an arm are the head of its training runs: the same losses, the same step times.

A throughput trial takes the seed of a convergence trial, so its losses have to equal the head of that run's. Where they
do not, or where a step of the training run takes another time, the rate belongs to another program than the accuracy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from ...rules.statistics.intervals import median, rounded
from .events import Column, Events

LOSS_TOLERANCE = 1e-3
"""Relative: what another order of sums changes in the first steps of a training run, in any format."""


class Splice(msgspec.Struct, frozen=True, kw_only=True):
    """Throughput and convergence trials of one seed side by side."""

    pairs: int
    """Pairs of trials with the same seed and losses on both sides."""
    steps: int
    """Steps compared, over all pairs."""
    losses_agree: bool
    """Whether every compared loss agrees within 0.1 %."""
    largest_loss_difference: float
    """Largest relative difference of two losses."""
    step_time_ratio: float
    """Median step time of the training runs over that of the timed trials, median over the pairs."""


def splice(timed: Mapping[int, Events], trained: Mapping[int, Events]) -> Splice | None:
    """Compare the trials of an arm by their seed; None where no pair has losses.

    Args:
        timed: completed throughput trials by seed.
        trained: convergence trials with a result, by seed.
    """
    differences: list[float] = []
    ratios, pairs = [], 0
    for seed in sorted(timed.keys() & trained.keys()):
        left, right = _losses(timed[seed]), _losses(trained[seed])
        found = [_difference(one, other) for one, other in zip(left, right, strict=False)]
        if not found:
            continue
        pairs += 1
        differences += found
        ratio = _ratio(timed[seed].columns["step_time_s"], trained[seed].columns["step_time_s"])
        ratios += [ratio] if ratio is not None else []
    if not pairs or not ratios:
        return None
    largest = max(differences)
    return Splice(
        pairs=pairs,
        steps=len(differences),
        losses_agree=largest <= LOSS_TOLERANCE,
        largest_loss_difference=rounded(largest) if math.isfinite(largest) else 1e300,
        step_time_ratio=rounded(median(ratios)),
    )


def _losses(events: Events) -> Sequence[float | None]:
    return [*events.warmup.get("loss", ()), *events.columns.get("loss", ())]


def _difference(one: float | None, other: float | None) -> float:
    if one is None or other is None:
        return 0.0 if one is other else math.inf
    scale = max(abs(one), abs(other))
    return abs(one - other) / scale if scale else 0.0


def _ratio(timed: Column, trained: Column) -> float | None:
    left = [value for value in timed if value is not None and value > 0]
    right = [value for value in trained if value is not None and value > 0]
    return median(right) / median(left) if left and right else None
