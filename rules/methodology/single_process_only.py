"""M05: a comparison within single processes."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.told import said
from ..facts.quantities.intervals import over_trials, within_trials
from ..outcome import Branch, Note, NotShown
from ..registry import Threshold, rule

ITEM = "trials per arm"
PROVIDE = """\
throughput: {warmup: 5, iterations: 50, trials: 5}    # five fresh processes an arm, interleaved
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    least: float = Threshold(
        3,
        "trials in each arm",
        "simulation: taking iterations of one process for trials finds differences in 32 to 80 % of equal systems",
        {"publication": 5, "procurement": 5},
    )


@rule(
    "M05",
    "single-process-only",
    applies=(
        "(timing or measured and quantity in {flops, mfu}) and not has(whole_run_samples)"
        " and (comparison or has(interval))"
    ),
    origin="HB15, KJ13, SIM",
    thresholds=Thresholds,
)
def single_process_only(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A comparison whose arms were measured in too few fresh processes.

    ## What it does
    Counts the completed trials (fresh processes) of both arms: those that are listed, else the stated number. FLOP/s
    and the utilisation that is computed from them are timed like a rate.

    ## Why it misleads
    Memory layout, clocks and neighbours change from process to process, often by more than the difference under study.
    Many iterations inside one process do not show it.

    ## Branches
    - not shown: an arm has fewer trials than the profile asks for (3; in publication and procurement 5), or does not
      say. Required (trials per arm) of timed comparisons from the gate profile on.
      A number that is compared with nothing is asked only where its interval is one over the iterations of a single
      process: that interval does not hold for the next process.
    - pass with a note: the statement itself is restricted to one process.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"plain": {"trials": {"t2": null, "t3": null, "t4": null, "t5": null}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, with five trials in each arm.

    ## How to fix
    Run each arm in at least five fresh processes, interleaved.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015); Kalibera and Jones, Rigorous
    benchmarking in reasonable time (2013).
    """
    if said(claim, "one_process"):
        yield Note("the statement is restricted to one process")
        return
    if claim.compares == "none":
        yield from _alone(claim, case)
        return
    arms = (
        ("the arm", case.subject(claim), case.metric(claim.measured)),
        ("its base", case.base(claim), case.metric(claim.base)),
    )
    for name, side, metric in arms:
        trials = _trials(side, metric) if side is not None else None
        at = side.arm.at if side is not None else claim.at
        if trials is None:
            yield NotShown(f"in how many fresh processes {name} was measured is not stated", at, ITEM, PROVIDE)
        elif trials < thresholds.least:
            processes = "process" if trials == 1 else "processes"
            message = (
                f"{name} was measured in {trials} fresh {processes}; comparing needs at least {thresholds.least:g}"
            )
            yield NotShown(message, at, ITEM, PROVIDE)


def _alone(claim: Claim, case: Case) -> Iterator[Branch]:
    """What the interval of a number that is compared with nothing says of other processes."""
    side, metric = case.subject(claim), case.metric(claim.measured)
    interval = claim.interval or (metric.interval if metric is not None else None)
    trials = _trials(side, metric) if side is not None else None
    if side is None or interval is None or trials != 1 or over_trials(interval):
        return
    if within_trials(interval, trials):
        message = f"the interval {interval.low} to {interval.high} is one over the iterations of a single process"
        yield NotShown(message, interval.at, ITEM, PROVIDE)


def _trials(side: Side, metric: Metric | None) -> int | None:
    listed = [trial for trial in side.arm.trials.values() if trial.kind == "throughput"]
    if listed or metric is None:
        return sum(trial.outcome == "completed" for trial in listed) if listed else None
    counted = metric.n.completed if metric.n is not None and metric.n.unit == "trial" else None
    return min((count for count in (metric.trials, counted) if count is not None), default=None)
