"""Lock of the memory clock. NVML sets and resets it, and has no getter: the effect is seen in the clock under load."""

from __future__ import annotations

from collections.abc import Sequence

from ...trial.events import Scalar
from .. import gpu_clocks, nvml
from .interface import Reading, Restoration, Scope, Verification

NAME = "gpu_memory_clock_mhz"
SCOPE: Scope = "gpu"
SAMPLED = True


def read(target: str) -> Reading:
    """Return a reading of the clocks."""
    return gpu_clocks.read(target)


def apply(target: str, requested: int) -> Scalar:
    """Lock the clock to the nearest value that the GPU supports."""
    clocks = nvml.asked("nvmlDeviceGetSupportedMemoryClocks", target)
    clock = int(min(clocks or [requested], key=lambda one: abs(one - requested)))
    nvml.change("nvmlDeviceSetMemoryLockedClocks", target, clock, clock, smi=("-lmc", f"{clock},{clock}"))
    return clock


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Look at the clock under load."""
    held = gpu_clocks.judge(readings, "memory", float(applied))
    return Verification(held.state, held.evidence, held.found_mhz, held.measured)


def restore(target: str, original: Reading) -> Restoration:
    """Take the lock away; whether another one stood before cannot be read."""
    nvml.change("nvmlDeviceResetMemoryLockedClocks", target, smi=("-rmc",))
    return Restoration("reset", "reset to no lock: NVML cannot tell whether another lock stood before")
