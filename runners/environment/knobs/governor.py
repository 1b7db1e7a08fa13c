"""Frequency governor of every processor: what decides how fast it runs."""

from __future__ import annotations

from collections.abc import Sequence

from ...trial.events import Scalar
from .. import hostfile
from .interface import Reading, Refused, Restoration, Scope, Verification

NAME = "governor"
SCOPE: Scope = "host"
SAMPLED = False


def read(target: str) -> Reading:
    """Return the governor of every processor that is online, by the path of its file."""
    files = hostfile.processor_files(target, "cpufreq/scaling_governor")
    if not files:
        evidence = "the kernel shows no frequency policy (usual in a virtual machine)"
        raise Refused("unverifiable", evidence, "set it on the host of the virtual machine")
    return {path: hostfile.read(target, path) for path in files}


def apply(target: str, requested: str) -> Scalar:
    """Set the governor of every processor, or of none."""
    files = tuple(read(target))
    known = _known(target, files[0])
    if known and requested not in known:
        raise Refused("unverifiable", f"this kernel has no governor {requested}", f"ask for {' or '.join(known)}")
    hostfile.write_all(target, dict.fromkeys(files, requested))
    return requested


def verify(target: str, applied: Scalar, readings: Sequence[Reading]) -> Verification:
    """Compare every reading of every processor."""
    off = sum(governor != applied for reading in readings for governor in reading.values())
    found = " ".join(sorted(set(readings[-1].values())))
    evidence = f"scaling_governor of {len(readings[-1])} processors, {len(readings)} readings, {off} of them otherwise"
    return Verification("contradicted" if off else "verified", evidence, found)


def restore(target: str, original: Reading) -> Restoration:
    """Set the earlier governors; a processor that is offline by now keeps its own."""
    files = [path for path in read(target) if path in original]
    hostfile.write_all(target, {path: original[path] for path in files})
    now = read(target)
    same = all(now[path] == original[path] for path in files)
    return Restoration("restored" if same else "failed", f"read back: {' '.join(sorted(set(now.values())))}")


def _known(target: str, file: str) -> list[str]:
    """Return the governors that the kernel offers; nothing where it does not list them."""
    try:
        return hostfile.read(target, file.replace("scaling_governor", "scaling_available_governors")).split()
    except Refused:
        return []
