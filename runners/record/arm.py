"""What the manifest says of one arm: what was planned, and how it was measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ...rules.statistics.intervals import rounded
from ...schemas.spec import Convergence, Spec
from ..study.plan import Plan
from . import consumption, felt, ranks, served
from .events import Events
from .exclusions import exclusions
from .run import Run, completed
from .splice import splice
from .summary import present


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


def energy(runs: Sequence[Run]) -> dict[str, Any] | None:
    """Return the energy of the arm over its throughput trials; None where the sensors tell none."""
    return consumption.energy(completed(runs))


def measurement(spec: Spec, plan: Plan, runs: Sequence[Run]) -> dict[str, Any]:
    """Return how the throughput of the arm was taken."""
    timed = [run for run in runs if run.planned.kind == "throughput"]
    events = next((run.events for run in runs if run.events.options is not None), Events())
    value: dict[str, Any] = {
        "scope": scope(spec, events),
        "synchronisation": "not_needed" if spec.device == "cpu" else "event_timers",
        "order": "blocked" if any(plan.arms[run.planned.arm].instead_of for run in runs) else plan.order,
    }
    if events.ended is not None and events.ended.timer is not None:
        value["timer"] = present(msgspec.to_builtins(events.ended.timer))
    if events.overhead is not None:
        value["client"] = events.overhead.overhead
    if events.served_work is not None:
        value["served_work"] = events.served_work.work
    if events.options is not None and events.options.pipeline:
        value["pipeline"] = {**events.options.pipeline, **_data_wait([run.events for run in timed])}
    several = next((run.events for run in runs if run.events.ranks), None)
    if several is not None:
        value["rank_aggregation"] = ranks.AGGREGATION
        spread = ranks.spread([one.events for one in completed(runs)])
        value |= {"rank_spread": spread} if spread else {}
    elif events.options is not None and _several_ranks(events.options.effective.get("extra")):
        value["rank_aggregation"] = "rank 0, which meets all others in every step"
    if spec.throughput is not None:
        used = sum(run.events.iterations for run in timed)
        discarded = sum(run.events.warmed for run in timed)
        unit = "request" if events.requests is not None else "iteration"
        value["warmup"] = {
            "discarded": spec.throughput.warmup,
            "unit": unit,
            "policy": "fixed in the spec; kept apart in the sample files",
        }
        value["stop_rule"] = f"{spec.throughput.iterations} {unit}s a trial, fixed in the spec"
        value |= {"raw_count": used + discarded, "used_count": used}
        stalled = felt.stall_share([one.events for one in completed(runs)])
        value |= {"stall_share": stalled} if stalled is not None else {}
    phased = next((run.events.phased for run in runs if run.events.phased is not None), None)
    if phased is not None:
        value["phases_s"] = phased.seconds
        if phased.saved is not None:
            value["checkpoints"] = msgspec.to_builtins(phased.saved) | {"iterations": phased.iterations}
    value |= served.discards([one.events for one in completed(runs)])
    return value | exclusions([run.events for run in runs if run.planned.kind == "convergence"])


def scope(spec: Spec, events: Events) -> str:
    """Return what one iteration covers: what the spec says, but a kernel, a collective and a request are themselves."""
    if events.requests is not None:
        return "request"
    if events.options is None or events.options.work_unit not in ("operations", "bytes"):
        return spec.claims.scope
    return "collective" if "collective" in events.options.operations else "kernel"


def _data_wait(trials: Sequence[Events]) -> dict[str, float]:
    steps = sum(value for events in trials for value in events.columns.get("step_time_s", ()) if value is not None)
    waits = sum(value for events in trials for value in events.columns.get("data_wait_s", ()) if value is not None)
    return {"data_wait_share": rounded(waits / steps)} if steps > 0 else {}


def _several_ranks(extra: object) -> bool:
    ranks = extra.get("ranks") if isinstance(extra, dict) else None
    return isinstance(ranks, int) and ranks > 1
