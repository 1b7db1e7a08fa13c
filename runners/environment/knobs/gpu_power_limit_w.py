"""Power limit of the GPU: the driver lowers the clocks so as to stay below it."""

from __future__ import annotations

from collections.abc import Sequence

from ...trial.events import Scalar
from .. import nvml
from .interface import Reading, Refused, Restoration, Scope, Verification

NAME = "gpu_power_limit_w"
SCOPE: Scope = "gpu"
SAMPLED = False
SAME_MW = 500
"""Limits that differ by less are one: the driver rounds, in milliwatts."""


def read(target: str) -> Reading:
    """Return the limit that was set and the one in force, in milliwatts; the latter heeds all other limits too."""
    return {
        "set_mw": int(nvml.ask("nvmlDeviceGetPowerManagementLimit", target)),
        "enforced_mw": int(nvml.ask("nvmlDeviceGetEnforcedPowerLimit", target)),
    }


def apply(target: str, requested: float) -> Scalar:
    """Set the limit."""
    milliwatts = round(requested * 1000)
    constraints = nvml.asked("nvmlDeviceGetPowerManagementLimitConstraints", target)
    if constraints is not None and not constraints[0] <= milliwatts <= constraints[1]:
        low, high = (limit / 1000 for limit in constraints)
        raise Refused("unverifiable", f"this GPU takes limits from {low:g} to {high:g} W", "ask for one of these")
    _set(target, milliwatts)
    return requested


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Compare the limit in force at every reading."""
    found = [reading["enforced_mw"] for reading in readings]
    off = sum(abs(limit - float(applied) * 1000) >= SAME_MW for limit in found)
    evidence = f"nvmlDeviceGetEnforcedPowerLimit, {len(readings)} readings, {off} of them otherwise"
    return Verification("contradicted" if off else "verified", evidence, found[-1] / 1000)


def restore(target: str, original: Reading) -> Restoration:
    """Set the earlier limit."""
    _set(target, original["set_mw"])
    now = int(nvml.ask("nvmlDeviceGetPowerManagementLimit", target))
    same = abs(now - original["set_mw"]) < SAME_MW
    return Restoration("restored" if same else "failed", f"read back: {now / 1000:g} W")


def _set(target: str, milliwatts: int) -> None:
    nvml.change("nvmlDeviceSetPowerManagementLimit", target, milliwatts, smi=("-pl", f"{milliwatts / 1000:g}"))
