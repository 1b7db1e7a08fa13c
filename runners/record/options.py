"""The option set of an arm, and what its workload told beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..study import program
from ..study.plan import Plan
from .run import Run

COSMETIC = ("seed", "logging", "name")
"""Option keys that differ from trial to trial and change neither speed nor quality."""


def effective(plan: Plan, name: str, runs: Sequence[Run]) -> dict[str, Any]:
    """Return the effective options of the first trial that told them, else the requested ones."""
    for run in runs:
        if run.events.options is not None:
            return without_cosmetic(run.events.options.effective)
    return without_cosmetic(plan.arms[name].options)


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
                "observed": without_cosmetic(options.observed),
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


def without_cosmetic(options: dict[str, Any]) -> dict[str, Any]:
    """Return an option set without the keys that differ from trial to trial."""
    return {key: value for key, value in options.items() if key not in COSMETIC}
