"""W0102: a training time that is computed from a short run."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.training.extrapolation import StepsToTarget, steps_to_target, whole_training, window
from ..language.printed import Span
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..words import target_of

ITEM = "steps to target of a run that reached it"
PROVIDE = """\
arms:
  fast:
    target: {metric: accuracy, value: "0.759", direction: higher}
    trials:
      s1: {kind: convergence, outcome: completed, crossing: {reached: true, samples: 51200000, time_s: 3120}}
"""


@rule(
    "W0102",
    "short-run-extrapolated",
    effect=CAVEAT,
    confidence=C3,
    applies="(training_time or cost) and training",
    origin="S1.1",
    also=("W0105",),
)
def short_run_extrapolated(claim: Claim, case: Case) -> Iterator[Branch]:
    """The time of a whole training, computed from the speed of a few steps.

    ## What it does
    Asks whether the claimed training time was measured over a whole training, or is work divided by a rate that was
    measured over fewer steps than the target takes. For a computed one it looks for a run of equal options (or a cited
    reference) that reached the target, and prints what its steps times the measured step time give.

    ## Why it misleads
    A few hundred steps show how fast a machine computes, not how long a model trains: evaluation, checkpoints, input
    and restarts come on top, and the number of steps to the target is not known before a run has reached it.

    ## Branches
    - not applicable: a cost of a step or an epoch, which is no training.
    - (a) caveat, C3: computed from fewer steps than the target takes, and a run of equal options or a cited reference
      gives the steps to the target.
    - not shown: computed so, and no run of equal options and no cited reference reached the target (planned steps are
      not steps to the target); no training run was completed, or nothing tells how the time was taken. Required (steps
      to target of a run that reached it) from the reviewer profile on; not of a time that is stated to be projected,
      for the machine's throughput and without a target.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"claims": {"time": {"basis": "derived", "measured": {"arm": "timed", "metric": "rate"}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, measured in five runs that reached the target.

    ## How to fix
    Train to the target once per option set, or state the extrapolation with its interval.

    ## References
    Hoefler, Twelve ways to fool the masses, way 1.
    """
    if claim.scope != "training_run":
        yield Inapplicable(f"the cost of one {claim.scope} is not that of a training")
        return
    whole = whole_training(claim, case)
    if whole:
        return
    if whole is None:
        message, at = _unfinished(case.subject(claim)) or ("whether this training took place is not stated", claim.at)
        yield NotShown(message, at, ITEM, PROVIDE)
        return
    needed, speed = steps_to_target(claim, case), window(claim, case)
    if needed is None and _of_stated_work(claim, case):
        message = "the time of a stated amount of work, projected from a short run: what it would reach is not said"
        yield NotShown(message, claim.at, "", PROVIDE)
        return
    if needed is None:
        message = "the training time is computed from a short run, and no run of these options reached a target"
        yield NotShown(message, claim.at, ITEM, PROVIDE)
        return
    if speed is not None and speed.steps is not None and needed.steps is not None and speed.steps >= needed.steps:
        return
    yield _violation(claim, needed, speed.time_s(needed) if speed is not None else None)


def _unfinished(side: Side | None) -> tuple[str, str] | None:
    """Return in words how the training runs of an arm ended, and where, where none of them was completed."""
    runs = [trial for trial in side.arm.trials.values() if trial.kind == "convergence"] if side is not None else []
    if not runs or any(trial.outcome == "completed" for trial in runs):
        return None
    ends = dict.fromkeys(trial.reason or f"it is listed as {trial.outcome.replace('_', ' ')}" for trial in runs)
    which = "the training run was" if len(runs) == 1 else f"none of {len(runs)} training runs was"
    return f"{which} {'not ' if len(runs) == 1 else ''}completed: {'; '.join(list(ends)[:3])}", runs[0].at


def _of_stated_work(claim: Claim, case: Case) -> bool:
    """Whether a claim is stated to be projected, and about the machine: no target is promised, and no quality."""
    return claim.basis == "projected" and claim.purpose == "hardware_throughput" and target_of(claim, case) is None


def _violation(claim: Claim, needed: StepsToTarget, time_s: Span | None) -> Violation:
    steps = f"{needed.steps:g} steps" if needed.steps is not None else f"{needed.samples:g} samples"
    message = f"the training time is computed from a short run; the target takes {steps}"
    if time_s is not None:
        message += f", at the measured speed {time_s} s"
    related = (Related(needed.at, "where the steps to the target come from"),)
    claimed = f"{claim.value} {claim.unit or ''}".strip()
    recomputed = f"{time_s} s" if time_s is not None else None
    return Violation("a", CAVEAT, C3, message, claim.at, claimed, recomputed, related)
