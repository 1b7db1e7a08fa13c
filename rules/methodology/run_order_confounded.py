"""M21: all trials of one arm before all of the other."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.arm_decision import of_the_arm
from ..facts.series.drift import drifts
from ..facts.series.moments import Period, trial_periods
from ..outcome import C2, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

PROVIDE = """\
arms:
  fast:
    trials:
      t1: {kind: throughput, outcome: completed, order: 0, started: "2026-03-02T08:00:00Z"}
"""
STEPS = "step_time_s"


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    trials: float = Threshold(3, "trials in each arm", "judgement")
    p: float = Threshold(0.01, "two-sided p of a trial's drift", "simulation: false on 4 to 7 % of series at .05")
    change: float = Threshold(0.02, "total change over a trial, as a fraction", "judgement")


@rule(
    "M21",
    "run-order-confounded",
    effect=UNDERMINES,
    confidence=C2,
    applies="comparison and (has(times) or (measured and quantity in {rate, time, latency}))",
    origin="HB15, J",
    thresholds=Thresholds,
)
def run_order_confounded(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A comparison in which one arm ran first and the other afterwards.

    ## What it does
    Sorts the completed trials of both arms by their starting times, or by their places in the executed order where
    times are not given, and sees whether all of one arm ended before the
    first of the other began. Then looks for a drift inside the trials: on medians of ten blocks, in more trials than
    chance gives.

    ## Why it misleads
    Machines warm up, neighbours come and go. What changed in between is then part of the difference, and no statistic
    can take it out.

    ## Branches
    - (a) caveat, C2: all trials of one arm precede all of the other, at least three in each.
    - (b) undermines, C2: the same, and the steps of either arm drift.
    - not shown: the order of the trials is given as unknown, and neither times nor places are.
    - not applicable: a trial does not say when it ran, an arm has fewer than three, or the arms ran on machines of
      their own.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"trials": {
        "t1": {"started": "2026-03-02T08:00:00Z", "samples": {"step_time_s": [
          0.691, 0.712, 0.714, 0.706, 0.716, 0.719, 0.728, 0.735, 0.722, 0.725, 0.748, 0.742, 0.754, 0.740,
          0.755, 0.765, 0.757, 0.779, 0.782, 0.765, 0.769, 0.785, 0.799, 0.789, 0.789, 0.798, 0.793, 0.801,
          0.811, 0.816]}},
        "t2": {"started": "2026-03-02T08:01:00Z", "samples": {"step_time_s": [
          0.694, 0.698, 0.701, 0.711, 0.711, 0.709, 0.732, 0.729, 0.735, 0.728, 0.752, 0.753, 0.739, 0.748,
          0.761, 0.765, 0.774, 0.766, 0.780, 0.780, 0.775, 0.786, 0.797, 0.800, 0.796, 0.802, 0.793, 0.802,
          0.819, 0.814]}},
        "t3": {"started": "2026-03-02T08:02:00Z", "samples": {"step_time_s": [
          0.692, 0.705, 0.713, 0.716, 0.713, 0.719, 0.724, 0.735, 0.733, 0.733, 0.740, 0.733, 0.737, 0.757,
          0.768, 0.762, 0.761, 0.760, 0.772, 0.788, 0.786, 0.785, 0.797, 0.786, 0.796, 0.811, 0.806, 0.807,
          0.806, 0.817]}},
        "t4": {"started": "2026-03-02T08:03:00Z"}, "t5": {"started": "2026-03-02T08:04:00Z"}}},
      "plain": {"trials": {"t1": {"started": "2026-03-02T09:00:00Z"}, "t2": {"started": "2026-03-02T09:01:00Z"},
        "t3": {"started": "2026-03-02T09:02:00Z"}, "t4": {"started": "2026-03-02T09:03:00Z"},
        "t5": {"started": "2026-03-02T09:04:00Z"}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, with the trials of both arms in turn:
    ```json
    {"arms": {"fused": {"trials": {"t1": {"started": "2026-03-02T08:00:00Z"}, "t2": {"started": "2026-03-02T08:02:00Z"},
        "t3": {"started": "2026-03-02T08:04:00Z"}, "t4": {"started": "2026-03-02T08:06:00Z"},
        "t5": {"started": "2026-03-02T08:08:00Z"}}},
      "plain": {"trials": {"t1": {"started": "2026-03-02T08:01:00Z"}, "t2": {"started": "2026-03-02T08:03:00Z"},
        "t3": {"started": "2026-03-02T08:05:00Z"}, "t4": {"started": "2026-03-02T08:07:00Z"},
        "t5": {"started": "2026-03-02T08:09:00Z"}}}}}
    ```

    ## How to fix
    Interleave the trials of the arms, or draw their order.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015); the number of trials is judgement.
    """
    sides = case.subject(claim), case.base(claim)
    if sides[0] is None or sides[1] is None or sides[0].id == sides[1].id:
        yield Inapplicable("two arms with trials are not given")
        return
    trained = claim.scope == "training_run" or claim.quantity == "accuracy"
    kind = "convergence" if trained else "throughput"
    new, old = _periods(sides[0], sides[1], kind)
    if min(len(new), len(old)) < thresholds.trials:
        stated = [side.arm.measurement for side in (sides[0], sides[1]) if side.arm.measurement is not None]
        if any(item.order == "unknown" for item in stated):
            at = sides[0].arm.measurement.at if sides[0].arm.measurement is not None else sides[0].arm.at
            yield NotShown("the order in which the trials of the arms ran is given as unknown", at, provide=PROVIDE)
        else:
            yield Inapplicable("not every trial says when it ran, or an arm has too few")
        return
    if _machines_apart(sides[0], sides[1]):
        yield Inapplicable("the arms ran on machines of their own")
        return
    order = _order(sides[0], new, sides[1], old)
    if order is None:
        return
    first, last, gap = order
    metric = case.metric(claim.measured)
    column = metric.column if metric is not None and metric.column is not None else STEPS
    drifting = [side.id for side in (first, last) if _drifts(case, side, column, thresholds)]
    apart = f"ended {gap:.0f} s" if _timed(first) else "ran"
    what = f"all trials of arm {first.id} {apart} before the first of arm {last.id} began"
    related = (Related(last.arm.place("trials"), f"trials of arm {last.id}"),)
    at = first.arm.place("trials")
    if drifting:
        message = f"{what}, and the steps of {' and '.join(drifting)} drift"
        yield Violation("b", UNDERMINES, C2, message, at, related=related)
    else:
        yield Violation("a", CAVEAT, C2, what, at, related=related)


