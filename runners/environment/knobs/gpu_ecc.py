"""Error correction of the GPU's memory, which costs bandwidth on some. Looked at, never changed.

A change takes effect with the next restart of the GPU, and dlaudit restarts nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...trial.events import Scalar
from .. import nvml
from .interface import Reading, Refused, Restoration, Scope, Verification

NAME = "gpu_ecc"
SCOPE: Scope = "gpu"
SAMPLED = False


def read(target: str) -> Reading:
    """Return whether it is on now."""
    return bool(nvml.ask("nvmlDeviceGetEccMode", target)[0])


def apply(target: str, requested: bool) -> Scalar:
    """Change nothing.

    Raises:
        Refused: it stands otherwise.
    """
    if read(target) != requested:
        raise Refused(
            "contradicted",
            f"error correction is {'off' if requested else 'on'}, and a change takes a restart of the GPU",
            f"nvidia-smi -e {int(requested)} as root, then restart the machine",
        )
    return requested


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Compare every reading."""
    off = sum(reading != applied for reading in readings)
    evidence = f"nvmlDeviceGetEccMode, {len(readings)} readings, {off} of them otherwise"
    return Verification("contradicted" if off else "verified", evidence, bool(readings[-1]))


def restore(target: str, original: Reading) -> Restoration:
    """Nothing was changed."""
    return Restoration("not_changed", "a change would take a restart of the GPU, so none was made")
