"""An NVIDIA GPU, through its management library."""

from __future__ import annotations

from typing import Any

from ...environment import gpu_clocks, nvml
from .gpu import Gpu, Way

TEMPERATURE = 0
"""NVML_TEMPERATURE_GPU."""


def open_gpu(uuid: str) -> Gpu:
    """Return the sensors of a GPU.

    Raises:
        Refused: there is no driver or no such GPU.
    """
    nvml.ask("nvmlDeviceGetUUID", uuid)

    def asked(function: str, *arguments: Any, by: float = 1) -> Way:
        return lambda _: _scaled(nvml.asked(function, uuid, *arguments), by)

    ways: dict[str, Way] = {
        "sm_clock_mhz": lambda clocks: clocks["sm_mhz"],
        "memory_clock_mhz": lambda clocks: clocks["memory_mhz"],
        "utilisation": lambda clocks: _scaled(clocks["utilization"], 100),
        **{f"throttle_{kind}": _flag(bits) for kind, bits in gpu_clocks.SLOWED_BY.items()},
        **{f"{kind}_ns": _counted(kind) for kind in gpu_clocks.COUNTERS},
        "power_w": asked("nvmlDeviceGetPowerUsage", by=1000),
        "temperature_c": asked("nvmlDeviceGetTemperature", TEMPERATURE),
        "memory_used_bytes": lambda _: getattr(nvml.asked("nvmlDeviceGetMemoryInfo", uuid), "used", None),
        "energy_mj": asked("nvmlDeviceGetTotalEnergyConsumption"),
    }
    return Gpu(uuid, f"NVIDIA {uuid}", lambda: gpu_clocks.read(uuid), ways)


def _flag(bits: int) -> Way:
    return lambda clocks: None if clocks["reasons"] is None else float(bool(clocks["reasons"] & bits))


def _counted(kind: str) -> Way:
    return lambda clocks: clocks["slowed_ns"].get(kind)


def _scaled(value: float | None, by: float) -> float | None:
    return value if value is None or by == 1 else value / by
