"""F27: a mean that the percentiles beside it do not allow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from ...schemas.evidence import Metric, Summary
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.ladder import percentiles
from ..facts.quantities.stated_metrics import stated_metrics
from ..facts.series.raw_numbers import samples_of
from ..facts.serving.latency_parts import of_gaps
from ..language.printed import Span, short, span
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
def mean_outside_quantile_bounds(claim: Claim, case: Case) -> Iterator[Branch]:
    """A mean that no values have which have these percentiles.

    ## What it does
    Between two percentiles lies a known share of the values, none above the upper and none below the lower one. That
    bounds their mean: from above by the sum of the shares times the upper percentile of each, from below by that times
    the lower one. Every printed number is the interval of its digits. With n the shares are whole numbers of values,
    by each of the nine usual definitions of a quantile, and the range over n is allowed beside. The numbers that the
    claim's sentence prints of other arms are judged, too.

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
    stated = stated_metrics(claim, case)
    for side, metric in stated:
        yield from _judged(case, side, metric)
    if not stated:
        yield Inapplicable("no mean of times is printed beside percentiles")


def _judged(case: Case, side: Side, metric: Metric) -> Iterator[Branch]:
    summary = metric.summary
    if summary is None or summary.mean is None or metric.quantity not in ARITHMETIC:
        yield Inapplicable("no mean of times is printed beside percentiles")
        return
    ranks = [(Decimal(str(rank)) / 100, span(text)) for rank, text in percentiles(summary)]
    least = span(summary.min) if summary.min is not None else Span(Decimal(0), Decimal(0))
    most = span(summary.max) if summary.max is not None else None
    if not ranks:
        yield Inapplicable("no percentile is printed")
        return
    mean, n = span(summary.mean), _count(case, side, metric)
    upper: Decimal | None
    slack: Decimal | None
    if n is not None and most is not None:
        lower = _least_mean(ranks, n, least, most)
        upper = _largest_mean(ranks, n, most)
        slack = (most.high - least.low) / n
    else:
        upper = _bound([*ranks, (Decimal(1), most)], above=True, start=least) if most is not None else None
        lower = _bound(ranks, above=False, start=least)
        slack = UNKNOWN_N * (most.high - least.low) if most is not None else None
    if upper is not None and slack is not None and mean.low > upper + slack:
        yield _violation(summary, mean, f"cannot be above {short(upper)}")
    elif slack is not None and mean.high < lower - slack:
        yield _violation(summary, mean, f"cannot be below {short(lower)}")
    elif upper is None or summary.min is None or n is None:
        yield Inapplicable("an extreme or the number of values is not given")


def _count(case: Case, side: Side, metric: Metric) -> int | None:
    """Return how many values a summary is of: those that are there, else the stated number in the unit of its scope."""
    raw = samples_of(case, side, metric)
    if raw is not None and raw.complete:
        return len(raw.pooled)
    if metric.n is None or not metric.n.completed or of_gaps(side, metric):
        return None
    single = metric.n.unit in {"iteration", "request"} or (metric.scope == "training_run" and metric.column is None)
    return metric.n.completed if single else None


def _least_mean(ranks: list[tuple[Decimal, Span]], n: int, least: Span, most: Span) -> Decimal:
    """Return the least mean of n values: by any definition of a quantile, so many values are not below it."""
    cuts = [(max(1, min(n, math.ceil(max((n + 1) * p, n * p + 1 - p)))), value.low) for p, value in ranks]
    total, begin, current = Decimal(0), 1, least.low
    for rank, low in sorted([*cuts, (n, most.low)]):
        total, begin, current = total + (rank - begin) * current, rank, max(current, low)
    return (total + (n + 1 - begin) * current) / n


def _largest_mean(ranks: list[tuple[Decimal, Span]], n: int, most: Span) -> Decimal:
    """Return the largest mean of n values: by any definition of a quantile, so many values are not above it."""
    cuts = [(math.floor(n * p), value.high) for p, value in ranks]
    total, end, current = Decimal(0), n, most.high
    for rank, high in sorted(cuts, reverse=True):
        total, end, current = total + (end - rank) * current, rank, min(current, high)
    return (total + end * current) / n


def _bound(ranks: list[tuple[Decimal, Span]], *, above: bool, start: Span) -> Decimal:
    """Return the largest, or the least, mean that values with these percentiles have."""
    steps = [(Decimal(0), start), *ranks]
    if above:
        return sum(((p - q) * value.high for (q, _), (p, value) in pairwise(steps)), Decimal(0))
    ends = [*steps, (Decimal(1), steps[-1][1])]
    return sum(((p - q) * value.low for (q, value), (p, _) in pairwise(ends)), Decimal(0))


def _violation(summary: Summary, mean: Span, bound: str) -> Violation:
    message = f"the mean, {summary.mean}, {bound} with these percentiles"
    related = (Related(summary.place("percentiles"), "percentiles"),)
    return Violation("a", REFUTES, C3, message, summary.place("mean"), summary.mean, bound, related)
