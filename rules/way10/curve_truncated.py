"""W1002: a training curve that ends early."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim, Figure
from ..case import Case, Side
from ..facts.training.truncation import Curve, curves
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Effect, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..words import quality_at_stake

PROVIDE = """\
arms:
  fast:
    trials:
      s1: {planned_samples: 115000000}
"""

PROVIDE_REST = """\
arms:
  fast:
    measurement: {stop_rule: "at the first evaluation that reaches the target, fixed before"}
# or the evaluations until the end of the plan, beneath `trials`
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    work: float = Threshold(0.95, "share of the planned work", "judgement")
    arm: float = Threshold(0.3, "share of the arm's runs", "simulation: a flaw of the arm, not of one run")


@rule(
    "W1002",
    "curve-truncated",
    effect=UNDERMINES,
    confidence=C3,
    applies="training and has(curve)",
    origin="S1.10",
    thresholds=Thresholds,
)
def curve_truncated(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A training curve that stops short of its plan and of its target.

    ## What it does
    Compares the last evaluation of each of the claim's runs with the work that was planned for it. A run that reached
    its target, a stop rule for training that was declared before, and a run that is reported as failed or diverged are
    no truncation. For a figure with several arms it compares where the curves end.

    Where the claim puts no quality at stake, a truncated curve beside it does not touch the claimed rate and is a
    caveat; so is a minority of the runs.

    ## Why it misleads
    Curves cross. What leads after half the training may lose at the end, and who draws the figure chooses where the
    end is.

    ## Branches
    - (a) undermines, C3: the last evaluation lies below 95 % of the planned work, the target is not reached, and no
      stop rule was declared before; or the curves of one figure end at work that differs by more than 5 %, not all of
      them at the target or at the end of their plan.
    - (b, instead of a) caveat, C3: the claim puts no quality at stake; or fewer than 30 % of the runs end so.
    - not shown: planned work is not stated, and the target is not reached, or none is stated and no log says that the
      run was a success; or, of the whole arm, the evaluation that reaches the target is the last one that is shown,
      though the runs were planned and completed beyond it and no stop rule says that they end there.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"arms": {"trained": {"measurement": {"stop_rule": null}, "options": {"epochs": 80},
       "trials": {"s1": {"planned_samples": 3932160}, "s2": {"planned_samples": 3932160},
                  "s3": {"planned_samples": 3932160}}}},
     "claims": {"time": {"target": {"value": "0.95"}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, whose curves reach the target.

    ## How to fix
    Show whole curves.

    ## References
    Hoefler, Twelve ways to fool the masses, way 10.
    """
    side = case.subject(claim)
    if side is None:
        return
    found = curves(side, claim.target)
    cut = [curve for curve in found if curve.truncated(thresholds.work)]
    if cut:
        most = len(cut) >= thresholds.arm * len(found)
        yield _violation(side, cut, len(found), _effect(claim, case) if most else CAVEAT)
    else:
        target = claim.target or side.arm.target
        open_ones = [item for item in found if item.done is None and not item.reached and not item.excused]
        if target is None:
            open_ones = [item for item in open_ones if not _succeeded(side, item.trial)]
        if open_ones:
            what = "no target is stated" if target is None else f"run {open_ones[0].trial} does not reach its target"
            planned = "it" if target is not None else f"run {open_ones[0].trial}"
            message = f"{what}, and the work planned for {planned} is not stated"
            yield NotShown(message, open_ones[0].at, "", PROVIDE)
        elif found and all(curve.cut_at_target(thresholds.work) for curve in found):
            message = (
                f"all {len(found)} curves end at the evaluation that reaches the target, the shortest at "
                f"{100 * min(curve.done or 0.0 for curve in found):.3g} % of its plan; what follows is not shown"
            )
            yield NotShown(message, found[0].at, "", PROVIDE_REST)
    yield from _figures(claim, case, side, thresholds.work)


def _succeeded(side: Side, trial: str) -> bool:
    """Whether a run's own log ends with its success, which is that of a target that the log need not name."""
    return trial in side.arm.runs and side.arm.runs[trial].status == "success"


def _effect(claim: Claim, case: Case) -> Effect:
    return UNDERMINES if quality_at_stake(claim, case) or claim.quality is not None else CAVEAT


def _branch(effect: Effect) -> str:
    return "a" if effect is UNDERMINES else "b"


def _violation(side: Side, cut: list[Curve], n: int, effect: Effect) -> Violation:
    least = min(cut, key=lambda curve: curve.done or 0.0)
    share = f"{100 * (least.done or 0.0):.3g} %"
    message = f"{len(cut)} of {n} curves end short of their target and their plan, the shortest at {share} of it"
    related = tuple(Related(curve.at, "a curve that ends early") for curve in cut[:5])
    return Violation(_branch(effect), effect, C3, message, side.arm.place("trials"), "100 %", share, related)


def _figures(claim: Claim, case: Case, side: Side, work: float) -> Iterator[Branch]:
    sides = {item.id: item for item in case.sides()}
    for figure in case.submission.figures.values():
        shown = [sides[name] for name in figure.arms if name in sides]
        if len(shown) >= 2 and any(item.id == side.id for item in shown):
            yield from _figure(figure, shown, work, _effect(claim, case))


def _figure(figure: Figure, shown: list[Side], work: float, effect: Effect) -> Iterator[Branch]:
    """Compare where the curves of a figure end: each arm at its longest run."""
    ends: list[tuple[Side, float, bool]] = []
    for side in shown:
        found = curves(side, None)
        samples = [curve.last.samples for curve in found if curve.last.samples is not None]
        if not found or len(samples) < len(found):
            return
        whole = all(item.reached or item.excused or (item.done or 0.0) >= work for item in found)
        ends.append((side, max(samples), whole))
    far, near = max(ends, key=lambda end: end[1]), min(ends, key=lambda end: end[1])
    if near[1] < work * far[1] and not all(whole for _, _, whole in ends):
        message = f"the curves of one figure end at {near[1]:g} and {far[1]:g} samples, not all of them at a target"
        related = (Related(near[0].arm.at, "ends first"), Related(far[0].arm.at, "ends last"))
        yield Violation(_branch(effect), effect, C3, message, figure.at, related=related)
