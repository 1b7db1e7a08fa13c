"""What the manifest says of one trial."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from ...schemas.spec import Convergence, Spec
from ..study import folder as files
from ..telemetry import progress, readings
from ..trial.ranks import ENDING
from . import controls, ranks, summary
from .events import Events
from .options import without_cosmetic
from .run import Run
from .summary import present, printed


def of_run(spec: Spec, run: Run, arm_options: dict[str, Any]) -> dict[str, Any]:
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
        value["timer"] = present(msgspec.to_builtins(events.ended.timer)) if events.ended.timer is not None else None
    value["medians"] = {
        name: printed(found)
        for name, column in events.series().items()
        if (found := summary.column_median(column)) is not None
    }
    value["controls"] = controls.worst([run])
    if events.ranks and last is not None:
        stem = files.stem(run.planned.trial, last.attempt)
        value["ranks"] = ranks.table(events, Path(files.TRIALS) / f"{stem}{ENDING}")
    if events.options is not None:
        same = without_cosmetic(events.options.effective) == arm_options
        value["observed"] = events.options.observed if same else events.options.effective
    if run.planned.kind == "convergence" and spec.convergence is not None:
        value |= _convergence(spec.convergence, events)
    return present(value)


def _convergence(check: Convergence, events: Events) -> dict[str, Any]:
    evaluations = [msgspec.to_builtins(evaluation) for evaluation in events.evaluations]
    value: dict[str, Any] = {
        "evaluations": [
            {key: item for key, item in one.items() if key not in ("event", "evaluation_s") and item is not None}
            for one in evaluations
        ]
    }
    value["crossing"] = msgspec.to_builtins(summary.crossing(check, events))
    if events.evaluations:
        metrics = events.evaluations[-1].metrics
        value["final"] = {name: printed(number) for name, number in metrics.items() if number is not None}
    return value


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
