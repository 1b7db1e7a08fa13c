"""Pairs of printed values that stand for one quantity: of a claim, its sentence, its metric, its table cell."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric, Quality
from ...schemas.submission import Claim, Row, Table
from ..case import Case, Side
from ..facts.comparison.options import CLASS_OF, flat
from ..facts.quantities.each_device import is_explained, whole_and_each
from ..facts.quantities.numbers import PERCENT, exact
from ..facts.quantities.per_second import times_over
from ..facts.quantities.recomputed import recomputed
from ..facts.series.raw_numbers import samples_of
from ..facts.training.proportions_of_examples import printed_share
from ..facts.training.stated_quality import same_metric
from ..language.printed import Span, span
from ..language.reading import read
from ..tables.datasets import plain
from ._sentence_numbers import all_numbers, numbers_of, spelled_numbers

UNSTATED = frozenset({None, "unspecified"})
OWN_WORDS = frozenset({"measured", "quoted"})


class Printed(Struct, frozen=True):
    """One printed value: its place, its words, and its interval in the pair's common unit."""

    at: str
    words: str
    value: Span


class Pair(Struct, frozen=True):
    """Two printed values.

    Attributes:
        one: the value that a reader sees first.
        other: the value that should be the same.
        same: whether both surely stand for one quantity; else something that only one of them states could explain a
            difference.
        unit: their unit, where it is one and the same.
        claim: the claim that stands on them.
        rest: what may lie between them, unsaid; empty where nothing may.
    """

    one: Printed
    other: Printed
    same: bool
    unit: str | None = None
    claim: Claim | None = None
    rest: str = ""


def pairs(case: Case) -> Iterator[Pair]:
    """Yield every pair of printed values of a document that stand for one quantity."""
    for claim in case.submission.claims.values():
        yield from _of_claim(claim, case)
    for table in case.submission.tables.values():
        for row in table.rows.values():
            yield from _of_row(case, table, row)
    for side in case.sides():
        for metric in side.arm.performance.values():
            yield from _of_summary(case, side, metric)


def _of_claim(claim: Claim, case: Case) -> Iterator[Pair]:
    if claim.base is not None and claim.base.value is not None:
        base = case.metric(claim.base)
        if base is not None and base.value is not None and claim.base.unit == base.unit:
            one = Printed(claim.base.place("value"), f"{claim.base.value} {base.unit}", span(claim.base.value))
            yield Pair(one, _printed(base), True, base.unit, claim)
    if claim.value is None:
        return
    yield from _in_sentence(claim, case)
    yield from _beside_interval(claim)
    if claim.form != "absolute" or claim.range is not None or claim.basis == "projected":
        return
    own = Printed(claim.place("value"), _words(claim.value, claim.unit), _own_span(claim))
    metric = case.metric(claim.measured)
    if metric is not None and metric.value is not None and metric.quantity == claim.quantity:
        factor = times_over(metric.unit, claim.unit)
        if factor is not None and not _is_worked_out(claim, case):
            unit = metric.unit if factor == 1 else None
            yield Pair(own, _printed(metric, factor), _same_number(claim, metric, case), unit, claim)
    quality = case.quality(claim.quality)
    if quality is not None and claim.quantity == "accuracy":
        yield from _of_quality(claim, quality)
    yield from _of_cell(claim, case, own)


def _is_worked_out(claim: Claim, case: Case) -> bool:
    """Whether a claim's number is another one than that of its metric: said to be derived, or that of one device."""
    if is_explained(claim):
        return True
    found = whole_and_each(claim, case)
    return found is not None and found[0].meets(found[1].times(found[2]))


def _of_quality(claim: Claim, quality: Quality) -> Iterator[Pair]:
    if quality.value is None or claim.value is None or not same_metric(claim.metric or quality.metric, quality.metric):
        return
    units = claim.unit, quality.unit
    if claim.unit is not None and quality.unit is None and claim.base is None:
        # "24.53 perplexity" of a perplexity that states no unit of its own
        units = claim.unit, claim.unit if same_metric(claim.unit, quality.metric) else None
    left, right = _own_span(claim), span(quality.value)
    if units[0] != units[1]:
        shares = printed_share(claim.value, claim.unit), printed_share(quality.value, quality.unit)
        if None in units or shares[0] is None or shares[1] is None or claim.qualifier is not None:
            return
        left, right = shares[0].share, shares[1].share
    one = Printed(claim.place("value"), _words(claim.value, claim.unit), left)
    other = Printed(quality.place("value"), _words(quality.value, quality.unit), right)
    yield Pair(one, other, True, claim.unit if units[0] == units[1] else None, claim)


