"""Numbers joined to the raw ones that they count, where their author names no column of them, or one that is missing.

A rate that is said to rest on 100 iterations in each of 5 trials, in an arm that holds 5 trials of 100 step times,
comes from these. That its author does not say so takes the raw numbers away from no rule.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ..schemas.evidence import Arm, Metric, Trial
from ..schemas.requests import columns, problems
from .facts.quantities.per_second import work_per_second
from .facts.quantities.performance import column_seconds

WIDER = frozenset({"pipeline", "epoch", "training_run"})
TRAINED = "convergence"
TIMED = "throughput"
ONE_BY_ONE = frozenset({"images", "samples", "sequences", "examples"})
"""Units of which a step does as many as its global batch holds."""


def of_requests(arm: Arm) -> Arm:
    """Return an arm whose trials hold the columns that their own requests give; requests that are none give none."""
    served = {name: trial for name, trial in arm.trials.items() if trial.requests is not None and not trial.samples}
    if not served:
        return arm
    trials = dict(arm.trials)
    for name, trial in served.items():
        if trial.requests is not None and not any(problems(trial.requests)):
            found = {column: tuple(values) for column, values in columns(trial.requests).items()}
            trials[name] = replace(trial, samples=found)
    return replace(arm, trials=trials)


def of_own_columns(arm: Arm) -> Arm:
    """Return an arm whose numbers name the columns of raw numbers that they are of, and whose timed trials say so."""
    if not arm.performance or not arm.trials:
        return arm
    trials = _timed(arm)
    found = {name: _of_column(metric, arm, trials) for name, metric in arm.performance.items()}
    if trials is arm.trials and all(found[name] is metric for name, metric in arm.performance.items()):
        return arm
    return replace(arm, performance=found, trials=trials)


def _timed(arm: Arm) -> Mapping[str, Trial]:
    """Return the trials of an arm: those of another kind as timed ones, where a number is taken from them alone."""
    kinds = {trial.kind for trial in arm.trials.values() if trial.samples}
    columns = {metric.column for metric in arm.performance.values()} - {None}
    if len(kinds) != 1 or kinds <= {TIMED, TRAINED} or not columns:
        return arm.trials
    held = any(column in trial.samples for trial in arm.trials.values() for column in columns)
    if not held:
        return arm.trials
    return {name: replace(trial, kind=TIMED) if trial.samples else trial for name, trial in arm.trials.items()}


def _of_column(metric: Metric, arm: Arm, trials: Mapping[str, Trial]) -> Metric:
    timed = [trial for trial in trials.values() if trial.kind == TIMED and trial.outcome == "completed"]
    alike = [other for other in arm.performance.values() if other.quantity == metric.quantity]
    if len(alike) != 1 or metric.value is None or metric.scope in WIDER or not timed:
        return metric
    if any(trial.samples_file is not None for trial in timed) or _held(metric.column, timed):
        return _with_work(metric, arm)
    shared = [name for name in timed[0].samples if _held(name, timed) and column_seconds(name) is not None]
    if len(shared) != 1 or not _counts(metric, timed, shared[0]):
        return metric
    return _with_work(replace(metric, column=shared[0]), arm)


def _held(column: str | None, timed: list[Trial]) -> bool:
    return column is not None and all(column in trial.samples for trial in timed)


def _counts(metric: Metric, timed: list[Trial], column: str) -> bool:
    """Whether a number is said to rest on just so many trials and iterations as the column holds."""
    n = metric.n
    if metric.trials != len(timed) or n is None or n.unit != "iteration" or n.completed is None:
        return False
    lengths = {len(trial.samples[column]) for trial in timed}
    return lengths == {n.completed} or sum(len(trial.samples[column]) for trial in timed) == n.completed


def _with_work(metric: Metric, arm: Arm) -> Metric:
    """Return a rate with the work of one iteration: the global batch, where its unit counts what a batch holds."""
    unit = work_per_second(metric.unit)
    batch = arm.options.global_batch if arm.options is not None else None
    if metric.quantity != "rate" or metric.work_per_iteration is not None or metric.column is None or batch is None:
        return metric
    counted = unit is not None and not unit.per_device and unit.word in ONE_BY_ONE
    return replace(metric, work_per_iteration=float(batch)) if counted else metric
