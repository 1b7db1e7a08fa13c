"""M01: timing that begins before the machine is warm."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.arm_decision import of_the_arm
from ..facts.document.words import words_of
from ..facts.series.kept_series import timed
from ..facts.series.steady_start import LEAST, steady_starts
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import Threshold, rule

ITEM = "warm-up"
ENOUGH = 1_000_000
PROVIDE = """\
throughput: {warmup: 5, iterations: 50, trials: 5}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    full: float = Threshold(5, "iterations", "Benchmarking practice: 3 to 5 warm-up iterations")
    some: float = Threshold(3, "iterations", "Benchmarking practice: 3 to 5 warm-up iterations")


@rule(
    "M01",
    "warmup-too-short",
    effect=UNDERMINES,
    confidence=C3,
    applies="timing and not has(whole_run_samples)",
    origin="S4, S3, HB15, MEAS",
    thresholds=Thresholds,
)
def warmup_too_short(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A timing with no or hardly any warm-up, or without a word on it.

    ## What it does
    Reads how many iterations or requests were discarded before the kept ones, from the arm and from its trials. A
    discarded run counts as all of its iterations, and so does an epoch where epochs are timed. For one or two it looks
    at the raw series: whether the arm's trials still begin with a segment that is more than 2 % slower than the rest.
    That no run of a whole training was discarded says nothing about the steps or epochs that are read off it.

    ## Why it misleads
    The first iterations load libraries, compile and tune kernels, fill caches and raise clocks. They time the start,
    not the work.

    ## Branches
    - (a) undermines, C3: nothing was discarded; or one or two iterations, and the series begins slow or is not given.
    - (b) caveat, C3: one or two iterations and a series that begins steady; or three to four; or nothing before timed
      epochs, of which start-up is a small part.
    - not applicable: the sentence is about the start itself, or says that it is inside the number.
    - not shown: what was discarded is not stated, or was said of whole trainings alone; or a warm-up run went before,
      of unknown length. Required (warm-up) of timings from the gate profile on.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"measurement": {"warmup": {"discarded": 0}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with ten discarded iterations.

    ## How to fix
    Discard at least five iterations, or as many as the series needs to become steady.

    ## References
    Benchmarking chapter of the deep-learning performance course; Hoefler and Belli, Scientific benchmarking of parallel
    computing systems (2015).
    """
    side = case.subject(claim)
    if words_of(claim).has("start_inside"):
        yield Inapplicable("the number is that of the start, or says that the start is inside")
        return
    discarded = _discarded(claim, case, side) if side is not None else None
    if side is None or discarded is None:
        yield NotShown("how many iterations were discarded as warm-up is not stated", claim.at, ITEM, PROVIDE)
        return
    if discarded >= thresholds.full:
        return
    measurement = side.arm.measurement
    at = measurement.place("warmup") if measurement is not None else side.arm.place("trials")
    run_before = measurement is not None and "warm_up_run" in measurement.exclusions
    said = f"{discarded} warm-up iterations were discarded" if discarded else "no warm-up was discarded"
    steady = discarded > 0 and _begins_steady(claim, case, side)
    if discarded == 0 and run_before and not any(arm.side.id == side.id for arm in timed(claim, case)):
        yield NotShown("how many iterations the warm-up run before the clock had is not stated", at, ITEM, PROVIDE)
    elif discarded >= thresholds.some or steady or _of_epochs(claim, case, side):
        message = f"{said}; at least {thresholds.full:g} are usual"
        yield Violation("b", CAVEAT, C3, message, at, recomputed=str(discarded))
    else:
        message = f"{said}: the first iterations time start-up work"
        yield Violation("a", UNDERMINES, C3, message, at, recomputed=str(discarded))


def _discarded(claim: Claim, case: Case, side: Side) -> int | None:
    """Return the fewest discarded units that the arm or one of its trials states; None where one does not say."""
    measurement = side.arm.measurement
    warmup = measurement.warmup if measurement is not None else None
    if warmup is not None and warmup.unit == "run" and warmup.discarded:
        return ENOUGH
    timed_trials = (trial for trial in side.arm.trials.values() if trial.kind == "throughput")
    stated = [trial.warmup for trial in timed_trials if trial.outcome == "completed"]
    found = [count for count in stated if count is not None]
    if found and len(found) < len(stated):
        return None
    whole = measurement is not None and measurement.scope == "training_run"
    if warmup is not None and (warmup.discarded or not whole):
        found.append(warmup.discarded)
    least = min(found, default=None)
    return ENOUGH if least and _of_epochs(claim, case, side) else least


def _of_epochs(claim: Claim, case: Case, side: Side) -> bool:
    """Whether what is timed, and so what is discarded, are whole epochs."""
    metric, measurement = case.metric(claim.measured), side.arm.measurement
    scopes = (item.scope for item in (measurement, metric, claim) if item is not None and item.scope is not None)
    return next(scopes, None) == "epoch" and not timed(claim, case)


def _begins_steady(claim: Claim, case: Case, side: Side) -> bool:
    """Whether raw numbers are given, long enough to tell, and the arm does not begin slow."""
    for arm in timed(claim, case):
        if arm.side.id == side.id and any(len(item.values) >= LEAST for item in arm.series):
            starts = steady_starts(case, arm.side, arm.column)
            slow = sum(start is not None and start.head > 0 for start in starts)
            return not (of_the_arm(slow, len(starts)) or slow == len(starts))
    return False
