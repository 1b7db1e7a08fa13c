"""What it takes to get to the target: samples, and time, energy and money with and without what is not training.

Three bases stand apart. Everything: from the first step to the end of the evaluation that met the target, with what
lies between. The steps: evaluations, checkpoints and pauses are left out. The steps without communication: what of a
step waits for other ranks is left out, too, as far as the pass over the phases measured it; sensors are too slow to
tell the energy of that part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...rules.statistics.intervals import Interval
from ...schemas.conditions import Price
from ..telemetry import progress
from ..telemetry.energy import Energy, of_trial, of_windows
from ..telemetry.readings import Window
from ..trial.events import Crossing
from . import summary
from .consumption import Timed
from .summary import interval_record, over_runs, over_trials, printed

HOUR_S = 3600.0
Metrics = dict[str, dict[str, Any]]
Trained = Sequence[tuple[Timed, Crossing]]


def performance(runs: Trained, planned: int, price: Price | None, communication: float | None) -> Metrics:
    """Return what an arm needs to its target, by metric.

    Args:
        runs: training runs with a result, each with its crossing.
        planned: how many were planned; one without a result never got there.
        price: of the machine, an hour.
        communication: the share of a step that waits for communication; None where no pass measured it.
    """
    reached = [crossing for _, crossing in runs if crossing.reached]
    steps_s = [float(crossing.time_s or 0.0) for crossing in reached]
    wall_s = [crossing.wall_time_s for crossing in reached if crossing.wall_time_s is not None]
    shared = _shared(len(reached), len(runs), planned)
    samples, _ = over_runs([float(crossing.samples or 0) for crossing in reached], planned)
    found = {"time_to_target": _time(steps_s, planned, shared)}
    found["samples_to_target"] = {"quantity": "count", "unit": "samples", **shared, **_value(samples, ".17g")}
    if communication is not None:
        found["compute_time_to_target"] = _time([(1 - communication) * time for time in steps_s], planned, shared)
    if reached and len(wall_s) == len(reached):
        found["wall_time_to_target"] = _time(wall_s, planned, shared)
    for time, cost in (("time_to_target", "cost_to_target"), ("wall_time_to_target", "wall_cost_to_target")):
        found |= _cost(cost, found.get(time), price)
    return found | _energy(runs, planned)


def _shared(reached: int, runs: int, planned: int) -> dict[str, Any]:
    n = {"unit": "training_run", "planned": planned, "completed": reached, "failed": planned - reached, "excluded": 0}
    return {"statistic": "median", "scope": "training_run", "n": n, "trials": runs}


def _value(value: float, form: str = "") -> dict[str, Any]:
    """Return a value as a metric holds it; nothing where the median run missed the target."""
    if value == float("inf"):
        return {}
    return {"value": f"{value:{form}}" if form else printed(value)}


def _time(times_s: Sequence[float], planned: int, shared: dict[str, Any]) -> dict[str, Any]:
    value, interval = over_runs(times_s, planned)
    found = {"quantity": "time", "unit": "s", **shared, **_value(value)}
    if interval is not None and interval.upper < float("inf"):
        found["interval"] = _of_runs(interval)
    return found


def _of_runs(interval: Interval) -> dict[str, Any]:
    exact = interval.method == "order-statistic"
    method = "exact order statistics of the median" if exact else "t on logs of the runs' times"
    return interval_record(interval, method, "training runs")


def _cost(name: str, time: dict[str, Any] | None, price: Price | None) -> Metrics:
    """Return what the machine costs in a time; empty without a price, or where the median run missed the target."""
    if price is None or time is None or "value" not in time:
        return {}
    factor = price.amount / HOUR_S
    value = {**time, "quantity": "cost", "unit": price.currency, "value": printed(float(time["value"]) * factor)}
    if "interval" in time:
        low, high = (printed(float(time["interval"][end]) * factor) for end in ("low", "high"))
        value["interval"] = {**time["interval"], "low": low, "high": high}
    return {name: value}


def _energy(runs: Trained, planned: int) -> Metrics:
    """Return the energy until the target, of everything and of the steps; empty where a run has none.

    What a run took that missed the target is not known, and the arm then has no such energy.
    """
    if len(runs) < planned or not all(crossing.reached for _, crossing in runs):
        return {}
    whole = _of_all([_until(*run) for run in runs], planned)
    steps = _of_all([_in_steps(*run) for run in runs], planned) if whole else None
    named = {"energy_to_target": whole, "training_energy_to_target": steps}
    return {name: value for name, value in named.items() if value is not None}


def _of_all(found: Sequence[Energy | None], planned: int) -> dict[str, Any] | None:
    known = [one for one in found if one is not None and one.energy_j > 0]
    if len(known) < len(found) or len({one.method for one in known}) != 1:
        return None
    return over_trials("energy", "J", [one.energy_j for one in known], planned)


def _until(timed: Timed, crossing: Crossing) -> Energy | None:
    """Return the energy from the first step to the end of the evaluation that met the target."""
    span = summary.until(timed.events, crossing.step or 0)
    if timed.readings is None or span is None:
        return None
    ended_s = span[0] + crossing.wall_time_s if crossing.wall_time_s is not None else span[1]
    window = Window(began_s=span[0], ended_s=ended_s)
    found = of_trial(timed.readings, window, progress.position(timed.events))
    return found if isinstance(found, Energy) else None


def _in_steps(timed: Timed, crossing: Crossing) -> Energy | None:
    """Return the energy of the steps until the target."""
    spans = [span for span in timed.events.spans if span.first < (crossing.step or 0)]
    known = [(span.began_s, span.ended_s) for span in spans if span.began_s is not None and span.ended_s is not None]
    if timed.readings is None or not known or len(known) < len(spans):
        return None
    found = of_windows(timed.readings, [Window(began_s=began, ended_s=ended) for began, ended in known])
    return found if isinstance(found, Energy) else None
