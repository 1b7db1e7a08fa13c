"""S08: a percentile of too few values."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Metric, Summary
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.ladder import percentage, percentiles
from ..facts.quantities.recomputed import percent_of
from ..facts.series.raw_numbers import samples_of
from ..facts.serving.latency_parts import of_gaps
from ..language.reading import read
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Violation
from ..registry import Threshold, rule
from ..statistics.quantiles import least_for_bound, least_for_interval

ITEM = "n behind a percentile"
LEAST_PERCENTILE = 90
COUNTED = ("requests", "steps", "samples")
UNITS = frozenset({"iteration", "request"})
PROVIDE = """\
arms:
  server:
    performance:
      latency:
        n: {unit: request, planned: 1000, completed: 1000, failed: 0}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    confidence: float = Threshold(
        0.95, "of the bound", "exact: 29, 59, 299 and 2995 values for p90, p95, p99 and p99.9"
    )


@rule(
    "S08",
    "tail-percentile-unsupported",
    effect=CAVEAT,
    confidence=C3,
    applies="has(percentiles) and quantity in {latency, time}",
    origin="HB15.8, ML, exact",
    thresholds=Thresholds,
)
def tail_percentile_unsupported(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A percentile of so few values that not even the largest of them bounds it.

    ## What it does
    Counts the values behind the printed percentiles from the 90th on: raw values before stated counts. With n values
    the largest lies above the q quantile with probability 1 - q^n; below 95 % the percentile is one of the few largest
    values, whichever they are. Where the percentile comes with an interval, both of its ends have to exist.

    ## Why it misleads
    A 99th percentile of 100 values is its second largest. The next 100 give another one.

    ## Branches
    - (a) caveat, C3: a percentile stands beside the claim's own number, and fewer values than it needs.
    - not shown: the claim's own number is a percentile, and its values are fewer, or not counted. Required (n behind a
      percentile) from the publication profile on.
    - not applicable: no percentile from the 90th on, or only its own column's count is missing; or the values are gaps
      between tokens, and only the requests are counted, each of which holds many.

    ## Flagged
    On `serving` for claim `latency`:
    ```json
    {"arms": {"server": {"trials": null, "performance": {"latency": {"n": {"unit": "request", "planned": 120,
      "completed": 120}, "trials": 1}}}}}
    ```

    ## Accepted
    On `serving` for claim `latency`: the 99th percentile of 1,000 requests.

    ## How to fix
    Measure more requests, or report a lower percentile.

    ## References
    Wilks, Determination of sample sizes for setting tolerance limits (1941); Hoefler and Belli (2015), rule 8.
    """
    side, metric = case.subject(claim), case.metric(claim.measured)
    summary = metric.summary if metric is not None else None
    own = _own(claim, metric)
    high = {rank for rank, _ in percentiles(summary) if rank >= LEAST_PERCENTILE} if summary is not None else set()
    if side is None or metric is None or not (high or own):
        yield Inapplicable("the claim's metric prints no percentile from the 90th on")
        return
    n = _count(claim, case, side, metric)
    if of_gaps(side, metric) and n is not None:
        yield Inapplicable("the values are gaps between tokens, and how many there are is not stated")
        return
    if own is not None:
        yield from _judged_own(claim, metric, own, n, thresholds.confidence)
    if n is None:
        if own is None:
            yield Inapplicable("how many values the percentiles rest on is not stated")
        return
    for rank in sorted(high - {own}):
        least = least_for_bound(rank / 100, thresholds.confidence)
        if n < least:
            message = f"the {rank:g}th percentile of {n} values: it needs {least}"
            at = summary.place("percentiles", _key(summary, rank)) if summary is not None else metric.at
            yield Violation("a", CAVEAT, C3, message, at, recomputed=str(n))
            return


def _key(summary: Summary, rank: float) -> str:
    """Return the name under which a summary prints a percentile."""
    return next(key for key in summary.percentiles if percentage(key) == rank)


def _own(claim: Claim, metric: Metric | None) -> float | None:
    """Return the percentile that the claim's own number is, where it is one from the 90th on."""
    if metric is None or "percentile" not in {claim.statistic, metric.statistic}:
        return None
    rank = percent_of(metric)
    return rank if rank is not None and rank >= LEAST_PERCENTILE else None


def _judged_own(claim: Claim, metric: Metric, rank: float, n: int | None, confidence: float) -> Iterator[Branch]:
    both = metric.interval is not None or claim.interval is not None
    least = (least_for_interval if both else least_for_bound)(rank / 100, confidence)
    if n is None:
        message = f"the claim is a {rank:g}th percentile, and of how many values is not stated"
        yield NotShown(message, metric.at, ITEM, PROVIDE)
    elif n < least:
        message = f"the claim is a {rank:g}th percentile of {n} values; it needs {least}"
        yield NotShown(message, metric.at, ITEM, PROVIDE)


def _count(claim: Claim, case: Case, side: Side, metric: Metric) -> int | None:
    """Return the values behind a metric's percentiles: raw ones, else those it states; a count may be one trial's."""
    found = samples_of(case, side, metric)
    if found is not None and found.complete:
        return len(found.pooled)
    stated = metric.n.completed if metric.n is not None and metric.n.unit in UNITS else None
    if stated is None or _whole(claim, stated):
        return stated
    return stated * max(1, metric.trials or 1)


def _whole(claim: Claim, stated: int) -> bool:
    """Whether the sentence gives the stated count as that of all values: "p99 of 0.191 s (80 requests)"."""
    words = read(claim.statement)
    return not words.has("each_run") and any(count.of in COUNTED and count.value == stated for count in words.counts())
