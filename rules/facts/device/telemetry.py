"""Readings of clocks, temperatures and throttling during the trials of an arm.

They stand beside a trial as columns or in its files, or summed up with the knob that locked the clock: how long each
reason held clocks down (`thermal_s` of `window_s`, or `thermal_share` of `samples_loaded`), and how many readings under
load lay off the lock (`samples_outside`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ....schemas.evidence import Telemetry, Trial
from ...caching import fact
from ...case import Case, Side
from ..series.raw_numbers import raw

CLOCKS = ("sm_clock_mhz", "clock_mhz")
SM_LOCK = ("gpu_sm_clock_mhz", "gpu_sm_clock_lock")
"""Names of the knob that locks the clock of a device's processors."""
CLOCK_NAMES = frozenset(CLOCKS)
READ = CLOCK_NAMES | {
    *("memory_clock_mhz", "temperature_c", "throttle_thermal", "throttle_power_brake", "throttle_power_cap"),
}


class Readings(Struct, frozen=True):
    """What was read during one trial.

    Attributes:
        trial: its id.
        columns: readings by column, of a sensor that was polled; of several devices as `of_devices` has them.
        iterations: readings by column, one for each timed iteration: taken under load.
        telemetry: the counters beside them.
        knob: numbers that stand with the knob that locked the clock, by name.
        at: place of the readings.
    """

    trial: str
    columns: Mapping[str, Sequence[float]]
    iterations: Mapping[str, Sequence[float]]
    telemetry: Telemetry | None
    knob: Mapping[str, float]
    at: str

    def held_down(self, reason: str) -> tuple[float, float, bool] | None:
        """Return how long a reason was active, out of how long, and whether in seconds or else in readings."""
        counters = self.telemetry.throttled_s if self.telemetry is not None else {}
        for active, window in (
            (counters.get(reason), self.telemetry.window_s if self.telemetry is not None else None),
            (self.knob.get(f"{reason}_s"), self.knob.get("window_s")),
        ):
            if active is not None and window:
                return active, window, True
        name = f"throttle_{reason}"
        columns = [*of_devices(self.columns, name).values()] or [self.iterations.get(name, ())]
        flags = [[value > 0 for value in column if math.isfinite(value)] for column in columns]
        if any(flags):
            worst = max((column for column in flags if column), key=lambda column: sum(column) / len(column))
            return float(sum(worst)), float(len(worst)), False
        share, count = self.knob.get(f"{reason}_share"), self.knob.get("samples_loaded")
        return (share * count, count, False) if share is not None and count else None


def of_devices(columns: Mapping[str, Sequence[float]], name: str) -> dict[str, Sequence[float]]:
    """Return a column by device, of several: its name then ends in a dot and the device's; of one device under ""."""
    parts = ((key.partition("."), values) for key, values in columns.items())
    return {device: values for (column, _, device), values in parts if column == name and len(values)}


def has_telemetry(side: Side) -> bool:
    """Whether some trial of an arm holds readings; asked before any file is read."""
    return any(_holds(trial) for trial in side.arm.trials.values())


def _holds(trial: Trial) -> bool:
    found = trial.telemetry
    if found is not None and (found.throttled_s or found.file is not None or any(found.columns.values())):
        return True
    if not (READ.isdisjoint(trial.samples) and CLOCK_NAMES.isdisjoint(trial.medians)):
        return True
    return bool(trial.controls) and any(name in _knob(trial) for name in ("window_s", "samples_loaded"))


def _knob(trial: Trial) -> Mapping[str, float]:
    """Return the numbers that stand with the knob that locked the clock in a trial."""
    return next((trial.controls[name].measured for name in SM_LOCK if name in trial.controls), {})


def logs_clocks(side: Side) -> bool:
    """Whether some throughput trial of an arm holds readings of its clock, here or in a file of its own."""
    return any(
        any(trial.samples.get(name) or name in trial.medians for name in CLOCKS)
        or (
            trial.telemetry is not None
            and (trial.telemetry.file is not None or any(of_devices(trial.telemetry.columns, name) for name in CLOCKS))
        )
        or bool(_knob(trial).get("samples_loaded"))
        for trial in side.arm.trials.values()
        if trial.kind == "throughput"
    )


def log_period_s(side: Side) -> float | None:
    """Return the longest stated period of the readings of an arm's clock, in seconds.

    None where a throughput trial holds none that were polled, or does not state how often: they may then have been
    taken in every iteration.
    """
    periods = []
    for trial in side.arm.trials.values():
        if trial.kind != "throughput":
            continue
        found = trial.telemetry
        if found is None or found.period_s is None or not CLOCK_NAMES.isdisjoint(trial.samples):
            return None
        periods.append(found.period_s)
    return max(periods, default=None)


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
        found.append(Readings(name, polled, per_iteration, trial.telemetry, _knob(trial), node.at))
    return tuple(found)


def throttled(case: Case, side: Side, reason: str) -> tuple[float, float] | None:
    """Return how long a reason held the clocks of an arm down, and how long that was looked at, over its trials.

    In seconds from counters, else in readings. None where a trial with readings does not tell, or where some tell in
    seconds and others in readings.
    """
    found = [item.held_down(reason) for item in readings(case, side)]
    known = [item for item in found if item is not None]
    if not known or len(known) < len(found) or len({in_seconds for _, _, in_seconds in known}) > 1:
        return None
    return math.fsum(active for active, _, _ in known), math.fsum(whole for _, whole, _ in known)


class Spread(Struct, frozen=True):
    """Readings of a clock against the range of its lock.

    Attributes:
        outside: readings under load that lie outside.
        total: readings that tell.
        low: least of those outside, in MHz; of all where only a count is given.
        high: greatest of those outside, likewise.
        unsure: whether further readings lie below the range, perhaps of an idle device.
    """

    outside: int
    total: int
    low: float
    high: float
    unsure: bool


def outside_lock(case: Case, side: Side, low: float, high: float, step: float) -> Spread:
    """Count the readings of an arm's clock that lie more than one step outside a range, over its trials.

    A count that stands with the knob holds for a lock at one clock and a step of 15 MHz.
    """
    outside: list[float] = []
    total, counted, unsure = 0, 0, False
    known = set()
    for trial, clock, sure in clocks_under_load(case, side):
        known.add(trial)
        if clock > high + step or (sure and clock < low - step):
            outside.append(clock)
        unsure = unsure or (not sure and clock < low - step)
        total += 1
    ends: list[float] = []
    for item in readings(case, side):
        off, loaded = item.knob.get("samples_outside"), item.knob.get("samples_loaded")
        if item.trial in known or low != high or off is None or not loaded:
            continue
        counted, total = counted + int(off), total + int(loaded)
        if off:
            ends += [item.knob[name] for name in ("sm_clock_low_mhz", "sm_clock_high_mhz") if name in item.knob]
    clocks = outside + ends or [low]
    return Spread(len(outside) + counted, total, min(clocks), max(clocks), unsure)


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
            for device, polled in of_devices(item.columns, name).items():
                use = of_devices(item.columns, "utilisation").get(device, ())
                told = len(use) == len(polled)
                for index, value in enumerate(polled):
                    if math.isfinite(value) and not (told and use[index] < BUSY):
                        yield item.trial, value, told


BUSY = 0.5
"""Share of the time in which a kernel runs; below it a reading may be of an idle gap, in which clocks fall."""
