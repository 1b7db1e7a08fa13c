"""W1003: the curve ends where it turns the wrong way."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Target
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.arm_decision import of_the_arm
from ..facts.training.convergence import judged_values, meets
from ..facts.training.stated_quality import stated_quality
from ..facts.training.truncation import Curve, curves
from ..language.printed import short
from ..outcome import C2, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..statistics.trend import trend
from ..words import quality_at_stake, target_of

TAIL = 0.2
PROVIDE = """\
arms:
  fast:
    trials:
      s1: {planned_samples: 115000000}
"""


class Ending(Struct, frozen=True):
    """The end of one curve.

    Attributes:
        curve: the curve.
        first: the value where the end begins.
        last: the last value.
        p: one-sided p of "it does not get worse".
        points: evaluations in the end.
    """

    curve: Curve
    first: float
    last: float
    p: float
    points: int


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    alpha: float = Threshold(0.05, "one-sided p", "judgement")
    points: float = Threshold(8, "evaluations", "judgement: fewer cannot show a trend")
    work: float = Threshold(0.95, "share of the planned work", "judgement")


@rule(
    "W1003",
    "divergence-cut",
    effect=UNDERMINES,
    confidence=C2,
    applies="training and has(curve)",
    origin="S1.10",
    also=("W1002",),
    thresholds=Thresholds,
)
def divergence_cut(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A training curve stops short of its plan while it is getting worse.

    ## What it does
    Takes the runs whose curves end early (as W1002 finds them) and asks of their last 8 evaluations, or of the last
    fifth where that is more, whether the metric gets worse: Kendall's tau against their order, one-sided, with an exact
    p. Both must hold: the bumps of a restarting schedule come in whole curves, too. One run in twenty looks so by
    chance, so that an arm is judged by how many of its runs do.

    ## Why it misleads
    Cut at the right moment, a run that diverges looks like one that converges.

    ## Branches
    - not applicable: no run holds 8 evaluations of a metric whose better direction is stated.
    - (a) undermines, C2: the arm's curves end early, and get worse at their end: at least 3 runs and 30 % of them, or
      more than chance gives.
    - (b, instead of a) caveat, C2: fewer runs do so; or the claim puts no quality at stake; or a run that met its
      target falls back behind it, and its curve ends there, short of its plan and without a declared reason.
    - not shown: a curve ends early with a value worse than before, and holds fewer than 8 evaluations; or the metric
      gets worse at the end of a run that does not reach its target, and the work that was planned is not stated.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"claims": {"time": {"target": {"metric": "loss", "value": "0.20", "direction": "lower"}}},
     "arms": {"trained": {"measurement": {"stop_rule": null}, "trials": {"s3": null, "s4": null, "s5": null,
       "s1": {"planned_samples": 20000, "crossing": null, "evaluations": [
         {"split": "test", "samples": 1000, "metrics": {"loss": 0.62}},
         {"split": "test", "samples": 2000, "metrics": {"loss": 0.59}},
         {"split": "test", "samples": 3000, "metrics": {"loss": 0.58}},
         {"split": "test", "samples": 4000, "metrics": {"loss": 0.61}},
         {"split": "test", "samples": 5000, "metrics": {"loss": 0.70}},
         {"split": "test", "samples": 6000, "metrics": {"loss": 0.83}},
         {"split": "test", "samples": 7000, "metrics": {"loss": 0.97}},
         {"split": "test", "samples": 8000, "metrics": {"loss": 1.20}}]},
       "s2": {"planned_samples": 20000, "crossing": null, "evaluations": [
         {"split": "test", "samples": 1000, "metrics": {"loss": 0.65}},
         {"split": "test", "samples": 2000, "metrics": {"loss": 0.61}},
         {"split": "test", "samples": 3000, "metrics": {"loss": 0.60}},
         {"split": "test", "samples": 4000, "metrics": {"loss": 0.64}},
         {"split": "test", "samples": 5000, "metrics": {"loss": 0.75}},
         {"split": "test", "samples": 6000, "metrics": {"loss": 0.90}},
         {"split": "test", "samples": 7000, "metrics": {"loss": 1.05}},
         {"split": "test", "samples": 8000, "metrics": {"loss": 1.31}}]}}}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, whose curves reach the target and the end of their plan.

    ## How to fix
    Extend the run.

    ## References
    Hoefler, Twelve ways to fool the masses, way 10; Kendall, Rank Correlation Methods.
    """
    side = case.subject(claim)
    target = _judge_by(claim, case, side)
    if side is None or target is None:
        yield Inapplicable("no metric of the runs has a stated direction")
        return
    found = curves(side, target)
    lost = [curve for curve in found if _lost(side, curve, target)]
    if lost:
        yield _fallen(side, lost, len(found), target)
        return
    endings = [end for curve in found if (end := _ending(side, curve, target, int(thresholds.points))) is not None]
    short_ones = [curve for curve in found if curve.truncated(thresholds.work) and _turned(side, curve, target)]
    if not endings and short_ones:
        message = (
            f"{len(short_ones)} of {len(found)} curves end early, with {target.metric} worse than before, and hold too "
            "few evaluations to tell a trend"
        )
        yield NotShown(message, short_ones[0].at, "", PROVIDE)
        return
    if not endings:
        yield Inapplicable(f"no run holds {thresholds.points:g} evaluations of {target.metric}")
        return
    worse = [end for end in endings if end.p < thresholds.alpha]
    cut = [end for end in worse if end.curve.truncated(thresholds.work)]
    if cut:
        yield _violation(claim, case, side, target, cut, len(endings))
        return
    unknown = [end for end in worse if end.curve.done is None and not end.curve.reached and not end.curve.excused]
    if unknown:
        name = unknown[0].curve.trial
        message = f"{target.metric} gets worse at the end of run {name}, and the work planned for it is not stated"
        yield NotShown(message, unknown[0].curve.at, "", PROVIDE)


