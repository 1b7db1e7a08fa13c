"""What the kernel of the host tells: waiting for processors, throttling by quota and by heat, temperature."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ...environment import cgroup
from .kernel_file import KernelFile

HEAT = "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_total_time_ms"
PRESSURE = re.compile(rb"some .*total=(\d+)")
QUOTA = re.compile(rb"throttled_(usec|time) (\d+)")
Way = Callable[[bytes], float | None]
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
        ways: dict[str, Way] = {}
        files: dict[str, KernelFile] = {}
        wanted: list[tuple[str, Path | None, Way]] = [
            ("cpu_pressure_us", sysroot / "proc/pressure/cpu", _pressure_us),
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
            if file is not None and way(file.read()) is not None:
                files[column], ways[column] = file, way
        self._reads, self._ways = [file.read for file in files.values()], list(ways.values())
        self.columns = tuple(files)

    def read(self) -> list[bytes]:
        """Read the files."""
        return [read() for read in self._reads]

    def values(self, raw: list[bytes]) -> Sequence[float | None]:
        """Return what stands in them."""
        return [way(text) for way, text in zip(self._ways, raw, strict=True)]


def _zone(sysroot: Path) -> Path | None:
    for zone in sorted((sysroot / "sys/class/thermal").glob("thermal_zone*")):
        try:
            if (zone / "type").read_text().strip() in ZONES:
                return zone / "temp"
        except OSError:
            continue
    return None


def _quota_us(text: bytes) -> float | None:
    found = QUOTA.search(text)
    return None if found is None else int(found[2]) / (1 if found[1] == b"usec" else 1000)


def _pressure_us(text: bytes) -> float | None:
    found = PRESSURE.search(text)
    return None if found is None else int(found[1])


def _scaled(text: bytes, by: float) -> float | None:
    try:
        return int(text) * by
    except ValueError:
        return None
