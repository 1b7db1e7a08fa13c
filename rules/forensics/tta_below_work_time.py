"""F15: a time to target in which the work to the target does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric, Target
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import compare
from ..facts.quantities.discrepancy import gap, weighed
from ..facts.quantities.given import given
from ..facts.quantities.likely_cause import counts_of, likely_cause
from ..facts.quantities.numbers import exact
from ..facts.quantities.per_second import NO_SAMPLES, TOKENS, seconds, work_per_second
from ..facts.runs.work_counters import runs
from ..facts.series.raw_numbers import samples_of
from ..facts.training.convergence import in_order
from ..language.printed import Span, short, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..words import target_of


class Best(Struct, frozen=True):
    """The highest rate that was seen: samples per second, with its place."""

    rate: Decimal
    at: str


@rule(
    "F15",
    "tta-below-work-time",
    effect=REFUTES,
    confidence=C3,
    applies="tta and has(rate_time_samples)",
    origin="J",
)
def tta_below_work_time(claim: Claim, case: Case) -> Iterator[Branch]:
    """A time to a target that is shorter than its samples take at the highest rate ever seen.

    ## What it does
    Divides the training samples up to the target by the best rate in the document (the fastest single iteration
    included) of the same arm, or of one on as many devices whose options do not differ. The claimed time must not be
    shorter. The samples are those of the fastest run, up to the evaluation before the one that met the target.

    ## Why it misleads
    Time, rate and samples come from different runs, or a part of the training is not in the time.

    ## Branches
    - (a) refutes, C3: the time, at the upper end of its digits, is shorter than samples / best rate; a caveat where it
      is so by at most 1 %.
    - not applicable: the samples to the target, or a rate of samples in a known unit, are not stated.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"claims": {"time": {"value": "42.5", "statement": "On one A100 the network reaches 94 % in 42.5 s."}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`: 1,277,952 images take 64 s at the fastest step, and 85.0 s are claimed.

    ## How to fix
    Take time, samples and rate from one run.

    ## References
    Arithmetic: no run is faster than its work at its best rate.
    """
    side, unit = case.subject(claim), seconds(claim.unit)
    if side is None or unit is None or claim.value is None or claim.form != "absolute":
        yield Inapplicable("no time in a known unit is claimed of an arm")
        return
    work, best = _work(claim, case, side), _best(case, side)
    if work is None or best is None:
        yield Inapplicable("the samples to the target, or a rate of samples, are not stated")
        return
    time = span(claim.value, claim.qualifier, claim.digits).times(unit)
    least = work[0] / best.rate
    if time.high < least:
        needed = Span(least, least)
        cause = likely_cause(time, needed, counts_of(side))
        message = (
            f"{claim.value} {claim.unit} to the target; its {short(work[0])} samples take {short(least)} s at the best "
            f"rate, {short(best.rate)} samples/s{cause}"
        )
        related = (Related(work[1], "samples"), Related(best.at, "best rate"))
        effect = weighed(REFUTES, gap(time, needed))
        stated = f"{claim.value} {claim.unit}"
        yield Violation("a", effect, C3, message, claim.place("value"), stated, f"{short(least)} s", related)


def _work(claim: Claim, case: Case, side: Side) -> tuple[Decimal, str] | None:
    """Return the fewest samples to the target, with their place."""
    if claim.crossing_samples is not None:
        return given(claim.crossing_samples).low, claim.place("crossing_samples")
    target = target_of(claim, case)
    if not isinstance(target, Target):
        return None
    found = []
    for trial in runs(side).values():
        if trial.crossing is None or not trial.crossing.reached or trial.crossing.samples is None:
            return None
        before = [
            item.samples
            for item in in_order(trial.evaluations)
            if item.samples is not None and item.samples < trial.crossing.samples
        ]
        if not before:
            return None
        found.append((given(max(before)).low, trial.crossing.at))
    return min(found, default=None)


def _best(case: Case, side: Side) -> Best | None:
    """Return the best rate of samples that the document shows for a side; None where it shows none."""
    sides = [other for other in case.sides() if other.id == side.id or _alike(side, other)]
    metrics = [(other, metric) for other in sides for metric in other.arm.performance.values()]
    found = [best for other, metric in metrics if (best := _rate(case, other, metric)) is not None]
    return max(found, key=lambda best: best.rate, default=None)


def _alike(side: Side, other: Side) -> bool:
    """Whether an arm on as many devices shares the model, and no option that both state decides its speed."""
    compared = compare(side.arm.options, other.arm.options)
    same_devices = side.devices is not None and side.devices == other.devices
    return same_devices and "model" in compared.equal and not compared.differing("HARD", "STAT", "LAYOUT")


def _rate(case: Case, side: Side, metric: Metric) -> Best | None:
    if metric.quantity == "time" and metric.scope == "step":
        return _of_steps(case, side, metric)
    unit = work_per_second(metric.unit)
    if metric.quantity != "rate" or metric.value is None or unit is None or unit.word in NO_SAMPLES:
        return None
    scale = unit.factor * (side.devices or 1) if unit.per_device else unit.factor
    if unit.per_device and side.devices is None:
        return None
    length = side.arm.options.input_length if side.arm.options is not None else None
    if unit.word in TOKENS:
        if not length:
            return None
        scale /= length
    rate = span(metric.value, digits=metric.digits).high * scale
    raw = samples_of(case, side, metric)
    if raw is not None and metric.work_per_iteration and raw.column == "step_time_s":
        per_step = exact(metric.work_per_iteration).low / exact(raw.pooled[0]).low
        rate = max(rate, per_step * scale / unit.factor)
    return Best(rate, metric.at) if rate > 0 else None


def _of_steps(case: Case, side: Side, metric: Metric) -> Best | None:
    """Return the rate of samples that a step time gives with the global batch, at the shortest step that is known."""
    unit, options = seconds(metric.unit), side.arm.options
    if unit is None or metric.value is None or options is None or not options.global_batch or options.batch_schedule:
        return None
    summary = metric.summary
    texts = [metric.value, *([summary.min] if summary is not None and summary.min is not None else [])]
    low = min(span(text).low for text in texts) * unit
    raw = samples_of(case, side, metric)
    if raw is not None and raw.column == "step_time_s":
        low = min(low, exact(raw.pooled[0]).low)
    return Best(Decimal(options.global_batch) / low, metric.at) if low > 0 else None
