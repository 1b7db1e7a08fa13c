"""P03: more operations per second than the memory can feed."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from ...schemas.operations import Operations
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.limits import Limit, memory_bandwidth
from ..facts.device.operations import claimed_flops
from ..facts.device.peak_bound import peak_bound
from ..facts.device.regime import counted_operations
from ..facts.device.specification import device_of
from ..facts.document.words import words_of
from ..facts.quantities.given import given
from ..facts.quantities.per_second import operations_per_second, work_per_second
from ..language.printed import short, span
from ..language.reading import read
from ..outcome import C1, C3, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule


def roof(peak: Decimal, bandwidth: Decimal, intensity: Decimal) -> Decimal:
    """Return the highest rate, in operations per second.

    Args:
        peak: operations per second.
        bandwidth: bytes per second.
        intensity: operations per byte moved to or from memory.
    """
    return min(peak, bandwidth * intensity)


def ridge(peak: Decimal, bandwidth: Decimal) -> Decimal:
    """Return the intensity at which the two limits meet, in operations per byte: below it memory is the limit."""
    return peak / bandwidth


BYTES = {"B/s": 1, "bytes/s": 1, "kB/s": 10**3, "MB/s": 10**6, "GB/s": 10**9, "TB/s": 10**12}
"""Bytes per second in one of a unit, by powers of ten: whoever means powers of two has moved more."""
LARGEST_CACHE = Decimal(256 * 10**6)
"""Bytes that may stay in a cache, where it is not said that none do."""
ON_CHIP = frozenset({"Cerebras", "Graphcore"})
"""Makers whose memory lies on the chip."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    slack: float = Threshold(0.02, "fraction of the bound", "judgement")
    caches: float = Threshold(1e9, "bytes that no cache of a device holds", "judgement: the largest have 256 MB")


