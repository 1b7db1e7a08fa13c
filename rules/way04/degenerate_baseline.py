"""W0405: a baseline that is slow for a reason of its own."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim, Table
from ..case import Case, Side
from ..facts.comparison.base_row import SCALE, cell_span
from ..facts.comparison.options import compare_flat, flat
from ..facts.comparison.points import Point, named, one_problem, points, system_of, table_points
from ..facts.comparison.table_series import (
    SPEED,
    base_names,
    counterpart,
    higher_is_better,
    neighbours,
    speed_column,
    speed_columns,
)
from ..facts.document.words import words_in, words_of
from ..facts.quantities.given import given
from ..facts.quantities.per_second import work_per_second
from ..items import ITEMS
from ..language.printed import Span, short
from ..language.reading import read
from ..outcome import C1, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..tables.names import plain
from ._weaker_settings import weaker_settings

BURDENS = {
    "activation_checkpointing": "computes its activations twice",
    "offload": "moves its state to host memory",
}
NAMES = {"activation_checkpointing": "activations_recomputed", "offload": "offloading"}
WITHIN_ONE = frozenset({"overlap", "sharding", "bucketing"})
"""Options that mean nothing on one device."""
STEADY = Decimal("1.25")
Finding = list[Branch] | None


class Value(Struct, frozen=True):
    """What a point of a series reached: work per second of all its devices."""

    point: Point
    rate: Span
    at: str


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    base_gap: float = Threshold(1.3, "ratio of two bases of one workload", "judgement")
    agree: float = Threshold(0.25, "fraction by which two series may differ at their largest common point", "judgement")
    collapse: float = Threshold(3, "factor by which a base collapses between neighbouring settings", "judgement")
    best_share: float = Threshold(0.8, "share of the best rate per device of the series", "judgement")
    waiting: float = Threshold(
        0.2, "share of the base's time spent waiting for data, beyond the subject's", "judgement"
    )


@rule(
    "W0405",
    "degenerate-baseline",
    effect=UNDERMINES,
    confidence=C1,
    applies="scaling or speedup",
    origin="HB15.1, MEAS",
    also=("P13",),
    thresholds=Thresholds,
)
def degenerate_baseline(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A ratio grows by a weak base as well as by a strong subject.

    ## What it does
    Looks at the base of a ratio beside its series: at the rate per device of the other points under equal options, at
    neighbouring settings of both arms, and at the same workload in other tables on devices that are no larger. Asks
    what the base's own arm says of how it ran, beside the arm of the claim. Options that mean nothing on one device
    (overlap, sharding, buckets), and those under study, do not make two points unequal. Every
    comparison is made at the ends of the printed digits that favour the base.

    ## Why it misleads
    A base that pages, or that was run with a setting that cripples it, makes every ratio over it large. The ratio then
    says how badly the base ran.

    ## Branches
    - (a) undermines, C1: the base is below 1 / 1.3 of the same workload's base on a device with no larger peak or
      memory, while the two series agree within 25 % at their largest common point.
    - (b) undermines, C1: between neighbouring settings the base worsens by more than a factor of 3 while the subject
      changes by less than 1.25, and the ratio is taken at the collapsed point.
    - (c) undermines, C1: the rate per device at the base is below 0.8 of the best in the series at equal options.
    - (d) undermines, C1: the base alone carries a burden that the claim's side is free of: activations computed twice,
      state moved to host memory, at least a fifth of its time spent waiting for data, or another job on its device; of
      an inference by another system, no batches, or 32 bits against fewer.
    - not applicable: the table has nothing to compare the base with.
    - Silent where the document names memory, paging or caches as the reason or as the subject of study, and in (d)
      where the burden is the difference under study or is named beside the number.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"tables": {"nodes": {"rows": {"r1": {"values": {"rate": "14000"}}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`, whose base has the best rate per device of its series.

    ## How to fix
    Measure the base again, or give the ratio at the last point where the base was healthy.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 1.
    """
    table = case.table(claim)
    if claim.form not in {"ratio", "efficiency"} or claim.quantity not in SPEED:
        yield Inapplicable("no ratio of speeds")
        return
    memory = _memory_named(claim, case)
    burdens = _burdens(claim, case, thresholds.waiting) if not memory else []
    if burdens:
        yield from burdens
        return
    if table is None or not ITEMS["series"](claim, case):
        yield Inapplicable("the base is not a row of a series, and how it ran is not stated")
        return
    if memory:
        return
    findings = [
        _per_device(claim, case, thresholds, table),
        _collapsed(claim, thresholds, table),
        _sibling(claim, case, thresholds, table),
    ]
    yield from (branch for found in findings if found is not None for branch in found)
    if all(found is None for found in findings):
        yield Inapplicable("the table has nothing to compare the base with")


