"""F18: clocks that were not where they are said to be locked."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.conditions import arms_of, clock_policy
from ..facts.telemetry import clocks_under_load
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

LEAST = 2
"""A single reading may fall into the moment of a switch."""


@rule(
    "F18",
    "clock-outside-lock",
    effect=UNDERMINES,
    confidence=C3,
    applies="accelerator and has(telemetry)",
    origin="S4",
    thresholds={
        "share": Threshold(0.01, "fraction of the readings", "judgement"),
        "step": Threshold(15, "MHz, one step of a clock", "judgement"),
    },
)
def clock_outside_lock(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """Readings of a clock outside the range to which it is said to be locked.

    ## What it does
    Counts the readings of the clock under load, over all trials of an arm, that lie more than one step (15 MHz) outside
    the lock. Readings of single iterations are under load; polled ones are where the device's utilisation beside them
    is at least one half. Without utilisation only readings above the lock count, for an idle device lowers its clock.

    ## Why it misleads
    A lock that does not hold is none: the device was too hot, at its power limit, or the lock was lifted by a reset.

    ## Branches
    - (a) undermines, C3: more than 1 % of the readings, and at least two, lie outside.
    - not applicable: no lock with a range is stated, or no reading tells.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": {"t1": {"telemetry": {"period_s": 0.5, "columns": {
       "sm_clock_mhz": [1410, 1410, 1395, 1275, 1230, 1230, 1410], "utilisation": [1, 1, 1, 1, 1, 1, 1]}}}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": {"t1": {"telemetry": {"period_s": 0.5, "columns": {
       "sm_clock_mhz": [1410, 1410, 1395, 1410, 1410, 210], "utilisation": [1, 1, 1, 1, 1, 0]}}}}}}}
    ```

    ## How to fix
    Lock again, at a clock that the device holds under load.

    ## References
    Benchmarking chapter of the deep-learning performance course.
    """
    told = False
    for side in arms_of(claim, case):
        policy = clock_policy(case, side)
        if policy is None or policy.kind != "locked" or (policy.low is None and policy.high is None):
            continue
        low = (policy.low if policy.low is not None else 0) - settings.step
        high = (policy.high if policy.high is not None else float("inf")) + settings.step
        readings = list(clocks_under_load(case, side))
        outside = [clock for _, clock, sure in readings if clock > high or (sure and clock < low)]
        unsure = any(clock < low for _, clock, sure in readings if not sure)
        told = told or (bool(readings) and not unsure)
        if len(outside) >= LEAST and len(outside) > settings.share * len(readings):
            yield _violation(side, policy.at, low + settings.step, high - settings.step, outside, len(readings))
    if not told:
        yield Inapplicable("no lock with a range is stated, or no reading of the clock under load tells")


def _violation(side: Side, at: str, low: float, high: float, outside: list[float], total: int) -> Violation:
    ends = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    message = (
        f"{len(outside)} of {total} readings of arm {side.id}'s clock lie outside the lock at {ends} MHz, "
        f"from {min(outside):g} to {max(outside):g} MHz"
    )
    related = (Related(side.arm.place("trials"), "readings of the clock"),)
    return Violation("a", UNDERMINES, C3, message, at, f"{ends} MHz", f"{min(outside):g} MHz", related)
