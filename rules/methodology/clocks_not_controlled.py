"""M13: a timing whose clocks were neither locked nor logged."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.device.conditions import arms_of, clock_policy
from ..facts.device.telemetry import log_period_s
from ..language.printed import short
from ..outcome import C3, CAVEAT, Branch, Note, NotShown, Violation
from ..registry import Threshold, rule

ITEM = "clock policy"
PROVIDE = """\
arms:
  fast:
    environment:
      clocks: {policy: locked, low_mhz: 1410, high_mhz: 1410}    # or policy: logged, with readings beside the trials
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    period: float = Threshold(
        1.5, "seconds between two readings", "judgement: one a second, and half of that for delays"
    )


@rule(
    "M13",
    "clocks-not-controlled",
    effect=CAVEAT,
    confidence=C3,
    applies="timing and accelerator",
    origin="S4",
    thresholds=Thresholds,
)
def clocks_not_controlled(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A timing on an accelerator whose clocks were neither locked nor logged.

    ## What it does
    Reads how the clocks of both arms were treated: what is declared, whether a lock was set and seen to hold, whether
    readings of the clock lie beside the trials. Readings are enough where a lock is not permitted, as on most clouds.

    ## Why it misleads
    An accelerator moves its clock by a third with temperature, power and neighbours. Two runs of one program then
    differ by more than most methods gain, and nobody can tell afterwards.

    ## Branches
    - (a) caveat, C3: the clocks are declared as neither locked nor logged; or not locked, and read less often than once
      a second.
    - not shown: nothing is said of them; or a lock was asked for and could not be set or seen, and nothing was logged.
      Required (clock policy) of timings on accelerators in the procurement profile.
    - pass with a note: a hosted service, whose clocks its customers can neither lock nor read.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"environment": {"clocks": {"policy": "none", "low_mhz": null, "high_mhz": null}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with clocks locked at 1410 MHz.

    ## How to fix
    Lock the clocks, or log them at least once a second.

    ## References
    Benchmarking chapter of the deep-learning performance course.
    """
    sides = arms_of(claim, case)
    if not sides:
        yield NotShown("how the clocks were treated is not stated", claim.at, ITEM, PROVIDE)
    for side in sides:
        policy = clock_policy(case, side)
        if policy is None:
            yield NotShown(f"how the clocks of arm {side.id} were treated is not stated", side.arm.at, ITEM, PROVIDE)
        elif policy.kind == "none" and policy.refused:
            message = f"a lock of the clocks of arm {side.id} could not be set or seen, and no readings are given"
            yield NotShown(message, policy.at, ITEM, PROVIDE)
        elif policy.kind == "logged" and (period := log_period_s(side)) is not None and period > thresholds.period:
            message = f"the clocks of arm {side.id} were not locked, and were read only every {short(period)} s"
            yield Violation("a", CAVEAT, C3, message, policy.at, None, short(period))
        elif policy.kind == "none" and claim.site == "hosted":
            yield Note(f"the clocks of arm {side.id} are its provider's: nobody else can lock or read them")
        elif policy.kind == "none":
            message = f"the clocks of arm {side.id} were neither locked nor logged"
            yield Violation("a", CAVEAT, C3, message, policy.at)
