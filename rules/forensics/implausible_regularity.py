"""F14: times that vary less than any clock shows."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.kept_series import Series, Timed, all_timed, timed, variations
from ..facts.performance import column_seconds
from ..fields import field_of
from ..outcome import C1, CAVEAT, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

LEAST = 10


@rule(
    "F14",
    "implausible-regularity",
    effect=CAVEAT,
    confidence=C1,
    applies="timing and has(raw)",
    origin="J",
    thresholds={"cv": Threshold(1e-4, "standard deviation over mean", "judgement: locked clocks give 0.03 % and more")},
)
def implausible_regularity(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """Wall-clock times that hardly vary, or not at all.

    ## What it does
    Computes the coefficient of variation of every trial of at least 10 values, and compares it with 0.01 % and with the
    resolution of the clock over the mean.

    ## Why it misleads
    Times of a real machine scatter. A constant column is a filled-in average, a simulation, or a clock that was read
    once.

    ## Branches
    - (a) caveat, C1: a trial varies by less than 0.01 %, or by less than one tick of its clock.
    - not applicable: no trial has 10 values; simulated times; or the resolution of the clock is not stated.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": {"t1": {"samples": {"step_time_s": [0.1024, 0.1024, 0.1024, 0.1024, 0.1024, 0.1024,
      0.1024, 0.1024, 0.1024, 0.1024, 0.1024, 0.1024]}}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, whose times vary by 0.6 %.

    ## How to fix
    Hand in the single times, or say why they are equal.

    ## References
    Judgement.
    """
    if field_of("basis", claim, case) == "simulated":
        yield Inapplicable("simulated times may be regular")
        return
    known = bool(arms := timed(claim, case))
    for arm in arms:
        rows = zip(arm.series, variations(case, arm.side, arm.column), strict=True)
        long = [(item, cv) for item, cv in rows if len(item.values) >= LEAST]
        known = known and bool(long) and all(_resolution(arm, item) is not None for item, _ in long)
        flawed = [(item, cv) for item, cv in long if _regular(arm, item, cv, settings.cv)]
        if flawed:
            first, cv = flawed[0]
            how = "do not vary at all" if min(first.values) == max(first.values) else f"vary by {100 * cv:.2g} %"
            message = f"the {len(first.values)} times of {first.trial} of arm {arm.side.id} {how}"
            related = tuple(Related(item.at, f"trial {item.trial}") for item, _ in flawed[1:])
            yield Violation("a", CAVEAT, C1, message, first.at, recomputed=f"{cv:.2g}", related=related)
    if not known:
        yield Inapplicable("no trial has 10 values, or the resolution of its clock is not stated")
    elif not all_timed(claim, case):
        yield Inapplicable("a completed trial holds no raw numbers")


def _regular(arm: Timed, item: Series, cv: float, least: float) -> bool:
    if cv < least:
        return True
    resolution, unit = _resolution(arm, item), column_seconds(arm.column)
    mean = sum(item.values) / len(item.values) * float(unit or 1)
    return resolution is not None and cv < resolution / mean


def _resolution(arm: Timed, item: Series) -> float | None:
    """Return the resolution of a trial's clock, in seconds."""
    measurement = arm.side.arm.measurement
    timer = arm.side.arm.trials[item.trial].timer or (measurement.timer if measurement is not None else None)
    return timer.resolution_s if timer is not None else None
