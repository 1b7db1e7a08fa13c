"""Claim fields with the values that hold where a claim does not state them.

A default is the value under which most rules apply, so that leaving a field out never silences one.
"""

from __future__ import annotations

from ..schemas.submission import Claim
from .case import Case

DEVICES = frozenset({"devices", "nodes"})

FIELDS: dict[str, str | None] = {
    "quantity": None,
    "form": None,
    "scope": None,
    "purpose": None,
    "mode": None,
    "compares": None,
    "points": None,
    "basis": "measured",
    "statistic": "unspecified",
    "criterion": "each_run",
    "attribution": "none",
    "work": None,
    "site": "own",
    "device": "accelerator",
    "suite": "none",
    "division": None,
}


def field_of(name: str, claim: Claim, case: Case) -> str | int | None:
    """Return the value of a claim field, or what holds where it is not stated; None where neither is known."""
    if name == "points":
        return points_of(claim, case)
    if name == "device" and claim.device is None:
        return device_of(claim, case)
    if name == "purpose" and claim.purpose is None:
        return purpose_of(claim)
    if name == "criterion" and claim.criterion is None and claim.target is not None:
        return claim.target.criterion or FIELDS[name]
    stated: str | None = getattr(claim, name)
    return FIELDS[name] if stated is None else stated


def points_of(claim: Claim, case: Case) -> int:
    """Return how many device counts a claim relates: those of its table where they are more than it says.

    An efficiency relates a point to its base, and a table that varies in devices holds several counts, even where not
    all of them are stated. A utilisation, or an efficiency over a base of as many devices, relates to a peak.
    """
    table = case.table(claim)
    counts: set[int | None] = set()
    several = claim.form == "efficiency" and not _of_peak(claim, case)
    if table is not None:
        several = several or (len(table.rows) >= 2 and not DEVICES.isdisjoint(table.varies))
        counts = {row_devices(row.devices, row.arm, case) for row in table.rows.values()}
    elif claim.form in {"ratio", "efficiency"}:
        sides = (case.subject(claim), case.base(claim), claim.base)
        counts = {side.devices for side in sides if side is not None}
    return max(claim.points or 1, len(counts - {None}), 2 if several else 1)


def _of_peak(claim: Claim, case: Case) -> bool:
    """Whether an efficiency is the share of a peak: a utilisation, or over a base of no arm and as many devices."""
    if claim.quantity == "mfu":
        return True
    base, side = claim.base, case.subject(claim)
    if base is None or base.arm is not None or base.devices is None or side is None or claim.row is not None:
        return False
    return claim.label is None and base.devices == side.devices


def purpose_of(claim: Claim) -> str:
    """Return what a claim without a stated purpose is for.

    An absolute number is the throughput of a machine. A ratio, an efficiency, a rank or a word about training promises
    that training gets better, and with it that the model stays as good.
    """
    return "method_speedup" if claim.mode == "training" and claim.form != "absolute" else "hardware_throughput"


def row_devices(devices: int | None, arm: str | None, case: Case) -> int | None:
    """Return the devices of a table row, from the arm that it reports where it does not say itself."""
    side = case.own(arm) if devices is None and arm is not None else None
    return side.devices if side is not None else devices


def device_of(claim: Claim, case: Case) -> str:
    """Return the kind of device a claim is about: the system's where it says, else an accelerator."""
    side = case.subject(claim)
    kind = side.system.device_kind if side is not None and side.system is not None else None
    return kind or "accelerator"
