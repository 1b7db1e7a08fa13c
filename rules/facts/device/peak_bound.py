"""The most operations per second that one device behind a claim can do, by the document and by the table."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct

from ....schemas.submission import Claim
from ...case import Case, Side
from ...language.reading import read
from ...tables.accelerators import Device
from ..quantities.given import given
from ..quantities.per_second import operations_per_second
from .formats import known, normalised
from .operations import formats_of
from .peaks import SPARSE
from .specification import COLUMNS, Peak, Variant, device_of, named_device, peak_of

SPARSE_FACTOR = 2
STATED = "the stated peak"
BOUND = "the table's bound for"
ROUNDING = Decimal("0.01")
"""A stated peak that is more than this above the table's is another one."""
RUNS_AS = {"fp32": ("fp32", "tf32")}
"""Formats in which work that is called FP32 may run on matrix units."""


class PeakBound(Struct, frozen=True):
    """Peaks of one device, in operations per second.

    Attributes:
        data_sheet: the highest peak that the document or a data sheet gives.
        bound: the most that the clock allows; the same as `data_sheet` where nothing vouches for more or less.
        reliable: whether more than the bound is impossible.
        skipping: the same bound for work that skips every second product of sparse weights.
        certain: what every reading of the device and of the formats allows; between it and the bound, what is not
            stated decides.
        words: where the bound comes from.
    """

    data_sheet: Decimal
    bound: Decimal
    reliable: bool
    skipping: Decimal
    certain: Decimal
    words: str


def peak_bound(claim: Claim, case: Case, side: Side) -> PeakBound | None:
    """Return the peak of one device; the largest of all readings, so that none of them accuses alone.

    A declared 2:4 peak counts for half: dense work does every second product that it leaves out. None where neither the
    document declares a peak nor the table knows one for the formats of the operations.
    """
    operations, variant = side.arm.operations, _variant(claim, case, side)
    declared = operations.peak_flops if operations is not None else None
    stated = given(declared).high if declared is not None else Decimal(0)
    if operations is not None and operations.peak_kind == SPARSE:
        stated /= SPARSE_FACTOR
    found = _tabulated(claim, case, side, variant)
    if found is None:
        if declared is None:
            return None
        return PeakBound(stated, stated, variant.kind == "unknown", stated * SPARSE_FACTOR, stated, STATED)
    peak, least = found
    sheet, bound = peak.data_sheet * variant.sold_together, peak.bound * variant.sold_together
    if stated > bound * (1 + ROUNDING):
        return PeakBound(stated, stated, peak.reliable, stated * SPARSE_FACTOR, stated, STATED)
    words = f"{BOUND} {variant.words}"
    certain = max(stated, least * variant.sold_together)
    return PeakBound(max(stated, sheet), max(stated, bound), peak.reliable, bound * SPARSE_FACTOR, certain, words)


def _variant(claim: Claim, case: Case, side: Side) -> Variant:
    """Return the device of a side; where the table does not know it as described, the one that the sentence names."""
    described = device_of(case, side.system)
    called = side.system.device if side.system is not None else None
    tabulated = isinstance(called, str) and named_device(case, called).kind != "unknown"
    if described.kind != "unknown" or tabulated or claim.compares != "none":
        return described
    names = {name.text.removesuffix("s") for name in read(claim.statement).names("device") if not name.host}
    return named_device(case, names.pop()) if len(names) == 1 else described


def _tabulated(claim: Claim, case: Case, side: Side, variant: Variant) -> tuple[Peak, Decimal] | None:
    """Return the largest peak of all readings, and the published one of the smallest."""
    if variant.kind == "unknown":
        return None
    said = formats_of(claim, case)
    formats = _runnable(said, counted=_counted(side))
    unit = operations_per_second(claim.unit)
    if not formats and unit is not None and unit.word == "op":
        # Integers of 4 bits and less run faster than any format that the table holds.
        return None
    every = sorted({name for device in variant.devices for name in _columns(device)})
    peaks = [variant.peak(name) for name in formats or every]
    found = [peak for peak in peaks if peak is not None]
    if not found or (formats and len(found) < len(formats)):
        return None
    reliable = all(peak.reliable for peak in found)
    most = Peak(max(peak.data_sheet for peak in found), max(peak.bound for peak in found), reliable)
    return most, min(_least(device, said) for device in variant.devices)


def _least(device: Device, formats: tuple[str, ...]) -> Decimal:
    """Return the published peak of one device in the fastest of the formats said; where one is open, in the slowest."""
    sure = bool(formats) and all(known(name) or name in COLUMNS for name in formats)
    peaks = [peak_of(device, name) for name in (formats if sure else _columns(device))]
    found = [peak.data_sheet for peak in peaks if peak is not None]
    return (max if sure else min)(found, default=Decimal(0))


def _runnable(formats: tuple[str, ...], *, counted: bool) -> tuple[str, ...]:
    """Return the formats in which the operations may have run; none where that is open.

    What is called FP64 may run emulated on any unit, and what is called FP32 as TF32, unless the shares of the formats
    are stated.
    """
    if not formats or not all(known(name) for name in formats):
        return ()
    if counted:
        return formats
    if "fp64" in formats:
        return ()
    return tuple(dict.fromkeys(name for given in formats for name in RUNS_AS.get(given, (given,))))


def _counted(side: Side) -> bool:
    operations = side.arm.operations
    return operations is not None and bool(operations.fractions or operations.counters)


def _columns(device: Device) -> set[str]:
    """Return the formats in which the table knows a peak of the device."""
    by_column = {column: name for name, names in COLUMNS.items() for column in names}
    return {normalised(by_column.get(column, column)) for column in (*device.dense_tflops, *device.flop_per_clock)}