def _in_sentence(claim: Claim, case: Case) -> Iterator[Pair]:
    """The sentence as printed beside the number that was taken from it.

    Not where the number stands in a table, is a range, or is worked out from the sentence. Of the numbers of the
    sentence with the claim's unit the nearest is taken, and none where any other number of it is the claim's, or it is
    spelled out. The ends of the claim's interval and its level are other numbers.
    """
    row = case.row(claim)
    cells = {*row.values.values(), row.speedup, row.efficiency} if row is not None else set()
    derived = claim.basis is not None and claim.basis not in OWN_WORDS
    if claim.value is None or claim.value in cells or claim.range is not None or derived or claim.form == "rank":
        return
    own = _own_span(claim)
    found = _without_interval(numbers_of(claim.statement, claim.unit), claim)
    if not found or any(own.low <= number <= own.high for number in spelled_numbers(claim.statement)):
        return
    if not _met(own, found) and _met(own, (*all_numbers(claim.statement), *_converted(claim), *_points(claim))):
        return
    nearest = min(found, key=lambda value: max(value.low - own.high, own.low - value.high, Decimal(0)))
    one = Printed(claim.place("statement"), f"{nearest} {claim.unit}", nearest)
    yield Pair(one, Printed(claim.place("value"), _words(claim.value, claim.unit), own), True, None, claim)


def _beside_interval(claim: Claim) -> Iterator[Pair]:
    """The claim's number beside its interval, which may be that of the factor where the number is a percentage."""
    if claim.interval is None or claim.value is None or claim.range is not None:
        return
    low, high = span(claim.interval.low), span(claim.interval.high)
    whole, own = Span(low.low, high.high), _own_span(claim)
    if low.low > high.high or _met(whole, (own, *_other_scales(own))):
        return
    words = f"its interval, {claim.interval.low} to {claim.interval.high}"
    one = Printed(claim.place("value"), _words(claim.value, claim.unit), own)
    yield Pair(one, Printed(claim.interval.at, words, whole), True, None, claim)


def _other_scales(value: Span) -> Iterator[Span]:
    """Yield what a number is as a factor, a change, or a percentage of either, more or less, and its inverse."""
    yield Span(value.low / 100, value.high / 100)
    yield Span(value.low * 100, value.high * 100)
    for sign in (1, -1):
        yield Span(*sorted((1 + sign * value.low / 100, 1 + sign * value.high / 100)))
        yield Span(*sorted((sign * (value.low - 1), sign * (value.high - 1))))
        yield Span(*sorted((100 * sign * (value.low - 1), 100 * sign * (value.high - 1))))
        yield Span(*sorted((sign * value.low, sign * value.high)))
    if value.low > 0:
        yield Span(1 / value.high, 1 / value.low)


def _without_interval(found: tuple[Span, ...], claim: Claim) -> tuple[Span, ...]:
    """Return the numbers of a sentence without both ends of the claim's interval, and its level in percent."""
    interval = claim.interval
    if interval is None:
        return found
    ends = [span(interval.low), span(interval.high)]
    printed = all_numbers(claim.statement)
    lows, highs = ([value for value in printed if value.meets(end)] for end in ends)
    apart = ends if any(not one.meets(other) for one in lows for other in highs) else []
    if interval.level is not None and claim.unit in PERCENT:
        apart.append(exact(100 * interval.level))
    own = _own_span(claim)
    return tuple(value for value in found if own.meets(value) or not _met(value, tuple(apart)))


def _converted(claim: Claim) -> Iterator[Span]:
    """Yield the sentence's factors as percentages for a claim in percent, and the other way round."""
    if claim.unit in PERCENT:
        yield from (Span((v.low - 1) * 100, (v.high - 1) * 100) for v in numbers_of(claim.statement, "x"))
    elif claim.unit == "x":
        yield from (Span(1 + v.low / 100, 1 + v.high / 100) for v in numbers_of(claim.statement, "%"))


def _points(claim: Claim) -> Iterator[Span]:
    """Yield a percentage with so many points more or less, where a sentence tells a difference in points."""
    if claim.unit in PERCENT and read(claim.statement).quantities("points"):
        found = all_numbers(claim.statement)
        for one in found:
            for other in found:
                yield Span(one.low + other.low, one.high + other.high)
                yield Span(one.low - other.high, one.high - other.low)


def _met(own: Span, found: tuple[Span, ...]) -> bool:
    return any(own.meets(value) for value in found)


def _of_cell(claim: Claim, case: Case, own: Printed) -> Iterator[Pair]:
    table, row = case.table(claim), case.row(claim)
    if table is None or row is None:
        return
    fitting = [
        (name, column)
        for name, column in table.columns.items()
        if name in row.values and column.quantity == claim.quantity and column.unit == claim.unit
    ]
    if len(fitting) == 1:
        name, column = fitting[0]
        other = Printed(row.place("values", name), _words(row.values[name], column.unit), span(row.values[name]))
        stated = (column.statistic, column.scope)
        same = claim.statistic in {*UNSTATED, stated[0]} and stated[1] in {None, claim.scope}
        yield Pair(own, other, same, claim.unit, claim)


