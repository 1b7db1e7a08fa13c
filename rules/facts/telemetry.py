"""Readings of clocks, temperatures and throttling during the trials of an arm."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ...schemas.evidence import Telemetry, Trial
from ..case import Case, Side
from .caching import fact
from .samples import raw

CLOCKS = ("sm_clock_mhz", "clock_mhz")
CLOCK_NAMES = frozenset(CLOCKS)
READ = CLOCK_NAMES | {
    *("memory_clock_mhz", "temperature_c", "throttle_thermal", "throttle_power_brake", "throttle_power_cap"),
}


class Readings(Struct, frozen=True):
    """What was read during one trial.

    Attributes:
        trial: its id.
        columns: readings by column, of a sensor that was polled.
        iterations: readings by column, one for each timed iteration: taken under load.
        telemetry: the counters beside them.
        at: place of the readings.
    """

    trial: str
    columns: Mapping[str, Sequence[float]]
    iterations: Mapping[str, Sequence[float]]
    telemetry: Telemetry | None
    at: str


def has_telemetry(side: Side) -> bool:
    """Whether some trial of an arm holds readings; asked before any file is read."""
    return any(_holds(trial) for trial in side.arm.trials.values())


def _holds(trial: Trial) -> bool:
    found = trial.telemetry
    if found is not None and (found.throttled_s or found.file is not None or any(found.columns.values())):
        return True
    return not (READ.isdisjoint(trial.samples) and CLOCK_NAMES.isdisjoint(trial.medians))


def logs_clocks(side: Side) -> bool:
    """Whether some throughput trial of an arm holds readings of its clock, here or in a file of its own."""
    return any(
        any(trial.samples.get(name) or name in trial.medians for name in CLOCKS)
        or (
            trial.telemetry is not None
            and (trial.telemetry.file is not None or any(trial.telemetry.columns.get(name) for name in CLOCKS))
        )
        for trial in side.arm.trials.values()
        if trial.kind == "throughput"
    )


@fact
def readings(case: Case, side: Side) -> tuple[Readings, ...]:
    """Return the readings of every throughput trial of an arm that holds some."""
    columns = dict(raw(case, side))
    found = []
    for name, trial in side.arm.trials.items():
        if trial.kind != "throughput" or not _holds(trial):
            continue
        per_iteration = {key: values for key, values in columns.get(name, {}).items() if key in READ and len(values)}
        polled = side.readings(trial)
        node = trial.telemetry if trial.telemetry is not None else trial
        found.append(Readings(name, polled, per_iteration, trial.telemetry, node.at))
    return tuple(found)


def throttled(case: Case, side: Side, reason: str) -> tuple[float, float] | None:
    """Return how long a reason held the clocks of an arm down, and how long that was looked at, over its trials.

    In seconds from counters, else in readings. None where a trial with readings does not tell, or where some tell in
    seconds and others in readings.
    """
    seconds: list[tuple[float, float]] = []
    counts: list[tuple[float, float]] = []
    for item in readings(case, side):
        counter = item.telemetry.throttled_s.get(reason) if item.telemetry is not None else None
        window = item.telemetry.window_s if item.telemetry is not None else None
        if counter is not None and window is not None:
            seconds.append((counter, window))
            continue
        flags = [value for value in _column(item, f"throttle_{reason}") if math.isfinite(value)]
        if not flags:
            return None
        counts.append((float(sum(value > 0 for value in flags)), float(len(flags))))
    if bool(seconds) == bool(counts):
        return None
    found = seconds or counts
    return math.fsum(active for active, _ in found), math.fsum(whole for _, whole in found)


def _column(item: Readings, name: str) -> Sequence[float]:
    return item.columns.get(name) or item.iterations.get(name) or ()


def clocks_under_load(case: Case, side: Side) -> Iterator[tuple[str, float, bool]]:
    """Yield (trial, clock in MHz, whether it was surely read under load).

    Readings of single iterations are; polled ones are where the device's utilisation beside them is at least one half,
    and are left out where it is less.
    """
    for item in readings(case, side):
        for name in CLOCKS:
            for value in item.iterations.get(name, ()):
                if math.isfinite(value):
                    yield item.trial, value, True
            polled, use = item.columns.get(name, ()), item.columns.get("utilisation", ())
            told = len(use) == len(polled) > 0
            for index, value in enumerate(polled):
                if math.isfinite(value) and not (told and use[index] < BUSY):
                    yield item.trial, value, told


BUSY = 0.5
"""Share of the time in which a kernel runs; below it a reading may be of an idle gap, in which clocks fall."""
