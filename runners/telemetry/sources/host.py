"""What the kernel of the host tells: waiting for processors, throttling by quota and by heat, temperature."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ...environment import cgroup
from .kernel_file import KernelFile

HEAT = "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_total_time_ms"
PRESSURE = re.compile(r"some .*total=(\d+)")
QUOTA = re.compile(r"throttled_(usec|time) (\d+)")
ZONES = ("x86_pkg_temp", "cpu-thermal", "cpu_thermal", "soc_thermal")
"""Types of the thermal zone that is the processor's (linux, drivers/thermal)."""


class Host:
    """A host. What its kernel does not show is left out.

    Args:
        sysroot: root of the file tree.
        on_processor: whether the work runs on the processor, so that its temperature and throttling are the device's.
    """

    wraps_at: Mapping[str, int] = {}
    device: str | None = None
    about = "the kernel's counters"

    def __init__(self, sysroot: Path, *, on_processor: bool) -> None:
        ways: dict[str, Callable[[str], float | None]] = {}
        files: dict[str, KernelFile] = {}
        wanted: list[tuple[str, Path | None, Callable[[str], float | None]]] = [
            ("cpu_pressure_us", sysroot / "proc/pressure/cpu", lambda text: _found(PRESSURE, text, 1)),
            ("quota_us", cgroup.throttling_file(sysroot), _quota_us),
        ]
        if on_processor:
            wanted += [
                ("thermal_ns", sysroot / HEAT, lambda text: _scaled(text, 1e6)),
                ("temperature_c", _zone(sysroot), lambda text: _scaled(text, 1e-3)),
            ]
        for column, path, way in wanted:
            try:
                file = KernelFile(path) if path is not None else None
            except OSError:
                continue
            if file is not None and way(file.text()) is not None:
                files[column], ways[column] = file, way
        self._files, self._ways = files, ways
        self.columns = tuple(files)

    def read(self) -> Sequence[float | None]:
        """Return a reading."""
        return [self._ways[column](file.text()) for column, file in self._files.items()]


def _zone(sysroot: Path) -> Path | None:
    for zone in sorted((sysroot / "sys/class/thermal").glob("thermal_zone*")):
        try:
            if (zone / "type").read_text().strip() in ZONES:
                return zone / "temp"
        except OSError:
            continue
    return None


def _quota_us(text: str) -> float | None:
    found = QUOTA.search(text)
    return None if found is None else int(found[2]) / (1 if found[1] == "usec" else 1000)


def _found(pattern: re.Pattern[str], text: str, group: int) -> float | None:
    match = pattern.search(text)
    return None if match is None else int(match[group])


def _scaled(text: str, by: float) -> float | None:
    try:
        return int(text) * by
    except ValueError:
        return None
