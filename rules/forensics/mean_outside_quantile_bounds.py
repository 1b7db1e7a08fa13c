"""F27: a mean that the percentiles beside it do not allow."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise
from types import SimpleNamespace

from ...schemas.evidence import Metric, Summary
from ...schemas.submission import Claim
from ..case import Case
from ..facts.ladder import percentiles
from ..facts.numbers import Span, short, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule

ARITHMETIC = frozenset({"time", "latency"})
UNKNOWN_N = Decimal("0.1")


@rule(
    "F27",
    "mean-outside-quantile-bounds",
    effect=REFUTES,
    confidence=C3,
    applies="has(percentiles) and has(summary)",
    origin="math, MEAS",
)
def mean_outside_quantile_bounds(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A mean that no values have which have these percentiles.

    ## What it does
    Between two percentiles lies a known share of the values, none above the upper and none below the lower one. That
    bounds their mean: from above by the sum of the shares times the upper percentile of each, from below by that times
    the lower one. Every printed number is the interval of its digits, and twice the range over n is allowed for the
    definition of a quantile.

    ## Why it misleads
    Mean and percentiles were taken from different values.

    ## Branches
    - (a) refutes, C3: the mean lies above the upper bound, or below the lower one.
    - not applicable: no mean, no percentile, or no extreme on the side in question; 0 bounds times from below. Without
      n the excess has to be 10 % of the range.

    ## Flagged
    On `serving` for claim `latency`:
    ```json
    {"arms": {"server": {"performance": {"latency": {"summary": {"mean": "2.803"}}}}}}
    ```

    ## Accepted
    On `serving` for claim `latency`: a mean of 2.503 s.

    ## How to fix
    Compute all of them from one set of values.

    ## References
    The mean is the integral of the quantile function.
    """
    metric = case.metric(claim.measured)
    summary = metric.summary if metric is not None else None
    if metric is None or summary is None or summary.mean is None or metric.quantity not in ARITHMETIC:
        yield Inapplicable("no mean of times is printed beside percentiles")
        return
    ranks = [(Decimal(str(rank)) / 100, span(text)) for rank, text in percentiles(summary)]
    least = span(summary.min) if summary.min is not None else Span(Decimal(0), Decimal(0))
    most = span(summary.max) if summary.max is not None else None
    if not ranks:
        yield Inapplicable("no percentile is printed")
        return
    mean = span(summary.mean)
    upper = _bound([*ranks, (Decimal(1), most)], above=True, start=least) if most is not None else None
    lower = _bound(ranks, above=False, start=least)
    slack = _slack(metric, least, most)
    if upper is not None and slack is not None and mean.low > upper + slack:
        yield _violation(summary, mean, f"cannot be above {short(upper)}")
    elif slack is not None and mean.high < lower - slack:
        yield _violation(summary, mean, f"cannot be below {short(lower)}")
    elif upper is None or summary.min is None or metric.n is None:
        yield Inapplicable("an extreme or the number of values is not given")


def _bound(ranks: list[tuple[Decimal, Span]], *, above: bool, start: Span) -> Decimal:
    """Return the largest, or the least, mean that values with these percentiles have."""
    steps = [(Decimal(0), start), *ranks]
    if above:
        return sum(((p - q) * value.high for (q, _), (p, value) in pairwise(steps)), Decimal(0))
    ends = [*steps, (Decimal(1), steps[-1][1])]
    return sum(((p - q) * value.low for (q, value), (p, _) in pairwise(ends)), Decimal(0))


def _slack(metric: Metric, least: Span, most: Span | None) -> Decimal | None:
    """Return what the definition of a quantile may move; without n a tenth of the range. None without a maximum."""
    if most is None:
        return None
    width = most.high - least.low
    n = metric.n.completed if metric.n is not None else None
    return 2 * width / n if n else UNKNOWN_N * width


def _violation(summary: Summary, mean: Span, bound: str) -> Violation:
    message = f"the mean, {summary.mean}, {bound} with these percentiles"
    related = (Related(summary.place("percentiles"), "percentiles"),)
    return Violation("a", REFUTES, C3, message, summary.place("mean"), summary.mean, bound, related)
