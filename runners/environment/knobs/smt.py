"""Simultaneous multithreading: whether a core runs two threads at once, which share its units and caches."""

from __future__ import annotations

from collections.abc import Sequence

from ...trial.events import Scalar
from .. import hostfile
from .interface import Reading, Refused, Restoration, Scope, Verification

NAME = "smt"
SCOPE: Scope = "host"
SAMPLED = False

CONTROL = f"{hostfile.PROCESSORS}/smt/control"
ACTIVE = f"{hostfile.PROCESSORS}/smt/active"
SWITCHABLE = ("on", "off")


def read(target: str) -> Reading:
    """Return the kernel's switch, and whether two threads do share a core."""
    return {"control": hostfile.read(target, CONTROL), "active": hostfile.read(target, ACTIVE) == "1"}


def apply(target: str, requested: bool) -> Scalar:
    """Take the second thread of every core offline, or bring it back.

    Raises:
        Refused: the processor has no such thing, and what is asked is not how it is anyway.
    """
    now = read(target)
    if now["active"] != requested:
        if now["control"] not in SWITCHABLE:
            raise Refused("unverifiable", f"{CONTROL} says {now['control'][:40]}: it cannot be switched here")
        hostfile.write_all(target, {CONTROL: "on" if requested else "off"})
    return requested


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Compare every reading."""
    off = sum(reading["active"] != applied for reading in readings)
    evidence = f"{ACTIVE}, {len(readings)} readings, {off} of them otherwise"
    return Verification("contradicted" if off else "verified", evidence, readings[-1]["active"])


def restore(target: str, original: Reading) -> Restoration:
    """Set the switch back."""
    if original["control"] in SWITCHABLE:
        hostfile.write_all(target, {CONTROL: original["control"]})
    now = read(target)
    return Restoration("restored" if now == original else "failed", f"read back: {now['control']}")
