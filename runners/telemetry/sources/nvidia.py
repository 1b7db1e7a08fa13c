"""An NVIDIA GPU, through its management library."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...environment import gpu_clocks, nvml
from ...environment.knobs.interface import Refused

TEMPERATURE = 0
"""NVML_TEMPERATURE_GPU."""


class Nvidia:
    """One GPU. Columns that it does not support when it is opened are left out.

    Args:
        uuid: of the GPU.

    Raises:
        Refused: there is no driver or no such GPU.
    """

    wraps_at: Mapping[str, int] = {}

    def __init__(self, uuid: str) -> None:
        self._uuid = uuid
        self.device: str | None = uuid
        nvml.ask("nvmlDeviceGetUUID", uuid)
        ways: dict[str, Callable[[dict[str, Any]], float | None]] = {
            "sm_clock_mhz": lambda clocks: clocks["sm_mhz"],
            "memory_clock_mhz": lambda clocks: clocks["memory_mhz"],
            "utilisation": lambda clocks: _scaled(clocks["utilization"], 100),
            **{f"throttle_{kind}": _flag(bits) for kind, bits in gpu_clocks.SLOWED_BY.items()},
            **{f"{kind}_ns": _counted(kind) for kind in gpu_clocks.COUNTERS},
            "power_w": lambda _: _scaled(nvml.asked("nvmlDeviceGetPowerUsage", uuid), 1000),
            "temperature_c": lambda _: nvml.asked("nvmlDeviceGetTemperature", uuid, TEMPERATURE),
            "memory_used_bytes": lambda _: getattr(nvml.asked("nvmlDeviceGetMemoryInfo", uuid), "used", None),
            "energy_mj": lambda _: nvml.asked("nvmlDeviceGetTotalEnergyConsumption", uuid),
        }
        clocks = gpu_clocks.read(uuid)
        self._ways = {name: way for name, way in ways.items() if way(clocks) is not None}
        self.columns = tuple(self._ways)
        self.about = f"NVIDIA {uuid}"

    def read(self) -> Sequence[float | None]:
        """Return a reading."""
        try:
            clocks = gpu_clocks.read(self._uuid)
        except Refused:
            return [None] * len(self.columns)
        return [way(clocks) for way in self._ways.values()]


def _flag(bits: int) -> Callable[[dict[str, Any]], float | None]:
    return lambda clocks: None if clocks["reasons"] is None else float(bool(clocks["reasons"] & bits))


def _counted(kind: str) -> Callable[[dict[str, Any]], float | None]:
    return lambda clocks: clocks["slowed_ns"].get(kind)


def _scaled(value: float | None, by: float) -> float | None:
    return None if value is None else value / by
