"""Compute mode: whether other processes may use the GPU beside one's own."""

from __future__ import annotations

from collections.abc import Sequence

from ...trial.events import Scalar
from .. import nvml
from .interface import Reading, Restoration, Scope, Verification

NAME = "gpu_compute_mode"
SCOPE: Scope = "gpu"
SAMPLED = False

MODES = {"default": 0, "prohibited": 2, "exclusive_process": 3}
"""nvmlComputeMode_t; 1 is no longer in use."""


def read(target: str) -> Reading:
    """Return the mode's name, or the number of a mode without one."""
    number = nvml.ask("nvmlDeviceGetComputeMode", target)
    return next((name for name, mode in MODES.items() if mode == number), number)


def apply(target: str, requested: str) -> Scalar:
    """Set the mode."""
    _set(target, MODES[requested])
    return requested


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Compare every reading."""
    off = sum(reading != applied for reading in readings)
    evidence = f"nvmlDeviceGetComputeMode, {len(readings)} readings, {off} of them otherwise"
    return Verification("contradicted" if off else "verified", evidence, readings[-1])


def restore(target: str, original: Reading) -> Restoration:
    """Set the earlier mode."""
    _set(target, MODES[original] if isinstance(original, str) else int(original))
    now = read(target)
    return Restoration("restored" if now == original else "failed", f"read back: {now}")


def _set(target: str, mode: int) -> None:
    nvml.change("nvmlDeviceSetComputeMode", target, mode, smi=("-c", str(mode)))
