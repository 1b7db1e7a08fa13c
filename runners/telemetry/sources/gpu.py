"""A GPU of any make: columns, each with the way to its value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...environment.knobs.interface import Refused

Way = Callable[[Any], float | None]
"""Takes what was read of the GPU at once, and returns one value, or None where the GPU does not have it."""


class Gpu:
    """One GPU. Columns that it does not support when it is opened are left out.

    Args:
        uuid: of the GPU.
        about: what it is, in one clause.
        at_once: reads what several columns are taken from.
        ways: how to get at each column.

    Raises:
        Refused: there is no driver or no such GPU.
    """

    wraps_at: Mapping[str, int] = {}

    def __init__(self, uuid: str, about: str, at_once: Callable[[], Any], ways: Mapping[str, Way]) -> None:
        self.device: str | None = uuid
        self.about = about
        self._at_once = at_once
        first = at_once()
        self._ways = {name: way for name, way in ways.items() if way(first) is not None}
        self.columns = tuple(self._ways)

    def read(self) -> list[float | None]:
        """Read, which with the libraries of the drivers is to get numbers."""
        try:
            told = self._at_once()
        except Refused:
            return [None] * len(self.columns)
        return [way(told) for way in self._ways.values()]

    def values(self, raw: Any) -> Sequence[float | None]:
        """Return them."""
        values: list[float | None] = raw
        return values
