"""R05: a number whose software cannot be installed again."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.conditions import Software
from ...schemas.model import NotApplicable
from ...schemas.pattern import Pattern
from ...schemas.submission import Claim
from ..case import Case, Side
from ..outcome import Branch, Inapplicable, NotShown
from ..registry import rule

ITEM = "container or lock"
_DIGEST = Pattern(r"sha(?:256|512):[0-9a-f]+")
MOVED = frozenset({"rate", "time", "latency", "flops", "mfu", "energy", "cost"})
CONDITIONS = """\
arms:
  fast:
    environment:
      host: "node-17"
      clocks: {policy: locked, low_mhz: 1410, high_mhz: 1410}
      power_limit_w: 400
      co_tenants: none
"""
PROVIDE = """\
arms:
  fast:
    software:
      container: "registry.example.org/lm@sha256:0f3a52c1"      # or lock_digest: "sha256:9c1e"
"""


@rule("R05", "environment-missing", applies="measured and not hosted", origin="S4")
def environment_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A measured number without the container or the lock that holds its software.

    ## What it does
    Looks in the software of the claim's arm, and of its base, for a container with a digest, the digest of a lock of
    all dependencies, or the list of installed packages. Of a number that a machine's state moves (a speed, an energy, a
    cost) it looks whether anything at all is told of the conditions: host, clocks, power limit, neighbours.

    ## Why it misleads
    "torch 2.6" is a hundred builds. Without the very environment nobody can tell next year whether another number comes
    from other software.

    ## Branches
    - not applicable: both container and lock are said not to apply, with a reason.
    - not shown: neither is given; a container's tag alone can be moved to another image. Required (container or lock)
      from the publication profile on.
    - not shown, too: an arm that was timed, or whose energy was read, tells nothing of the conditions under which it
      ran.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"software": {"container": "registry.example.org/rn50:latest"}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, with the digest of its container.

    ## How to fix
    Publish the container's digest or the lock.

    ## References
    ACM artifact review and badging.
    """
    sides = [side for side in (case.subject(claim), case.base(claim)) if side is not None]
    if not sides:
        yield NotShown("neither a container nor a lock is given", claim.at, ITEM, PROVIDE)
    for side in sides:
        software = side.arm.software
        if software is None:
            yield NotShown(f"arm {side.id} gives neither a container nor a lock", side.arm.at, ITEM, PROVIDE)
        elif isinstance(software.container, NotApplicable) and isinstance(software.lock_digest, NotApplicable):
            yield Inapplicable(f"container: {software.container.not_applicable}")
        elif not _fixed(software):
            what = (
                "a container by its tag alone" if isinstance(software.container, str) else "neither container nor lock"
            )
            yield NotShown(f"arm {side.id} gives {what}", software.at, ITEM, PROVIDE)
        if claim.quantity in MOVED and not _conditions(side):
            message = f"arm {side.id} tells nothing of its conditions: host, clocks, power limit, neighbours"
            yield NotShown(message, side.arm.at, provide=CONDITIONS)


def _conditions(side: Side) -> bool:
    """Whether an arm, a trial of it, or what was handed in to a suite tells anything of the machine's state."""
    trials = side.arm.trials.values()
    told = side.arm.environment is not None or side.arm.description is not None
    return told or any(trial.environment or trial.controls for trial in trials)


def _fixed(software: Software) -> bool:
    container = isinstance(software.container, str) and _DIGEST.search(software.container) is not None
    return container or isinstance(software.lock_digest, str) or bool(software.packages)
