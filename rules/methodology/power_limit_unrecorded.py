"""M15: a timing or an energy without the power limit in force."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.device.conditions import arms_of, power_limit_w
from ..outcome import Branch, NotShown
from ..registry import rule

ITEM = "power limit"
PROVIDE = """\
arms:
  fast:
    environment: {power_limit_w: 400}    # the limit in force, not the design power
"""


@rule("M15", "power-limit-unrecorded", applies="(energy or timing) and accelerator", origin="S4")
def power_limit_unrecorded(claim: Claim, case: Case) -> Iterator[Branch]:
    """A timing or an energy on an accelerator without the power limit in force.

    ## What it does
    Looks for the power limit of one device in the environment of both arms, in the knob that set it, and in the system.

    ## Why it misleads
    One model of accelerator is sold and run at limits that differ by a factor of two, and its speed follows. Without
    the limit a number belongs to no machine in particular.

    ## Branches
    - not shown: the limit of an arm is not stated; the design power of the model is another number. Required (power
      limit) of timings on accelerators in the procurement profile.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"environment": {"power_limit_w": null}}}, "systems": {"node": {"power_limit_w": null}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with a limit of 400 W.

    ## How to fix
    Record the limit; the driver tells it without special rights.

    ## References
    Benchmarking chapter of the deep-learning performance course.
    """
    sides = arms_of(claim, case)
    if not sides:
        yield NotShown("the power limit is not stated", claim.at, ITEM, PROVIDE)
    for side in sides:
        if power_limit_w(side) is None:
            yield NotShown(f"the power limit of arm {side.id} is not stated", side.arm.at, ITEM, PROVIDE)
