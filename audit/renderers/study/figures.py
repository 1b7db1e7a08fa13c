"""The arms of a study with their numbers, in the order in which they are shown: the baseline first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ....rules.case import Case, Side
from ....rules.facts.comparison.arms import trial_values
from ....rules.facts.comparison.disturbance import lost
from ....rules.statistics.intervals import Interval, log_welch_ratio, median
from ....schemas.evidence import Metric
from ...compare.service import load_of, served_values

MOST_ARMS = 40
NAMED = ("rate", "flops")
"""What an arm's speed is called, first come first."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One arm as it is drawn.

    Attributes:
        name: its id in the study.
        side: the arm with its study.
        speed: its rate; None where no trial gave one.
        values: the rate of each trial.
        ratio: (new over baseline, its interval); None for the baseline, for another load, and for few trials.
        disturbed: (trials that lost more than a twentieth of their time to others, trials that tell).
    """

    name: str
    side: Side
    speed: Metric | None
    values: tuple[float, ...]
    ratio: tuple[float, Interval | None] | None
    disturbed: tuple[int, int]


def shown(case: Case) -> tuple[tuple[Shown, ...], int]:
    """Return the arms of the cited studies, the baseline first, and how many are left out."""
    sides = [side for side in case.sides() if side.study is not None]
    base = next((side for claim in case.submission.claims.values() if (side := case.base(claim)) is not None), None)
    ordered = sorted(sides, key=lambda side: (base is None or side.id != base.id, _natural(side.id)))
    kept = ordered[:MOST_ARMS]
    found = [_plain(case, side) for side in kept]
    if not found:
        return (), 0
    return (found[0], *(_against(found[0], one) for one in found[1:])), len(ordered) - len(kept)


def has_baseline(case: Case) -> bool:
    """Whether a claim names what the others are compared with."""
    return any(case.base(claim) is not None for claim in case.submission.claims.values())


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """Return a key that sorts 8 before 16."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d{1,18})", name)]


def _plain(case: Case, side: Side) -> Shown:
    speed = next((metric for name in NAMED if (metric := side.arm.performance.get(name)) is not None), None)
    of_trials = trial_values if speed is not None and speed.column is not None else served_values
    found = of_trials(case, side, speed, False) if speed is not None else None
    timed = [one for one in side.arm.trials.values() if one.kind in ("throughput", "convergence")]
    shares = [share.share for one in timed if one.outcome == "completed" and (share := lost(one)) is not None]
    disturbed = sum(share > 0.05 for share in shares), len(shares)
    values = found.values if found is not None else ()
    return Shown(side.id.rpartition(":")[2], side, speed, values, None, disturbed)


def _against(base: Shown, one: Shown) -> Shown:
    same = base.speed is not None and one.speed is not None and base.speed.unit == one.speed.unit
    if not same or not base.values or not one.values or load_of(base.side, one.side):
        return one
    ratio = median(one.values) / median(base.values), log_welch_ratio(one.values, base.values)
    return Shown(one.name, one.side, one.speed, one.values, ratio, one.disturbed)


def number(value: float, digits: int = 4) -> str:
    """Return a number as a reader writes it: no more digits than matter, thousands set apart."""
    if value and (abs(value) >= 1e7 or abs(value) < 1e-4):
        return f"{value:.{digits - 1}e}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")
    whole = f"{value:.{digits}g}"
    return f"{float(whole):,.0f}" if abs(value) >= 10 ** (digits - 1) else whole


def seconds(value: float) -> str:
    """Return a duration in the unit that suits it."""
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= factor:
            return f"{number(value / factor, 3)} {unit}"
    return f"{number(value * 1e9, 3)} ns"


def quantity(value: float, unit: str) -> str:
    """Return a number with its unit; rates of operations and bytes with the prefix of their thousands."""
    if unit in ("FLOP/s", "bytes/s", "bytes"):
        for factor, prefix in ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
            if value >= factor:
                return f"{value / factor:.4g} {prefix}{unit.replace('bytes', 'B')}"
    return f"{number(value)} {unit}".rstrip()


def value_of(metric: Metric | None) -> float | None:
    """Return the value of a number that an arm states."""
    try:
        return float(metric.value) if metric is not None and metric.value is not None else None
    except ValueError:
        return None


def bounds_of(metric: Metric | None) -> tuple[float, float] | None:
    """Return the interval of a number that an arm states."""
    if metric is None or metric.interval is None:
        return None
    try:
        return float(metric.interval.low), float(metric.interval.high)
    except ValueError:
        return None


def names(arms: Sequence[Shown]) -> list[str]:
    """Return what arms are called in a plot."""
    return [arm.name for arm in arms]
