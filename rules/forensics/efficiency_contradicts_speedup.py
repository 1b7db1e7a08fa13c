"""F05: a scaling efficiency that speed-up and device counts do not give."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.discrepancy import gap, separates, weighed
from ..facts.quantities.likely_cause import common_factor, counts_of, likely_cause, swapped
from ..facts.quantities.stated_ratios import filled_in_part
from ..language.printed import Span, span
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ._efficiencies import Efficiency, beside_speedup, efficiencies, expected_of_row

ONE = Decimal(1)


@rule(
    "F05",
    "efficiency-contradicts-speedup",
    effect=REFUTES,
    confidence=C3,
    applies="(scaling and form=efficiency and has(base)) or (ratio and training and has(table))",
    origin="J, MEAS",
)
def efficiency_contradicts_speedup(claim: Claim, case: Case) -> Iterator[Branch]:
    """A scaling efficiency that is not the speed-up over the growth in devices.

    ## What it does
    Divides the speed-up by the factor in devices, each as the interval that its digits allow, and compares the quotient
    with the stated efficiency: for the claim's own number, and for the cells of its row or table. The speed-up is the
    stated one or that of the rates or times; in weak scaling the ratio of times is the efficiency itself, and so is a
    ratio of values per device. One way that fits is enough. Of a ratio of another kind only the efficiency in its row
    is held against the speed-up beside it.

    ## Why it misleads
    An efficiency hides its base. Where it does not follow from the numbers beside it, it belongs to another base or
    another run.

    ## Branches
    - (a) refutes, C3: the efficiency lies outside what speed-up and devices give; a caveat where it is off by at most
      1 % and does not cross 100 %.
    - (b, instead of a) undermines, C3: the same of the row behind a claim that is about no efficiency, for every device
      count of the table as that of the base.
    - not applicable: values or device counts of the point or its base are missing.

    ## Flagged
    On `strong-scaling` for claim `efficiency`:
    ```json
    {"claims": {"efficiency": {"value": "92.7"}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `efficiency`: 6.61 times as fast on 8 times the devices is 82.7 %.

    ## How to fix
    Correct the efficiency, the speed-up or the device counts.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 1.
    """
    if claim.form != "efficiency":
        yield from _beside(claim, case)
        return
    found = list(efficiencies(claim, case))
    if not found or any(not item.expected for item in found) or filled_in_part(claim, case, "efficiency"):
        yield Inapplicable("efficiency, speed-up or rates, and the device counts of point and base are not all given")
    contradicting = [item for item in found if item.expected and not item.fits]
    nearest = [_nearest(item) for item in contradicting]
    common = common_factor((reading, value) for _, reading, _, value in nearest)
    for item, (distance, reading, source, value) in zip(contradicting, nearest, strict=True):
        cause = _swap(claim, case, item) or common or likely_cause(reading, value, counts_of(case.subject(claim)))
        percent = " %" if item.at.endswith("/value") and claim.unit == "%" else ""
        message = f"an efficiency of {item.printed}{percent} is stated; {source} give {_percent(value)}{cause}"
        effect = weighed(REFUTES, distance, separates(reading, value, (ONE,)))
        related = (Related(item.base_at, "base"),)
        yield Violation("a", effect, C3, message, item.at, item.printed, _percent(value), related)


def _beside(claim: Claim, case: Case) -> Iterator[Branch]:
    item = beside_speedup(claim, case)
    if item is None or not item.expected:
        yield Inapplicable("no efficiency is given beside a speed-up in the claim's row, or another claim rests on it")
    elif not item.fits:
        distance, reading, source, value = _nearest(item)
        message = f"an efficiency of {item.printed} is given in the row; {source} give {_percent(value)}"
        effect = weighed(UNDERMINES, distance, separates(reading, value, (ONE,)))
        related = (Related(item.base_at, "speed-up"),)
        yield Violation("b", effect, C3, message, item.at, item.printed, _percent(value), related)


def _nearest(item: Efficiency) -> tuple[Decimal, Span, str, Span]:
    found = [
        (gap(reading, value), reading, source, value) for reading in item.readings for source, value in item.expected
    ]
    return min(found, key=lambda entry: entry[0])


def _percent(value: Span) -> str:
    return f"{value.times(100)} %"


def _swap(claim: Claim, case: Case, item: Efficiency) -> str:
    """Return a clause where speed-up and efficiency of a row fit each other's recomputation."""
    table = case.table(claim)
    row = table.rows.get(item.row or "") if table is not None else None
    if table is None or row is None or row.speedup is None or row.efficiency is None:
        return ""
    followed = [value for source, value in expected_of_row(claim, case, table, item.row or "")[0] if "values" in source]
    base = table.rows.get(table.base_row or "")
    if not followed or base is None or not base.devices or not row.devices:
        return ""
    gain = followed[0].times(Decimal(row.devices) / base.devices)
    columns = swapped((span(row.speedup), span(row.efficiency)), (gain, followed[0]))
    return "; the columns of speed-up and efficiency look swapped" if columns else ""
