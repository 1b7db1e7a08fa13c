"""S07: rates averaged as if they were times."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.discrepancy import gap
from ..language.printed import Span, short, span
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Note, NotShown, Violation
from ..registry import Threshold, rule
from ._averages import Averages, averages

PROVIDE = """\
tables:
  results:
    aggregator: harmonic    # or total, geometric, arithmetic
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    big: float = Threshold(0.01, "share of the right mean", "measured on published results: it changes what is printed")
    small: float = Threshold(0.002, "share of the right mean", "measured on published results: runs of one system")


@rule(
    "S07",
    "wrong-mean",
    effect=UNDERMINES,
    confidence=C3,
    applies="statistic=mean and (has(table) or has(raw))",
    origin="HB15.3, HB15.4, MEAS",
    thresholds=Thresholds,
)
def wrong_mean(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Rates or ratios averaged arithmetically.

    ## What it does
    For a mean of rates or ratios over the rows of a table (or over the raw times behind one row) it computes the
    arithmetic and the harmonic mean. The harmonic mean is total work over total time for rows of equal work; where the
    rows state work and time, the totals themselves are taken.

    ## Why it misleads
    The arithmetic mean of rates lets the fast cases count most, though they take the least time: one case at 10 and one
    at 1 average to 5.5, and yet run at 1.8 together. No machine ever ran at the printed rate.

    ## Branches
    - (a) undermines, C3: rates or ratios are averaged arithmetically, the printed number excludes the right mean, and
      the two means differ by more than 1 %.
    - (b) caveat, C3: the same, by 0.2 to 1 %.
    - pass: a harmonic mean, a total, or a declared geometric mean; windows of equal duration, of which the arithmetic
      mean is exact; values so close that both means agree.
    - not shown: it is not stated how the mean was formed, and the digits do not tell.
    - not applicable: times, costs and amounts, which are averaged arithmetically; or the table lacks the values.

    ## Flagged
    On `comparison` for claim `best`, a mean over four models:
    ```json
    {"claims": {"best": {"form": "absolute", "superlative": null, "statistic": "mean", "value": "262.5", "digits": null,
                         "unit": "images/s", "row": {"table": "models", "row": null, "base_row": null}}},
     "tables": {"models": {"aggregator": "arithmetic", "columns": {"rate": {"quantity": "rate", "unit": "images/s"}},
       "rows": {"a": {"values": {"rate": "50.0"}}, "b": {"values": {"rate": "100.0"}},
                "c": {"values": {"rate": "300.0"}}, "d": {"values": {"rate": "600.0"}}}}}}
    ```

    ## Accepted
    On `comparison` for claim `best`, by the harmonic mean:
    ```json
    {"claims": {"best": {"form": "absolute", "superlative": null, "statistic": "mean", "value": "114.3", "digits": null,
                         "unit": "images/s", "row": {"table": "models", "row": null, "base_row": null}}},
     "tables": {"models": {"aggregator": "harmonic", "columns": {"rate": {"quantity": "rate", "unit": "images/s"}},
       "rows": {"a": {"values": {"rate": "50.0"}}, "b": {"values": {"rate": "100.0"}},
                "c": {"values": {"rate": "300.0"}}, "d": {"values": {"rate": "600.0"}}}}}}
    ```

    ## How to fix
    Divide total work by total time, or take the harmonic mean.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rules 3 and 4.
    """
    found = averages(claim, case)
    if isinstance(found, str):
        yield Inapplicable(found)
        return
    if found.aggregator in {"harmonic", "geometric", "total"}:
        yield Note(f"the table's mean is called {found.aggregator}")
    elif found.exact:
        yield Note("the windows are of equal duration: the arithmetic mean is exact")
    elif found.gap > thresholds.small:
        yield from _judge(claim, found, thresholds)


def _judge(claim: Claim, found: Averages, thresholds: Thresholds) -> Iterator[Branch]:
    printed = span(claim.value or "0", claim.qualifier, claim.digits)
    if printed.meets(found.right) or float(gap(printed, found.right)) <= thresholds.small:
        return
    fits = any(printed.meets(wrong) for wrong in found.arithmetic)
    geometric = found.geometric is not None and printed.meets(found.geometric)
    if found.aggregator == "arithmetic" or (fits and not geometric):
        big = min(found.gap, float(gap(printed, found.right))) > thresholds.big
        branch, effect = ("a", UNDERMINES) if big else ("b", CAVEAT)
        message = (
            f"{claim.value} averages {found.what} arithmetically; {found.how} is {short(found.right.low)}, "
            f"{found.gap:.1%} apart"
        )
        yield Violation(branch, effect, C3, message, claim.place("value"), claim.value, str(found.right), found.related)
    elif found.aggregator == "unstated" or (found.aggregator is None and _between(printed, found)):
        yield NotShown(f"it is not stated how the mean of {found.what} was formed", found.at, "", PROVIDE)


def _between(printed: Span, found: Averages) -> bool:
    """Whether a number can be some mean of the values at all."""
    return printed.high >= found.right.low and printed.low <= max(wrong.high for wrong in found.arithmetic)
