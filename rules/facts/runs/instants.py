"""Instants and spans of runs, as their records state them."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from msgspec import Struct

from ....schemas.evidence import Trial

_STAMP = re.compile(r"([0-9]{1,2})-([0-9]{1,2})-([0-9]{4})\s{1,9}([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})\.([0-9]{1,6})")


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


def stamp_s(text: str) -> float | None:
    """Return a local time as load generators and power meters print it, in seconds since 1970 as if it were UTC.

    Returns:
        None where a text is none: MM-DD-YYYY HH:MM:SS.mmm.
    """
    found = _STAMP.fullmatch(text.strip())
    if found is None:
        return None
    month, day, year, hour, minute, second = map(int, found.groups()[:-1])
    try:
        moment = datetime(year, month, day, hour, minute, second, int(found[7].ljust(6, "0")), UTC)
    except ValueError:
        return None
    return moment.timestamp()


def run_span(name: str, trial: Trial) -> RunSpan | None:
    """Return when a run started and ended, or None where one of them is not stated."""
    start, end = instant_s(trial.started), instant_s(trial.ended)
    return RunSpan(name, trial.at, start, end) if start is not None and end is not None else None