def _of_row(case: Case, table: Table, row: Row) -> Iterator[Pair]:
    """Cells beside the one metric of the row's arm that has the column's quantity, unit and statistic."""
    side = case.own(row.arm) if row.arm is not None else None
    if side is None or not _is_arm(row, side):
        return
    for key, metric in side.arm.performance.items():
        if metric.value is None or _shared(metric, side):
            continue
        alike = [
            name
            for name, column in table.columns.items()
            if name in row.values and (column.quantity, column.unit) == (metric.quantity, metric.unit)
        ]
        if len(alike) > 1 and metric.statistic not in UNSTATED:
            alike = [name for name in alike if table.columns[name].statistic in {*UNSTATED, metric.statistic}] or alike
        named = [name for name in alike if plain(name) == plain(key)]
        if not named:
            alike = [name for name in alike if not _of_phase(name) or _of_phase(key)]
        for name in named or alike:
            other = _printed(metric)
            text, column = row.values[name], table.columns[name]
            if not named and len(alike) > 1 and any(span(row.values[each]).meets(other.value) for each in alike):
                continue  # one of several columns is this metric's; the others are of other programs or phases
            scopes = (column.scope, metric.scope or _measured_scope(side))
            same = column.statistic == metric.statistic and (None in scopes or scopes[0] == scopes[1])
            one = Printed(row.place("values", name), _words(text, column.unit), span(text))
            yield Pair(one, other, same and (len(alike) == 1 or bool(named)), column.unit)


def _shared(metric: Metric, side: Side) -> bool:
    """Whether an arm has two numbers of one quantity and unit: which of them a column means is not told."""
    return (
        sum((item.quantity, item.unit) == (metric.quantity, metric.unit) for item in side.arm.performance.values()) > 1
    )


def _of_phase(name: str) -> bool:
    """Whether the name of a column is of a part of what the arm's own number is of: first, warm, compilation."""
    return read(name).has("phase_of_run", affirmed=False)


def _is_arm(row: Row, side: Side) -> bool:
    """Whether a row is its arm as it was measured: no other device count, no other option."""
    if row.devices is not None and side.devices is not None and row.devices != side.devices:
        return False
    ours, theirs = flat(row.options), flat(side.arm.options)
    kept = {key for key in ours.keys() & theirs.keys() if CLASS_OF.get(key) != "COSMETIC"}
    return all(ours[key] == theirs[key] for key in kept)


def _of_summary(case: Case, side: Side, metric: Metric) -> Iterator[Pair]:
    """A metric's value beside the statistic of the same name in its own summary.

    Not where raw numbers show both: the median of the trials' medians beside that of all iterations.
    """
    if metric.summary is None or metric.value is None or metric.statistic not in {"mean", "median", "min", "max"}:
        return
    text = getattr(metric.summary, metric.statistic)
    if text is not None:
        other = Printed(metric.summary.place(metric.statistic), _words(text, metric.unit), span(text))
        one = _printed(metric)
        if one.value.meets(other.value) or not _both_shown(case, side, metric, one.value, other.value):
            yield Pair(one, other, True, metric.unit)


def _both_shown(case: Case, side: Side, metric: Metric, one: Span, other: Span) -> bool:
    """Whether the raw numbers give both values, each by another usual way to one statistic of several trials."""
    found = samples_of(case, side, metric)
    if found is None or not found.complete or len(found.trials) < 2 or metric.statistic is None:
        return False
    ways = recomputed(found, side, metric, metric.statistic, None)
    return any(way.meets(one) for way in ways) and any(way.meets(other) for way in ways)


def _same_number(claim: Claim, metric: Metric, case: Case) -> bool:
    side = case.side(claim.measured)
    scope = metric.scope or (_measured_scope(side) if side is not None else None)
    return claim.statistic in {*UNSTATED, metric.statistic} and scope in {None, claim.scope}


def _measured_scope(side: Side) -> str | None:
    return side.arm.measurement.scope if side.arm.measurement is not None else None


def _printed(metric: Metric, factor: Decimal = Decimal(1)) -> Printed:
    assert metric.value is not None
    value = span(metric.value, digits=metric.digits).times(factor)
    return Printed(metric.place("value"), _words(metric.value, metric.unit), value)


def _own_span(claim: Claim) -> Span:
    assert claim.value is not None
    return span(claim.value, claim.qualifier, claim.digits)


def _words(value: str, unit: str | None) -> str:
    return f"{value} {unit}" if unit is not None else value