def _memory_named(claim: Claim, case: Case) -> bool:
    """Whether memory, paging or caches are named as what limits the base, explains the ratio, or is studied."""
    definition = claim.base.definition if claim.base is not None else None
    words = words_of(claim).and_(("", definition), *((item.at, item.quote) for item in case.submission.disclosures))
    return words.has("memory_as_reason") or words_in(claim.explanation, *claim.treatment).has("memory")


def _burdens(claim: Claim, case: Case, waiting: float) -> list[Branch]:
    """Return what made the base slower, of what its arm says and the arm of the claim is free of."""
    side, base = case.subject(claim), case.base(claim)
    if side is None or base is None or side.id == base.id:
        return []
    ours, theirs = flat(side.arm.options), flat(base.arm.options)
    found = [
        (words, base.arm.place("options", key))
        for key, words in BURDENS.items()
        if _on(theirs.get(key)) and key in ours and not _on(ours[key]) and not _names(claim, NAMES[key])
    ]
    waits = _wait(base) or 0.0, _wait(side)
    if waits[1] is not None and waits[0] >= waits[1] + waiting and not _names(claim, "reading_of_data"):
        found.append((f"waits {100 * waits[0]:.0f} % of its time for data", base.arm.place("measurement")))
    if _shared(base) and not _shared(side) and not _names(claim, "tenants"):
        found.append(("shares its device with another job", base.arm.place("environment")))
    found += weaker_settings(claim, side, base)
    related = (Related(side.arm.at, "the claim's side, which does not"),)
    return [
        Violation("d", UNDERMINES, C1, f"the base {words}, the claim's side does not", at, claim.value, related=related)
        for words, at in found[:1]
    ]


def _on(value: object) -> bool:
    return value is True or (isinstance(value, str) and bool(plain(value)) and not read(value).is_only("not_in_use"))


def _wait(side: Side) -> float | None:
    measurement = side.arm.measurement
    pipeline = measurement.pipeline if measurement is not None else None
    return pipeline.data_wait_share if pipeline is not None else None


def _shared(side: Side) -> bool:
    environment = side.arm.environment
    return environment is not None and isinstance(environment.co_tenants, str) and _on(environment.co_tenants)


def _names(claim: Claim, *concepts: str) -> bool:
    """Whether the claim itself speaks of something, as what it studies or beside its number."""
    definition = claim.base.definition if claim.base is not None else None
    words = (*words_of(claim), *words_in(definition, *claim.treatment))
    return any(text.has(concept, affirmed=False) for text in words for concept in concepts)


def _values(claim: Claim, table: Table, found: tuple[Point, ...]) -> tuple[Value, ...]:
    """Return the points of a table whose rate is stated; empty where the column tells no rate."""
    column = speed_column(claim, table)
    unit = work_per_second(table.columns[column].unit) if column is not None else None
    if column is None or unit is None or table.columns[column].quantity != "rate":
        return ()
    values = []
    for point in found:
        span = cell_span(table, (point.id, column)) if point.id in table.rows else None
        if span is not None and span.low > 0 and point.devices:
            scale = point.devices if unit.per_device else 1
            at = table.rows[point.id].place("values", column)
            values.append(Value(point, Span(span.low * scale, span.high * scale), at))
    return tuple(values)


def _base(claim: Claim, table: Table, values: tuple[Value, ...]) -> Value | None:
    """Return the one base of a claim in its series; of several, that with the fewest devices."""
    names = base_names(claim, table)
    found = [value for value in values if value.point.id in names]
    return min(found, key=lambda value: value.point.devices or 0, default=None)


