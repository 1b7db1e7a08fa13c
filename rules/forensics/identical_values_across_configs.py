"""F31: equal digits for different configurations, more often than scatter allows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import combinations
from statistics import stdev

from msgspec import Struct

from ...schemas.evidence import Interval, Metric, Quality
from ...schemas.submission import Claim, Column, Table
from ..caching import fact
from ..case import Case, Side
from ..facts.comparison.base_row import option_columns
from ..facts.comparison.options import flat
from ..facts.comparison.points import Point, table_points
from ..language.printed import span
from ..outcome import C2, CAVEAT, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ._copied_numbers import copied_numbers
from ._trained_cells import agreeing, of_trainings

FEWEST_DIGITS = 4
LARGEST_P = 0.1
FEWEST_SEEDS = 3
MOST_ROWS = 200
NEAR = 4
"""Deviations within which two cells could have equal digits."""
DETERMINISTIC = frozenset({"accuracy", "count", "memory", "cost"})
Z = 1.959964


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    p: float = Threshold(0.01, "probability", "judgement")


@rule(
    "F31",
    "identical-values-across-configs",
    effect=CAVEAT,
    confidence=C2,
    applies="has(table) or has(quality_arms) or mode=training or serving",
    origin="MEAS",
    thresholds=Thresholds,
)
def identical_values_across_configs(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Cells of different configurations that agree in every digit, where measurements scatter more than that.

    ## What it does
    Counts in every column how many rows of different options repeat the digits of another one, and asks how probable
    so many coincidences are, from the column's last digit and the scatter that the rows' arms state. Values of at
    least four digits only, and only pairs of rows that lie near each other; equal intervals and wall times of the two
    make it less probable. Counts may be equal by nature, and so may a single quality; the qualities of all seeds of two
    trainings may not, nor may a column of trainings repeat the digits of one whose seeds scatter. A table that no claim
    names is read, too. Of the arms of a service, all rates and times of at least nine digits are compared, where loads
    or options differ.

    ## Why it misleads
    One run seems to stand for several configurations; the table shows fewer measurements than it has cells.

    ## Branches
    - (a) caveat, C2: so many coincidences have a probability below 1 %; or at least three numbers of nine digits or
      more are all those of another arm, under another load or with other options.
    - not applicable: the scatter is not stated, the digits are too few, or a coincidence is too probable to tell.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"tables": {"nodes": {"rows": {"r4": {"values": {"rate": "38210.4"}}, "r2": {"values": {"rate": "38210.4"}}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`:
    ```json
    {"tables": {"nodes": {"rows": {"r1": {"values": {"rate": "19600.7"}}, "r2": {"values": {"rate": "38210.4"}},
       "r4": {"values": {"rate": "73640.2"}}, "r8": {"values": {"rate": "129600.5"}}}}}}
    ```

    ## How to fix
    Say that one run fills several cells, or measure each.

    ## References
    The chance that two normal values of one deviation agree within a digit is digit / (2 deviation sqrt(pi)).
    """
    yield from _copied_arm(claim, case)
    yield from _equal_seeds(claim, case, thresholds.p)
    table = case.table(claim)
    for other in (table, *_unnamed(claim, case)):
        yield from _equal_trainings(case, other, thresholds.p) if other is not None else ()
    if table is None or len(table.rows) < 2:
        yield Inapplicable("the claim names no table")
        return
    judged, complete = 0, True
    for name, column in table.columns.items():
        if column.quantity in DETERMINISTIC:
            continue
        found = _coincidence(case, table, name, column)
        complete = complete and found is not None
        if found is not None:
            judged += 1
            groups, chance = found
            if groups and chance < thresholds.p:
                yield _violation(table, name, groups, chance)
    if not judged or not complete:
        yield Inapplicable("no column of at least four digits whose scatter is stated for every row")


def _copied_arm(claim: Claim, case: Case) -> Iterator[Violation]:
    """Yield that an arm has the numbers of another one, once: at the claim about the first of them."""
    side = case.subject(claim)
    found = copied_numbers(case).get(side.id) if side is not None else None
    if found is None or claim.measured is None or claim.measured.metric != found.metrics[0]:
        return
    name = found.metrics[0]
    here, there = found.right.arm.performance[name], found.left.arm.performance[name]
    message = (
        f"all {len(found.metrics)} rates and times of arm {found.right.id} are those of arm {found.left.id}, digit for "
        f"digit, under another load or with other options"
    )
    yield Violation("a", CAVEAT, C2, message, here.place("value"), here.value, related=(Related(there.at, "there"),))


