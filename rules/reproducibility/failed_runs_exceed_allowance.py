"""R07: more runs failed than a result may leave out."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Target
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.numbers import exact
from ..facts.quantities.per_second import seconds
from ..facts.series.per_trial import time_to_target
from ..facts.suite.runs import allowance_in_any_round
from ..facts.training.convergence import runs_of
from ..facts.training.target import judged_runs
from ..language.printed import span
from ..language.reading import read
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..statistics.intervals import median
from ..words import target_of

OVER_RUNS = frozenset({"mean", "median", "share"})
FAILED = frozenset({"failed", "lost", "diverged"})
RECIPE = ("learning_rate", "schedule", "warmup_samples", "weight_decay", "momentum", "augmentation")
PROVIDE = """\
arms:
  trained:
    trials:
      s1: {kind: convergence, outcome: completed, crossing: {reached: true, time_s: 84.5}}
      s2: {kind: convergence, outcome: diverged, reason: "loss is not finite at step 212"}
"""


class Ends(Struct, frozen=True):
    """How the runs of an arm ended.

    Attributes:
        runs: number of runs.
        without_success: number of those without success.
        failed: places that tell of them.
        unknown: places of those of which nothing tells.
        met: how many of those without success have an evaluation that meets the target.
    """

    runs: int
    without_success: int
    failed: tuple[str, ...]
    unknown: tuple[str, ...]
    met: int = 0


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    allowance: float = Threshold(1, "runs", "rules of the MLPerf training benchmark: one run of a set may fail")


@rule(
    "R07",
    "failed-runs-exceed-allowance",
    effect=UNDERMINES,
    confidence=C3,
    applies="tta and has(runs)",
    origin="MEAS, ML",
    also=("W0304",),
    thresholds=Thresholds,
)
def failed_runs_exceed_allowance(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A time to accuracy of which more than one run did not succeed.

    ## What it does
    Counts the runs of the claim that did not reach the target: those that failed, diverged or were lost, and those
    whose whole log stays short of it. A run that began and has no end has failed; one that was never started has not.
    Where no run is listed, the declared number of failed ones counts.

    ## Why it misleads
    If every third training fails, the time until one has a trained model is half as long again as that of the others.

    ## Branches
    - not applicable: runs of a search over the recipe; or the target is judged by a mean, a median or a share of runs.
    - (a) undermines, C3: more runs without success than the allowance of 1, or than a suite allows of a benchmark whose
      results have many runs.
    - pass with note: exactly as many as the allowance; or they are counted as infinitely slow in the claimed median.
    - not shown: how runs ended is not stated, and that decides.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"claims": {"time": {"statistic": "mean"}}, "arms": {"trained": {"trials": {
       "s4": {"outcome": "diverged", "evaluations": null, "crossing": null, "final": null},
       "s5": {"outcome": "lost", "evaluations": null, "crossing": null, "final": null}}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, where each of five runs reaches 94 %.

    ## How to fix
    Count failed runs as infinitely slow, and report the median.

    ## References
    Rules of the MLPerf training benchmark. Hoefler, Twelve ways to fool the masses, way 3.
    """
    side, target = case.subject(claim), target_of(claim, case)
    if side is None or not isinstance(target, Target):
        yield Inapplicable("the runs of the claim are not shown")
        return
    if (claim.criterion or target.criterion) in OVER_RUNS:
        yield Inapplicable("the target is judged over the runs together")
    elif _search(side):
        yield Inapplicable("the runs are those of a search")
    else:
        of_suite = allowance_in_any_round(claim) if claim.suite == "training" else None
        yield from _judge(claim, case, side, target, max(thresholds.allowance, of_suite or 0))


def _judge(claim: Claim, case: Case, side: Side, target: Target, allowance: float) -> Iterator[Branch]:
    ends = _ends(claim, case, side, target)
    if ends is None:
        yield NotShown("how the runs behind the time ended is not stated", side.arm.at, provide=PROVIDE)
        return
    failed = ends.without_success
    if failed > allowance:
        counted = _counted(claim, side, target)
        message = f"{_without_success(ends)}; {allowance:g} may fail"
        if counted:
            yield Note(f"{message}; the claimed median counts them as infinitely slow")
        elif counted is None:
            message += ", and whether the claimed median counts them is open"
            yield NotShown(message, side.arm.at, provide=PROVIDE)
        else:
            related = tuple(Related(at, "a run without success") for at in ends.failed[:5])
            at = ends.failed[0] if len(ends.failed) == 1 else side.arm.place("trials")
            yield Violation("a", UNDERMINES, C3, message, at, f"{allowance:g}", str(failed), related)
    elif failed + len(ends.unknown) > allowance:
        message = f"how {len(ends.unknown)} of {ends.runs} runs ended is not stated"
        yield NotShown(message, ends.unknown[0], provide=PROVIDE)
    elif failed == allowance:
        yield Note(f"{_without_success(ends)}: exactly the allowance")


def _without_success(ends: Ends) -> str:
    """Say how many runs were without success, and in what: of the target, of a good end, or of either."""
    failed = ends.without_success
    how = "did not reach the target"
    if ends.met:
        how = "did not end by success" if ends.met == failed else f"{how} or did not end by success"
    return f"{failed} of {ends.runs} runs {how}"


def _ends(claim: Claim, case: Case, side: Side, target: Target) -> Ends | None:
    runs = {name: trial for name, trial in side.arm.trials.items() if trial.kind == "convergence"}
    if not runs:
        return _declared(claim, case)
    judged = {run.trial: run for run in judged_runs(side, target)}
    started = {name: trial for name, trial in runs.items() if trial.outcome != "not_run"}
    missed = {name for name, run in judged.items() if run.met is False}
    told = {name for name, run in judged.items() if run.met is not None or run.recorded}
    failed = {name for name, trial in started.items() if trial.outcome in FAILED or name in missed}
    unknown = started.keys() - failed - told
    places = [tuple(trial.at for name, trial in started.items() if name in some) for some in (failed, unknown)]
    return Ends(
        len(started), len(failed), places[0], places[1], len(failed & {run.trial for run in runs_of(side, target)})
    )


def _declared(claim: Claim, case: Case) -> Ends | None:
    """Return the declared number of training runs that failed, where no run is listed."""
    metric = case.metric(claim.measured)
    n = metric.n if metric is not None else None
    if n is None or n.unit != "training_run" or n.failed is None:
        return None
    return Ends((n.completed or 0) + n.failed, n.failed, (n.place("failed"),), ())


def _search(side: Side) -> bool:
    """Whether the runs try several recipes: by the arm's name, or by what was observed in them."""
    if read(side.arm.label or "").has("search_over_recipes"):
        return True
    seen = [trial.observed for trial in side.arm.trials.values() if trial.kind == "convergence" and trial.observed]
    return any(len({getattr(one, key) for one in seen if getattr(one, key) is not None}) > 1 for key in RECIPE)


def _counted(claim: Claim, side: Side, target: Target) -> bool | None:
    """Whether the claimed number is the median with every failed run as infinitely slow; None where that is open."""
    unit = seconds(claim.unit)
    if claim.statistic != "median" or claim.value is None or unit is None:
        return False
    runs = [trial for trial in side.arm.trials.values() if trial.kind == "convergence" and trial.outcome != "not_run"]
    times = [math.inf if trial.outcome in FAILED else time_to_target(trial, target) for trial in runs]
    known = [time for time in times if time is not None]
    if not runs or len(known) < len(times):
        return None
    middle = median(known)
    return middle < math.inf and span(claim.value, claim.qualifier, claim.digits).meets(exact(middle / float(unit)))
