"""F31: equal digits for different configurations, more often than scatter allows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from types import SimpleNamespace

from ...schemas.evidence import Interval, Metric
from ...schemas.submission import Claim, Column, Table
from ..case import Case, Side
from ..facts.base_row import option_columns
from ..facts.numbers import span
from ..facts.points import Point, table_points
from ..outcome import C2, CAVEAT, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

FEWEST_DIGITS = 4
LARGEST_P = 0.1
DETERMINISTIC = frozenset({"accuracy", "count", "memory", "cost"})
Z = 1.959964


@rule(
    "F31",
    "identical-values-across-configs",
    effect=CAVEAT,
    confidence=C2,
    applies="has(table)",
    origin="MEAS",
    thresholds={"p": Threshold(0.01, "probability", "judgement")},
)
def identical_values_across_configs(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """Cells of different configurations that agree in every digit, where measurements scatter more than that.

    ## What it does
    Counts in every column how many rows of different options repeat the digits of another one, and asks how probable
    so many coincidences are, from the column's last digit and the scatter that the rows' arms state. Values of at
    least four digits only; qualities and counts may be equal by nature.

    ## Why it misleads
    One run seems to stand for several configurations; the table shows fewer measurements than it has cells.

    ## Branches
    - (a) caveat, C2: so many coincidences have a probability below 1 %.
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
    table = case.table(claim)
    if table is None:
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
            if groups and chance < settings.p:
                yield _violation(table, name, groups, chance)
    if not judged or not complete:
        yield Inapplicable("no column of at least four digits whose scatter is stated for every row")


def _coincidence(case: Case, table: Table, name: str, column: Column) -> tuple[list[list[str]], float] | None:
    """Return the groups of rows with equal digits, and the chance of so many; None where it cannot be told."""
    points = {point.id: point for point in table_points(table, case)}
    cells = {row: table.rows[row].values[name] for row in table.rows if name in table.rows[row].values}
    if len(cells) < len(table.rows) or any(_digits(text) < FEWEST_DIGITS for text in cells.values()):
        return None
    scatter = [_scatter(points[row].side, column) for row in cells]
    known = [value for value in scatter if value]
    if not known or len(known) < len(scatter):
        return None
    by_text: dict[str, list[str]] = {}
    for row, text in cells.items():
        by_text.setdefault(text, []).append(row)
    groups = [rows for rows in by_text.values() if len(rows) > 1 and _different(table, points, rows)]
    repeated = [cells[rows[0]] for rows in groups] or list(cells.values())
    ulp = max(span(text).high - span(text).low for text in repeated)
    chance = float(ulp) / (2 * min(known) * math.sqrt(math.pi))
    if chance > LARGEST_P:
        return None
    hits, pairs = sum(len(rows) - 1 for rows in groups), math.comb(len(cells), 2)
    return groups, math.comb(pairs, hits) * chance**hits if hits else 1.0


def _violation(table: Table, name: str, groups: list[list[str]], chance: float) -> Violation:
    first, *others = groups[0]
    text = table.rows[first].values[name]
    count = sum(len(rows) for rows in groups)
    message = (
        f"{text} stands in rows {', '.join(groups[0][:5])} of different options ({count} cells repeat digits): "
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


def _scatter(side: Side | None, column: Column) -> float | None:
    """Return the standard deviation of the value of a cell, as the metric of its arm states its interval; else None."""
    metrics = [
        metric
        for metric in (side.arm.performance.values() if side is not None else ())
        if (metric.quantity, metric.unit) == (column.quantity, column.unit)
    ]
    return _deviation(metrics[0]) if len(metrics) == 1 else None


def _deviation(metric: Metric) -> float | None:
    half = None
    if metric.interval is not None and _wide(metric.interval):
        half = (Decimal(metric.interval.high) - Decimal(metric.interval.low)) / 2
    elif metric.plus_minus is not None and metric.plus_minus.label in {"ci95", "sem"}:
        half = Decimal(metric.plus_minus.value) * (Decimal(str(Z)) if metric.plus_minus.label == "sem" else 1)
    return float(half) / Z if half is not None and half > 0 else None


def _wide(interval: Interval) -> bool:
    """Whether an interval is a 95 % one over trials: scatter within one trial says nothing of another."""
    return interval.level == 0.95 and interval.varies not in {"iterations", "requests", "steps"}
