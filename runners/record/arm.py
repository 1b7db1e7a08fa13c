"""What the manifest says of one arm, from its trials' events and records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from ...rules.statistics.intervals import Interval, median, rounded
from ...schemas.spec import Convergence, Spec
from ..study import program
from ..study.plan import Plan, PlannedTrial
from ..telemetry import progress, readings
from ..telemetry.readings import Readings
from ..trial.events import ControlRecord, Crossing
from . import consumption, felt, summary
from .events import Events
from .exclusions import exclusions
from .outcomes import Record
from .splice import splice
from .summary import printed

COSMETIC = ("seed", "logging", "name")
"""Option keys that differ from trial to trial and change neither speed nor quality."""
WORST_FIRST = ("contradicted", "not_permitted", "unverifiable", "verified", "not_requested")


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One planned trial with what became of it."""

    planned: PlannedTrial
    order: int
    attempts: tuple[Record, ...]
    events: Events
    """What the events of its last attempt say; empty without a result."""
    machine: tuple[ControlRecord, ...] = ()
    """What became of the knobs of the machine in its last attempt."""
    readings: Readings | None = None
    """What the sensors told during its last attempt."""
    why_not: str
    """Why it has no attempt, where it has none."""

    @property
    def outcome(self) -> str:
        """Return completed, diverged, failed, lost or not_run."""
        return self.attempts[-1].outcome if self.attempts else "not_run"

    @property
    def has_result(self) -> bool:
        """Whether it has a sample file."""
        return self.outcome in ("completed", "diverged", "failed")


def options(plan: Plan, name: str, runs: Sequence[Run]) -> dict[str, Any]:
    """Return the effective options of the first trial that told them, else the requested ones."""
    for run in runs:
        if run.events.options is not None:
            return _without_cosmetic(run.events.options.effective)
    return _without_cosmetic(plan.arms[name].options)


def with_program(options: dict[str, Any], ran: program.Program) -> dict[str, Any]:
    """Return an option set with the values that a program of the user's own was given: part of what it is."""
    given = program.options(ran)
    return {**options, "extra": {**given, **options.get("extra", {})}} if given else options


def told_once(runs: Sequence[Run]) -> dict[str, Any]:
    """Return what the first trial that told its options also told: observed options, splits, operation counts."""
    for run in runs:
        if run.events.options is not None:
            options = run.events.options
            return {
                "observed": _without_cosmetic(options.observed),
                "splits": options.splits,
                "operations": {**options.operations, **_counted(runs)},
            }
    return {}


def _counted(runs: Sequence[Run]) -> dict[str, Any]:
    """Return what the accounting trial counted; a count by formula that the workload states itself goes before it."""
    for run in runs:
        if run.events.accounted is not None:
            counted = run.events.accounted.operations
            stated = run.events.options.operations if run.events.options is not None else {}
            return {key: value for key, value in counted.items() if key not in stated}
    return {}


def spliced(runs: Sequence[Run]) -> dict[str, Any] | None:
    """Return whether the timed trials are the head of the training runs, or None where nothing tells."""
    kinds: dict[str, dict[int, Events]] = {"throughput": {}, "convergence": {}}
    for run in runs:
        if run.outcome == "completed" and run.planned.kind in kinds:
            kinds[run.planned.kind][run.planned.seed] = run.events
    found = splice(kinds["throughput"], kinds["convergence"])
    return msgspec.to_builtins(found) if found is not None else None


def accounting(runs: Sequence[Run]) -> dict[str, Any] | None:
    """Return the whole record of the accounting trial, or None where there was none."""
    return next((run.events.accounted.accounting for run in runs if run.events.accounted is not None), None)


def planned(runs: Sequence[Run]) -> dict[str, Any]:
    """Return what was planned before the first trial."""
    return {
        "trials": len(runs),
        "started": sum(bool(run.attempts) for run in runs),
        "seeds": [run.planned.seed for run in runs if run.planned.kind == "convergence"]
        or [run.planned.seed for run in runs],
    }


