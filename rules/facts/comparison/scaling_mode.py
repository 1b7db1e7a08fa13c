"""Whether a series is strong scaling (constant global batch) or weak scaling (constant batch per device)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from ....schemas.submission import Claim
from ...case import Case
from ...language.reading import read
from .points import Point
from .purpose import throughput_only

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


def told_per_device(claim: Claim, case: Case, found: Iterable[Point]) -> bool:
    """Whether an efficiency of throughput alone prints its device counts: it is one per device, and says so."""
    printed = {count.value for count in read(claim.statement).counts()}
    sizes = {point.devices for point in found} - {None}
    return claim.form == "efficiency" and throughput_only(claim, case) and len(sizes) >= 2 and sizes <= printed


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
    sizes = [item.batch / (1 if mode == "strong" else item.devices) for item in series]
    if len({(item.devices, item.batch) for item in series}) > len({item.devices for item in series}):
        linked = (
            {item.devices for item, other in zip(series, sizes, strict=True) if abs(other / size - 1) <= tolerance}
            for size in sizes
        )
        return any(len(devices) >= 2 for devices in linked)
    return max(sizes) / min(sizes) <= 1 + tolerance


def inferred(series: tuple[Sized, ...], tolerance: float) -> Mode:
    """Return the mode that a series has."""
    if fits(series, "strong", tolerance):
        return "strong"
    return "weak" if fits(series, "weak", tolerance) else "mixed"