def _judge_by(claim: Claim, case: Case, side: Side | None) -> Target | None:
    """Return the target by which the runs are judged; without one, the stated quality with its direction."""
    target = target_of(claim, case)
    if isinstance(target, Target):
        return target
    stated = stated_quality(claim, case)
    if side is None or stated is None or stated.side.id != side.id or stated.quality.direction is None:
        return None
    quality = stated.quality
    unreachable = "Infinity" if quality.direction == "higher" else "-Infinity"
    return Target(metric=quality.metric, value=unreachable, direction=stated.quality.direction)


def _ending(side: Side, curve: Curve, target: Target, least: int) -> Ending | None:
    values = judged_values(side.arm.trials[curve.trial], target)
    if len(values) < least:
        return None
    tail = values[-max(least, round(TAIL * len(values))) :]
    found = trend(tail)
    p = found.p_falls if target.direction == "higher" else found.p_rises
    return Ending(curve, tail[0], tail[-1], p, len(tail))


def _turned(side: Side, curve: Curve, target: Target) -> bool:
    """Whether the last value of a curve is worse than an earlier one."""
    values = judged_values(side.arm.trials[curve.trial], target)
    best = max if target.direction == "higher" else min
    return len(values) > 1 and best(values[:-1]) != values[-1] and best(values) != values[-1]


def _lost(side: Side, curve: Curve, target: Target) -> bool:
    """Whether a run met its target, and its curve ends below it, short of the plan and with no reason."""
    values = judged_values(side.arm.trials[curve.trial], target)
    if len(values) < 2 or curve.done is None or curve.done >= 1 or curve.excused:
        return False
    return any(meets(value, target) for value in values[:-1]) and not meets(values[-1], target)


def _fallen(side: Side, lost: list[Curve], n: int, target: Target) -> Violation:
    share = f"{100 * (lost[0].done or 0.0):.3g} %"
    last = judged_values(side.arm.trials[lost[0].trial], target)[-1]
    message = (
        f"{len(lost)} of {n} curves fall back behind the target that they met, and end there, short of their plan: run "
        f"{lost[0].trial} at {share} of it, with {target.metric} at {short(last)}"
    )
    related = tuple(Related(curve.at, "a curve that ends so") for curve in lost[:5])
    return Violation("b", CAVEAT, C2, message, side.arm.place("trials"), "100 %", share, related)


def _violation(claim: Claim, case: Case, side: Side, target: Target, cut: list[Ending], n: int) -> Violation:
    at_stake = quality_at_stake(claim, case) or claim.quality is not None
    branch, effect = ("a", UNDERMINES) if at_stake and of_the_arm(len(cut), n) else ("b", CAVEAT)
    worst = min(cut, key=lambda end: (end.p, end.curve.trial))
    share = f"{100 * (worst.curve.done or 0.0):.3g} %"
    message = (
        f"{len(cut)} of {n} curves end early while they get worse: run {worst.curve.trial} stops at {share} of its "
        f"plan, {target.metric} going from {short(worst.first)} to {short(worst.last)} over its last {worst.points} "
        f"evaluations (p = {worst.p:.2g})"
    )
    related = tuple(Related(end.curve.at, "a curve that ends so") for end in cut[:5])
    return Violation(branch, effect, C2, message, side.arm.place("trials"), "100 %", share, related)
