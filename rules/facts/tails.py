"""What a document tells of the slow end of a service's latencies."""

from __future__ import annotations

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case
from ..pattern import Pattern
from .samples import samples_of

LEAST = 90.0
_IN_WORDS = Pattern(r"\bp9\d|\b9\d(?:\.\d+)?(?:th|st|nd|rd)?[ -]percentile|\btail\b")

_NUMBER = Pattern(r"p?([0-9]{1,3}(?:\.[0-9]+)?)(?:th)?\s*%?")


def tail_given(claim: Claim, case: Case) -> bool:
    """Whether a percentile of at least 90, a maximum or the raw latencies stand beside a claim."""
    side, row, table = case.subject(claim), case.row(claim), case.table(claim)
    if claim.statistic in {"percentile", "max"} or _IN_WORDS.search(claim.statement.casefold()) is not None:
        return True
    if side is not None:
        metrics = [metric for metric in side.arm.performance.values() if metric.quantity == "latency"]
        held = any(samples_of(case, side, metric) is not None for metric in metrics)
        if held or any(_states_tail(metric) for metric in metrics):
            return True
    return (
        row is not None
        and table is not None
        and any(
            column.quantity == "latency" and column.statistic in {"percentile", "max"} and key in row.values
            for key, column in table.columns.items()
        )
    )


def _states_tail(metric: Metric) -> bool:
    if metric.statistic in {"percentile", "max"}:
        return True
    summary = metric.summary
    return summary is not None and (summary.max is not None or any(map(_slow, summary.percentiles)))


def _slow(percentile: str) -> bool:
    """Whether the key of a percentile ("99", "p99.9", "99%") is one of the slow end."""
    match = _NUMBER.fullmatch(percentile.strip().casefold())
    return match is not None and LEAST <= float(match[1]) <= 100
