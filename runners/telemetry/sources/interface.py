"""What a source of readings is: columns that are fixed when it is opened, and one number for each at every reading.

A column's unit is the end of its name. Those in `COUNTERS` only count upwards (or wrap around, where the source says at
what): what belongs to a window is the difference over it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Source(Protocol):
    """One device or one part of the kernel."""

    columns: tuple[str, ...]
    wraps_at: Mapping[str, int]
    """By counter, the value at which it begins again at 0; nothing of counters that never do."""
    device: str | None
    """Identifier of the device, of which several may be read at once; None of a part of the kernel."""
    about: str
    """What is read, in one clause."""

    def read(self) -> Any:
        """Read, and do no more: right after a sleep every line of a program is slow. Raises nothing."""

    def values(self, raw: Any) -> Sequence[float | None]:
        """Return from what was read a value for each column; None where the device refused. Raises nothing."""
