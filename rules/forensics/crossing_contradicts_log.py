"""F24: a time to target that the evaluation log does not show."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from math import inf
from statistics import fmean, median_high, median_low

from msgspec import Struct

from ...schemas.evidence import Crossing, Evaluation, Target, Trial
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.discrepancy import gap, weighed
from ..facts.quantities.given import given
from ..facts.quantities.likely_cause import counts_of, likely_cause
from ..facts.quantities.per_second import seconds
from ..facts.quantities.ratios import positive
from ..facts.training.convergence import HELD_OUT, first_crossing, in_order, meets, metric_value, scale_differs
from ..fields import field_of
from ..language.printed import INFINITY, Span, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..words import target_of


class Crossed(Struct, frozen=True):
    """Where one run crossed the target: after `low`, at `high` at the latest."""

    low: float
    high: float
    overhead: float
    whole: bool


@rule(
    "F24",
    "crossing-contradicts-log",
    effect=REFUTES,
    confidence=C3,
    applies="tta and has(curve)",
    origin="S0, ML",
)
def crossing_contradicts_log(claim: Claim, case: Case) -> Iterator[Branch]:
    """A time or work to target that is not where the logged evaluations cross it.

    ## What it does
    Finds the first held-out evaluation that meets the target in every run; the crossing lies between it and the
    evaluation before. The claimed time (and the claimed samples) must lie there: for a mean or a median of the runs in
    that of the crossings (runs without a log may count as infinitely slow), else between the earliest and the latest.
    Time that the log's clock leaves out, as declared or as the run's wall time shows, is allowed for. A crossing that a
    run records, or that is claimed in samples, must not be at an evaluation that misses the target.

    ## Why it misleads
    A curve crosses its target once. A claimed time that is not there was read off a smoothed curve, another run, or the
    end of the run.

    ## Branches
    - (a) refutes, C3: the target is met, but not where the claim says; a caveat where it is off by at most 1 %.
    - not applicable: no run meets the target (another rule speaks), or an evaluation before the crossing lacks its
      value or its time.

    ## Flagged
    On `training-pair` for claim `rate`:
    ```json
    {"claims": {"rate": {"quantity": "time", "scope": "training_run", "value": "890", "digits": null, "unit": "s",
       "statement": "Loss 3.30 is reached after 890 s.", "purpose": "time_to_accuracy"}}}
    ```

    ## Accepted
    On `training-pair` for claim `rate`:
    ```json
    {"claims": {"rate": {"quantity": "time", "scope": "training_run", "value": "1986", "digits": null, "unit": "s",
       "statement": "Loss 3.30 is reached after 1986 s.", "purpose": "time_to_accuracy"}}}
    ```

    ## How to fix
    Give the time of the first evaluation that meets the target, or evaluate more often.

    ## References
    MLPerf training rules: the run ends at the first evaluation that meets the target.
    """
    side, target = case.subject(claim), target_of(claim, case)
    if side is None or not isinstance(target, Target):
        yield Inapplicable("the claim names no runs with a target")
        return
    unit = seconds(claim.unit)
    yield from _recorded(claim, side, target)
    stated: list[tuple[Span, str, str, str]] = []
    if claim.form == "absolute" and claim.value is not None and unit is not None:
        value = span(claim.value, claim.qualifier, claim.digits)
        stated.append((positive(value).times(unit), claim.place("value"), f"{claim.value} {claim.unit}", "time_s"))
    if claim.crossing_samples is not None:
        text = f"{claim.crossing_samples:g} samples"
        stated.append((given(claim.crossing_samples), claim.place("crossing_samples"), text, "samples"))
    if not stated:
        yield Inapplicable("neither a time in a known unit nor samples to the target are claimed")
    for value, at, printed, position in stated:
        yield from _judged(claim, case, side, target, (value, at, printed, position))


def _recorded(claim: Claim, side: Side, target: Target) -> Iterator[Branch]:
    """Yield crossings that lie at an evaluation which does not meet the target."""
    claimed: list[Evaluation] = []
    runs = [trial for trial in side.arm.trials.values() if trial.kind == "convergence" and trial.evaluations]
    for trial in runs:
        held_out = [item for item in in_order(trial.evaluations) if item.split in HELD_OUT]
        values = [metric_value(item, target) for item in held_out]
        if scale_differs([value for value in values if value is not None], target):
            continue
        missed = [
            item for item, value in zip(held_out, values, strict=True) if value is not None and not meets(value, target)
        ]
        met = [item for item, value in zip(held_out, values, strict=True) if value is not None and meets(value, target)]
        claimed += [item for item in missed if item.samples is not None and item.samples == claim.crossing_samples][:1]
        crossing = trial.crossing
        if crossing is None or not crossing.reached or not met:
            continue
        at_it = [item for item in missed if _same_place(crossing, item)]
        if at_it and not any(_same_place(crossing, item) for item in met):
            value = metric_value(at_it[0], target)
            message = f"a run records its crossing at an evaluation of {value:g}; the target is {target.value}"
            place = (Related(at_it[0].at, "evaluation"),)
            yield Violation("a", REFUTES, C3, message, crossing.at, str(target.value), f"{value:g}", place)
    if runs and len(claimed) == len(runs):
        message = f"after {claim.crossing_samples:g} samples no run meets the target of {target.value} in its log"
        related = tuple(Related(item.at, "evaluation") for item in claimed[:5])
        at = claim.place("crossing_samples")
        yield Violation("a", REFUTES, C3, message, at, f"{claim.crossing_samples:g}", related=related)


def _same_place(crossing: Crossing, item: Evaluation) -> bool:
    """Whether a recorded crossing is at an evaluation, by every counter that both state."""
    pairs = [(crossing.samples, item.samples), (crossing.step, item.step)]
    known = [left == right for left, right in pairs if left is not None and right is not None]
    return bool(known) and all(known)


def _judged(
    claim: Claim, case: Case, side: Side, target: Target, stated: tuple[Span, str, str, str]
) -> Iterator[Branch]:
    value, at, printed, position = stated
    runs = [trial for trial in side.arm.trials.values() if trial.kind == "convergence" and trial.evaluations]
    found = [_crossed(trial, side, target, position) for trial in runs]
    crossed = [item for item in found if item is not None]
    if not crossed:
        yield Inapplicable("no run meets the target at a known place")
        return
    pairs = zip(runs, found, strict=True)
    if any(item is None and first_crossing(trial, target) is not None for trial, item in pairs):
        yield Inapplicable("a run meets the target at a place that is not known")
        return
    statistic = str(field_of("statistic", claim, case)) if len(crossed) == len(runs) else "unspecified"
    without = sum(trial.kind == "convergence" for trial in side.arm.trials.values()) - len(runs)
    allowed = _allowed(crossed, statistic, without)
    if len(crossed) < len(runs):
        allowed = Span(allowed.low, INFINITY)
    if not value.meets(allowed):
        distance = gap(value, allowed)
        cause = likely_cause(value, allowed, counts_of(side))
        message = f"{printed} to the target; the evaluations cross it at {allowed}{cause}"
        related = (Related(side.arm.place("trials"), f"evaluations of {len(runs)} runs"),)
        yield Violation("a", weighed(REFUTES, distance), C3, message, at, printed, str(allowed), related)
    elif len(crossed) < len(runs) or not all(item.whole for item in crossed):
        yield Inapplicable("not every run crosses the target at a known place, after evaluations that are all known")


def _crossed(trial: Trial, side: Side, target: Target, position: str) -> Crossed | None:
    """Return where a run crosses its target, or None where it does not or the place is not known."""
    low, whole = 0.0, True
    held_out = [item for item in in_order(trial.evaluations) if item.split in HELD_OUT]
    if scale_differs([value for item in held_out if (value := metric_value(item, target)) is not None], target):
        return None
    for evaluation in held_out:
        value, place = metric_value(evaluation, target), getattr(evaluation, position)
        if value is None:
            whole = False
        elif meets(value, target):
            if place is None:
                return None
            overhead = _overhead(trial, side) if position == "time_s" else 0.0
            return Crossed(min(low, place), place, overhead, whole)
        else:
            whole = whole and place is not None
            low = max(low, place or 0.0)
    return None


def _overhead(trial: Trial, side: Side) -> float:
    """Return the seconds that the clock of the evaluations leaves out, as declared or as the wall time shows."""
    times = [item.time_s for item in trial.evaluations if item.time_s is not None]
    beyond = max((trial.wall_s or 0) - max(times, default=0), 0.0)
    measurement = side.arm.measurement
    declared = measurement.exclusions.values() if measurement is not None else ()
    return max(beyond, sum(item.duration_s or 0 for item in declared))


def _allowed(crossed: list[Crossed], statistic: str, without: int) -> Span:
    """Return where the claimed crossing may lie; runs without a log may count as infinitely slow in a median."""
    lows = [max(item.low - item.overhead, 0.0) for item in crossed]
    highs = [item.high + item.overhead for item in crossed]
    if statistic == "mean":
        low, high = fmean(lows), fmean(highs)
    elif statistic == "median":
        low, high = median_low(lows), median_high(highs + [inf] * without)
    elif statistic in {"min", "best_of"}:
        low, high = min(lows), min(highs)
    else:
        low, high = min(lows), max(highs)
    return Span(Decimal(repr(float(low))), INFINITY if high == inf else Decimal(repr(float(high))))
