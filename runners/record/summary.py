"""From the trials of an arm to its numbers: a rate with its interval, and when the target was reached.

The unit of replication is the trial. A trial that never met its target counts as infinite, and so does one that failed:
leaving them out would make the slow ones disappear.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec

from ...rules.statistics.crossing import Direction, first_crossing
from ...rules.statistics.intervals import Interval, median, rounded
from ...schemas.spec import Convergence
from ..trial.events import Crossing
from .events import Events
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


def column_median(column: Sequence[float | None]) -> float | None:
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


def crossing(check: Convergence, events: Events) -> Crossing:
    """Return the first evaluation of a trial that met the target of its check."""
    target = check.target
    direction: Direction = "higher" if target.direction == "higher" else "lower"
    values = [_finite(evaluation.metrics.get(target.metric)) for evaluation in events.evaluations]
    samples = [evaluation.samples for evaluation in events.evaluations]
    found = first_crossing(samples, values, float(target.value), direction)
    if found is None:
        return Crossing(reached=False)
    at = events.evaluations[found.index]
    span = until(events, at.step)
    return Crossing(
        reached=True,
        samples=at.samples,
        step=at.step,
        time_s=rounded(at.time_s),
        wall_time_s=rounded(span[1] - span[0] + at.evaluation_s) if span is not None else None,
    )


def until(events: Events, step: int) -> tuple[float, float] | None:
    """Return when the first step began and when the last one before `step` ended; None where a trial does not tell."""
    spans = [span for span in events.spans if span.first < step]
    if not spans or spans[0].began_s is None or spans[-1].ended_s is None:
        return None
    return spans[0].began_s, spans[-1].ended_s


def over_runs(values: Sequence[float], planned: int) -> tuple[float, Interval | None]:
    """Return the median over planned runs, of which those without a value count as infinite, and its interval.

    The interval is the exact one of the median; below six runs t on logarithms, None where one of them did not get
    there.

    Args:
        values: of the runs that got there.
        planned: number of planned runs, at least that many.
    """
    every = [*values, *[math.inf] * (planned - len(values))]
    finite = len(values) == planned and min(every, default=0) > 0
    return median(every), of_median(every) or (over_logs(every) if finite else None)


def printed(value: float) -> str:
    """Return a recomputed number with its 6 significant digits, as documents hold a claimed number."""
    return f"{value:#.6g}".rstrip(".")


def interval_record(interval: Interval, method: str, varies: str = "trials") -> dict[str, Any]:
    """Return an interval as the manifest holds it.

    Args:
        interval: the interval.
        method: how it was computed.
        varies: over what the values behind it differ.
    """
    return {
        "low": printed(interval.lower),
        "high": printed(interval.upper),
        "level": interval.confidence,
        "method": method,
        "varies": varies,
    }


def present(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record without what is unknown or empty."""
    return {key: value for key, value in record.items() if value is not None and value != {}}


def over_trials(quantity: str, unit: str, values: Sequence[float], planned: int) -> dict[str, Any]:
    """Return a metric whose value is the median over trials, with its interval.

    Args:
        quantity: what it measures.
        unit: its unit.
        values: one a trial.
        planned: how many trials there were to be.
    """
    done = len(values)
    value: dict[str, Any] = {
        "quantity": quantity,
        "value": printed(median(list(values))),
        "unit": unit,
        "statistic": "median",
        "n": {"unit": "trial", "planned": planned, "completed": done, "failed": planned - done, "excluded": 0},
        "trials": done,
    }
    interval = over_logs(values)
    if interval is not None:
        value["interval"] = interval_record(interval, "t on logs of the trials' values")
    return value


def _finite(value: float | None) -> float:
    return math.nan if value is None else value