def _unnamed(claim: Claim, case: Case) -> Iterator[Table]:
    """Yield the tables that no claim names, at the first claim about one of their arms or systems."""
    yield from (table for table, first in _tables_of_nobody(case) if first is claim)


@fact
def _tables_of_nobody(case: Case) -> tuple[tuple[Table, Claim], ...]:
    claims = case.submission.claims.values()
    named = {claim.row.table for claim in claims if claim.row is not None}
    first: dict[object, Claim] = {}
    for claim in reversed(claims):
        side = case.subject(claim)
        if side is not None and side.study is None:
            first |= {("arm", side.id): claim, ("system", side.arm.system or ""): claim}
    order = {id(claim): number for number, claim in enumerate(claims)}
    found = []
    for name, table in case.submission.tables.items():
        keys = {key for row in table.rows.values() for key in (("arm", row.arm), ("system", row.system))}
        about = [first[key] for key in keys if key in first]
        if name not in named and about:
            found.append((table, min(about, key=lambda claim: order[id(claim)])))
    return tuple(found)


def _equal_trainings(case: Case, table: Table, least: float) -> Iterator[Violation]:
    """Yield the columns in which one training stands for several."""
    for name, column in table.columns.items():
        for found in agreeing(case, table, name) if of_trainings(column) else ():
            if found.chance < least:
                yield _violation(table, name, [list(found.rows)], found.chance)


def _coincidence(case: Case, table: Table, name: str, column: Column) -> tuple[list[list[str]], float] | None:
    """Return the groups of rows with equal digits, and the chance of so many; None where it cannot be told."""
    points = {point.id: point for point in table_points(table, case)}
    cells = {row: table.rows[row].values[name] for row in table.rows if name in table.rows[row].values}
    if len(cells) < len(table.rows) or any(_digits(text) < FEWEST_DIGITS for text in cells.values()):
        return None
    scatter = {row: _deviation(_metric(points[row].side, column)) for row in cells}
    by_text: dict[str, list[str]] = {}
    for row, text in cells.items():
        by_text.setdefault(text, []).append(row)
    groups = [rows for rows in by_text.values() if len(rows) > 1 and _different(table, points, rows)]
    known = {row: value for row, value in scatter.items() if value}
    if any(row not in known for rows in groups for row in rows) or (not groups and len(known) < len(scatter)):
        return None
    if not groups:
        return groups, 1.0
    chances = [_chance(case, table, column, rows, cells[rows[0]], [known[row] for row in rows]) for rows in groups]
    chance = max(chances)
    if chance > LARGEST_P:
        return None
    hits, pairs = sum(len(rows) - 1 for rows in groups), _near(table, cells, known)
    return groups, min(1.0, math.comb(max(pairs, hits), hits) * chance**hits)


def _near(table: Table, cells: Mapping[str, str], known: Mapping[str, float]) -> int:
    """Return how many pairs of rows lie so near to each other that their digits could be equal by chance."""
    if len(cells) > MOST_ROWS or len(known) < len(cells):
        return math.comb(len(cells), 2)
    values = sorted((float(text), known[row]) for row, text in cells.items())
    return sum(abs(left - right) <= NEAR * max(one, other) for (left, one), (right, other) in combinations(values, 2))


def _chance(case: Case, table: Table, column: Column, rows: list[str], text: str, known: list[float]) -> float:
    """Return the chance that two rows agree in a cell, and in what else they state of the same measurement.

    Equal ends of the intervals are equal scatter: a half-width from n trials has a relative deviation of
    1 / sqrt(2 (n - 1)). Equal wall times show more digits of the same mean.
    """
    ulp, deviation = float(_unit(text)), min(known)
    chance = ulp / (2 * deviation * math.sqrt(math.pi))
    metrics = [_metric(case.own(table.rows[row].arm or ""), column) for row in rows]
    intervals = {(item.interval.low, item.interval.high) for item in metrics if item is not None and item.interval}
    trials = {item.trials for item in metrics if item is not None}
    number = trials.pop() if len(trials) == 1 else None
    if len(intervals) == 1 and None not in metrics and number is not None and number > 1:
        spread = Z * deviation / math.sqrt(2 * (number - 1))
        chance *= min(1.0, ulp / (2 * spread * math.sqrt(math.pi)))
    walls = {item.wall_s for item in metrics if item is not None}
    wall = walls.pop() if len(walls) == 1 else None
    if wall and None not in metrics:
        finer = float(_unit(repr(float(wall)))) / wall / (ulp / abs(float(text)))
        chance *= min(1.0, finer)
    return chance


