"""M04: a timing from too few repetitions."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Metric, Trial
from ...schemas.runs import Run
from ...schemas.submission import Claim
from ..case import Case
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Violation
from ..registry import Threshold, rule

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

    A raw number that is the mean of several counts as so many, where there are enough of them to show a spread. Where
    each trial gave one, as a tool does that starts a program over and over, trials were repeated and no iterations.
    """
    side, metric = case.subject(claim), case.metric(claim.measured)
    if side is None:
        return None
    measured = [trial for trial in side.arm.trials.values() if trial.kind == "throughput"]
    completed = [trial for trial in measured if trial.outcome == "completed"]
    if claim.quantity in PER_TRIAL and (metric is None or metric.column is None):
        return _declared(metric, len(completed))
    counts = [count for trial in completed if (count := _rows(trial))]
    if not counts:
        return _declared(metric, None)
    each = _each(metric, sum(counts))
    n, unit = min(counts) * each, "iteration"
    if metric is not None and metric.n is not None and metric.n.unit == "request":
        n, unit = sum(counts), "request"
    elif max(counts) * each == 1 and len(counts) > 1:
        n, unit = len(counts), "trial"
    return Repeated(n, unit, len(counts), side.arm.place("trials"), raw=True)


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


ITEM = "number of repetitions"
ONCE = frozenset({"trial", "session", "training_run"})
"""Units of numbers that are read once in each."""
STATE = """\
arms:
  server:
    performance: {rate: {quantity: rate, unit: requests/s, n: {unit: request, completed: 1000}}}
"""
PROVIDE = """\
throughput:
  warmup: 5
  iterations: 50
  trials: 5
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    iterations: float = Threshold(30, "iterations", "Benchmarking practice: 10 to 30 repetitions, 50 for publication")
    requests: float = Threshold(100, "requests", "judgement")
    least: float = Threshold(
        10,
        "repetitions",
        "Benchmarking practice, by profile",
        {"gate": 30, "publication": 50, "procurement": 50},
    )
    least_trials: float = Threshold(3, "trials, sessions or runs that show a spread", "judgement")
    trials: float = Threshold(
        5, "trials", "simulation: intervals over fewer trials cover badly", {"reviewer": 3, "gate": 3}
    )


@rule(
    "M04",
    "too-few-repetitions",
    effect=CAVEAT,
    confidence=C3,
    applies="measured and quantity in {rate, time, latency, flops, mfu, energy, cost} and not has(whole_run_samples)",
    origin="S4, SIM, MEAS",
    thresholds=Thresholds,
)
def too_few_repetitions(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A timing that rests on too few repetitions, or does not say on how many.

    ## What it does
    Reads how often the number was measured, and in which unit: iterations, requests, trials. Raw numbers count before
    declared ones, and a raw number that is the mean of several loops counts as so many iterations, where there are at
    least 3 raw numbers. Where every process was timed once, the processes count. What is read once a trial, such as an
    energy, was measured as often as there are trials, however many iterations each of them holds. Where a load
    generator counts no queries, but says that there were as many as its settings ask for, these are read.

    ## Why it misleads
    Timings vary. One run, or a handful, can come out wherever the machine was at that moment; a reader cannot tell a
    difference from noise.

    ## Branches
    - (a) caveat, C3: at or above the profile's least n, but below 30 iterations or 100 requests; or 3 to 4 trials
      where the profile does not ask for 5.
    - not shown: n or its unit is not stated, or n is below the profile's least (reviewer 10, gate 30, publication and
      procurement 50), or what was read once a trial comes from fewer than 3 of them. A cost without n is that of a time
      or an energy, which is asked. Required (number of repetitions) from the reviewer profile on; not of a quotation of
      a suite's verified entry, whose runs the suite's review counted.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": null, "performance": {"rate": {"n": {"unit": "iteration", "completed": 20}}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with 60 iterations in each of five trials.

    ## How to fix
    State how often this was measured and what was repeated (iterations, requests, runs). Measure at least 30 iterations
    in each of at least 5 fresh processes, or at least 100 requests of a service; for publication at least 50
    iterations, with median and interquartile range.

    ## References
    Benchmarking chapter of the deep-learning performance course; simulations behind the trial count.
    """
    found = repetitions(claim, case)
    if found is None:
        if claim.quantity == "cost":
            yield Inapplicable("a cost is computed from a time or an energy, and states no n of its own")
            return
        if at_least(claim, case) >= max(thresholds.least, thresholds.requests):
            return
        provide = STATE if claim.measured is not None else PROVIDE
        yield NotShown("how often this was measured is not stated", claim.at, ITEM, provide)
        return
    if found.n < thresholds.least and found.unit in {"iteration", "request"}:
        message = f"{_counted(found)} fewer than the {thresholds.least:g} that profile {case.profile} asks for"
        lacking = f"at least {thresholds.least:g} {found.unit}s instead of {found.n}"
        yield NotShown(message, found.at, ITEM, PROVIDE, lacking=lacking)
        return
    if found.unit in ONCE and found.n < thresholds.least_trials:
        message = f"{found.n} {found.unit}s show no spread of what is read once in each: {thresholds.least_trials:g} do"
        lacking = f"at least {thresholds.least_trials:g} {found.unit.replace('_', ' ')}s instead of {found.n}"
        yield NotShown(message, found.at, ITEM, PROVIDE, lacking=lacking)
        return
    enough = {"iteration": thresholds.iterations, "request": thresholds.requests}.get(found.unit)
    if enough is not None and found.n < enough:
        message = f"{_counted(found)} few: {enough:g} or more show the spread"
        yield Violation("a", CAVEAT, C3, message, found.at, recomputed=str(found.n))
    elif found.raw and found.trials is not None and 3 <= found.trials < 5 and thresholds.trials < 5:
        message = f"{found.trials} trials are few; five give a reliable interval"
        yield Violation("a", CAVEAT, C3, message, found.at, recomputed=str(found.trials))


def _counted(found: Repeated) -> str:
    return f"{found.n} {found.unit}s are" if found.n != 1 else f"1 {found.unit} is"
