"""F18: clocks that were not where they are said to be locked."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.conditions import Policy, arms_of, clock_policy
from ..facts.device.telemetry import Spread, outside_lock
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

LEAST = 2
"""A single reading may fall into the moment of a switch."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    share: float = Threshold(0.01, "fraction of the readings", "judgement")
    step: float = Threshold(15, "MHz, one step of a clock", "judgement")


@rule(
    "F18",
    "clock-outside-lock",
    effect=UNDERMINES,
    confidence=C3,
    applies="accelerator and has(telemetry)",
    origin="S4",
    thresholds=Thresholds,
)
def clock_outside_lock(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Readings of a clock outside the range to which it is said to be locked.

    ## What it does
    Counts the readings of the clock under load, over all trials of an arm, that lie more than one step (15 MHz) outside
    the lock; or takes the counts that a trial gives with the knob that locked the clock. Readings of single iterations
    are under load; polled ones are where the device's utilisation beside them is at least one half. Without utilisation
    only readings above the lock count, for an idle device lowers its clock.

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
        low = policy.low if policy.low is not None else 0.0
        high = policy.high if policy.high is not None else float("inf")
        found = outside_lock(case, side, low, high, thresholds.step)
        told = told or (found.total > 0 and not found.unsure)
        if found.outside >= LEAST and found.outside > thresholds.share * found.total:
            yield _violation(side, policy, found)
    if not told:
        yield Inapplicable("no lock with a range is stated, or no reading of the clock under load tells")


def _violation(side: Side, policy: Policy, found: Spread) -> Violation:
    ends = " to ".join(f"{end:g}" for end in dict.fromkeys((policy.low, policy.high)) if end is not None)
    message = (
        f"{found.outside} of {found.total} readings of arm {side.id}'s clock lie outside the lock at {ends} MHz, "
        f"from {found.low:g} to {found.high:g} MHz"
    )
    related = (Related(side.arm.place("trials"), "readings of the clock"),)
    return Violation("a", UNDERMINES, C3, message, policy.at, f"{ends} MHz", f"{found.low:g} MHz", related)
