"""The quality of an arm: what its training runs reached, or what it served."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...rules.statistics.intervals import median
from ...schemas.spec import Spec
from . import served
from .run import Run
from .summary import printed


def of_arm(spec: Spec, runs: Sequence[Run]) -> dict[str, Any]:
    """Return the quality at the end of the convergence trials: the median over those that evaluated."""
    check = spec.convergence
    served_runs = [run for run in runs if run.events.requests is not None]
    if served_runs:
        return _of_answers(served_runs) | _of_harness(served_runs)
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


def _of_answers(runs: Sequence[Run]) -> dict[str, Any]:
    """Return the quality of the answers to the test set: each trial asked its server for them."""
    told = [run for run in runs if run.events.evaluations]
    if not told:
        return {}
    found = served.quality({run.planned.seed: run.events for run in told})
    n = _repetitions("trial", told, len(told))
    return {_identifier(metric): value | {"n": n} for metric, value in found.items()}


def _of_harness(runs: Sequence[Run]) -> dict[str, Any]:
    """Return the qualities that a harness measured: it runs in one trial of an arm."""
    for run in runs:
        if run.events.scored is not None:
            return {
                id_: value | {"n": _repetitions("trial", [run], 1)}
                for id_, value in run.events.scored.qualities.items()
            }
    return {}


def _repetitions(unit: str, runs: Sequence[Run], completed: int) -> dict[str, Any]:
    return {
        "unit": unit,
        "planned": len(runs),
        "completed": completed,
        "failed": len(runs) - completed,
        "excluded": 0,
    }


def _identifier(text: str) -> str:
    """Return a metric's name as an id."""
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in text)[:60]
    return kept if kept[:1].isalnum() else f"metric{kept}"
