"""E01: energy without a boundary."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..outcome import C3, UNDERMINES, Branch, NotShown, Related, Violation
from ..registry import rule

ITEM = "energy boundary and method"
PROVIDE = """\
arms:
  fast:
    energy: {boundary: node, method: meter}
"""


@rule("E01", "energy-boundary-undefined", effect=UNDERMINES, confidence=C3, applies="energy", origin="S0, ML")
def energy_boundary_undefined(claim: Claim, case: Case) -> Iterator[Branch]:
    """Energy without saying what the meter covers, or compared between different boundaries.

    ## What it does
    Reads what the meter covers (device, node, rack, facility) and how energy was obtained (counter, samples, a model, a
    meter), for every arm that the claim stands on.

    ## Why it misleads
    The board is half of the node, and the node two thirds of the room. A device reading beside a node reading is a
    factor of two that no method earned.

    ## Branches
    - (a) undermines, C3: the arms differ in boundary.
    - not shown: boundary or method of an arm is not stated. Required (energy boundary and method) from the gate profile
      on.

    ## Flagged
    On `energy` for claim `gain`:
    ```json
    {"arms": {"full": {"energy": {"boundary": "node"}}}}
    ```

    ## Accepted
    On `energy` for claim `gain`, both arms by the device's counter.

    ## How to fix
    State boundary and method, and use one boundary for all arms.

    ## References
    MLPerf power measurement rules; Green500 methodology.
    """
    sides: list[Side | None] = [case.subject(claim)]
    if claim.form in {"ratio", "efficiency", "rank"} or claim.compares != "none":
        sides.append(case.base(claim))
    known = [side for side in sides if side is not None and side.arm.energy is not None]
    for side in sides:
        energy = side.arm.energy if side is not None else None
        lacking = [name for name in ("boundary", "method") if energy is None or getattr(energy, name) is None]
        if lacking:
            at = side.arm.place("energy") if side is not None else claim.at
            name = f"arm {side.id}" if side is not None else "an arm of the comparison"
            yield NotShown(f"the energy of {name} states no {' and no '.join(lacking)}", at, ITEM, PROVIDE)
    boundaries = {side.id: side.arm.energy.boundary for side in known if side.arm.energy is not None}
    if len(set(boundaries.values()) - {None}) > 1:
        said = ", ".join(f"{name}: {boundary}" for name, boundary in boundaries.items())
        related = tuple(Related(side.arm.place("energy", "boundary"), f"boundary of {side.id}") for side in known)
        yield Violation("a", UNDERMINES, C3, f"the arms differ in boundary ({said})", related[0].at, related=related)
