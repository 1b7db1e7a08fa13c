"""Runs whose evaluations move together far more closely than those of any other two runs of their result."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from statistics import median

from msgspec import Struct

from ..facts.runs.evaluation_events import results
from ..trace import Logged

LEAST_STEPS = 8
LEAST_RUNS = 4
MOST_RUNS = 60
MOST_USUAL = 3.0
FEWEST_DIGITS = 20
"""How many units of the last printed digit two runs usually lie apart at least, where a step counts."""

Step = tuple[str, float, float]
"""Unit of the counter, and the counters between which the evaluation changed."""


class Near(Struct, frozen=True):
    """Two runs whose evaluations change alike.

    Attributes:
        left, right: the runs.
        steps: changes from one evaluation to the next that both runs hold.
        share: how far apart their changes lie, per what is usual between two runs.
    """

    left: Logged
    right: Logged
    steps: int
    share: float


def near_copies(runs: Sequence[Logged], most: float) -> tuple[Near, ...]:
    """Return the pairs of runs whose evaluations change alike.

    A run that trained by itself changes by itself from each evaluation to the next, though its whole curve may lie
    above another one: of two honest runs the changes lie apart by about as much as those of any other two.

    Args:
        runs: the runs of one result, at least 4.
        most: largest share of the median distance at which two runs count as near.
    """
    changes = [_changes(run) for run in runs[:MOST_RUNS]]
    apart: dict[tuple[int, int], dict[Step, float]] = {}
    for (left, ours), (right, theirs) in combinations(enumerate(changes), 2):
        both = ours.keys() & theirs.keys()
        if len(both) >= LEAST_STEPS:
            apart[left, right] = {step: abs(ours[step] - theirs[step]) for step in both}
    if len(apart) < LEAST_RUNS * (LEAST_RUNS - 1) // 2:
        return ()
    # each step counts alike, as the first ones of a training often differ most; where runs differ by few of the
    # digits that are printed, equal changes are chance
    coarsest = FEWEST_DIGITS * 10.0 ** -max(map(_decimals, runs))
    usual = {step: distance for step, distance in _usual(apart.values()).items() if distance >= coarsest}
    distances = {pair: found for pair, steps in apart.items() if (found := _distance(steps, usual)) is not None}
    middle = median(distance for distance, _ in distances.values()) if distances else 0.0
    return tuple(
        Near(runs[left], runs[right], steps, distance / middle)
        for (left, right), (distance, steps) in distances.items()
        if distance < most * middle
    )


def _usual(apart: Iterable[Mapping[Step, float]]) -> dict[Step, float]:
    """Return, by step, how far apart two runs usually are."""
    found: dict[Step, list[float]] = {}
    for steps in apart:
        for step, distance in steps.items():
            found.setdefault(step, []).append(distance)
    return {step: median(distances) for step, distances in found.items()}


def _distance(steps: Mapping[Step, float], usual: Mapping[Step, float]) -> tuple[float, int] | None:
    """Return the root mean square of distances per usual distance, and over how many steps; None of too few.

    A step at which one run leaps, or at which most runs stand still, would outweigh all others: none counts for more
    than a few usual distances.
    """
    squares = [min(distance / usual[step], MOST_USUAL) ** 2 for step, distance in steps.items() if step in usual]
    return (math.sqrt(math.fsum(squares) / len(squares)), len(squares)) if len(squares) >= LEAST_STEPS else None


def _decimals(run: Logged) -> int:
    """Return to how many decimals a run's evaluations are printed."""
    printed = (repr(event.number) for event in results(run))
    return max((len(text.partition(".")[2]) for text in printed if "e" not in text), default=0)


def _changes(run: Logged) -> dict[Step, float]:
    """Return how the evaluations of a run under its most frequent key change, by the counters between which they do."""
    by_key: dict[str, dict[tuple[str, float], float]] = {}
    for event in results(run):
        if event.counter is not None and event.number is not None and math.isfinite(event.number):
            by_key.setdefault(event.key, {}).setdefault(event.counter, event.number)
    longest = max(by_key.values(), key=len, default={})
    return {
        (before[0], before[1], after[1]): value - earlier
        for (before, earlier), (after, value) in pairwise(sorted(longest.items()))
        if before[0] == after[0]
    }
