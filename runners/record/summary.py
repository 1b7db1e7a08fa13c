"""From the trials of an arm to its numbers: a rate with its interval, and when the target was reached.

The unit of replication is the trial. A trial that never met its target counts as infinite, and so does one that failed:
leaving them out would make the slow ones disappear.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from ...rules.statistics.crossing import Direction, first_crossing
from ...rules.statistics.intervals import Interval, median, rounded
from ..trial.events import Crossing
from .events import Column, Events
from .intervals import of_median, over_logs


class Rate(msgspec.Struct, frozen=True, kw_only=True):
    """The throughput of an arm."""

    value: float
    """Median over the trials of work / median step time, in work per second."""
    interval: Interval | None
    """t interval on the logarithms of the trials' rates; None below three trials."""
    trials: int
    iterations: int
    """Timed iterations of all these trials."""


class ToTarget(msgspec.Struct, frozen=True, kw_only=True):
    """What it takes an arm to reach its target, over all planned trials."""

    time_s: float
    """Median training time; `inf` where half of the trials or more did not get there."""
    samples: float
    """Median of training samples; `inf` likewise."""
    time_interval: Interval | None
    """Exact interval of the median time; below six trials t on logarithms, None where one of them did not get there."""
    reached: int
    planned: int


def column_median(column: Column) -> float | None:
    """Return the median of a column, or None where it is empty or not finite throughout."""
    values = [value for value in column if value is not None and math.isfinite(value)]
    return median(values) if values and len(values) == len(column) else None


def rate(trials: Sequence[Events]) -> Rate | None:
    """Return the throughput over completed trials, or None where there is none."""
    rates = []
    for events in trials:
        step = column_median(events.columns.get("step_time_s", []))
        if step is not None and step > 0 and events.options is not None and events.options.work_per_iteration > 0:
            first = (
                trials[0].options if "work" in events.columns else None
            )  # where it varies, that of one trial for all
            rates.append((first or events.options).work_per_iteration / step)
    if not rates:
        return None
    return Rate(
        value=median(rates),
        interval=over_logs(rates),
        trials=len(rates),
        iterations=sum(events.iterations for events in trials),
    )


def crossing(events: Events, metric: str, target: float, direction: Direction) -> Crossing:
    """Return the first evaluation of a trial that met the target."""
    values = [_finite(evaluation.metrics.get(metric)) for evaluation in events.evaluations]
    found = first_crossing([evaluation.samples for evaluation in events.evaluations], values, target, direction)
    if found is None:
        return Crossing(reached=False)
    at = events.evaluations[found.index]
    return Crossing(reached=True, samples=at.samples, step=at.step, time_s=rounded(at.time_s))


def to_target(crossings: Sequence[Crossing], planned: int) -> ToTarget:
    """Return what it takes to reach the target; planned trials without a crossing count as infinite.

    Args:
        crossings: of the trials that have a result.
        planned: number of planned trials, at least that many.
    """
    reached = [crossing for crossing in crossings if crossing.reached]
    missing = [math.inf] * (planned - len(reached))
    times = [float(crossing.time_s or 0.0) for crossing in reached] + missing
    samples = [float(crossing.samples or 0) for crossing in reached] + missing
    return ToTarget(
        time_s=median(times),
        samples=median(samples),
        time_interval=of_median(times) or (over_logs(times) if not missing and min(times, default=0) > 0 else None),
        reached=len(reached),
        planned=planned,
    )


def printed(value: float) -> str:
    """Return a recomputed number with its 6 significant digits, as documents hold a claimed number."""
    return f"{value:#.6g}".rstrip(".")


def _finite(value: float | None) -> float:
    return math.nan if value is None else value
