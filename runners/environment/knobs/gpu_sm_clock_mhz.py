"""Lock of the SM clock. NVML sets and resets it, and has no getter: the effect is seen in the clock under load."""

from __future__ import annotations

from collections.abc import Sequence

from ...trial.events import Scalar
from .. import gpu_clocks, nvml
from .interface import Reading, Restoration, Scope, Verification

NAME = "gpu_sm_clock_mhz"
SCOPE: Scope = "gpu"
SAMPLED = True

SET_BEFORE = 0x2
"""nvmlClocksEventReasonApplicationsClocksSetting: some setting limited the clocks."""


def read(target: str) -> Reading:
    """Return a reading of the clocks."""
    return gpu_clocks.read(target)


def apply(target: str, requested: int) -> Scalar:
    """Lock the clock to the nearest value that the GPU supports."""
    clock = nearest(target, requested)
    nvml.change("nvmlDeviceSetGpuLockedClocks", target, clock, clock, smi=("-lgc", f"{clock},{clock}"))
    return clock


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Look at the clock under load and at what held it back."""
    held = gpu_clocks.judge(readings, "sm", float(applied))
    return Verification(held.state, held.evidence, held.found_mhz, held.measured)


def restore(target: str, original: Reading) -> Restoration:
    """Take the lock away; whether another one stood before cannot be read."""
    nvml.change("nvmlDeviceResetGpuLockedClocks", target, smi=("-rgc",))
    evidence = "reset to no lock: NVML cannot tell whether another lock stood before"
    if (original.get("reasons") or 0) & SET_BEFORE:
        evidence += "; some setting did limit the clocks before"
    return Restoration("reset", evidence)


def nearest(target: str, requested: int) -> int:
    """Return the supported clock next to the requested one; that one itself where the GPU does not list them."""
    pynvml = nvml.library()
    memory = nvml.asked("nvmlDeviceGetMaxClockInfo", target, pynvml.NVML_CLOCK_MEM)
    clocks = nvml.asked("nvmlDeviceGetSupportedGraphicsClocks", target, memory) if memory is not None else None
    return int(min(clocks or [requested], key=lambda clock: abs(clock - requested)))
