"""The performance of an arm: its rate, what it takes to get to the target, and work per joule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...schemas.spec import Spec
from . import consumption, epochs, felt, options, scaling, served, summary, to_target
from .arm import accounting
from .run import Run, completed
from .summary import interval_record, printed


def of_arm(spec: Spec, runs: Sequence[Run]) -> dict[str, Any]:
    """Return the arm's rate, with a convergence check the time and the work to the target, and work per joule."""
    timed = sum(run.planned.kind == "throughput" for run in runs)
    done = [one.events for one in completed(runs)]
    if spec.throughput is not None and served.answered(done):
        found = served.performance(done, spec.throughput.iterations * timed) | felt.peak_memory(done)
        of_requests = {key: found["rate"][key] for key in ("n", "load") if key in found["rate"]}
        energies = consumption.performance(completed(runs), timed)
        return found | {name: metric | of_requests for name, metric in energies.items()}
    found = _rate(spec, runs)
    if "rate" in found:
        found |= felt.sustained(done, found["rate"]) | felt.step_time(done, found["rate"])
        found |= felt.peak_memory(done)
        found |= felt.use_of_device(found["rate"], options.told_once(runs).get("operations", {}), accounting(runs))
    check, trained = spec.convergence, [run for run in runs if run.planned.kind == "convergence"]
    if check is not None and trained:
        known = [(run.timed, summary.crossing(check, run.events)) for run in trained if run.has_result]
        phased = next((run.events.phased for run in runs if run.events.phased is not None), None)
        communication = scaling.share_of_communication(phased.seconds) if phased is not None else None
        found |= to_target.performance(known, len(trained), spec.price, communication)
    long_enough = [run.events for run in trained if run.outcome == "completed"] or done
    found |= epochs.performance(long_enough)
    return {**found, **consumption.performance(completed(runs), timed)}


def _rate(spec: Spec, runs: Sequence[Run]) -> dict[str, Any]:
    timed = [run for run in runs if run.planned.kind == "throughput"]
    done = [one.events for one in completed(runs)]
    found = summary.rate(done)
    if spec.throughput is None or found is None:
        return {}
    work = done[0].options
    assert work is not None
    planned_n = spec.throughput.iterations * len(timed)
    value: dict[str, Any] = {
        "quantity": "flops" if work.work_unit == "operations" else "rate",
        "value": printed(found.value),
        "unit": "FLOP/s" if work.work_unit == "operations" else f"{work.work_unit}/s",
        "statistic": "median",
        "column": "step_time_s",
        "work_per_iteration": work.work_per_iteration,
        "n": {
            "unit": "iteration",
            "planned": planned_n,
            "completed": found.iterations,
            "failed": planned_n - found.iterations,
            "excluded": 0,
        },
        "trials": found.trials,
    }
    if found.interval is not None:
        value["interval"] = interval_record(found.interval, "t on logs of trial medians")
    return {"rate": value}
