"""W0705: faster steps at lower precision, and more of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Target, Trial
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.arms import arm_pair
from ..facts.comparison.options import Same
from ..facts.comparison.pairing import has_value, quality_arms
from ..facts.comparison.points import side_point
from ..facts.quantities.performance import more_is_better
from ..facts.quantities.ratios import gain, readings
from ..facts.training.convergence import TargetRun, compare_with, in_order, judged, meets, metric_value, target_runs
from ..fields import field_of
from ..language.printed import INFINITY, span
from ..outcome import C2, UNDERMINES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import rule
from ..statistics.intervals import geometric_mean, log_welch_ratio
from ..words import target_of

LEVEL = 0.95
LEAST = 3
PROVIDE = """\
arms:
  fast:                                   # the lower precision, trained to the target
    options: {precision: {compute: e4m3}}
    target: {metric: loss, value: "3.30", direction: lower}
    trials:
      s1: {kind: convergence, seed: 1, outcome: completed, crossing: {reached: true, samples: 81000}}
"""


@rule(
    "W0705",
    "ops-to-solution-missing",
    effect=UNDERMINES,
    confidence=C2,
    applies="training and (flops or mfu or (speedup and attribution=precision))",
    origin="S1.7",
)
def ops_to_solution_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A lower precision makes steps faster, and how many more of them the training needs is open.

    ## What it does
    Multiplies the gain in rate by the samples to target of the higher precision over those of the lower one. The gain
    is taken at the upper end of its 95 % interval over trials (of declared values, of their digits), the samples at
    that of the log-Welch interval over runs. A run of the lower precision may have crossed its target just after the
    evaluation before, one of the higher precision only at the evaluation itself.

    ## Why it misleads
    Operations per second are worth what they train. A format that computes 1.5 times faster and needs twice the samples
    makes trainings longer.

    ## Branches
    - (a) undermines, C2: the gain to the target is at most 1 at the upper end of its interval.
    - not applicable: the claim is about hardware throughput, or no gain is claimed.
    - pass with note: the gain to the target, where it is known.
    - not shown: operations per second, or a share of the peak, of a training without any evaluation, quality or target
      of its model in the document.
    - not shown: a claim about a method or a rank, and no run at the lower precision reached the target, or the samples
      to it are not stated; or fewer than three runs of either precision, and the gain seems to be lost.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"attribution": "precision"}},
     "arms": {"fused": {"options": {"precision": {"compute": "e4m3"}},
       "trials": {"s1": {"evaluations": [], "crossing": {"samples": 161000}},
                  "s2": {"evaluations": [], "crossing": {"samples": 158000}},
                  "s3": {"evaluations": [], "crossing": {"samples": 164000}}, "s4": null, "s5": null}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, where both precisions need the same samples:
    ```json
    {"claims": {"speedup": {"attribution": "precision"}},
     "arms": {"fused": {"options": {"precision": {"compute": "e4m3"}}}}}
    ```

    ## How to fix
    Report the time or the energy to the target.

    ## References
    Hoefler, Twelve ways to fool the masses, way 7.
    """
    purpose, side = field_of("purpose", claim, case), case.subject(claim)
    if claim.attribution != "precision":
        yield from _bare(claim, case, side)
        return
    if purpose == "hardware_throughput" and claim.form != "rank":
        yield Inapplicable("a claim about the throughput of hardware")
        return
    asked = purpose == "method_speedup" or claim.form == "rank"
    lower = _samples(claim, case, side)
    if not lower:
        if asked:
            message = "no run at the lower precision is shown to reach the target with its samples"
            yield NotShown(message, claim.at if side is None else side.arm.at, provide=PROVIDE)
        else:
            yield Inapplicable("no samples to the target are stated")
        return
    higher, rate = _samples(claim, case, case.base(claim)), _rate_gain(claim, case)
    if not higher or rate is None:
        yield Inapplicable("the samples of the higher precision, or the gain in rate, are not stated")
        return
    assert side is not None
    yield from _judge(claim, side, rate, [run.low for run in lower], [run.high for run in higher])


