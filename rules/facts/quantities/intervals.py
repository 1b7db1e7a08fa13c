"""Stated intervals: over what they are, how wide they are, and what else a usual interval would be."""

from __future__ import annotations

from decimal import Decimal

from ....schemas.evidence import Interval
from ....schemas.submission import Claim
from ...case import Case
from ...language.printed import span
from ...language.reading import read
from ..series.kept_series import Timed

OF_TIMES = frozenset({"time", "latency", "rate", "flops", "mfu"})


def stated_interval(claim: Claim, case: Case, arm: Timed) -> Interval | None:
    """Return the interval of an arm's own number: its metric's, or the claim's where it is that number.

    None where the number is not one of the times: an accuracy, a size or a price has other values behind it.
    """
    if (arm.metric.quantity if arm.metric is not None else claim.quantity) not in OF_TIMES:
        return None
    if arm.metric is not None and arm.metric.interval is not None:
        return arm.metric.interval
    subject = case.subject(claim)
    own = claim.form == "absolute" and subject is not None and subject.id == arm.side.id
    return claim.interval if own else None


def within_trials(interval: Interval, trials: int) -> bool:
    """Whether an interval is one over the iterations of a process; one trial has nothing else."""
    told = [read(text) for text in (interval.varies, interval.method) if text]
    if any(reading.has("over_trials", affirmed=False) for reading in told):
        return False
    over_iterations = any(reading.has("over_iterations", affirmed=False) for reading in told)
    return over_iterations or (trials == 1 and interval.varies is None)


def over_trials(interval: Interval) -> bool:
    """Whether an interval says that trials, runs or seeds vary behind it."""
    return interval.varies is not None and read(interval.varies).has("over_trials", affirmed=False)


def relative_width(interval: Interval) -> float:
    """Return the largest width that the digits allow, as a share of the middle; infinite around 0."""
    low, high = sorted((span(interval.low), span(interval.high)), key=lambda item: item.low)
    middle = abs(low.low + high.high) / 2
    return float((high.high - low.low) / middle) if middle > Decimal(0) else float("inf")


def least_width(interval: Interval) -> float:
    """Return the smallest width that the digits allow, as a share of the middle; 0 around 0."""
    low, high = sorted((span(interval.low), span(interval.high)), key=lambda item: item.low)
    middle = abs(low.low + high.high) / 2
    return max(0.0, float((high.low - low.high) / middle)) if middle > Decimal(0) else 0.0
