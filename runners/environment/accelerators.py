"""GPUs as the NVIDIA driver shows them: what each is, how they are joined, who else computes on them. Read only."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import nvml
from .fact import Fact, unverifiable
from .knobs import gpu_compute_mode
from .knobs.interface import Refused

FIRST_NAMESPACE = "pid:[4026531836]"
"""The namespace of process ids in which a Linux system starts (PROC_PID_INIT_INO, linux/proc_ns.h)."""
LEVELS = {0: "one board", 10: "one switch", 20: "switches", 30: "host bridge", 40: "one processor", 50: "processors"}
"""What lies between two GPUs on the bus, by nvmlGpuTopologyLevel_t."""
LINKS = 18
"""Most NVLinks of a GPU so far."""


def accelerators() -> Fact:
    """Return driver, devices, the paths between them, and whether all processes on them are visible."""
    try:
        found = nvml.uuids()
        pynvml = nvml.library()
        return Fact(
            {
                "driver": _text(pynvml.nvmlSystemGetDriverVersion()),
                "devices": [_device(uuid) for uuid in found],
                "paths": _paths(found),
                "sees_all_processes": _sees_all_processes(),
                "mps": _mps(),
            }
        )
    except Refused as refused:
        return unverifiable(str(refused))


def _device(uuid: str) -> dict[str, Any]:
    """Return what one GPU is; a property that it does not have, or that the driver does not tell, is None."""

    def ask(function: str, *arguments: Any) -> Any:
        return nvml.asked(function, uuid, *arguments)

    bus = ask("nvmlDeviceGetPciInfo")
    capability = ask("nvmlDeviceGetCudaComputeCapability")
    links = [link for link in range(LINKS) if ask("nvmlDeviceGetNvLinkState", link) == 1]
    return {
        "name": _text(ask("nvmlDeviceGetName")),
        "uuid": uuid,
        "bus": _text(bus.busId) if bus is not None else None,
        "vbios": _text(ask("nvmlDeviceGetVbiosVersion")),
        "compute_capability": ".".join(str(part) for part in capability) if capability else None,
        "memory_bytes": getattr(ask("nvmlDeviceGetMemoryInfo"), "total", None),
        "power_limit_mw": ask("nvmlDeviceGetEnforcedPowerLimit"),
        "default_power_limit_mw": ask("nvmlDeviceGetPowerManagementDefaultLimit"),
        "ecc": _first(ask("nvmlDeviceGetEccMode")),
        "persistence_mode": _truth(ask("nvmlDeviceGetPersistenceMode")),
        "compute_mode": _compute_mode(uuid),
        "pcie_generation": ask("nvmlDeviceGetCurrPcieLinkGeneration"),
        "pcie_generation_most": ask("nvmlDeviceGetMaxPcieLinkGeneration"),
        "pcie_width": ask("nvmlDeviceGetCurrPcieLinkWidth"),
        "pcie_width_most": ask("nvmlDeviceGetMaxPcieLinkWidth"),
        "nvlinks": len(links),
        "nvlink_version": ask("nvmlDeviceGetNvLinkVersion", links[0]) if links else None,
        "partitioned": _first(ask("nvmlDeviceGetMigMode")),
        "processes": _count(ask("nvmlDeviceGetComputeRunningProcesses")),
    }


def _paths(uuids: Sequence[str]) -> dict[str, str]:
    """Return what lies between each two GPUs: `{"0-1": "one switch"}`."""
    found = {}
    for i, one in enumerate(uuids):
        for j, other in enumerate(uuids[i + 1 :], i + 1):
            level = nvml.asked("nvmlDeviceGetTopologyCommonAncestor", one, nvml.handle(other))
            if level in LEVELS:
                found[f"{i}-{j}"] = LEVELS[level]
    return found


def _sees_all_processes() -> bool | None:
    """Whether the driver shows this process all others: it shows a container with ids of its own only the container's.

    None where the platform does not tell.
    """
    try:
        return str(Path("/proc/self/ns/pid").readlink()) == FIRST_NAMESPACE
    except OSError:
        return None


def _mps() -> bool:
    """Whether a daemon is there that shares a GPU among processes (MPS)."""
    folder = Path(os.environ.get("CUDA_MPS_PIPE_DIRECTORY") or "/tmp/nvidia-mps")  # noqa: S108 (where the daemon has it)
    return (folder / "control").exists()


def _compute_mode(uuid: str) -> str | None:
    try:
        return str(gpu_compute_mode.read(uuid))
    except Refused:
        return None


def _text(value: Any) -> str | None:
    if value is None:
        return None
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _truth(value: Any) -> bool | None:
    return None if value is None else bool(value)


def _first(modes: Any) -> bool | None:
    """Return the first of a pair (current, pending)."""
    return bool(modes[0]) if isinstance(modes, (list, tuple)) and modes else None


def _count(found: Any) -> int | None:
    return len(found) if isinstance(found, list) else None
