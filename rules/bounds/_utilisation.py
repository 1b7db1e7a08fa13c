"""Utilisations: as stated, and as the rate of an arm and the peaks of its device imply them."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.flop_counts import kind_of
from ..facts.device.formats import known
from ..facts.device.operations import formats_of, own_texts
from ..facts.device.specification import COLUMNS, TERA, Variant, device_of
from ..facts.quantities.given import given
from ..facts.quantities.numbers import PERCENT
from ..facts.quantities.per_second import operations_per_second, work_per_second
from ..language.printed import Span, span
from ..outcome import Related
from ..tables.accelerators import Device

MOST_AS_SHARE = Decimal("1.5")
"""A utilisation above it without a percent sign was meant in percent."""
FEWER, MORE = Decimal(3) / 4, Decimal(4) / 3
"""Recomputing activations adds a third to the operations of a model: 8 N instead of 6 N."""


class Implied(Struct, frozen=True):
    """A utilisation that follows from a rate and a peak.

    Attributes:
        share: the utilisation as a fraction.
        either: the same, where recomputed operations may be in either number, whatever its name says.
        words: the rate and the peak.
        places: place and role of the numbers.
    """

    share: Span
    either: Span
    words: str
    places: tuple[Related, ...]


def share(claim: Claim) -> Span | None:
    """Return a claimed utilisation as a fraction; None where it is not stated, or its unit is open."""
    if claim.value is None:
        return None
    printed = span(claim.value, claim.qualifier, claim.digits)
    if claim.unit in PERCENT or Decimal(claim.value) > MOST_AS_SHARE:
        return Span(printed.low / 100, printed.high / 100)
    return printed if claim.unit is not None or printed.low <= 1 else None


class _Rate(Struct, frozen=True):
    span: Span
    per_device: bool
    printed: str
    at: str


def implied_utilisations(claim: Claim, case: Case, side: Side) -> tuple[Implied, ...]:
    """Return every utilisation that the arm's rate may mean, those of at most 1 where there are any.

    Empty where rate or peak are not stated.
    """
    rates, peaks = _rates(claim, side), tuple(_peaks(claim, case, side))
    recomputed = _recomputed(claim, case) if _may_differ(side) else None
    found = []
    for rate in rates:
        for count in (1,) if rate.per_device else sorted({1, side.devices or 1}):
            for peak, words in peaks:
                implied = rate.span / Span(peak.low * count, peak.high * count)
                if implied is None:
                    continue
                many = f"{count} x " if count > 1 else ""
                named = implied * recomputed if recomputed is not None else implied
                either = implied * Span(FEWER, MORE) if recomputed is not None else implied
                found.append(
                    Implied(named, either, f"{rate.printed} and {many}{words}", (Related(rate.at, "the rate"),))
                )
    return tuple(item for item in found if item.share.low <= 1) or tuple(found)


def _rates(claim: Claim, side: Side) -> tuple[_Rate, ...]:
    """Return the arm's FLOP/s; where it states none, its rates of work times the operations of each."""
    metrics = [m for m in side.arm.performance.values() if m.value is not None and _same_statistic(claim, m)]
    return tuple(_stated(metrics)) or tuple(_counted(metrics, side))


def _stated(metrics: list[Metric]) -> Iterator[_Rate]:
    for metric in metrics:
        unit = operations_per_second(metric.unit)
        if metric.quantity == "flops" and unit is not None:
            yield _rate(metric, Span(unit.factor, unit.factor), unit.per_device)


def _counted(metrics: list[Metric], side: Side) -> Iterator[_Rate]:
    for metric in metrics:
        unit = work_per_second(metric.unit)
        if metric.quantity == "rate" and unit is not None:
            for each in _each(side):
                yield _rate(metric, each * Span(unit.factor, unit.factor), unit.per_device)


def _rate(metric: Metric, factor: Span, per_device: bool) -> _Rate:
    assert metric.value is not None
    value = span(metric.value, digits=metric.digits)
    positive = Span(max(value.low, Decimal(0)), value.high)
    return _Rate(positive * factor, per_device, f"{metric.value} {metric.unit}", metric.place("value"))


def _each(side: Side) -> tuple[Span, ...]:
    """Return the operations of one unit of work under every reading.

    They may be those of a sequence or of a token, of the forward pass or of a whole step, and count a multiply-add once
    or twice.
    """
    operations, options = side.arm.operations, side.arm.options
    if operations is None or operations.flop_per_sample is None:
        return ()
    each, length = given(operations.flop_per_sample), Decimal((options.input_length if options is not None else 0) or 1)
    readings = {factor * per for factor in (1, 2, 3, 6) for per in (Decimal(1), length, 1 / length)}
    return tuple(each * Span(factor, factor) for factor in sorted(readings))


def _same_statistic(claim: Claim, metric: Metric) -> bool:
    stated = {claim.statistic, metric.statistic} - {None, "unspecified"}
    return len(stated) < 2


def _peaks(claim: Claim, case: Case, side: Side) -> Iterator[tuple[Span, str]]:
    operations = side.arm.operations
    if operations is not None and operations.peak_flops is not None:
        yield given(operations.peak_flops), f"the stated peak of {operations.peak_flops:g}"
        return
    variant = device_of(case, side.system)
    names = formats_of(claim, case)
    columns = None
    if names and all(map(known, names)):
        columns = frozenset(column for name in names for column in COLUMNS.get(name, (name,)))
    yield from _tabulated(variant, columns)


def _tabulated(variant: Variant, columns: frozenset[str] | None) -> Iterator[tuple[Span, str]]:
    """Yield every peak of the devices, from the published figure to what the highest clock gives, dense and sparse."""
    for key, device in zip(variant.ids, variant.devices, strict=True):
        for name in sorted({*device.dense_tflops, *device.flop_per_clock, *device.sparse_tflops}):
            if columns is not None and name not in columns:
                continue
            dense = [value for value in (device.dense_tflops.get(name), _derived(device, name)) if value is not None]
            sparse = device.sparse_tflops.get(name)
            if dense:
                yield _peak(min(dense), max(dense)), f"the {name} peak of {key}"
                yield _peak(2 * min(dense), max(2 * max(dense), sparse or 0)), f"the sparse {name} peak of {key}"
            elif sparse is not None:
                yield _peak(sparse / 2, sparse), f"the {name} peak of {key}"


def _derived(device: Device, name: str) -> float | None:
    per_clock = device.flop_per_clock.get(name)
    if per_clock is None or device.units is None or device.boost_clock_mhz is None:
        return None
    return device.units * per_clock * device.boost_clock_mhz / 1e6


def _peak(low: float, high: float) -> Span:
    return Span(Decimal(str(low)) * TERA, Decimal(str(high)) * TERA)


def _recomputed(claim: Claim, case: Case) -> Span:
    """Return the factors that recomputed operations may put between a utilisation and its rate / peak.

    A utilisation of model operations holds none of them, one of all executed operations may hold what its rate leaves
    out.
    """
    kind = kind_of(" ".join(own_texts(claim, case)))
    return Span(Decimal(1) if kind == "hardware" else FEWER, Decimal(1) if kind == "model" else MORE)


def _may_differ(side: Side) -> bool:
    """Whether one number may count recomputed operations that the other does not."""
    operations, options = side.arm.operations, side.arm.options
    checkpointing = options.recomputes if options is not None else None
    return checkpointing is not False and (operations is None or operations.counted != "model")
