"""Instants of a document, and when the trials and runs of an arm took place."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from ....schemas.evidence import Trial
from ...case import Case, Side
from ..runs.times import is_unix, span_ms

DAY_S = 86400.0


class Period(Struct, frozen=True):
    """From one instant to a later one, in seconds since 1970-01-01 UTC; `at` is its place."""

    start_s: float
    end_s: float
    at: str


def instant_s(text: str | None) -> float | None:
    """Return an instant in seconds since 1970-01-01 UTC; None where it is not stated, or not in the calendar."""
    if text is None:
        return None
    whole, _, fraction = text.rstrip("Z").partition(".")
    try:
        return datetime.fromisoformat(f"{whole}+00:00").timestamp() + float(f"0.{fraction or 0}")
    except (ValueError, OverflowError):
        return None


def period_of(trial: Trial) -> Period | None:
    """Return when a trial took place; an instant where only its start is stated. None where that is not stated."""
    start, end = instant_s(trial.started), instant_s(trial.ended)
    if start is None:
        return None
    if end is None:
        end = start + (trial.wall_s or 0.0)
    return Period(start, end, trial.place("started")) if end >= start else None


def trial_periods(side: Side, kind: str) -> tuple[tuple[str, Period], ...]:
    """Return when the trials of a kind that gave a result took place; empty where one of them does not say."""
    found = []
    for name, trial in side.arm.trials.items():
        if trial.kind != kind or trial.outcome != "completed":
            continue
        period = period_of(trial)
        if period is None:
            return ()
        found.append((name, period))
    return tuple(found)


def run_periods(case: Case, side: Side, *roles: str) -> tuple[Period, ...]:
    """Return when the logged runs of some roles took place; empty where a log does not give instants."""
    found = []
    for run in case.runs_of(side):
        if (run.run.role or "training") not in roles:
            continue
        span = span_ms(run)
        if span is None or not is_unix(run):
            return ()
        found.append(Period(span[0] / 1000, span[1] / 1000, run.run.at))
    return tuple(found)
