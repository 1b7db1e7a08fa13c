"""Highest clock of an AMD GPU (performance determinism). It outlives the process, and jobs, until it is taken away."""

from __future__ import annotations

from collections.abc import Sequence

from ...trial.events import Scalar
from .. import amd
from .interface import Reading, Refused, Restoration, Scope, Verification

NAME = "amd_clock_limit_mhz"
SCOPE: Scope = "amd"
SAMPLED = True
SHARE = 0.01
"""Share of the samples under load that may lie above the limit."""


def read(target: str) -> Reading:
    """Return the performance level, the graphics clock and the percentage of time in which the GPU worked."""
    clock = amd.ask("amdsmi_get_clock_info", target, amd.library().AmdSmiClkType.GFX)["clk"]
    used = amd.ask("amdsmi_get_gpu_activity", target)["gfx_activity"]
    return {
        "level": amd.ask("amdsmi_get_gpu_perf_level", target),
        "clock_mhz": clock if isinstance(clock, int) else None,
        "utilization": used if isinstance(used, int) else None,
    }


def apply(target: str, requested: int) -> Scalar:
    """Set the limit."""
    amd.ask("amdsmi_set_gpu_perf_determinism_mode", target, requested)
    return requested


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Look at the clock under load: a limit holds where no sample lies above it."""
    loaded = [one["clock_mhz"] for one in readings[1:-1] if one["utilization"] and one["clock_mhz"] is not None]
    if not loaded:
        return Verification("unverifiable", "no sample was taken while the GPU was at work")
    above = sum(clock > float(applied) for clock in loaded)
    measured = {
        "samples_loaded": float(len(loaded)),
        "clock_low_mhz": float(min(loaded)),
        "clock_high_mhz": float(max(loaded)),
        "share_outside": float(f"{above / len(loaded):.6g}"),
    }
    evidence = f"{len(loaded)} samples under load from {min(loaded)} to {max(loaded)} MHz, {above} above the limit"
    return Verification("contradicted" if above > SHARE * len(loaded) else "verified", evidence, max(loaded), measured)


def restore(target: str, original: Reading) -> Restoration:
    """Set the earlier performance level; what limit an earlier determinism had cannot be read."""
    level = str(original["level"]).removeprefix("AMDSMI_DEV_PERF_LEVEL_")
    if level == "DETERMINISM":
        amd.ask("amdsmi_set_gpu_perf_level", target, amd.library().AmdSmiDevPerfLevel.AUTO)
        return Restoration("reset", "set to automatic: the limit that stood before cannot be read")
    try:
        wanted = amd.library().AmdSmiDevPerfLevel[level]
    except KeyError:
        raise Refused("unverifiable", f"amdsmi knows no performance level {level[:40]}") from None
    amd.ask("amdsmi_set_gpu_perf_level", target, wanted)
    now = amd.ask("amdsmi_get_gpu_perf_level", target)
    return Restoration("restored" if now == original["level"] else "failed", f"read back: {now}")
