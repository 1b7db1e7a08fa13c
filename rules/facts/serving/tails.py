"""What a document tells of the slow end of a service's latencies."""

from __future__ import annotations

from collections.abc import Iterator

from ....schemas.evidence import Metric
from ....schemas.submission import Claim
from ...case import Case
from ...language.reading import read
from ..comparison.options import Same
from ..quantities.ladder import percentage
from .latency_parts import part_of
from .loads import same_load

LEAST, WHOLE = 90.0, 100.0


def tail_given(claim: Claim, case: Case) -> bool:
    """Whether a percentile of at least 90 or a maximum is printed for a claim's latency.

    In its sentence, as its metric, beside it in its row, or as another number of the same part of the request at a load
    that is not another one. Raw numbers are what a tail can be computed from; a reader is not told it.
    """
    row, table = case.row(claim), case.table(claim)
    if claim.statistic in {"percentile", "max"} or _speaks_of_tail(claim.statement):
        return True
    if any(states_tail(metric) for metric in _of_one_latency(claim, case)):
        return True
    return (
        row is not None
        and table is not None
        and any(
            column.quantity == "latency" and column.statistic in {"percentile", "max"} and key in row.values
            for key, column in table.columns.items()
        )
    )


def _speaks_of_tail(sentence: str) -> bool:
    reading = read(sentence)
    tokens = (token for item in reading.mentions("percentile") for token in reading.within(*item.span))
    ranks = [token.value for token in tokens if token.value is not None]
    return reading.has("tail", affirmed=False) or any(LEAST <= rank < WHOLE for rank in ranks)


def _of_one_latency(claim: Claim, case: Case) -> Iterator[Metric]:
    """Yield a claim's metric, and the latencies of its arm that may be the same one."""
    side, own = case.subject(claim), case.metric(claim.measured)
    if side is None:
        return
    names = [name for name, metric in side.arm.performance.items() if metric is own]
    for name, metric in side.arm.performance.items():
        if metric.quantity != "latency":
            continue
        other_part = own is not None and bool(names) and part_of(name) != part_of(names[0])
        other_load = own is not None and same_load(own.load, metric.load) is Same.DIFFERENT
        if metric is own or not (other_part or other_load):
            yield metric


def states_tail(metric: Metric) -> bool:
    """Whether a metric is a percentile or maximum, or prints a slow percentile or the maximum in its summary."""
    if metric.statistic in {"percentile", "max"}:
        return True
    summary = metric.summary
    return summary is not None and (summary.max is not None or any(map(_slow, summary.percentiles)))


def _slow(percentile: str) -> bool:
    """Whether the key of a percentile ("99", "p99.9", "99%") is one of the slow end."""
    rank = percentage(percentile)
    return rank is not None and rank >= LEAST
