"""W1204: called the best, and beaten in its own table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...schemas.submission import Claim, Row
from ..case import Case
from ..facts.comparison.options import Same, same_value
from ..facts.comparison.points import device_of_point, table_points
from ..facts.device.operations import formats_in
from ..outcome import C2, REFUTES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..tables.names import plain
from ._table_metrics import Dominance, dominance

PROBLEM = ("dataset", "input_shape", "input_length")
PROVIDE = """\
arms:
  other:
    performance:
      rate: {quantity: rate, value: "9100", unit: "tokens/s",
             interval: {low: "9080", high: "9120", level: 0.95, varies: trials}}
"""


@rule(
    "W1204",
    "best-claim-pareto-dominated",
    effect=REFUTES,
    confidence=C2,
    applies="best and has(table)",
    origin="S0, S1.12",
)
def best_claim_pareto_dominated(claim: Claim, case: Case) -> Iterator[Branch]:
    """A row is called the best, and another row of its table is at least as good in everything and better in something.

    ## What it does
    Compares the claimed row with every other row of the table on all metrics of its columns. Devices, nodes and
    parameters count as a price: a row that spends more of them dominates nothing. Rows on other data sets or input
    sizes, and rows outside the format or device that the sentence names, are left out. Only confidence intervals over
    trials, runs or seeds separate two numbers; printed digits do not.

    ## Why it misleads
    "Best" promises that no choice is better. A row that loses on every column to its neighbour is no choice at all.

    ## Branches
    - (a) refutes, C2: another row is at least as good on all metrics and better on one, with intervals that do not
      meet.
    - not applicable: the claim does not name a row of the table.
    - not shown: the same, but the intervals of the deciding metric meet or are not given, or a metric is missing.
    - Silent where each row wins somewhere: 91.3 % against 91.2 % at a third of the speed are both on the front.

    ## Flagged
    On `comparison` for claim `best`:
    ```json
    {"tables": {"systems": {"rows": {"theirs": {"values": {"rate": "325000", "loss": "3.05"}}}}},
     "arms": {"theirs": {"performance": {"rate": {"value": "325000", "interval": {"low": "324000",
                                                                                  "high": "326000"}}}}}}
    ```

    ## Accepted
    On `comparison` for claim `best`, whose row is ahead on both columns.

    ## How to fix
    Write "on the Pareto front of speed and loss".

    ## References
    Hoefler, Twelve ways to fool the masses, way 12.
    """
    table, row = case.table(claim), case.row(claim)
    if table is None or row is None:
        yield Inapplicable("the claim does not name a row of the table")
        return
    for name, other in table.rows.items():
        if other is row or (other.arm is not None and other.arm == row.arm) or _outside(claim, case, row, other):
            continue
        found = dominance(claim, case, table, row, other)
        if found is not None:
            yield _branch(other.label or name, row, other, found)


def _branch(name: str, row: Row, other: Row, found: Dominance) -> Branch:
    related = (Related(row.place("values"), "the row that is called the best"),)
    if found.separated and not found.open:
        ours, theirs = found.separated[0]
        message = (
            f'"{name}" is at least as good in every column and better in {ours.column}: {theirs.value} against '
            f"{ours.value}, with intervals that do not meet"
        )
        at = other.place("values", ours.column)
        return Violation("a", REFUTES, C2, message, at, str(ours.value), str(theirs.value), related)
    why = f"{', '.join(found.open)} cannot be compared" if found.open else "no intervals tell whether by chance"
    better = ", ".join(f"{ours.column} ({theirs.value} against {ours.value})" for ours, theirs in found.better)
    ahead = f" and better in {better}" if better else ""
    message = f'"{name}" is no worse in any comparable column{ahead}; {why}'
    return NotShown(message, other.place("values"), provide=PROVIDE, related=related)


def _outside(claim: Claim, case: Case, row: Row, other: Row) -> bool:
    """Whether a row solves another problem, or lies outside the format or device that the sentence names."""
    table = case.table(claim)
    assert table is not None
    points = {point.id: point for point in table_points(table, case)}
    ours, theirs = (next(points[key] for key, item in table.rows.items() if item is one) for one in (row, other))
    if any(_differs(key, ours.options, theirs.options) for key in PROBLEM):
        return True
    if formats_in(claim.statement) and _differs("precision.compute", ours.options, theirs.options):
        return True
    devices = [device_of_point(one, case) for one in (ours, theirs)]
    named = devices[0] is not None and plain(devices[0]) in plain(claim.statement)
    return named and devices[1] is not None and plain(devices[0] or "") != plain(devices[1])


def _differs(key: str, ours: Mapping[str, object], theirs: Mapping[str, object]) -> bool:
    return key in ours and key in theirs and same_value(key, ours[key], theirs[key]) is Same.DIFFERENT
