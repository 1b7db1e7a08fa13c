"""An AMD GPU, through its management library."""

from __future__ import annotations

from typing import Any

from ...environment import amd
from ...environment.knobs.interface import Refused
from .gpu import Gpu


def open_gpu(uuid: str) -> Gpu:
    """Return the sensors of a GPU.

    Raises:
        Refused: there is no driver or no such GPU.
    """
    amd.ask("amdsmi_get_gpu_activity", uuid)

    def asked(function: str, *arguments: Any) -> dict[str, Any]:
        try:
            found = amd.ask(function, uuid, *arguments)
        except (Refused, AttributeError):
            return {}
        return found if isinstance(found, dict) else {}

    def power_w(_: Any) -> float | None:
        told = asked("amdsmi_get_power_info")
        current = _number(told.get("current_socket_power"))
        return current if current is not None else _number(told.get("average_socket_power"))

    def energy_uj(_: Any) -> float | None:
        told = asked("amdsmi_get_energy_count")
        counted, unit = _number(told.get("energy_accumulator")), _number(told.get("counter_resolution"))
        return None if counted is None or unit is None else counted * unit

    def utilisation(_: Any) -> float | None:
        used = _number(asked("amdsmi_get_gpu_activity").get("gfx_activity"))
        return None if used is None else used / 100

    graphics = amd.library().AmdSmiClkType.GFX
    ways = {
        "clock_mhz": lambda _: _number(asked("amdsmi_get_clock_info", graphics).get("clk")),
        "utilisation": utilisation,
        "power_w": power_w,
        "energy_uj": energy_uj,
    }
    return Gpu(uuid, f"AMD GPU {uuid}", lambda: None, ways)


def _number(value: object) -> float | None:
    """Return a number; the library says "N/A" where it has none."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