def target(check: Convergence) -> dict[str, Any]:
    """Return the target of the convergence check; it stands in the spec, so it was declared before."""
    return {
        "metric": check.target.metric,
        "value": check.target.value,
        "direction": check.target.direction,
        "criterion": check.target.criterion or "each_run",
        "declared_before": True,
    }


def controls(runs: Sequence[Run]) -> dict[str, Any]:
    """Return what became of each knob, the machine's and the process's: over the trials, the worst."""
    found: dict[str, Any] = {}
    for run in runs:
        own = run.events.controls.records if run.events.controls is not None else ()
        for record in (*run.machine, *own, *_sensed(run)):
            known = found.get(record.knob)
            if known is None or WORST_FIRST.index(record.verified) < WORST_FIRST.index(known["verified"]):
                value = msgspec.to_builtins(record)
                found[record.knob] = {key: item for key, item in value.items() if key != "knob" and item is not None}
    return found


def _sensed(run: Run) -> tuple[ControlRecord, ...]:
    """Return what the telemetry of a trial did, and its energy where its iterations were timed."""
    if not run.has_result or run.planned.kind not in ("throughput", "convergence"):
        return ()
    if run.readings is None:
        return ()
    records = [readings.record(run.readings)]
    if run.planned.kind == "throughput":
        records.append(consumption.record(_timed(run)))
    return tuple(records)


def _timed(run: Run) -> consumption.Timed:
    return consumption.Timed(events=run.events, readings=run.readings)


def energy(runs: Sequence[Run]) -> dict[str, Any] | None:
    """Return the energy of the arm over its throughput trials; None where the sensors tell none."""
    return consumption.energy(_completed(runs))


def _completed(runs: Sequence[Run]) -> list[consumption.Timed]:
    return [_timed(run) for run in runs if run.planned.kind == "throughput" and run.outcome == "completed"]


def telemetry(run: Run, file: dict[str, Any]) -> dict[str, Any] | None:
    """Return the telemetry of a trial.

    Args:
        run: the trial.
        file: its sample file, which holds the columns.
    """
    if run.readings is None:
        return None
    window = progress.window(run.events)
    found = readings.summary(run.readings, window)
    if readings.columns(run.readings, window):
        found["file"] = file
    return found or None


def measurement(spec: Spec, plan: Plan, runs: Sequence[Run]) -> dict[str, Any]:
    """Return how the throughput of the arm was taken."""
    timed = [run for run in runs if run.planned.kind == "throughput"]
    events = next((run.events for run in runs if run.events.options is not None), Events())
    value: dict[str, Any] = {
        "scope": scope(spec, events),
        "synchronisation": "not_needed" if spec.device == "cpu" else "event_timers",
        "order": plan.order,
    }
    if events.ended is not None and events.ended.timer is not None:
        value["timer"] = _present(msgspec.to_builtins(events.ended.timer))
    if events.options is not None and events.options.pipeline:
        value["pipeline"] = {**events.options.pipeline, **_data_wait([run.events for run in timed])}
    if events.options is not None and _several_ranks(events.options.effective.get("extra")):
        value["rank_aggregation"] = "rank 0, which meets all others in every step"
    if spec.throughput is not None:
        used = sum(run.events.iterations for run in timed)
        discarded = sum(len(run.events.warmup.get("step_time_s", ())) for run in timed)
        value["warmup"] = {
            "discarded": spec.throughput.warmup,
            "unit": "iteration",
            "policy": "fixed in the spec; kept apart in the sample files",
        }
        value["stop_rule"] = f"{spec.throughput.iterations} iterations a trial, fixed in the spec"
        value |= {"raw_count": used + discarded, "used_count": used}
        stalled = felt.stall_share([one.events for one in _completed(runs)])
        value |= {"stall_share": stalled} if stalled is not None else {}
    phased = next((run.events.phased for run in runs if run.events.phased is not None), None)
    if phased is not None:
        value["phases_s"] = phased.seconds
        if phased.saved is not None:
            value["checkpoints"] = msgspec.to_builtins(phased.saved) | {"iterations": phased.iterations}
    return value | exclusions([run.events for run in runs if run.planned.kind == "convergence"])