def _unit(text: str) -> Decimal:
    """Return the unit of the last digit that tells: trailing zeros of a whole number may be filled up."""
    value = Decimal(text)
    if "." in text or value == 0:
        return span(text).high - span(text).low
    return Decimal(10) ** (len(text) - len(text.rstrip("0")))


def _equal_seeds(claim: Claim, case: Case, least: float) -> Iterator[Branch]:
    """Yield training runs of different options whose qualities are the same, seed by seed."""
    side = case.subject(claim) or case.side(claim.quality)
    for names, quality in _seeds_twice(case) if side is not None and side.study is None else ():
        if side is None or side.id not in names:
            continue
        values = [float(text) for text in quality.seeds.values()]
        deviation = stdev(values)
        unit = max(float(span(text).high - span(text).low) for text in quality.seeds.values())
        each = unit / (2 * deviation * math.sqrt(math.pi)) if deviation > 0 else 1.0
        chance = math.comb(len(case.submission.arms), 2) * each ** len(values)
        if each <= LARGEST_P and chance < least:
            message = (
                f"{quality.metric} is the same for all {len(values)} seeds in arms {', '.join(names[:5])} of different "
                f"options: a chance of {chance:.1g}"
            )
            yield Violation("a", CAVEAT, C2, message, quality.place("seeds"))


@fact
def _seeds_twice(case: Case) -> tuple[tuple[tuple[str, ...], Quality], ...]:
    """Return arms that were trained with different options and state the same digits for every one of their seeds."""
    groups: dict[object, list[tuple[Side, Quality]]] = {}
    for name in case.submission.arms:
        side = case.own(name)
        trained = side is not None and any(trial.kind == "convergence" for trial in side.arm.trials.values())
        for quality in side.arm.quality.values() if side is not None and trained else ():
            fine = sum(_digits(text) >= FEWEST_DIGITS - 1 for text in quality.seeds.values())
            if side is not None and len(quality.seeds) >= FEWEST_SEEDS and fine == len(quality.seeds):
                key = (quality.metric, quality.split, tuple(sorted(quality.seeds.items())))
                groups.setdefault(key, []).append((side, quality))
    return tuple(
        (tuple(side.id for side, _ in group), group[0][1])
        for group in groups.values()
        if len({str(sorted(flat(side.arm.options).items(), key=str)) for side, _ in group}) == len(group) > 1
    )


def _violation(table: Table, name: str, groups: list[list[str]], chance: float) -> Violation:
    first, *others = groups[0]
    text = table.rows[first].values[name]
    count = sum(len(rows) for rows in groups)
    message = (
        f"{text} appears in rows {', '.join(groups[0][:5])} of different options ({count} cells repeat digits): "
        f"a chance of {chance:.1g}"
    )
    related = tuple(Related(table.rows[row].place("values", name), f"row {row}") for row in others[:5])
    return Violation("a", CAVEAT, C2, message, table.rows[first].place("values", name), text, related=related)


def _digits(text: str) -> int:
    return len(Decimal(text).as_tuple().digits)


def _different(table: Table, points: dict[str, Point], rows: list[str]) -> bool:
    """Whether rows of equal digits report different configurations, and not one arm several times."""
    arms = {points[row].side.id for row in rows if points[row].side is not None}  # type: ignore[union-attr]
    options = [(table.rows[row].parameters, option_columns(table.rows[row])) for row in rows]
    return len(arms) == len(rows) and all(options[0] != other for other in options[1:])


def _metric(side: Side | None, column: Column) -> Metric | None:
    """Return the one metric of an arm that a column may print."""
    metrics = [
        metric
        for metric in (side.arm.performance.values() if side is not None else ())
        if (metric.quantity, metric.unit) == (column.quantity, column.unit)
    ]
    return metrics[0] if len(metrics) == 1 else None


def _deviation(metric: Metric | None) -> float | None:
    """Return the standard deviation of a metric's value, as its interval over trials states it; else None."""
    half = None
    if metric is None:
        return None
    if metric.interval is not None and _wide(metric.interval):
        half = (Decimal(metric.interval.high) - Decimal(metric.interval.low)) / 2
    elif metric.plus_minus is not None and metric.plus_minus.label in {"ci95", "sem"}:
        half = Decimal(metric.plus_minus.value) * (Decimal(str(Z)) if metric.plus_minus.label == "sem" else 1)
    return float(half) / Z if half is not None and half > 0 else None


def _wide(interval: Interval) -> bool:
    """Whether an interval is a 95 % one over trials: scatter within one trial says nothing of another."""
    return interval.level == 0.95 and interval.varies not in {"iterations", "requests", "steps"}
