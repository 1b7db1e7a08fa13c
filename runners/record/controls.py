"""What became of each knob, the machine's and the process's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ..telemetry import readings
from ..trial.events import ControlRecord
from . import consumption
from .run import Run

WORST_FIRST = ("contradicted", "not_permitted", "unverifiable", "verified", "not_requested")


def worst(runs: Sequence[Run]) -> dict[str, Any]:
    """Return the worst that became of each knob over the trials."""
    found: dict[str, Any] = {}
    for run in runs:
        own = run.events.controls.records if run.events.controls is not None else ()
        for record in (*run.machine, *own, *_sensed(run)):
            known = found.get(record.knob)
            if known is None or WORST_FIRST.index(record.verified) < WORST_FIRST.index(known["verified"]):
                value = msgspec.to_builtins(record)
                found[record.knob] = {key: item for key, item in value.items() if key != "knob" and item is not None}
    return found


def _sensed(run: Run) -> tuple[ControlRecord, ...]:
    """Return what the telemetry of a trial did, and its energy where its iterations were timed."""
    if not run.has_result or run.planned.kind not in ("throughput", "convergence"):
        return ()
    if run.readings is None:
        return ()
    records = [readings.record(run.readings)]
    if run.planned.kind == "throughput":
        records.append(consumption.record(run.timed))
    return tuple(records)