def _periods(left: Side, right: Side, kind: str) -> tuple[list[Period], list[Period]]:
    """Return when the trials of both arms ran; where no time is given, their places in the executed order."""
    if _timed(left) or _timed(right):
        return [period for _, period in trial_periods(left, kind)], [period for _, period in trial_periods(right, kind)]
    return _places(left, kind), _places(right, kind)


def _places(side: Side, kind: str) -> list[Period]:
    """Return the places of an arm's completed trials in the executed order; none where one of them has none."""
    trials = [item for item in side.arm.trials.values() if item.kind == kind and item.outcome == "completed"]
    known = [Period(item.order, item.order, item.place("order")) for item in trials if item.order is not None]
    return known if len(known) == len(trials) else []


def _timed(side: Side) -> bool:
    return any(trial.started for trial in side.arm.trials.values())


def _order(left: Side, mine: list[Period], right: Side, other: list[Period]) -> tuple[Side, Side, float] | None:
    """Return the arm that ran first, the one that ran last, and the seconds between; None where they interleave."""
    for first, firsts, last, lasts in ((left, mine, right, other), (right, other, left, mine)):
        gap = min(period.start_s for period in lasts) - max(period.end_s for period in firsts)
        if gap >= 0:
            return first, last, gap
    return None


def _drifts(case: Case, side: Side, column: str, thresholds: Thresholds) -> bool:
    """Whether more trials of an arm drift than chance gives."""
    known = [item for item in drifts(case, side, column) if item is not None]
    return of_the_arm(sum(item.p < thresholds.p and abs(item.change) > thresholds.change for item in known), len(known))


def _machines_apart(left: Side, right: Side) -> bool:
    """Whether the two arms surely ran on different machines: by host, by boot, or by system."""
    hosts = [side.arm.environment.host if side.arm.environment is not None else None for side in (left, right)]
    if isinstance(hosts[0], str) and isinstance(hosts[1], str):
        return hosts[0].strip().casefold() != hosts[1].strip().casefold()
    boots = [{trial.boot_id for trial in side.arm.trials.values()} - {None} for side in (left, right)]
    if boots[0] and boots[1]:
        return boots[0].isdisjoint(boots[1])
    return left.arm.system is not None and right.arm.system is not None and left.arm.system != right.arm.system