def scope(spec: Spec, events: Events) -> str:
    """Return what one iteration covers: what the spec says, except that a kernel or a collective is itself."""
    if events.options is None or events.options.work_unit not in ("operations", "bytes"):
        return spec.claims.scope
    return "collective" if "collective" in events.options.operations else "kernel"


def performance(spec: Spec, runs: Sequence[Run]) -> dict[str, Any]:
    """Return the arm's rate, with a convergence check the time and the work to the target, and work per joule."""
    timed = sum(run.planned.kind == "throughput" for run in runs)
    found = _rate(spec, runs)
    completed = [one.events for one in _completed(runs)]
    if "rate" in found:
        found |= felt.sustained(completed, found["rate"]) | felt.step_time(completed, found["rate"])
        found |= felt.peak_memory(completed)
        found |= felt.use_of_device(found["rate"], told_once(runs).get("operations", {}), accounting(runs))
    return {**found, **_to_target(spec, runs), **consumption.performance(_completed(runs), timed)}


def quality(spec: Spec, runs: Sequence[Run]) -> dict[str, Any]:
    """Return the quality at the end of the convergence trials: the median over those that evaluated."""
    check = spec.convergence
    runs = [run for run in runs if run.planned.kind == "convergence"]
    if check is None or not runs:
        return {}
    metric = check.target.metric
    final = {
        run.planned.seed: (run.events.evaluations[-1], value)
        for run in runs
        if run.events.evaluations and (value := run.events.evaluations[-1].metrics.get(metric)) is not None
    }
    if not final:
        return {}
    last = next(iter(final.values()))[0]
    result: dict[str, Any] = {
        "metric": metric,
        "value": printed(median([value for _, value in final.values()])),
        "direction": check.target.direction,
        "split": last.split,
        "examples": last.examples,
        "counted": last.correct is not None,
        "averaging": "median over seeds",
        "checkpoint": "last",
        "selection": {
            "policy": "first_crossing" if check.stop_at_target else "final",
            "evaluations": max(len(run.events.evaluations) for run in runs),
            "split_used_for": ["early_stop" if check.stop_at_target else "nothing"],
        },
        "n": _repetitions("training_run", runs, len(final)),
        "seeds": {str(seed): printed(value) for seed, (_, value) in final.items()},
    }
    return {_identifier(metric): result}


def trial(spec: Spec, run: Run, arm_options: dict[str, Any]) -> dict[str, Any]:
    """Return one trial; its options are told where they differ from the arm's."""
    events, last = run.events, run.attempts[-1] if run.attempts else None
    value: dict[str, Any] = {
        "kind": run.planned.kind,
        "seed": run.planned.seed,
        "order": run.order,
        "attempts": len(run.attempts),
        "outcome": run.outcome,
        "reason": last.reason if last is not None else run.why_not,
        "iterations_planned": run.planned.iterations,
        "warmup": run.planned.warmup,
        "planned_samples": run.planned.max_samples,
    }
    if last is not None:
        value |= {"started": last.started, "ended": last.ended}
    if events.started is not None:
        value["boot_id"] = events.started.boot_id
    if events.ended is not None:
        value["wall_s"] = events.ended.wall_s
        value["timer"] = _present(msgspec.to_builtins(events.ended.timer)) if events.ended.timer is not None else None
    value["medians"] = {
        name: printed(found)
        for name, column in events.columns.items()
        if (found := summary.column_median(column)) is not None
    }
    value["controls"] = controls([run])
    if events.options is not None:
        same = _without_cosmetic(events.options.effective) == arm_options
        value["observed"] = events.options.observed if same else events.options.effective
    if run.planned.kind == "convergence" and spec.convergence is not None:
        value |= _convergence(spec.convergence, events)
    return _present(value)


