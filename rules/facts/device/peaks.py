"""Peaks behind a utilisation: what the document declares, and which peak a stated utilisation and rate imply."""

from __future__ import annotations

from decimal import Decimal

from ....schemas.submission import Claim
from ...case import Case, Side
from ...language.printed import Span, span
from ...tables.names import plain
from ..quantities.numbers import PERCENT, exact
from .formats import known
from .operations import claimed_flops, formats_of
from .specification import device_of

SPARSE = "sparse_2_4"
SPARSE_FACTOR = Decimal(2)
AMBIGUOUS = frozenset({"tf32"})
"""The sparse peak of TF32 is the dense one of 16 bits, in which such programs often compute."""


def dense_peak(claim: Claim, case: Case) -> Decimal | None:
    """Return the dense peak of one device, in operations per second, that the document declares.

    That of the claim's arm, else that of another arm on the same model of device with the same compute format; a
    declared 2:4 peak is twice the dense one. Where the document declares none, that of the accelerator table, if all
    devices that fit agree in it and the operations are done in one format: the sparse peak of one format may be the
    dense peak of another.
    """
    side = case.subject(claim)
    if side is None:
        return None
    arms = (side, *(other for other in case.sides() if other.id != side.id and _comparable(side, other)))
    for kind, factor in (("dense", Decimal(1)), (SPARSE, SPARSE_FACTOR)):
        for arm in arms:
            operations = arm.arm.operations
            if operations is not None and operations.peak_kind == kind and operations.peak_flops is not None:
                return exact(operations.peak_flops).low / factor
    return _tabulated(claim, case, side)


def _tabulated(claim: Claim, case: Case, side: Side) -> Decimal | None:
    formats = formats_of(claim, case)
    if len(formats) != 1 or not known(formats[0]) or formats[0] in AMBIGUOUS:
        return None
    return device_of(case, side.system).dense_peak(formats[0])


def tabulated_peaks(claim: Claim, case: Case) -> tuple[Decimal, ...]:
    """Return the dense peaks of one device, by the accelerator table, in every format of the operations.

    Empty where a format is not known or ambiguous, or the devices that fit do not agree in its peak.
    """
    side, formats = case.subject(claim), formats_of(claim, case)
    if side is None or not formats or any(not known(name) or name in AMBIGUOUS for name in formats):
        return ()
    device = device_of(case, side.system)
    peaks = [device.dense_peak(name) for name in formats]
    found = tuple(peak for peak in peaks if peak is not None)
    return found if len(found) == len(peaks) else ()


def _comparable(left: Side, right: Side) -> bool:
    devices = [side.system.device if side.system is not None else None for side in (left, right)]
    formats = [
        side.arm.options.precision.compute
        if side.arm.options is not None and side.arm.options.precision is not None
        else None
        for side in (left, right)
    ]
    if not isinstance(devices[0], str) or not isinstance(devices[1], str) or formats[0] is None:
        return False
    return plain(devices[0]) == plain(devices[1]) and formats[0] == formats[1]


def used_peaks(claim: Claim, case: Case) -> tuple[Span, ...]:
    """Return the peaks of one device that the claim's numbers stand on, one for each reading; empty where none follows.

    A utilisation beside FLOP/s implies rate / utilisation, of one device or of all of them; else the arm's declared
    peak is meant.
    """
    side = case.subject(claim)
    utilisation, rate = _utilisation(claim, case), claimed_flops(claim, case)
    if utilisation is not None and rate is not None and side is not None and utilisation.low > 0:
        implied = rate / utilisation
        if implied is not None:
            counts = {Decimal(1), Decimal(side.devices or 1)}
            return tuple(Span(implied.low / count, implied.high / count) for count in sorted(counts))
    operations = side.arm.operations if side is not None else None
    return (exact(operations.peak_flops),) if operations is not None and operations.peak_flops is not None else ()


def _utilisation(claim: Claim, case: Case) -> Span | None:
    if claim.quantity == "mfu" and claim.form != "ratio" and claim.value is not None:
        return _share(span(claim.value, claim.qualifier, claim.digits), claim.unit)
    side = case.subject(claim)
    found = [metric for metric in side.arm.performance.values() if metric.quantity == "mfu"] if side is not None else []
    if len(found) != 1 or found[0].value is None:
        return None
    return _share(span(found[0].value, digits=found[0].digits), found[0].unit)


def _share(value: Span, unit: str | None) -> Span:
    return Span(value.low / 100, value.high / 100) if unit in PERCENT else value
