"""Rows of a table as candidates: their metrics with direction and interval, and whether one dominates another."""

from __future__ import annotations

import math
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Interval, PlusMinus, Quality
from ...schemas.submission import Claim, Column, Row, Table
from ..case import Case, Side
from ..facts.quantities.unit_parts import unit_parts
from ..fields import row_devices
from ..language.printed import Span
from ..language.reading import read
from ..statistics.student import t_quantile

HIGHER = frozenset({"rate", "flops", "mfu"})
LOWER = frozenset({"time", "latency", "cost", "memory"})
LEAST_LEVEL = 0.9


class Cell(Struct, frozen=True):
    """One metric of one row.

    Attributes:
        column: key of its column.
        value: as printed.
        interval: its confidence interval, where one over trials, runs or seeds is known.
    """

    column: str
    value: Decimal
    interval: Span | None


class Dominance(Struct, frozen=True):
    """How a candidate stands to a subject that it is at least as good as, on every metric that both hold.

    Attributes:
        better: columns on which it is better, as (subject, candidate).
        separated: those of them whose intervals do not meet.
        open: metrics and resources that only one of the two states, or whose direction is not known.
    """

    better: tuple[tuple[Cell, Cell], ...]
    separated: tuple[tuple[Cell, Cell], ...]
    open: tuple[str, ...]


def dominance(claim: Claim, case: Case, table: Table, subject: Row, candidate: Row) -> Dominance | None:
    """Return how a candidate dominates a subject, or may do so; None where it is worse in one, or better in none.

    Where only one of the two states a metric, the candidate may be better in it.
    """
    better: list[tuple[Cell, Cell]] = []
    separated: list[tuple[Cell, Cell]] = []
    unknown: list[str] = []
    for key, column in table.columns.items():
        ours, theirs = _cell(case, subject, key, column), _cell(case, candidate, key, column)
        if column.quantity == "count" or (ours is None and theirs is None):
            continue
        if ours is None or theirs is None:
            unknown.append(key)
            continue
        if ours.value == theirs.value:
            continue
        higher = _higher(claim, case, key, column)
        if higher is None:
            unknown.append(key)
        elif (theirs.value > ours.value) is not higher:
            return None
        else:
            better.append((ours, theirs))
            if _apart(ours, theirs, higher):
                separated.append((ours, theirs))
    undecided = bool(better or unknown)
    for name, used, needed in _resources(case, subject, candidate):
        if used is None or needed is None:
            unknown += [name] if used != needed else []
        elif needed > used:
            return None
    return Dominance(tuple(better), tuple(separated), tuple(unknown)) if undecided else None


def _apart(ours: Cell, theirs: Cell, higher: bool) -> bool:
    if ours.interval is None or theirs.interval is None:
        return False
    return theirs.interval.low > ours.interval.high if higher else theirs.interval.high < ours.interval.low


def _resources(case: Case, subject: Row, candidate: Row) -> tuple[tuple[str, float | None, float | None], ...]:
    """Return what both rows spend: more of it is no domination."""
    return (
        (
            "devices",
            row_devices(subject.devices, subject.arm, case),
            row_devices(candidate.devices, candidate.arm, case),
        ),
        ("nodes", subject.nodes, candidate.nodes),
        ("parameters", subject.parameters, candidate.parameters),
    )


def _higher(claim: Claim, case: Case, key: str, column: Column) -> bool | None:
    """Return whether more is better: by the quantity, by a stated direction, by the metric's usual name; else None."""
    if column.quantity in HIGHER | LOWER:
        return column.quantity in HIGHER
    if column.quantity == "energy":
        kinds = [part.kind for part in unit_parts(column.unit)]
        return "energy" not in kinds[:1] if "energy" in kinds else None
    stated = {
        quality.direction
        for side in case.sides()
        for name, quality in side.arm.quality.items()
        if key in {name, quality.metric} and quality.direction is not None
    }
    if claim.target is not None and claim.target.metric == key:
        stated.add(claim.target.direction)
    if stated:
        return stated == {"higher"} if len(stated) == 1 else None
    return read(f"{key} {column.unit}").higher_is_better()


def _cell(case: Case, row: Row, key: str, column: Column) -> Cell | None:
    if key not in row.values:
        return None
    side = case.own(row.arm or "")
    return Cell(key, Decimal(row.values[key]), _interval(side, key, column) if side is not None else None)


def _interval(side: Side, key: str, column: Column) -> Span | None:
    """Return the interval of the number behind a cell: of the same name, or the arm's only one of the quantity."""
    if column.quantity == "accuracy":
        qualities = side.arm.quality
        quality = qualities.get(key, next(iter(qualities.values())) if len(qualities) == 1 else None)
        if quality is None or quality.value is None or quality.unit not in {None, column.unit}:
            return None
        return _stated(quality.value, quality.interval, quality.plus_minus) or _over_seeds(quality)
    metrics = {name: metric for name, metric in side.arm.performance.items() if metric.quantity == column.quantity}
    metric = metrics.get(key, next(iter(metrics.values())) if len(metrics) == 1 else None)
    if metric is None or metric.value is None or metric.unit != column.unit:
        return None
    return _stated(metric.value, metric.interval, metric.plus_minus)


def _stated(value: str, interval: Interval | None, half: PlusMinus | None) -> Span | None:
    """Return a stated interval; not one over iterations or requests, which repeat within one trial."""
    if interval is not None:
        within = read(interval.varies or "").has("within_a_trial")
        loose = interval.level is not None and interval.level < LEAST_LEVEL
        return None if within or loose else Span(*sorted((Decimal(interval.low), Decimal(interval.high))))
    if half is not None and half.label == "ci95":
        return Span(Decimal(value) - abs(Decimal(half.value)), Decimal(value) + abs(Decimal(half.value)))
    return None


def _over_seeds(quality: Quality) -> Span | None:
    """Return the 95 % t interval of the mean over at least three seeds."""
    values = [float(value) for value in quality.seeds.values()]
    n = len(values)
    if n < 3 or any(not math.isfinite(value) for value in values):
        return None
    mean = math.fsum(values) / n
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1))
    half = t_quantile(0.975, n - 1) * deviation / math.sqrt(n)
    if not math.isfinite(half):
        return None
    return Span(Decimal(repr(mean - half)), Decimal(repr(mean + half)))
