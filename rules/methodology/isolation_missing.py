"""M17: a timing beside other work, or on processors that were not pinned."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.model import NotApplicable
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.conditions import arms_of, control
from ..facts.device.description import stated
from ..facts.document.words import words_in
from ..fields import field_of
from ..language.reading import read
from ..outcome import C3, CAVEAT, Branch, NotShown, Violation
from ..registry import rule

PROVIDE = """\
arms:
  fast:
    environment: {affinity: "cores 0-15", numa: "node 0", co_tenants: none, partitioning: none}
"""


@rule(
    "M17",
    "isolation-missing",
    effect=CAVEAT,
    confidence=C3,
    applies="timing and not hosted",
    origin="S4",
)
def isolation_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A timing that shared its device, or wandered between the sockets of its host.

    ## What it does
    Reads for both arms who else used the device, and whether the process was pinned: by its affinity or by its memory
    binding, as declared and as recorded for the knob. Partitions of a device count as the device.

    ## Why it misleads
    A neighbour takes bandwidth and power; a process that moves to the other socket reads its memory through the link
    between them. Both come and go, so that a repetition gives another number.

    ## Branches
    - (a) caveat, C3: another process used the device; or nothing was pinned on a host of several sockets.
    - not shown: who else used the device, or whether the process was pinned, is not stated or could not be seen.
    - Silent where sharing is the treatment under study.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"environment": {"co_tenants": "2 other processes on the device"}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, pinned to 16 cores and alone on the device.

    ## How to fix
    Pin the process to one socket and use the device exclusively.

    ## References
    Benchmarking chapter of the deep-learning performance course.
    """
    sides = arms_of(claim, case)
    if not sides:
        yield NotShown("who else used the device, and whether the process was pinned, is not stated", claim.at)
    deliberate = words_in(*claim.treatment).has("shares_on_purpose")
    for side in sides:
        yield from _neighbours(claim, case, side, deliberate)
        yield from _pinning(side)


def _neighbours(claim: Claim, case: Case, side: Side, deliberate: bool) -> Iterator[Branch]:
    environment = side.arm.environment
    others = environment.co_tenants if environment is not None else None
    if deliberate or isinstance(others, NotApplicable):
        return
    if not isinstance(others, str) or not stated(others):
        if field_of("device", claim, case) == "accelerator":
            message = f"who else used the device of arm {side.id} is not stated"
            yield NotShown(message, side.arm.at, provide=PROVIDE)
        return
    words = words_in(others)
    if words.has("others_present", "tenants") and not words.has("alone", "nobody_else"):
        assert environment is not None
        message = f"arm {side.id} shared its device: {others}"
        yield Violation("a", CAVEAT, C3, message, environment.place("co_tenants"), others)


def _unpinned(said: object) -> bool:
    """Whether all that a text says is that nothing was pinned."""
    return isinstance(said, str) and read(said).is_only("unpinned")


def _pinning(side: Side) -> Iterator[Branch]:
    environment, knob = side.arm.environment, control(side, "affinity")
    said = (environment.affinity, environment.numa) if environment is not None else (None, None)
    sockets = side.system.host_sockets if side.system is not None else None
    seen = knob.verified if knob is not None else None
    if seen == "verified" or any(stated(text) and not _unpinned(text) for text in said):
        return
    if not _unpinned(said[0]) and seen != "not_requested":
        yield NotShown(f"whether the process of arm {side.id} was pinned is not stated", side.arm.at, provide=PROVIDE)
    elif sockets is None:
        message = f"arm {side.id} was not pinned, and the sockets of its host are not stated"
        yield NotShown(message, side.arm.at, provide=PROVIDE)
    elif sockets > 1:
        assert environment is not None
        message = f"arm {side.id} was not pinned on a host of {sockets} sockets"
        yield Violation("a", CAVEAT, C3, message, environment.place("affinity"))
