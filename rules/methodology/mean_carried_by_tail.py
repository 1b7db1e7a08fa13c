"""M27: a mean above a high percentile of its own values."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..caching import fact
from ..case import Case, Side
from ..facts.quantities.ladder import percentiles
from ..facts.series.raw_numbers import candidates, raw, samples_of, warmup_inside
from ..language.printed import span
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..statistics.intervals import median
from ..words import serving

LEAST = 20
"""Values in which a tenth is two of them."""
START = 0.1
"""Share of a trial that is its start."""


class Carried(Struct, frozen=True):
    """Raw times whose statistic is their mean.

    Attributes:
        arm: id of the arm.
        mean: of all timed values of its trials.
        percentile: the high one, at the upper end of its usual definitions.
        median: the median.
        at_start: whether more than half of what lies above the percentile stands at the start of its trial.
        at: place of the trials.
    """

    arm: str
    mean: float
    percentile: float
    median: float
    at_start: bool
    at: str


@fact
def carried(case: Case, side: Side, metric: Metric, rank: float) -> Carried | None:
    """Compare the mean behind a metric with a percentile of the same raw times.

    None where the metric is no mean of a column of times, or fewer than 20 values are there.
    """
    column = metric.column
    if metric.statistic != "mean" or column is None or not column.endswith(("_s", "_ms", "_us", "_ns")):
        return None
    found = samples_of(case, side, metric)
    found = found.cut if found is not None and found.cut is not None else found
    if found is None or len(found.pooled) < LEAST:
        return None
    mean = math.fsum(found.pooled) / len(found.pooled)
    high = candidates(found, "percentile", rank)[0][1]
    middle = median(found.pooled)
    if mean <= high:
        return Carried(side.id, mean, high, middle, at_start=False, at=found.at)
    excess = list(_excess(case, side, column, high))
    early = math.fsum(value for value, share in excess if share < START)
    whole = math.fsum(value for value, _ in excess)
    return Carried(side.id, mean, high, middle, at_start=early > whole / 2, at=found.at)


def _excess(case: Case, side: Side, column: str, limit: float) -> Iterator[tuple[float, float]]:
    """Yield by how much a value is above a limit, and which share of its trial lies before it."""
    for name, columns in raw(case, side):
        trial, row = side.arm.trials[name], columns.get(column, ())
        if trial.outcome == "completed":
            kept = row[warmup_inside(trial, len(row)) :]
            yield from ((value - limit, place / len(kept)) for place, value in enumerate(kept) if value > limit)


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    percentile: float = Threshold(
        90, "least percentile that the mean may not exceed", "exact: a tenth carries the mean"
    )
    moved: float = Threshold(0.05, "share of the median by which raw times move the mean", "judgement: below, a caveat")


@rule(
    "M27",
    "mean-carried-by-tail",
    effect=UNDERMINES,
    confidence=C3,
    applies="timing and (has(percentiles) or has(base) or has(raw))",
    origin="MEAS",
    thresholds=Thresholds,
)
def mean_carried_by_tail(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A mean that lies above the 90th percentile of its own values: a few of them carry it.

    ## What it does
    Compares the printed mean of each metric of the claim's arm, and of its base, with its printed percentiles from the
    90th on, each as the interval of its digits. A rate is computed from the mean where it names it as its statistic and
    comes from the same times. Where no percentile is printed, mean and 90th percentile are those of the raw times that
    a metric names as its source, without a warm-up that is declared and kept apart; of at least 20 values.

    ## Why it misleads
    Nine values in ten lie below the "average". Mostly a first call with its start-up work was kept: the number
    describes that call, not the system.

    ## Branches
    - (b) undermines, C3: the claim is that mean, or a rate or ratio that is computed from it, and it is no service's.
    - (a) caveat, C3: the mean stands beside the claim, or is that of a service, whose latencies may have a heavy tail;
      or the raw times that carry it stand all over the series, like those of checkpoints, and not at its start, or
      move it by less than 5 % of the median. A mean that a claim of its own is about is judged there alone.
    - not applicable: no mean is printed beside the 90th percentile or raw times, and none is above a higher one; or the
      percentiles fall where they must rise, and say nothing of what lies above them.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"claims": {"rate": {"statistic": "mean", "measured": {"metric": "time"}}},
     "arms": {"a": {"performance": {"time": {"quantity": "time", "unit": "ms", "value": "131.2", "statistic": "mean",
       "summary": {"mean": "131.2", "percentiles": {"50": "102.4", "90": "104.1", "99": "892.0"}}}}}}}
    ```

    ## Accepted
    On `serving` for claim `latency`, whose mean of 2.503 s lies between its percentiles.

    ## How to fix
    Discard the warm-up, and report the median with percentiles.

    ## References
    Measured on published reports: 156 of 3,624 rows with a mean and a 90th percentile.
    """
    told = False
    for side, own in _arms(claim, case):
        printed = False
        for name, metric in side.arm.performance.items():
            summary = metric.summary
            mean = summary.mean if summary is not None and summary.mean is not None else None
            if mean is None and metric.statistic == "mean":
                mean = metric.value
            every = percentiles(summary) if summary is not None else []
            high = [item for item in every if item[0] >= thresholds.percentile]
            if mean is None or not high or metric.quantity not in {"time", "latency"}:
                continue
            if not _computed(own, metric) and (side.id, name) in claimed(case):
                continue
            printed = printed or (_computed(own, metric) and high[0][0] == thresholds.percentile)
            below = [(rank, text) for rank, text in high if span(mean).low > span(text).high]
            if below and all(span(text).low <= span(mean).high for rank, text in every if rank < max(below)[0]):
                yield _violation(claim, case, metric, own, mean, max(below))
        found = carried(case, side, own, thresholds.percentile) if own is not None and not printed else None
        if found is not None and found.mean > found.percentile:
            yield _of_raw(claim, case, found, thresholds)
        told = told or printed or found is not None
    if not told:
        yield Inapplicable("the claim's metric prints no mean beside its 90th percentile")


