"""Whether a series is strong scaling (constant global batch) or weak scaling (constant batch per device)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from msgspec import Struct

from ....schemas.submission import Claim
from ...case import Case
from .points import Point

Mode = Literal["strong", "weak", "mixed"]


class Sized(Struct, frozen=True):
    """A point whose device count and global batch are known."""

    point: Point
    devices: int
    batch: int


def label_of(claim: Claim, case: Case) -> tuple[Mode | None, str]:
    """Return the scaling label, the claim's before its table's, and its place."""
    table = case.table(claim)
    if claim.label is not None:
        return claim.label, claim.place("label")  # type: ignore[return-value]
    if table is not None and table.label is not None:
        return table.label, table.place("label")  # type: ignore[return-value]
    return None, claim.at


def sized(found: Iterable[Point]) -> tuple[Sized, ...]:
    """Return the points whose device count and global batch are known."""
    return tuple(
        Sized(point, point.devices, point.global_batch)
        for point in found
        if point.devices is not None and point.global_batch is not None
    )


def fits(series: tuple[Sized, ...], mode: Mode, tolerance: float) -> bool:
    """Whether a series can be of a mode: strong with equal global batch, weak with equal batch per device.

    Where one device count stands with several batches, several series are interleaved: then it fits if some batch
    links at least two device counts.
    """
    if mode == "mixed" or len({item.devices for item in series}) < 2:
        return True
    size = _strong if mode == "strong" else _weak
    if len({(item.devices, item.batch) for item in series}) > len({item.devices for item in series}):
        return any(len({other.devices for other in _alike(series, item, size, tolerance)}) >= 2 for item in series)
    sizes = [size(item) for item in series]
    return max(sizes) / min(sizes) <= 1 + tolerance


def _alike(
    series: tuple[Sized, ...], item: Sized, size: Callable[[Sized], float], tolerance: float
) -> tuple[Sized, ...]:
    return tuple(other for other in series if abs(size(other) / size(item) - 1) <= tolerance)


def _strong(item: Sized) -> float:
    return float(item.batch)


def _weak(item: Sized) -> float:
    return item.batch / item.devices


def inferred(series: tuple[Sized, ...], tolerance: float) -> Mode:
    """Return the mode that a series has."""
    if fits(series, "strong", tolerance):
        return "strong"
    return "weak" if fits(series, "weak", tolerance) else "mixed"
