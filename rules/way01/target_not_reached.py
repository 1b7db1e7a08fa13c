"""W0103: the target of the claim was not reached."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.evidence import Target
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.training.convergence import meets, scale_differs
from ..facts.training.stated_quality import same_metric
from ..facts.training.target import JudgedRun, judged_runs
from ..language.printed import short
from ..outcome import C3, CAVEAT, REFUTES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import rule
from ..statistics.intervals import median
from ..words import target_of

ITEM = "evaluation log, target, direction"
PROVIDE = """\
arms:
  fast:
    target: {metric: accuracy, value: "0.759", direction: higher, criterion: each_run, declared_before: true}
    trials:
      s1:
        kind: convergence
        outcome: completed
        evaluations:
          - {split: test, samples: 5000000, time_s: 310.2, examples: 50000, metrics: {accuracy: 0.7603}}
"""


@rule(
    "W0103",
    "target-not-reached",
    effect=REFUTES,
    confidence=C3,
    applies="tta or (accuracy and has(target))",
    origin="S1.1, ML, MEAS",
    also=("F24",),
)
def target_not_reached(claim: Claim, case: Case) -> Iterator[Branch]:
    """A time to a target, or a target quality, that the runs behind it never reached.

    ## What it does
    Reads the evaluations of the claim's training runs and the target with its direction and its criterion. Every
    evaluation is read at the favourable edge of its printed digits and of the interval stated for the metric. A target
    that is met, but at another time than claimed, is F24's.

    A criterion that nobody states is not taken against the claim: where some runs reach the target and others do not,
    the answer is open, unless the claim gives the median and most runs reach it.

    ## Why it misleads
    A time to an accuracy that was not reached is the time of something else.

    ## Branches
    - not applicable: the claim gives a quality below the target and does not claim to reach it.
    - (a) refutes, C3: judged by the criterion, the runs miss the target at every evaluation; or a run that is recorded
      as having reached it holds evaluations of which none does.
    - (b) caveat, C3: the target was not fixed before the runs.
    - not shown: no evaluation log of the claim's runs (where a stated value meets the target, the finding names it);
      target and evaluations are on different scales; or it is not stated whether the target was fixed before. Required
      (evaluation log, target, direction) of times to accuracy, from the reviewer profile on.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"claims": {"time": {"target": {"value": "0.95"}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, where each of five runs reaches 94 %.

    ## How to fix
    Report that the target was not reached; run again, or withdraw the claim.

    ## References
    Hoefler, Twelve ways to fool the masses, way 1; rules of the MLPerf training benchmark.
    """
    target = target_of(claim, case)
    side = case.subject(claim) or case.side(claim.quality)
    assert isinstance(target, Target)
    if claim.target is None and claim.quantity == "accuracy" and not _claims_to_reach(claim, target):
        yield Inapplicable("the claimed value misses the target, and the claim does not say that it is reached")
        return
    runs = judged_runs(side, target) if side is not None else ()
    known = [run for run in runs if run.met is not None]
    if side is None or not known:
        stated = _stated(side, claim, case, target)
        message, related = _why_not(runs, target), tuple(Related(at, "a stated value that meets it") for at in stated)
        yield NotShown(message, claim.at, ITEM, PROVIDE, related, question=bool(stated))
    else:
        yield from _judge(claim, target, side, runs)
    yield from _declared(claim, target, side)


def _claims_to_reach(claim: Claim, target: Target) -> bool:
    value = Decimal(claim.value) if claim.value is not None else None
    if value is None:
        return False
    if scale_differs([float(value)], target):
        value = value / 100 if value > 1 else value * 100
    return meets(value, target)


def _stated(side: Side | None, claim: Claim, case: Case, target: Target) -> tuple[str, ...]:
    """Return where the claim's arm states values that meet the target, outside of any log: all of them, or none."""
    found = []
    for other in (side, case.side(claim.quality)):
        if other is None or (other is not side and side is not None and other.id == side.id):
            continue
        found += [
            (item.at, item.value)
            for item in other.arm.quality.values()
            if item.value is not None and item.split != "train" and same_metric(item.metric, target.metric)
        ]
        found += [(run.at, run.final[target.metric]) for run in other.arm.trials.values() if target.metric in run.final]
    values = [Decimal(value) for _, value in found]
    met = all(not scale_differs([float(value)], target) and meets(value, target) for value in values)
    return tuple(at for at, _ in found) if met else ()


def _why_not(runs: tuple[JudgedRun, ...], target: Target) -> str:
    if runs:
        return f"the logs of the claim's runs do not tell whether {target.metric} reached {target.value}"
    return f"no evaluation log of the claim's runs: whether {target.metric} reached {target.value} is open"


def _judge(claim: Claim, target: Target, side: Side, runs: tuple[JudgedRun, ...]) -> Iterator[Branch]:
    criterion = claim.criterion or target.criterion
    missed = [run for run in runs if run.met is False]
    open_ones = [run for run in runs if run.met is None]
    if criterion in {"mean", "median"}:
        yield from _over_runs(claim, target, criterion, runs)
        return
    lied = [run for run in missed if run.recorded]
    nobody = len(missed) == len(runs)
    if lied or nobody or (missed and criterion == "each_run"):
        yield _violation(claim, target, lied or missed, len(runs))
    elif missed and criterion is None and not (claim.statistic == "median" and 2 * len(missed) < len(runs)):
        message = f"{len(runs) - len(missed)} of {len(runs)} runs reach the target; whether each has to is not stated"
        yield NotShown(message, target.at, provide="target: {criterion: each_run}")
    elif open_ones:
        yield NotShown(f"the log of run {open_ones[0].trial} does not tell whether it reached the target", side.arm.at)
    elif missed:
        yield Note(f"{len(runs) - len(missed)} of {len(runs)} runs reach the target")


def _over_runs(claim: Claim, target: Target, criterion: str, runs: tuple[JudgedRun, ...]) -> Iterator[Branch]:
    """Judge the mean or median over runs, of each the best evaluation: no common counter can give more."""
    values = [float(run.best) for run in runs if run.best is not None]
    if len(values) < len(runs):
        yield NotShown(f"the {criterion} over the runs needs the log of each of them", target.at, ITEM, PROVIDE)
        return
    value = sum(values) / len(values) if criterion == "mean" else median(values)
    if not meets(value, target):
        message = (
            f"the {criterion} over {len(runs)} runs reaches {target.metric} {short(value)} at best, "
            f"short of the target {target.value}"
        )
        yield Violation("a", REFUTES, C3, message, claim.at, target.value, short(value))


def _violation(claim: Claim, target: Target, missed: list[JudgedRun], n: int) -> Violation:
    logged = [run.best for run in missed if run.best is not None]
    best = None
    if logged:
        best = short(max(logged) if target.direction == "higher" else min(logged))
    who = f"run {missed[0].trial}" if len(missed) == 1 else f"{len(missed)} of {n} runs"
    recorded = " though recorded as reaching it" if missed[0].recorded else ""
    got = f": {target.metric} is {best} at best" if best is not None else ""
    message = f"{who} never reached the target {target.metric} {target.value}{recorded}{got}"
    related = tuple(Related(run.at, "a run that misses it") for run in missed[:5])
    return Violation("a", REFUTES, C3, message, claim.at, target.value, best, related)


def _declared(claim: Claim, target: Target, side: Side | None) -> Iterator[Branch]:
    fixed_by_suite = claim.suite in {"training", "inference"}
    fixed_by_spec = side is not None and side.study is not None
    if target.declared_before is False:
        yield Violation("b", CAVEAT, C3, "the target was not fixed before the runs", target.place("declared_before"))
    elif target.declared_before is None and not fixed_by_suite and not fixed_by_spec:
        message = "whether the target was fixed before the runs is not stated"
        yield NotShown(message, target.at, provide="target: {declared_before: true}")
