"""An AMD GPU, through its management library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...environment import amd
from ...environment.knobs.interface import Refused


class AmdGpu:
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
        amd.ask("amdsmi_get_gpu_activity", uuid)
        ways = {
            "clock_mhz": self._clock,
            "utilisation": self._utilisation,
            "power_w": self._power,
            "energy_uj": self._energy,
        }
        self._ways = {name: way for name, way in ways.items() if way() is not None}
        self.columns = tuple(self._ways)
        self.about = f"AMD GPU {uuid}"

    def read(self) -> Sequence[float | None]:
        """Return a reading."""
        return [way() for way in self._ways.values()]

    def _asked(self, function: str, *arguments: Any) -> dict[str, Any]:
        try:
            found = amd.ask(function, self._uuid, *arguments)
        except (Refused, AttributeError):
            return {}
        return found if isinstance(found, dict) else {}

    def _clock(self) -> float | None:
        return _number(self._asked("amdsmi_get_clock_info", amd.library().AmdSmiClkType.GFX).get("clk"))

    def _utilisation(self) -> float | None:
        used = _number(self._asked("amdsmi_get_gpu_activity").get("gfx_activity"))
        return None if used is None else used / 100

    def _power(self) -> float | None:
        told = self._asked("amdsmi_get_power_info")
        current = _number(told.get("current_socket_power"))
        return current if current is not None else _number(told.get("average_socket_power"))

    def _energy(self) -> float | None:
        told = self._asked("amdsmi_get_energy_count")
        counted, unit = _number(told.get("energy_accumulator")), _number(told.get("counter_resolution"))
        return None if counted is None or unit is None else counted * unit


def _number(value: object) -> float | None:
    """Return a number; the library says "N/A" where it has none."""
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
