"""Whether the mean of raw times lies above a high percentile of them, and where the times stand that carry it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Metric
from ..caching import fact
from ..case import Case, Side
from ..facts.series.raw_numbers import candidates, raw, samples_of, warmup_inside
from ..statistics.intervals import median

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