@rule(
    "P03",
    "roofline-exceeded",
    effect=REFUTES,
    confidence=C3,
    applies="(flops or rate) and has(bytes)",
    origin="S4",
    thresholds=Thresholds,
)
def roofline_exceeded(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """More operations per second than the bandwidth of the memory allows at the stated intensity.

    ## What it does
    Divides the operations of one call or sample by the bytes that it moves: the intensity. Times the bandwidth of the
    device's memory, stated or from the accelerator table, this is the highest rate, as long as it is below the peak;
    above the ridge point, where the peak is the limit, another rule judges. A rate of samples is held against the
    bandwidth directly, by the bytes of a sample, and so is the bytes per second of a kernel: of its bytes 256 MB may
    have stayed in a cache, unless that is excluded. Bytes that are called effective, logical or algorithmic are judged
    only where a cache is excluded: an element that is read often counts as often there.

    ## Why it misleads
    Operations wait for their operands. A rate above the roofline was timed with operands in a cache, or its bytes or
    operations are miscounted.

    ## Branches
    - (a) refutes, C3: the rate is more than 2 % above bandwidth x intensity, or above the bandwidth.
    - (b) undermines, C3: the same where the bandwidth is a published figure that the table does not vouch for.
    - (c, instead of a and b) caveat, C1: the same of the bytes per second of a kernel whose operands are not said to
      stay out of caches: what it reads repeatedly may come from there.
    - not applicable: operations, bytes, bandwidth or devices are not stated; the operands may stay in caches, which is
      said, or not excluded for less than 1 GB or for bytes called effective; or the memory lies on the chip.

    ## Flagged
    On `kernel` for claim `gemm`:
    ```json
    {"arms": {"n8192": {"operations": {"bytes_moved": 2.0e10, "cached": false}}}}
    ```

    ## Accepted
    On `kernel` for claim `gemm`:
    ```json
    {"arms": {"n8192": {"operations": {"bytes_moved": 4.03e8, "cached": false}}}}
    ```

    ## How to fix
    Check the bytes, and read operands that no cache holds.

    ## References
    Williams, Waterman and Patterson, Roofline: an insightful visual performance model (2009).
    """
    side = case.subject(claim)
    operations = side.arm.operations if side is not None else None
    if side is None or operations is None or operations.bytes_moved is None:
        yield Inapplicable("the bytes moved are not stated")
        return
    if claim.quantity == "rate" and claim.unit in BYTES:
        yield from _of_bytes(claim, case, side, operations, thresholds)
        return
    if claim.quantity == "rate":
        yield from _of_rate(claim, case, side, operations, thresholds)
        return
    count, limit = counted_operations(operations), memory_bandwidth(case, side.system)
    rate = _per_device(claim, case, side)
    if count is None or limit is None or rate is None:
        yield Inapplicable("operations, bandwidth or devices are not stated")
        return
    if _from_caches(claim, operations, case, side, thresholds):
        yield Inapplicable("the operands may stay in caches, or the memory lies on the chip")
        return
    intensity = count / given(operations.bytes_moved).low
    peak = peak_bound(claim, case, side)
    if peak is not None and intensity >= ridge(max(peak.bound, peak.data_sheet), limit.value):
        return
    bound = limit.value * intensity
    if rate > bound * (1 + Decimal(str(thresholds.slack))):
        message = (
            f"{short(rate)} FLOP/s of one device; {short(intensity)} operations per byte at {short(limit.value)} "
            f"bytes/s ({limit.words}) allow at most {short(bound)}"
        )
        yield _violation(message, claim.place("value"), operations, limit, (rate, bound))


def _of_bytes(claim: Claim, case: Case, side: Side, operations: Operations, thresholds: Thresholds) -> Iterator[Branch]:
    """Yield the bytes per second of a kernel that the memory cannot move."""
    metric, limit, moved = case.metric(claim.measured), memory_bandwidth(case, side.system), operations.bytes_moved
    on_chip = any(device.vendor in ON_CHIP for device in device_of(case, side.system).devices)
    if metric is None or metric.value is None or metric.unit not in BYTES or limit is None or side.devices is None:
        yield Inapplicable("a rate of bytes, bandwidth or devices are not stated")
        return
    total = given(moved or 0).low
    least = total if operations.cached is False else total - LARGEST_CACHE
    if claim.scope != "kernel" or on_chip or operations.cached or _logical(claim, operations) or least <= total / 2:
        yield Inapplicable("the operands may stay in caches, or the memory lies on the chip")
        return
    rate = span(metric.value, digits=metric.digits).low * BYTES[metric.unit] / side.devices
    bound = limit.value * total / least
    if rate > bound * (1 + Decimal(str(thresholds.slack))):
        why = "no operand stays in a cache"
        if operations.cached is None:
            why = "it is not said whether bytes that are read repeatedly, and come from a cache, count repeatedly"
        message = f"{short(rate)} bytes/s of one device; its memory has {short(limit.value)} ({limit.words}), and {why}"
        found = _violation(message, metric.place("value"), operations, limit, (rate, bound))
        silent = operations.cached is None
        yield replace(found, branch="c", effect=CAVEAT, confidence=C1) if silent else found


def _of_rate(claim: Claim, case: Case, side: Side, operations: Operations, thresholds: Thresholds) -> Iterator[Branch]:
    """Yield a rate of samples whose bytes, as stated for one sample, the memory cannot move."""
    metric, limit = case.metric(claim.measured), memory_bandwidth(case, side.system)
    unit = work_per_second(metric.unit) if metric is not None else None
    samples = unit is not None and read(unit.word).has("one_sample")
    if metric is None or metric.value is None or unit is None or not samples or limit is None or not side.devices:
        yield Inapplicable("a rate of samples, bandwidth or devices are not stated")
        return
    if _from_caches(claim, operations, case, side, thresholds):
        yield Inapplicable("the operands may stay in caches, or the memory lies on the chip")
        return
    rate = span(metric.value, digits=metric.digits).low * unit.factor / (1 if unit.per_device else side.devices)
    moved = rate * given(operations.bytes_moved or 0).low
    if moved > limit.value * (1 + Decimal(str(thresholds.slack))):
        message = (
            f"{short(rate)} samples/s of one device at {short(operations.bytes_moved or 0)} bytes each move "
            f"{short(moved)} bytes/s; its memory has {short(limit.value)} ({limit.words})"
        )
        yield _violation(message, metric.place("value"), operations, limit, (moved, limit.value))


def _violation(
    message: str, at: str, operations: Operations, limit: Limit, numbers: tuple[Decimal, Decimal]
) -> Violation:
    rate, bound = numbers
    branch, effect = ("a", REFUTES) if limit.reliable else ("b", UNDERMINES)
    related = (Related(operations.place("bytes_moved"), "bytes moved"), Related(limit.at, "the device"))
    return Violation(branch, effect, C3, message, at, short(rate), short(bound), related)


def _per_device(claim: Claim, case: Case, side: Side) -> Decimal | None:
    rate, unit = claimed_flops(claim, case), operations_per_second(claim.unit)
    if rate is None or claim.form != "absolute" or unit is None:
        return None
    if unit.per_device:
        return rate.low
    devices = side.devices
    return rate.low / devices if devices is not None else None


def _from_caches(claim: Claim, operations: Operations, case: Case, side: Side, thresholds: Thresholds) -> bool:
    if any(device.vendor in ON_CHIP for device in device_of(case, side.system).devices):
        return True
    if operations.cached is not None:
        return operations.cached
    few = operations.bytes_moved is None or operations.bytes_moved < thresholds.caches
    return few or _logical(claim, operations)


def _logical(claim: Claim, operations: Operations) -> bool:
    """Whether the bytes may be those that a program asks for, from caches too, as their name says."""
    words = words_of(claim).and_((operations.place("method"), operations.method))
    return operations.cached is not False and words.has("logical_bytes", affirmed=False)