def _bare(claim: Claim, case: Case, side: Side | None) -> Iterator[Branch]:
    """Ask of an operation rate in training what it trains: anything that the document shows of the model's quality."""
    if side is None:
        yield Inapplicable("no arm stands behind the number")
        return
    arms = (side, *quality_arms(side, case))
    shown = any(has_value(quality) for arm in arms for quality in arm.arm.quality.values())
    shown = shown or any(trial.evaluations or trial.crossing for arm in arms for trial in arm.arm.trials.values())
    if not shown and not target_runs(case, claim) and case.quality(claim.quality) is None:
        message = "operations per second of a training are given alone, with neither a quality nor the time to one"
        yield NotShown(message, claim.at, provide=PROVIDE)


def _judge(claim: Claim, side: Side, rate: float, lower: list[float], higher: list[float]) -> Iterator[Branch]:
    if min(lower) <= 0:
        return
    net = rate * geometric_mean(higher) / geometric_mean(lower)
    interval = log_welch_ratio(higher, lower, confidence=LEVEL)
    if interval is None:
        if net <= 1:
            message = f"with {len(lower)} and {len(higher)} runs to the target the gain to it may be {net:.3g}"
            yield NotShown(message, side.arm.place("trials"), provide=PROVIDE)
        else:
            yield Note(f"the gain to the target is about {net:.3g}")
    elif rate * interval.upper <= 1:
        message = (
            f"the lower precision needs {1 / interval.upper:.3g} to {1 / interval.lower:.3g} times the samples: to the "
            f"target its gain is at most {rate * interval.upper:.3g}"
        )
        at, related = claim.place("value"), (Related(side.arm.place("trials"), "runs to the target"),)
        yield Violation("a", UNDERMINES, C2, message, at, claim.value, f"{rate * interval.upper:.3g}", related)
    else:
        yield Note(f"the gain to the target is about {net:.3g}")


class Crossing(Struct, frozen=True):
    """Samples between which a run reached its target."""

    low: float
    high: float


def _samples(claim: Claim, case: Case, side: Side | None) -> list[Crossing]:
    """Return the samples at the target of every run with an arm's model, data and batch; empty where one is missing."""
    target = target_of(claim, case)
    if side is None or not isinstance(target, Target):
        return []
    point = side_point(side)
    runs = [run for run in target_runs(case, claim) if compare_with(point, run).stat() is Same.EQUAL]
    own = [run for run in runs if run.side.id == side.id] or runs
    found = [_crossing(run, target) for run in own if run.trial is not None]
    return [crossing for crossing in found if crossing is not None] if all(found) else []


def _crossing(run: TargetRun, target: Target) -> Crossing | None:
    if run.samples is None or run.trial is None or not 0 < run.samples < math.inf:
        return None
    return Crossing(_before(run.side.arm.trials[run.trial], target, run.samples), run.samples)


def _before(trial: Trial, target: Target, samples: float) -> float:
    """Return the samples of the evaluation before a crossing; the crossing's own without an evaluation log."""
    counted = [item.samples for item in in_order(judged(trial, target)) if item.samples is not None]
    missed = [
        item.samples
        for item in judged(trial, target)
        if item.samples is not None and item.samples < samples and not _met(metric_value(item, target), target)
    ]
    if not counted:
        return samples
    return max(missed, default=0.0)


def _met(value: float | None, target: Target) -> bool:
    return value is not None and meets(value, target)


def _rate_gain(claim: Claim, case: Case) -> float | None:
    """Return the largest gain in rate that the document supports: over trials, by declared values, or as claimed."""
    pair = arm_pair(claim, case)
    if pair is not None:
        interval = log_welch_ratio(*pair.better, confidence=LEVEL)
        if interval is not None:
            return interval.upper
    metrics = case.metric(claim.measured), case.metric(claim.base)
    if metrics[0] is not None and metrics[1] is not None and metrics[0].value and metrics[1].value:
        ways = more_is_better(metrics[0].quantity, metrics[0].unit)
        spans = [span(item.value or "", digits=item.digits) for item in metrics if item is not None]
        same = (metrics[0].quantity, metrics[0].unit) == (metrics[1].quantity, metrics[1].unit)
        found = gain(spans[0], spans[1], ways) if same and ways is not None else None
        if found is not None:
            return float(found.high)
    highs = [reading.high for reading in readings(claim, claim.quantity in {"rate", "flops"})]
    finite = [high for high in highs if Decimal(0) < high < INFINITY]
    return float(max(finite)) if finite and len(finite) == len(highs) and claim.form == "ratio" else None
