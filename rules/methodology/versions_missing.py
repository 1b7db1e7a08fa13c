"""M16: a measured number without the versions that produced it."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.conditions import arms_of
from ..facts.device.description import stated
from ..fields import field_of
from ..outcome import Branch, NotShown
from ..registry import rule

ITEM = "versions"
NEEDED = ("driver", "framework", "runtime")
ON_DEVICE = frozenset({"driver", "runtime"})
FURTHER = ("language", "tool")
PROVIDE = """\
arms:
  fast:
    software: {driver: "550.54.15", runtime: "CUDA 12.4", framework: "torch 2.6.0", language: "Python 3.11.9"}
"""


@rule("M16", "versions-missing", applies="measured and not hosted", origin="S4, HB15, MEAS")
def versions_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A measured number without the versions of the software that produced it.

    ## What it does
    Looks in both arms for the versions of the accelerator's driver, of its runtime and of the framework, and names all
    that are missing, together with language and measuring tool. On a processor only the framework counts. An entry that
    says why it does not apply is an answer.

    ## Why it misleads
    The same program is a third faster after an update of the driver or of a library. Without versions nobody can tell
    whose gain it is, or repeat it.

    ## Branches
    - not shown: driver, framework or runtime is not stated. Required (versions) of measured numbers from the gate
      profile on.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"software": {"driver": null, "tool": null}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with driver, runtime and framework.

    ## How to fix
    Record versions automatically, in the run that they belong to.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 9; measured on published
    reports, most of which state the framework alone.
    """
    sides = arms_of(claim, case)
    if not sides:
        yield NotShown(f"the versions of {', '.join(NEEDED)} are not stated", claim.at, ITEM, PROVIDE)
    for side in sides:
        missing = _missing(claim, case, side)
        if set(missing) & set(NEEDED):
            software = side.arm.software
            at = software.at if software is not None else side.arm.at
            yield NotShown(f"arm {side.id} does not state the versions of {', '.join(missing)}", at, ITEM, PROVIDE)


def _missing(claim: Claim, case: Case, side: Side) -> list[str]:
    system, software = side.system, side.arm.software
    kind = system.device_kind if system is not None else None
    on_device = (kind or field_of("device", claim, case)) == "accelerator"
    names = [name for name in (*NEEDED, *FURTHER) if on_device or name not in ON_DEVICE]
    return [name for name in names if software is None or not stated(getattr(software, name))]
