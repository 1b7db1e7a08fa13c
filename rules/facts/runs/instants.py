"""Instants and spans of runs, as their records state them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from ....schemas.evidence import Trial


class RunSpan(Struct, frozen=True):
    """When one run started and ended.

    Attributes:
        name: the run, with its arm.
        at: its place.
        start_s: seconds since 1970, UTC.
        end_s: the same of its end.
    """

    name: str
    at: str
    start_s: float
    end_s: float


def instant_s(text: str | None) -> float | None:
    """Return an instant in seconds since 1970, UTC; None where it is not stated or not in the calendar."""
    if text is None:
        return None
    head, _, fraction = text.removesuffix("Z").partition(".")
    try:
        # A leap second is read as the second after it.
        leap = head.endswith(":60")
        moment = datetime.fromisoformat((head[:-2] + "59" if leap else head) + "+00:00")
    except ValueError:
        return None
    return moment.timestamp() + leap + (float(f"0.{fraction}") if fraction.isdigit() else 0.0)


def run_span(name: str, trial: Trial) -> RunSpan | None:
    """Return when a run started and ended, or None where one of them is not stated."""
    start, end = instant_s(trial.started), instant_s(trial.ended)
    return RunSpan(name, trial.at, start, end) if start is not None and end is not None else None
