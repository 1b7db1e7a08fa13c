"""Energy of an arm, from the sensors' readings during its throughput trials.

An arm has an energy where each of its completed trials has one, all by the same method: leaving out the trials whose
counter failed would choose among them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ...rules.statistics.intervals import rounded
from ..telemetry import progress
from ..telemetry.energy import Energy, Refused, of_trial
from ..telemetry.readings import Readings
from ..trial.events import ControlRecord
from .events import Events
from .served import answered, work
from .summary import over_trials

KNOB = "energy"
DEVICES = 50
"""Devices whose own energy a trial's record takes; that of the arm takes all."""


class Timed(msgspec.Struct, frozen=True, kw_only=True):
    """A completed throughput trial and its readings."""

    events: Events
    readings: Readings | None


def of(timed: Timed) -> Energy | Refused:
    """Return the energy of one trial, or why there is none."""
    if timed.readings is None:
        return Refused(why="there are no readings of this trial", broken=False)
    return of_trial(timed.readings, progress.window(timed.events), progress.position(timed.events))


def record(timed: Timed) -> ControlRecord:
    """Return the energy of one trial as a record beside the knobs."""
    found = of(timed)
    if isinstance(found, Refused):
        evidence = f"{'refused: ' if found.broken else ''}{found.why}"[:4000]
        return ControlRecord(knob=KNOB, verified="unverifiable", evidence=evidence)
    measured = {
        "energy_j": found.energy_j,
        "duration_s": found.duration_s,
        "mean_power_w": found.energy_j / found.duration_s,
        "updates": float(found.updates),
        **{f"energy_j.{device}": joules for device, joules in list(found.devices.items())[:DEVICES]},
    }
    per_iteration = _per_iteration(timed.events, found)
    if per_iteration is not None:
        measured["energy_per_iteration_j"] = per_iteration
    return ControlRecord(
        knob=KNOB,
        found=found.method,
        verified="not_requested",
        evidence=found.evidence,
        measured={name: rounded(value) for name, value in measured.items()},
    )


def energy(trials: Sequence[Timed]) -> dict[str, Any] | None:
    """Return the energy of an arm over its trials, as `energy` in common.schema.json; None where there is none."""
    found = _all(trials)
    if not found:
        return None
    energy_j, duration_s = sum(one.energy_j for one in found), sum(one.duration_s for one in found)
    updates = sum(one.updates for one in found)
    value: dict[str, Any] = {
        "boundary": "device",
        "method": found[0].method,
        "energy_j": rounded(energy_j),
        "mean_power_w": rounded(energy_j / duration_s),
        "duration_s": rounded(duration_s),
        "updates": updates,
        "sensor_period_s": rounded(duration_s / updates),
    }
    devices = dict.fromkeys(device for one in found for device in one.devices)
    if devices:
        value["devices"] = {device: rounded(sum(one.devices.get(device, 0.0) for one in found)) for device in devices}
    work = [one.work for one in found if one.work is not None]
    if len(work) == len(found):
        value["work"] = rounded(sum(work))
    return value


def performance(trials: Sequence[Timed], planned: int) -> dict[str, Any]:
    """Return work per joule and energy per iteration: medians over the trials of an arm.

    Of a service the energy is told per answered request, and per output token where its work is tokens.

    Args:
        trials: its completed throughput trials.
        planned: how many were planned.
    """
    found = _all(trials)
    options = trials[0].events.options if trials else None
    if not found or options is None or any(not one.work for one in found):
        return {}
    unit = "FLOP" if options.work_unit == "operations" else options.work_unit
    per_joule = [one.work / one.energy_j for one in found if one.work]
    usual = _usual_work(trials) or options.work_per_iteration
    serves = trials[0].events.requests is not None
    each = {"energy_per_request" if serves else "energy_per_iteration": usual}
    if serves and unit == "tokens":
        each["energy_per_token"] = 1.0
    return {"work_per_joule": over_trials("energy", f"{unit}/J", per_joule, planned)} | {
        name: over_trials("energy", "J", [work / value for value in per_joule], planned) for name, work in each.items()
    }


def _usual_work(trials: Sequence[Timed]) -> float | None:
    """Return the mean work of an answered request over all trials; None where there are no requests."""
    served = answered([one.events for one in trials])
    counts = sum(len(requests.completed) for _, requests in served)
    return sum(work(*one) for one in served) / counts if counts else None


def _all(trials: Sequence[Timed]) -> list[Energy]:
    """Return the energies of all trials, or nothing where one has none or another method."""
    found = [of(one) for one in trials]
    kept = [one for one in found if isinstance(one, Energy) and one.energy_j > 0]
    return kept if len(kept) == len(found) and len({one.method for one in kept}) == 1 else []


def _per_iteration(events: Events, found: Energy) -> float | None:
    if events.options is None or not found.work:
        return None
    return found.energy_j * events.options.work_per_iteration / found.work
