"""Energy of the processor packages: the counters of RAPL, which the kernel shows under /sys/class/powercap.

A counter counts microjoules and begins again at 0 when it reaches `max_energy_range_uj`, which a busy package does in
minutes. Since 2020 only root may read it (CVE-2020-8694). Virtual machines have none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ...environment.knobs.interface import Refused
from .kernel_file import KernelFile

FOLDER = "sys/class/powercap"
MICRO = "energy_uj"


class Rapl:
    """The packages of a machine.

    Args:
        sysroot: root of the file tree.

    Raises:
        Refused: there is no counter, or it may not be read.
    """

    device: str | None = None

    def __init__(self, sysroot: Path) -> None:
        files: dict[str, KernelFile] = {}
        wraps: dict[str, int] = {}
        # intel-rapl:0 is a package, intel-rapl:0:1 a part of it; AMD's processors show theirs under the same name.
        for zone in sorted((sysroot / FOLDER).glob("intel-rapl:*")):
            if zone.name.count(":") != 1 or not _text(zone / "name").startswith("package"):
                continue
            column = f"{_text(zone / 'name').replace('-', '_')}_{MICRO}"
            try:
                files[column] = KernelFile(zone / MICRO)
                wraps[column] = int(_text(zone / "max_energy_range_uj"))
            except PermissionError:
                path = f"/{FOLDER}/{zone.name}/{MICRO}"
                raise Refused("not_permitted", f"{path} is for root", f"sudo chmod a+r {path}") from None
            except (OSError, ValueError) as error:
                raise Refused("unverifiable", f"RAPL cannot be read: {error}") from None
        if not files:
            raise Refused("unverifiable", "the processor shows no energy counter (usual in a virtual machine)")
        self._files = files
        self.columns = tuple(files)
        self.wraps_at: Mapping[str, int] = wraps
        self.about = f"RAPL of {len(files)} package{'s' if len(files) > 1 else ''}"

    def read(self) -> list[bytes]:
        """Read the counters."""
        return [file.read() for file in self._files.values()]

    def values(self, raw: list[bytes]) -> Sequence[float | None]:
        """Return them."""
        return [int(text) if text.isdigit() else None for text in map(bytes.strip, raw)]


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
