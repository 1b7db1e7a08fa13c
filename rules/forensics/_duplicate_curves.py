"""Curves of evaluations that are, to the last digit, those of another run of the arm under another seed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from ..caching import fact
from ..case import Case, Side

LEAST = 6
"""Distinct values that a curve must hold: one that stands still agrees with any other that does."""
MOST_RUNS = 200
MOST_COMPARED = 20
RULE_OF_THREE = 3
Curve = tuple[tuple[float | None, float], ...]
"""Where (step, samples, epoch or seconds) and value."""
Name = tuple[str, str]
"""Split and metric."""


class SameCurve(Struct, frozen=True):
    """Two runs of one arm with one curve.

    Attributes:
        left: id of the first run.
        right: id of the other.
        metric: what was evaluated.
        length: number of evaluations that agree.
        chance: expected number of such pairs, were the runs trained apart.
    """

    left: str
    right: str
    metric: str
    length: int
    chance: float


@fact
def curves(case: Case, side: Side) -> Mapping[Name, Mapping[str, Curve]]:
    """Return the curves of the training runs of an arm: by split and metric, then by run.

    Only of runs that state their seed: one program under one seed may repeat itself to the last digit. Curves of fewer
    than `LEAST` different values, or with one that is not finite, are left out.
    """
    found: dict[Name, dict[str, Curve]] = {}
    trained = [(name, trial) for name, trial in side.arm.trials.items() if trial.kind == "convergence"]
    for name, trial in [item for item in trained if item[1].seed is not None][:MOST_RUNS]:
        points: dict[Name, list[tuple[float | None, float]]] = {}
        for item in trial.evaluations:
            where = next((at for at in (item.step, item.samples, item.epoch, item.time_s) if at is not None), None)
            for metric, value in item.metrics.items():
                points.setdefault((item.split, metric), []).append((where, math.nan if value is None else value))
        for key, curve in points.items():
            values = {value for _, value in curve}
            if len(values) >= LEAST and all(map(math.isfinite, values)):
                found.setdefault(key, {})[name] = tuple(curve)
    return found


@fact
def same_curves(case: Case, side: Side, error: float) -> tuple[SameCurve, ...]:
    """Return runs of an arm under different seeds that have one whole curve, where chance makes fewer than `error`.

    Seeds of one program come close to each other, so that the share of equal values is counted between the other runs
    at the same place: (ties + 3) / pairs, the 3 for a share that was never seen. Fewer than two different curves tell
    nothing, and two that agree only in part may share a beginning.
    """
    found: list[SameCurve] = []
    for (_, metric), by_run in curves(case, side).items():
        names: dict[Curve, list[str]] = {}
        for name, curve in by_run.items():
            names.setdefault(curve, []).append(name)
        p = _agreement(list(names))
        for curve, same in names.items():
            chance = 1.0 if p is None else math.comb(len(by_run), 2) * p ** len(curve)
            other = [name for name in same[1:] if side.arm.trials[name].seed != side.arm.trials[same[0]].seed]
            if other and chance < error:
                found += [SameCurve(same[0], name, metric, len(curve), chance) for name in other]
    return tuple(found)


def _agreement(distinct: Sequence[Curve]) -> float | None:
    """Return an upper bound of the probability that two runs agree at one place; None where no two curves tell."""
    ties = pairs = 0
    for left, right in combinations([dict(curve) for curve in distinct[:MOST_COMPARED]], 2):
        shared = left.keys() & right.keys()
        pairs += len(shared)
        ties += sum(left[where] == right[where] for where in shared)
    return min(1.0, (ties + RULE_OF_THREE) / pairs) if pairs else None
