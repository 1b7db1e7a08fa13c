"""What it takes to get to the target: time, training samples, energy and money."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...rules.statistics.intervals import Interval
from ...schemas.conditions import Price
from ..telemetry import progress
from ..telemetry.energy import Energy, of_trial
from ..telemetry.readings import Window
from ..trial.events import Crossing
from . import summary
from .consumption import Timed
from .summary import interval_record, over_trials, printed

HOUR_S = 3600.0
Trained = Sequence[tuple[Timed, Crossing]]


def performance(runs: Trained, planned: int, price: Price | None) -> dict[str, Any]:
    """Return what an arm needs to its target, by metric.

    Args:
        runs: training runs with a result, each with its crossing.
        planned: how many were planned; one without a result never got there.
        price: of the machine, an hour.
    """
    found = summary.to_target([crossing for _, crossing in runs], planned)
    reached = {
        "unit": "training_run",
        "planned": planned,
        "completed": found.reached,
        "failed": planned - found.reached,
    }
    shared = {
        "statistic": "median",
        "scope": "training_run",
        "n": {**reached, "excluded": 0},
        "trials": len(runs),
    }
    time: dict[str, Any] = {"quantity": "time", "unit": "s", **shared}
    work: dict[str, Any] = {"quantity": "count", "unit": "samples", **shared}
    if found.time_s < float("inf"):
        time["value"], work["value"] = printed(found.time_s), f"{found.samples:.17g}"
    if found.time_interval is not None and found.time_interval.upper < float("inf"):
        time["interval"] = _of_runs(found.time_interval)
    return {
        "time_to_target": time,
        "samples_to_target": work,
        **_cost(time, price),
        **_energy(runs, planned),
    }


def _of_runs(interval: Interval) -> dict[str, Any]:
    exact = interval.method == "order-statistic"
    method = "exact order statistics of the median" if exact else "t on logs of the runs' times"
    return interval_record(interval, method, "training runs")


def _cost(time: dict[str, Any], price: Price | None) -> dict[str, Any]:
    """Return what the machine costs until the target; empty without a price, or where the median run missed it."""
    if price is None or "value" not in time:
        return {}
    factor = price.amount / HOUR_S
    value = {**time, "quantity": "cost", "unit": price.currency, "value": printed(float(time["value"]) * factor)}
    if "interval" in time:
        low, high = (printed(float(time["interval"][end]) * factor) for end in ("low", "high"))
        value["interval"] = {**time["interval"], "low": low, "high": high}
    return {"cost_to_target": value}


def _energy(runs: Trained, planned: int) -> dict[str, Any]:
    """Return the energy until the target, evaluations and communication included; empty where a run has none.

    What a run took that missed the target is not known, and the arm then has no such energy.
    """
    if len(runs) < planned or not all(crossing.reached for _, crossing in runs):
        return {}
    found = [_until(timed, crossing) for timed, crossing in runs]
    known = [one for one in found if one is not None and one.energy_j > 0]
    if len(known) < len(found) or len({one.method for one in known}) != 1:
        return {}
    return {"energy_to_target": over_trials("energy", "J", [one.energy_j for one in known], planned)}


def _until(timed: Timed, crossing: Crossing) -> Energy | None:
    """Return the energy from the first step to the end of the one that met the target, what lies between included."""
    spans = [span for span in timed.events.spans if span.first < (crossing.step or 0)]
    if timed.readings is None or not spans or spans[0].began_s is None or spans[-1].ended_s is None:
        return None
    window = Window(began_s=spans[0].began_s, ended_s=spans[-1].ended_s)
    found = of_trial(timed.readings, window, progress.position(timed.events))
    return found if isinstance(found, Energy) else None
