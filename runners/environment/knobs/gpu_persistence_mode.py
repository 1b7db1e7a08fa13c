"""Persistence mode: the driver keeps the GPU initialised while nobody uses it, and so its settings too."""

from __future__ import annotations

from collections.abc import Sequence

from ...trial.events import Scalar
from .. import nvml
from .interface import Reading, Restoration, Scope, Verification

NAME = "gpu_persistence_mode"
SCOPE: Scope = "gpu"
SAMPLED = False


def read(target: str) -> Reading:
    """Return whether it is on."""
    return bool(nvml.ask("nvmlDeviceGetPersistenceMode", target))


def apply(target: str, requested: bool) -> Scalar:
    """Switch it on or off."""
    _set(target, requested)
    return requested


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Compare every reading."""
    off = sum(reading != applied for reading in readings)
    evidence = f"nvmlDeviceGetPersistenceMode, {len(readings)} readings, {off} of them otherwise"
    return Verification("contradicted" if off else "verified", evidence, bool(readings[-1]))


def restore(target: str, original: Reading) -> Restoration:
    """Switch it back."""
    _set(target, bool(original))
    now = read(target)
    return Restoration("restored" if now == original else "failed", f"read back: {'on' if now else 'off'}")


def _set(target: str, on: bool) -> None:
    nvml.change("nvmlDeviceSetPersistenceMode", target, int(on), smi=("-pm", str(int(on))))
