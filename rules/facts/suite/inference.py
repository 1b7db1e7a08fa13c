"""Runs of a result of the inference suite: which are judged, and what their logs and summaries print."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ....schemas.submission import Claim
from ...case import Case
from ...tables import mlperf
from ...tables.datasets import plain
from ...tables.mlperf_common import scenarios
from ...trace import Event, Logged
from .result import Quoted


def performance_runs(claim: Claim, case: Case) -> tuple[Logged, ...]:
    """Return the performance runs behind a claim: neither ranging nor compliance nor accuracy runs."""
    return tuple(run for run in case.runs(claim) if run.role == "performance")


def accuracy_runs(claim: Claim, case: Case) -> tuple[Logged, ...]:
    """Return the accuracy runs behind a claim."""
    return tuple(run for run in case.runs(claim) if run.role == "accuracy")


def scenario_of(run: Logged, result: Quoted) -> str | None:
    """Return the scenario that a run was made in: that of its result, or one from which the result may be inferred."""
    said = run.trace.of("effective_scenario", "requested_scenario")
    made_in = scenarios().get(plain(str(said[0].value))) if said else None
    may = mlperf.inference().scenarios.inferred_from.get(result.scenario or "", frozenset())
    return made_in if made_in in may else result.scenario


def logged(run: Logged, *keys: str) -> tuple[float, Event] | None:
    """Return the finite number of the first of some keys that a run logs once, with its event; None where none is."""
    for key in keys:
        found = [event for event in run.trace.of(key) if event.number is not None and math.isfinite(event.number)]
        if found and len({event.number for event in found}) == 1:
            assert found[0].number is not None
            return found[0].number, found[0]
    return None


def printed(run: Logged, *names: str) -> float | None:
    """Return a figure of the run's summary as a number, by the first of some names that is there."""
    for name in names:
        value = run.run.summary.get(name)
        if isinstance(value, bool) or value is None:
            continue
        try:
            number = float(value)
        except (TypeError, ValueError):
            continue
        if math.isfinite(number):
            return number
    return None


def number(run: Logged, key: str, *names: str) -> tuple[float, str] | None:
    """Return a figure with its place: as logged, else as the summary prints it."""
    found = logged(run, key)
    if found is not None:
        return found[0], run.trace.place(found[1])
    for name in names:
        value = printed(run, name)
        if value is not None:
            return value, run.place("summary", name)
    return None


def texts(run: Logged, key: str) -> Iterator[tuple[str, str]]:
    """Yield the distinct values of a logged key as text, each with its place; long integers keep all digits."""
    seen = set()
    for event in run.trace.of(key):
        text = str(event.value) if not isinstance(event.value, float) else f"{event.value:.0f}"
        if text not in seen:
            seen.add(text)
            yield text, run.trace.place(event)