def _per_device(claim: Claim, case: Case, thresholds: Thresholds, table: Table) -> Finding:
    values = _values(claim, table, points(claim, case))
    base = _base(claim, table, values)
    if base is None:
        return None
    alike = [value for value in values if value is not base and _equal_options(base.point, value.point, case)]
    if not alike:
        return None
    best = max(alike, key=lambda value: _each(value).low)
    if _each(base).high >= Decimal(str(thresholds.best_share)) * _each(best).low:
        return []
    message = (
        f"the base ({named(base.point)}) reaches {short(_each(base).high)} per device, the same options at "
        f"{named(best.point)} reach {short(_each(best).low)}"
    )
    related = (Related(best.at, "the best rate per device"),)
    share = f"{short(_each(base).high / _each(best).low)} of the best"
    return [Violation("c", UNDERMINES, C1, message, base.at, claim.value, share, related)]


def _each(value: Value) -> Span:
    count = Decimal(value.point.devices or 1)
    return Span(value.rate.low / count, value.rate.high / count)


def _equal_options(left: Point, right: Point, case: Case) -> bool:
    """Whether two points differ in nothing but their size: equal in the whole batch, or in the batch per device."""
    ignored = SCALE | {"seed", "name", "logging"} | (WITHIN_ONE if 1 in {left.devices, right.devices} else set())
    sides = [{key: value for key, value in point.options.items() if key not in ignored} for point in (left, right)]
    found = compare_flat(*sides)
    if found.different or any(key in found.unknown for key in ("model", "precision.compute")):
        return False
    if not {"model", "precision.compute"} <= set(found.equal) or not _same_device(left, right, case):
        return False
    batches = left.global_batch, right.global_batch
    if batches[0] is None or batches[1] is None or not left.devices or not right.devices:
        return False
    return batches[0] == batches[1] or batches[0] * right.devices == batches[1] * left.devices


def _device(point: Point, case: Case) -> tuple[str, float | None] | None:
    """Return the device of a point, as a plain name with its memory in GiB."""
    system = system_of(point, case)
    if system is None or not isinstance(system.device, str):
        return None
    return plain(system.device), system.device_memory_gib


def _same_device(left: Point, right: Point, case: Case) -> bool:
    devices = _device(left, case), _device(right, case)
    return devices[0] is None or devices[1] is None or devices[0][0] == devices[1][0]


def _collapsed(claim: Claim, thresholds: Thresholds, table: Table) -> Finding:
    name = claim.row.row if claim.row is not None else None
    if name is None or name not in table.rows or claim.form != "ratio":
        return None
    found: Finding = None
    for subject, base, other_subject, other_base, where in _neighbouring(claim, table, name):
        higher = higher_is_better(table, subject[1])
        spans = [cell_span(table, cell) for cell in (subject, base, other_subject, other_base)]
        if higher is None or any(span is None or span.low <= 0 for span in spans):
            continue
        here, at_base, there, healthy = (span for span in spans if span is not None)
        found = found or []
        worse = healthy.low / at_base.high if higher else at_base.low / healthy.high
        change = max(here.high / there.low, there.high / here.low)
        if worse > Decimal(str(thresholds.collapse)) and change < STEADY:
            message = (
                f"at the point of the ratio the base is {short(worse)} times worse than at {where}, while the subject "
                f"changes by less than {short(change)}"
            )
            places = [table.rows[row].place("values", key) for row, key in (base, other_base)]
            related = (Related(places[1], "the base at the neighbouring setting"),)
            found.append(Violation("b", UNDERMINES, C1, message, places[0], claim.value, related=related))
    return found


Cell = tuple[str, str]
Series = dict[int | None, list[Value]]
"""Values of one series by device count."""


def _neighbouring(claim: Claim, table: Table, name: str) -> Iterator[tuple[Cell, Cell, Cell, Cell, str]]:
    """Yield subject and base at the point of the ratio, and both at a neighbouring setting, as rows or as columns."""
    bases, columns = base_names(claim, table), speed_columns(claim, table)
    for step in neighbours(table, name):
        where = f"{step.setting.removeprefix('column ').replace('scale', 'size')} {step.value}"
        for base in bases:
            other = counterpart(table, base, step)
            column = speed_column(claim, table)
            if other is not None and column is not None and {other, base}.isdisjoint({name, step.row}):
                yield (name, column), (base, column), (step.row, column), (other, column), where
        if not bases and len(columns) == 2 and len({table.columns[key].unit for key in columns}) == 1:
            ordered = _by_speed(table, name, columns)
            if ordered is not None:
                better, worse = ordered
                yield (name, better), (name, worse), (step.row, better), (step.row, worse), where