def _arms(claim: Claim, case: Case) -> Iterator[tuple[Side, Metric | None]]:
    """Yield the arms that a claim relates, each with its number: its own, and that of its base."""
    subject, base = case.subject(claim), case.base(claim)
    if subject is not None:
        yield subject, case.metric(claim.measured)
    if base is not None and (subject is None or base.id != subject.id):
        yield base, case.metric(claim.base)


@fact
def claimed(case: Case) -> frozenset[tuple[str, str | None]]:
    """Return arm and name of the metrics that a claim of the document is about."""
    refs = [claim.measured for claim in case.submission.claims.values() if claim.measured is not None]
    return frozenset((ref.arm, ref.metric) for ref in refs)


def _computed(own: Metric | None, metric: Metric) -> bool:
    """Whether an arm's number is a metric, or comes from the same raw times."""
    return own is metric or (own is not None and own.column is not None and own.column == metric.column)


def _of_raw(claim: Claim, case: Case, found: Carried, thresholds: Thresholds) -> Violation:
    rank, moved = thresholds.percentile, found.mean > found.median * (1 + thresholds.moved)
    strong = moved and found.at_start and not serving(claim, case)
    branch, effect = ("b", UNDERMINES) if strong else ("a", CAVEAT)
    shown = f"{found.mean:.4g}", f"{found.percentile:.4g}"
    where = ", most of them at the start of their trial" if found.at_start else ""
    message = f"the mean of arm {found.arm}'s raw times, {shown[0]}, lies above their {rank:g}th percentile, {shown[1]}"
    message += f": {100 - rank:.3g} % of the values carry it{where}"
    return Violation(branch, effect, C3, message, found.at, *shown)


def _violation(
    claim: Claim, case: Case, metric: Metric, own: Metric | None, mean: str, below: tuple[float, str]
) -> Violation:
    rank, text = below
    stated = {claim.statistic, (own or metric).statistic}
    strong = _computed(own, metric) and "mean" in stated and not serving(claim, case)
    branch, effect = ("b", UNDERMINES) if strong else ("a", CAVEAT)
    message = (
        f"the mean, {mean}, lies above the {rank:g}th percentile, {text}: {100 - rank:.3g} % of the values carry it"
    )
    place = metric.summary.at if metric.summary is not None else metric.at
    return Violation(branch, effect, C3, message, place, mean, text, (Related(metric.at, "the metric"),))