def _convergence(check: Convergence, events: Events) -> dict[str, Any]:
    evaluations = [msgspec.to_builtins(evaluation) for evaluation in events.evaluations]
    value: dict[str, Any] = {
        "evaluations": [
            {key: item for key, item in one.items() if key not in ("event", "evaluation_s") and item is not None}
            for one in evaluations
        ]
    }
    value["crossing"] = msgspec.to_builtins(_crossing(check, events))
    if events.evaluations:
        metrics = events.evaluations[-1].metrics
        value["final"] = {name: printed(number) for name, number in metrics.items() if number is not None}
    return value


def _crossing(check: Convergence, events: Events) -> Crossing:
    direction: Literal["higher", "lower"] = "higher" if check.target.direction == "higher" else "lower"
    return summary.crossing(events, check.target.metric, float(check.target.value), direction)


def _rate(spec: Spec, runs: Sequence[Run]) -> dict[str, Any]:
    timed = [run for run in runs if run.planned.kind == "throughput"]
    completed = [run.events for run in timed if run.outcome == "completed"]
    found = summary.rate(completed)
    if spec.throughput is None or found is None:
        return {}
    work = completed[0].options
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
        value["interval"] = _interval(found.interval, "t on logs of trial medians", "trials")
    return {"rate": value}


def _to_target(spec: Spec, runs: Sequence[Run]) -> dict[str, Any]:
    check = spec.convergence
    runs = [run for run in runs if run.planned.kind == "convergence"]
    if check is None or not runs:
        return {}
    found = summary.to_target([_crossing(check, run.events) for run in runs if run.has_result], len(runs))
    shared: dict[str, Any] = {
        "statistic": "median",
        "scope": "training_run",
        "n": _repetitions("training_run", runs, found.reached),
        "trials": sum(run.has_result for run in runs),
    }
    time: dict[str, Any] = {"quantity": "time", "unit": "s", **shared}
    work: dict[str, Any] = {"quantity": "count", "unit": "samples", **shared}
    if found.time_s < float("inf"):
        time["value"], work["value"] = printed(found.time_s), f"{found.samples:.17g}"
    if found.time_interval is not None and found.time_interval.upper < float("inf"):
        exact = found.time_interval.method == "order-statistic"
        how = "exact order statistics of the median" if exact else "t on logs of the runs' times"
        time["interval"] = _interval(found.time_interval, how, "training runs")
    return {"time_to_target": time, "samples_to_target": work}


def _repetitions(unit: str, runs: Sequence[Run], completed: int) -> dict[str, Any]:
    return {
        "unit": unit,
        "planned": len(runs),
        "completed": completed,
        "failed": len(runs) - completed,
        "excluded": 0,
    }


def _interval(interval: Interval, method: str, varies: str) -> dict[str, Any]:
    return {
        "low": printed(interval.lower),
        "high": printed(interval.upper),
        "level": interval.confidence,
        "method": method,
        "varies": varies,
    }


def _data_wait(trials: Sequence[Events]) -> dict[str, float]:
    steps = sum(value for events in trials for value in events.columns.get("step_time_s", ()) if value is not None)
    waits = sum(value for events in trials for value in events.columns.get("data_wait_s", ()) if value is not None)
    return {"data_wait_share": rounded(waits / steps)} if steps > 0 else {}


def _several_ranks(extra: object) -> bool:
    ranks = extra.get("ranks") if isinstance(extra, dict) else None
    return isinstance(ranks, int) and ranks > 1


def _identifier(text: str) -> str:
    """Return a metric's name as an id."""
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in text)[:60]
    return kept if kept[:1].isalnum() else f"metric{kept}"


def _without_cosmetic(options: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key not in COSMETIC}


def _present(value: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if item is not None and item != {}}
