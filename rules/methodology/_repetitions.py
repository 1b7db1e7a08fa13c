"""How often a claimed number was measured, counted in the raw data where there is any."""

from __future__ import annotations

from msgspec import Struct

from ...schemas.evidence import Metric, Trial
from ...schemas.runs import Run
from ...schemas.submission import Claim
from ..case import Case

PER_TRIAL = frozenset({"energy", "cost"})
"""Quantities of which step times are no raw numbers: without a column of its own a meter is read once a trial."""

SPREAD = 3
"""Raw numbers that show a spread."""


class Repeated(Struct, frozen=True):
    """Repetitions behind a number.

    Attributes:
        n: units.
        unit: iteration, request, trial, training_run, session or node.
        trials: fresh processes, where known.
        at: place of the count or of the raw data.
        raw: whether it was counted in raw data.
    """

    n: int
    unit: str
    trials: int | None
    at: str
    raw: bool


def repetitions(claim: Claim, case: Case) -> Repeated | None:
    """Return the repetitions behind a claim, or None where neither raw data nor a count with its unit is given.

    A raw number that is the mean of several counts as so many, where there are enough of them to show a spread.
    """
    side, metric = case.subject(claim), case.metric(claim.measured)
    if side is None:
        return None
    measured = [trial for trial in side.arm.trials.values() if trial.kind == "throughput"]
    completed = [trial for trial in measured if trial.outcome == "completed"]
    if claim.quantity in PER_TRIAL and (metric is None or metric.column is None):
        return _declared(metric, len(completed))
    counts = [_rows(trial) for trial in completed]
    if any(counts):
        kept = [count for count in counts if count]
        if metric is not None and metric.n is not None and metric.n.unit == "request":
            return Repeated(sum(kept), "request", len(kept), side.arm.place("trials"), raw=True)
        return Repeated(
            min(kept) * _each(metric, sum(kept)), "iteration", len(kept), side.arm.place("trials"), raw=True
        )
    return _declared(metric, None)


def at_least(claim: Claim, case: Case) -> int:
    """Return the queries that every run of a suite's result had at least; 0 where its report does not tell.

    A load generator prints the least that was asked for, and whether the run had as many.
    """
    if claim.quantity in PER_TRIAL:
        return 0
    return min((_least_queries(run.run) for run in case.runs(claim) if run.role == "performance"), default=0)


def _least_queries(run: Run) -> int:
    least = run.summary.get("min_query_count")
    met = run.verdict is not None and run.verdict.parts.get("min_queries") is True
    return least if met and isinstance(least, int) else 0


def _declared(metric: Metric | None, listed: int | None) -> Repeated | None:
    """Return the stated count of a metric, at most the trials that are listed where it counts trials."""
    # What was planned is not what was measured.
    if metric is None or metric.n is None or metric.n.completed is None:
        return None
    count = metric.n.completed
    if metric.n.unit == "trial" and listed:
        count = min(count, listed)
    if metric.n.unit == "iteration":
        count *= _each(metric, count)
    return Repeated(count, metric.n.unit, metric.trials, metric.n.at, raw=False)


def _each(metric: Metric | None, numbers: int) -> int:
    """Return of how many repetitions each of so many raw numbers is the mean."""
    return metric.averaged_over or 1 if metric is not None and numbers >= SPREAD else 1


def _rows(trial: Trial) -> int:
    if trial.samples_file is not None:
        return trial.samples_file.rows
    return max((len(column) for column in trial.samples.values()), default=0)