def _by_speed(table: Table, name: str, columns: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the better and the worse of two columns in a row; None where they do not differ."""
    spans, higher = [cell_span(table, (name, key)) for key in columns], higher_is_better(table, columns[0])
    if spans[0] is None or spans[1] is None or higher is None or spans[0].meets(spans[1]):
        return None
    first_better = (spans[0].low > spans[1].high) is higher
    return (columns[0], columns[1]) if first_better else (columns[1], columns[0])


def _sibling(claim: Claim, case: Case, thresholds: Thresholds, table: Table) -> Finding:
    values = _values(claim, table, points(claim, case))
    base = _base(claim, table, values)
    if base is None:
        return None
    own = [value for value in values if _same_device(base.point, value.point, case)]
    found: Finding = None
    for other in case.submission.tables.values():
        for series in _series(claim, case, table, other, base):
            at_base = _at(series, base.point)
            common = [value for value in own if _at(series, value.point) is not None and value is not base]
            if at_base is None or not common:
                continue
            found = found or []
            largest = max(common, key=lambda value: value.point.devices or 0)
            match = _at(series, largest.point)
            assert match is not None
            agree = max(largest.rate.high / match.rate.low, match.rate.high / largest.rate.low)
            gap = at_base.rate.low / base.rate.high
            if agree <= 1 + Decimal(str(thresholds.agree)) and gap > Decimal(str(thresholds.base_gap)):
                message = (
                    f"the base ({named(base.point)}) is {short(gap)} times slower than the same workload on a device "
                    f"that is not larger, while both agree at {named(largest.point)}"
                )
                related = (Related(at_base.at, "the same workload elsewhere"), Related(largest.at, "where both agree"))
                found.append(Violation("a", UNDERMINES, C1, message, base.at, claim.value, related=related))
    return found


def _at(series: Series, point: Point) -> Value | None:
    """Return a series' value at the size of a point: equal devices, and no other batch."""
    fitting = series.get(point.devices, [])
    known = [value for value in fitting if value.point.global_batch == point.global_batch]
    return known[0] if len(known) == 1 and len(fitting) == 1 else None


def _series(claim: Claim, case: Case, own: Table, table: Table, base: Value) -> Iterator[Series]:
    """Yield the series of a table that solve the base's problem on devices that are no larger; not the base's own."""
    columns = speed_column(claim, own), speed_column(claim, table)
    if columns[0] is None or columns[1] is None or own.columns[columns[0]].unit != table.columns[columns[1]].unit:
        return
    by_device: dict[object, list[Point]] = {}
    for point in table_points(table, case):
        if table is own and _same_device(point, base.point, case):
            continue
        if _same_workload(point, base.point) and _no_larger(point, base.point, case):
            by_device.setdefault(_device(point, case), []).append(point)
    for found in by_device.values():
        series: Series = {}
        for value in _values(claim, table, tuple(found)):
            series.setdefault(value.point.devices, []).append(value)
        yield series


def _same_workload(point: Point, base: Point) -> bool:
    keys = ("model", "precision.compute")
    known = all(point.options.get(key) is not None and base.options.get(key) is not None for key in keys)
    return known and one_problem(point, base)


def _no_larger(point: Point, base: Point, case: Case) -> bool:
    """Whether a point's device has no larger peak and no more memory than that of the base."""
    small, large = _device(point, case), _device(base, case)
    if small is None or large is None or small[1] is None or large[1] is None or small[1] > large[1]:
        return False
    if small[0] == large[0]:
        return True
    peaks = [
        given(item.side.arm.operations.peak_flops)
        for item in (point, base)
        if item.side is not None and item.side.arm.operations is not None and item.side.arm.operations.peak_flops
    ]
    return len(peaks) == 2 and peaks[0].high <= peaks[1].high
