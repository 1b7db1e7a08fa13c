"""S13: a ratio whose base is not given."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim, Row
from ..case import Case
from ..completion.links import is_found
from ..facts.comparison.base_row import RELATIVE
from ..outcome import Branch, NotShown
from ..registry import rule

ITEM = "base of the ratio"
PROVIDE = """\
claims:
  speedup:
    base: {arm: plain, metric: rate, definition: "the same code on one device"}
"""


@rule("S13", "ratio-without-base", applies="ratio", origin="HB15.1")
def ratio_without_base(claim: Claim, case: Case) -> Iterator[Branch]:
    """A ratio whose base has no absolute value or no definition.

    ## What it does
    Looks for the absolute number that the ratio is relative to (a stated value, a metric of an arm, a row of the table;
    for a ratio over a whole table two columns of its quantity, old and new)
    and for what that base is: words, an arm with its options, or a labelled row.

    ## Why it misleads
    A large speed-up over a slow base is easy. Without the base nobody can tell whether the result is fast.

    ## Branches
    - not shown: the base's value or its definition is not given. Required (base of the ratio) from the reviewer
      profile on.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"base": null}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, whose base is an arm with its own number.

    ## How to fix
    Give the base's absolute value and say what it is: one device, the best serial version, the earlier release.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 1.
    """
    if is_found(claim.base, claim):
        yield NotShown("the base of the ratio is not named", claim.at, ITEM, PROVIDE)
        return
    value, definition = _value(claim, case), _definition(claim, case)
    if not value:
        yield NotShown("the absolute value of the ratio's base is not given", claim.at, ITEM, PROVIDE)
    if not definition:
        yield NotShown("the ratio does not say what its base is", claim.at, ITEM, PROVIDE)


def _value(claim: Claim, case: Case) -> bool:
    metric = case.metric(claim.base)
    if metric is not None and (metric.value is not None or metric.column is not None):
        return True
    if claim.base is not None and claim.base.value is not None:
        return True
    return any(row.values for row in _base_rows(claim, case)) or _row_by_row(claim, case)


def _row_by_row(claim: Claim, case: Case) -> bool:
    """Whether a ratio over a whole table has its base in a column: each row gives the quantity twice, old and new."""
    table = case.table(claim)
    if table is None or claim.row is None or claim.row.row is not None:
        return False
    units: dict[str, list[str]] = {}
    for key, column in table.columns.items():
        if column.quantity == claim.quantity and column.unit not in RELATIVE:
            units.setdefault(f"{column.unit} {column.statistic}", []).append(key)
    twice = [keys for keys in units.values() if len(keys) >= 2]
    return bool(table.rows) and any(
        all(sum(key in row.values for key in keys) >= 2 for row in table.rows.values()) for keys in twice
    )


def _definition(claim: Claim, case: Case) -> bool:
    if claim.base is not None and claim.base.definition is not None:
        return True
    side = case.base(claim)
    if side is not None and (side.arm.label is not None or side.arm.options is not None):
        return True
    rows = _base_rows(claim, case)
    return any(row.label is not None or row.devices is not None or row.options is not None for row in rows)


def _base_rows(claim: Claim, case: Case) -> list[Row]:
    table = case.table(claim)
    if table is None or claim.row is None:
        return []
    names = [name for name in (claim.row.base_row, table.base_row) if name is not None]
    return [table.rows[name] for name in names if name in table.rows][:1]
