"""F04: a ratio that its own two numbers do not give."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim, Table
from ..case import Case
from ..facts.base_row import base_rows, cut_span, table_gains
from ..facts.discrepancy import gap, likely_cause, weighed
from ..facts.numbers import Span, span
from ..facts.performance import more_is_better
from ..facts.ratios import cell_readings, gain, readings
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule

SPEED = frozenset({"rate", "time", "latency"})


class Statement(Struct, frozen=True):
    """A stated ratio and one gain that its document's numbers give, with the readings of the one beside the other."""

    at: str
    printed: str
    readings: tuple[Span, ...]
    gain: Span
    new: str
    base: str


@rule(
    "F04",
    "speedup-contradicts-values",
    effect=REFUTES,
    confidence=C3,
    applies="ratio and has(base)",
    origin="J, MEAS",
)
def speedup_contradicts_values(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A ratio that does not follow from the two numbers it relates.

    ## What it does
    Divides the stated numbers of the two sides (new by base for rates, base by new for times), each as the interval
    that its printed digits allow, and compares the quotient with the stated ratio under every reading of its notation:
    a factor, a percentage more or less, a factor of time. In a table it looks at the row's speed-up, against the base
    row and between the columns of the row; one base that fits is enough.

    ## Why it misleads
    The ratio is what readers remember. If its own two numbers do not give it, one of three numbers is wrong.

    ## Branches
    - (a) refutes, C3: the ratio lies outside what the two numbers give; a caveat where it is off by at most 1 %.
    - not applicable: one of the two numbers is missing or in another unit, or no row of the table is the base.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"value": "1.53"}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`: 41300 / 28910 = 1.43.

    ## How to fix
    Correct the ratio or the numbers.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 1.
    """
    groups: dict[str, list[Statement]] = {}
    for statement in (*_of_arms(claim, case), *_of_table(claim, case)):
        groups.setdefault(statement.at, []).append(statement)
    if not groups:
        yield Inapplicable("the two numbers of the ratio are not both given in one unit")
    if _cut_column(claim, case) or not _stated(claim, case) <= set(groups):
        yield Inapplicable("a row of the speed-up column is empty, or its base is not there")
    for found in groups.values():
        if not any(reading.meets(statement.gain) for statement in found for reading in statement.readings):
            yield _violation(found)


def _violation(found: list[Statement]) -> Violation:
    distances = [
        (gap(reading, statement.gain), statement, reading) for statement in found for reading in statement.readings
    ]
    distance, nearest, reading = min(distances, key=lambda item: item[0])
    message = f"{nearest.printed} is stated; its own numbers give {nearest.gain}{likely_cause(reading, nearest.gain)}"
    related = (Related(nearest.new, "new"), Related(nearest.base, "base"))
    effect = weighed(REFUTES, distance)
    return Violation("a", effect, C3, message, nearest.at, nearest.printed, str(nearest.gain), related)


def _of_arms(claim: Claim, case: Case) -> Iterator[Statement]:
    metric = case.metric(claim.measured)
    if metric is None or metric.value is None or claim.value is None or _other_quantity(claim, metric):
        return
    ways = more_is_better(metric.quantity, metric.unit)
    if ways is None:
        return
    for base, at in _bases(claim, case, metric):
        found = gain(span(metric.value, digits=metric.digits), base, ways)
        if found is not None:
            yield Statement(claim.place("value"), claim.value, readings(claim, ways), found, metric.at, at)


def _other_quantity(claim: Claim, metric: Metric) -> bool:
    """Whether the ratio is not one of this metric: a time to train beside step rates, or energy beside rates."""
    return claim.quantity != metric.quantity and metric.quantity not in _own_quantities(claim)


def _own_quantities(claim: Claim) -> frozenset[str]:
    """Return the quantities in which a ratio can be recomputed: rates and times stand for each other within a step."""
    if claim.quantity not in SPEED:
        return frozenset()
    return frozenset({claim.quantity}) if claim.scope in {"training_run", "epoch"} else SPEED


def _bases(claim: Claim, case: Case, metric: Metric) -> Iterator[tuple[Span, str]]:
    other = case.metric(claim.base)
    if other is not None and other.value is not None and (other.unit, other.quantity) == (metric.unit, metric.quantity):
        yield span(other.value, digits=other.digits), other.at
    if claim.base is not None and claim.base.value is not None and claim.base.unit in {None, metric.unit}:
        yield span(claim.base.value), claim.base.place("value")


def _of_table(claim: Claim, case: Case) -> Iterator[Statement]:
    table = case.table(claim)
    if table is None or claim.row is None:
        return
    for name in [claim.row.row] if claim.row.row is not None else list(table.rows):
        if name in table.rows:
            yield from _of_row(claim, table, name)


def _stated(claim: Claim, case: Case) -> set[str]:
    """Return the places of the speed-ups that are the claim's: of its row, or of every row but the base."""
    table = case.table(claim)
    if table is None or claim.row is None:
        return set()
    names = [claim.row.row] if claim.row.row is not None else [name for name in table.rows if name != table.base_row]
    rows = [table.rows[name] for name in names if name in table.rows]
    return {row.place("speedup") for row in rows if row.speedup is not None}


def _cut_column(claim: Claim, case: Case) -> bool:
    """Whether some rows of the claim's table state a speed-up and others, which are no base, do not."""
    table = case.table(claim)
    if table is None:
        return False
    bases = {table.base_row, claim.row.base_row if claim.row is not None else None}
    stated = {row.speedup is not None for name, row in table.rows.items() if name not in bases}
    return len(stated) > 1


def _of_row(claim: Claim, table: Table, name: str) -> Iterator[Statement]:
    row, bases = table.rows[name], base_rows(table, name, claim)
    if not bases:
        return
    column = [item.speedup for item in table.rows.values()]
    if row.speedup is not None:
        for found in table_gains(table, name, bases, SPEED):
            read = cell_readings(cut_span(row.speedup, column), found.more_is_better)
            yield Statement(row.place("speedup"), row.speedup, read, found.gain, found.new, found.base)
    if claim.row is not None and name == claim.row.row and claim.value is not None:
        for found in table_gains(table, name, bases, _own_quantities(claim)):
            read = readings(claim, found.more_is_better)
            yield Statement(claim.place("value"), claim.value, read, found.gain, found.new, found.base)
