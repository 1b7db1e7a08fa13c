"""R02: a number without the machine that it was measured on."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.device.description import (
    ESSENTIAL,
    described,
    missing_description,
    missing_hardware,
    stated,
    without_reason,
)
from ..outcome import Branch, NotShown
from ..registry import rule
from ..words import WORDS

HARDWARE = "hardware"
DESCRIPTION = "system description"
MOST_MISSING = 2
WAITING = 0.02
PROVIDE = """\
systems:
  node:
    name: "2x 8x A100-SXM4-80GB"
    device: "A100"
    device_variant: SXM4
    device_memory_gib: 80
    devices_per_node: 8
    nodes: 2
    interconnect: "NVLink 3, 8x InfiniBand HDR between nodes"
    host_processor: "EPYC 7763"
    host_memory_gib: 2048
    operating_system: "Linux 6.8"
"""


@rule("R02", "hardware-missing", applies="not hosted", origin="S4, MEAS")
def hardware_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A number whose machine is not described well enough to find one like it.

    ## What it does
    Looks for the model and variant of the device, their number, their memory and, for more than one, what connects
    them; form factor and memory may stand in the printed name, the accelerator table may know one device of that name
    alone, and a cloud's machine type gives them all. Then for
    nodes, host processor, host memory, devices per node, device, framework and operating system. "N/A" without a reason
    states nothing. Both sides of a ratio are read.

    ## Why it misleads
    "On an A100" leaves open two form factors, two sizes of memory and a power limit: enough for a factor of 1.5.

    ## Branches
    - not shown: an item of the device is missing. Required (hardware) from the publication profile on.
    - not shown: the run waited more than 2 % of its time for real data, and storage or host processor are missing.
    - not shown: nodes, devices per node or framework is missing, or three of the seven items of the description, or a
      field says "N/A" without a reason. Required (system description) of a suite's results from the reviewer profile
      on.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"systems": {"node": {"name": "one A100", "device_variant": null}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with the whole description.

    ## How to fix
    Fill the description in from what `dlaudit run` collects.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 9.
    """
    parts = (_feeding(claim, case), _description(claim, case), _hardware(claim, case))
    branches = [branch for item in parts for branch in item]
    yield from branches if WORDS["suite"](claim, case) else reversed(branches)


def _feeding(claim: Claim, case: Case) -> Iterator[NotShown]:
    """Ask for what feeds the device where the claim's run is known to have waited for its data."""
    side = case.subject(claim)
    measurement = side.arm.measurement if side is not None else None
    pipeline = measurement.pipeline if measurement is not None else None
    if side is None or side.system is None or pipeline is None or pipeline.kind != "real":
        return
    missing = [name for name in ("storage", "host_processor") if not stated(getattr(side.system, name))]
    if missing and (pipeline.data_wait_share or 0) > WAITING:
        named = " and ".join(name.replace("_", " ") for name in missing)
        message = (
            f"the run waits {100 * (pipeline.data_wait_share or 0):.0f} % of its time for data; {named} not stated"
        )
        yield NotShown(message, side.system.at, "", PROVIDE)


def _hardware(claim: Claim, case: Case) -> Iterator[NotShown]:
    for found in described(claim, case):
        missing = missing_hardware(found)
        if missing:
            named = " and ".join(filter(None, (", ".join(missing[:-1]), missing[-1])))
            are = "is" if len(missing) == 1 else "are"
            yield NotShown(f"{named} of the hardware {are} not stated", found.at, HARDWARE, PROVIDE)


def _description(claim: Claim, case: Case) -> Iterator[NotShown]:
    for found in described(claim, case):
        missing, empty = missing_description(found), without_reason(found)
        if len(missing) > MOST_MISSING or ESSENTIAL & set(missing):
            message = f"not stated in the description of the system: {', '.join(missing)}"
            yield NotShown(message, found.at, DESCRIPTION, PROVIDE)
        elif empty:
            yield NotShown(f"{', '.join(empty)} says nothing, without a reason", found.at, DESCRIPTION, PROVIDE)
