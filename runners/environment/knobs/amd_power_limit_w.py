"""Power limit of an AMD GPU."""

from __future__ import annotations

from collections.abc import Sequence

from ...trial.events import Scalar
from .. import amd
from .interface import Reading, Refused, Restoration, Scope, Verification

NAME = "amd_power_limit_w"
SCOPE: Scope = "amd"
SAMPLED = False
MICROWATTS = 1_000_000


def read(target: str) -> Reading:
    """Return the limit in force, in microwatts."""
    return int(amd.ask("amdsmi_get_power_cap_info", target)["power_cap"])


def apply(target: str, requested: float) -> Scalar:
    """Set the limit."""
    cap = round(requested * MICROWATTS)
    limits = amd.ask("amdsmi_get_power_cap_info", target)
    low, high = int(limits["min_power_cap"]), int(limits["max_power_cap"])
    if not low <= cap <= high:
        words = f"this GPU takes limits from {low / MICROWATTS:g} to {high / MICROWATTS:g} W"
        raise Refused("unverifiable", words, "ask for one of these")
    amd.ask("amdsmi_set_power_cap", target, 0, cap)
    return requested


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Compare the limit in force at every reading."""
    off = sum(abs(reading - float(applied) * MICROWATTS) >= MICROWATTS / 2 for reading in readings)
    evidence = f"amdsmi_get_power_cap_info, {len(readings)} readings, {off} of them otherwise"
    return Verification("contradicted" if off else "verified", evidence, readings[-1] / MICROWATTS)


def restore(target: str, original: Reading) -> Restoration:
    """Set the earlier limit."""
    amd.ask("amdsmi_set_power_cap", target, 0, int(original))
    now = read(target)
    return Restoration("restored" if now == original else "failed", f"read back: {now / MICROWATTS:g} W")
