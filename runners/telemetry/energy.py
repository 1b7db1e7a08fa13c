"""Energy of a trial's timed iterations, from a counter of the hardware or samples of its power, or why there is none.

A counter moves in steps, some ten times a second on a GPU: the energy is taken from its first step inside the window to
the last, and so are the time and the work. A counter that stood still, ran backwards, or contradicts the power that the
same device reports is refused, and nothing is put in its place.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from statistics import median
from typing import Literal

import msgspec

from .readings import Readings, Window

COUNTERS = {"energy_mj": 1e-3, "energy_uj": 1e-6}
"""Counters of a device, and their unit in joules."""
PACKAGES = "package_"
STILL_S = 2.0
"""Time without a step after which a counter stands still; the slowest step each 0.1 to 1 s."""
POWER_SHARE = 0.2
"""Difference from the power readings beyond which one of the two is wrong."""
POWER_WINDOW_S = 5.0
"""Shortest window of that comparison: some power readings are means over a second."""

Taken = Sequence[tuple[float, float]]
"""Readings with their times in seconds."""
Position = Callable[[float], float]
"""Work done until a time, in the arm's unit of work."""


class Energy(msgspec.Struct, frozen=True, kw_only=True):
    """Energy of one trial."""

    method: Literal["counter", "sampled"]
    energy_j: float
    duration_s: float
    updates: int
    """Steps of the counter, or readings of the power, inside the window."""
    work: float | None
    """In the arm's unit; None where it cannot be told what was done in the window."""
    evidence: str
    devices: dict[str, float] = {}
    """Of several devices, the joules of each by its identifier."""


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """There is no energy of a trial."""

    why: str
    broken: bool
    """Whether a counter is there, and wrong."""


def of_trial(readings: Readings, window: Window | None, position: Position | None) -> Energy | Refused:
    """Return the energy of a trial.

    Args:
        readings: of the whole trial.
        window: its timed iterations; None where they are not known, and the whole trial is meant.
        position: what was done until when; None where that is not known.
    """
    if not readings.header.devices:
        return _of_device(readings, window, position)
    missing = [why for device, why in readings.header.refused.items() if device not in readings.header.devices]
    if missing:
        return Refused(why=f"not every device can be read: {missing[0]}", broken=False)
    return _sum({one: _of_device(readings.of(one), window, position) for one in readings.header.devices})


def of_windows(readings: Readings, windows: Sequence[Window]) -> Energy | Refused:
    """Return the energy of several windows of a trial, one after the other: that of their whole less the gaps' energy.

    Inside a gap the energy is read from the line between the readings on either side, so that each edge is uncertain by
    what is taken in one period of the sensor.

    Args:
        readings: of the whole trial.
        windows: in order, apart from each other; at least one.
    """
    whole = of_trial(readings, Window(began_s=windows[0].began_s, ended_s=windows[-1].ended_s), None)
    if isinstance(whole, Refused):
        return whole
    gaps = [(one.ended_s, two.began_s) for one, two in pairwise(windows) if two.began_s > one.ended_s]
    curves = [curve for device in readings.header.devices or ("",) for curve in _curves(readings, device)]
    left_out_j = sum(_at(curve, ended) - _at(curve, began) for curve in curves for began, ended in gaps)
    left_out_s = sum(ended - began for began, ended in gaps)
    return msgspec.structs.replace(
        whole,
        energy_j=whole.energy_j - left_out_j,
        duration_s=whole.duration_s - left_out_s,
        evidence=f"{whole.evidence}, less {left_out_j:.4g} J in {len(gaps)} gaps of {left_out_s:.4g} s together",
    )


def _curves(readings: Readings, device: str) -> Iterator[list[tuple[float, float]]]:
    """Yield the energy taken until each reading, in joules, of a device or of each package."""
    of = readings.of(device) if device else readings
    counter = next((name for name in COUNTERS if name in of.header.columns), None)
    packages = [name for name in of.header.columns if name.startswith(PACKAGES)]
    for name in [counter] if counter is not None else packages:
        unit_j = COUNTERS.get(name, COUNTERS["energy_uj"])
        yield [(time, value * unit_j) for time, value in unwrapped(of.column(name), of.header.wraps_at.get(name))]
    if counter is None and not packages:
        power = of.column("power_w")
        parts = ((later - sooner) * (one + two) / 2 for (sooner, one), (later, two) in pairwise(power))
        yield [(time, sum_j) for (time, _), sum_j in zip(power, accumulate(parts, initial=0.0), strict=False)]


def _at(curve: Taken, time: float) -> float:
    """Return a curve at a time, on the line between its neighbours; at either end it stays as it is."""
    place = bisect_right(curve, (time, float("inf")))
    if place in (0, len(curve)):
        return curve[min(place, len(curve) - 1)][1]
    (sooner, one), (later, two) = curve[place - 1], curve[place]
    return one + (two - one) * (time - sooner) / (later - sooner)


def _sum(each: dict[str, Energy | Refused]) -> Energy | Refused:
    """Return the energy of several devices together, or why one of them has none.

    Their counters step apart, so that their windows differ by a step; window and work are those in the middle.
    """
    found = {}
    for device, one in each.items():
        if isinstance(one, Refused):
            return Refused(why=f"{device}: {one.why}", broken=one.broken)
        found[device] = one
    if len({one.method for one in found.values()}) > 1:
        counting = next(device for device, one in found.items() if one.method == "counter")
        return Refused(why=f"{counting} counts its energy, and others do not", broken=False)
    work = [one.work for one in found.values() if one.work is not None]
    duration_s, updates = median(one.duration_s for one in found.values()), min(one.updates for one in found.values())
    first = next(iter(found.values()))
    steps = "steps of the counter" if first.method == "counter" else "readings of the power, for there is no counter,"
    return Energy(
        method=first.method,
        energy_j=sum(one.energy_j for one in found.values()),
        duration_s=duration_s,
        updates=updates,
        work=median(work) if len(work) == len(found) else None,
        evidence=f"{len(found)} devices: {updates} {steps} of each in {duration_s:.4g} s",
        devices={device: one.energy_j for device, one in found.items()},
    )


def _of_device(readings: Readings, window: Window | None, position: Position | None) -> Energy | Refused:
    device = next((name for name in COUNTERS if name in readings.header.columns), None)
    if device is not None:
        return _counted(readings, {device: readings.column(device)}, COUNTERS[device], window, position)
    packages = {name: readings.column(name) for name in readings.header.columns if name.startswith(PACKAGES)}
    if packages:
        return _counted(readings, packages, COUNTERS["energy_uj"], window, position)
    return _sampled(readings.within(window).column("power_w"), position, readings)


def unwrapped(taken: Taken, wraps_at: int | None) -> list[tuple[float, float]]:
    """Return a counter without its wraps: where it falls from near its end to near 0, it has begun again.

    A fall that no wrap explains stays one.

    Args:
        taken: readings of a counter.
        wraps_at: the value at which it begins again at 0, or None.
    """
    added, found = 0, list(taken[:1])
    for (_, before), (time, value) in pairwise(taken):
        if wraps_at and value < before and before - value > wraps_at / 2:
            added += wraps_at
        found.append((time, value + added))
    return found


def fault(taken: Taken) -> str | None:
    """Return what is wrong with a counter over a whole trial, or None."""
    for (_, before), (time, value) in pairwise(taken):
        if value < before:
            when = f"{time - taken[0][0]:.3g} s into the trial"
            return f"the counter ran backwards, from {before:.9g} to {value:.9g}, {when}"
    stepped = taken[0][0]
    for (_, before), (time, value) in pairwise(taken):
        if value > before:
            stepped = time
        elif time - stepped > STILL_S:
            return f"the counter stood still for more than {STILL_S:g} s, {stepped - taken[0][0]:.3g} s into the trial"
    return None


def _counted(
    readings: Readings,
    counters: dict[str, list[tuple[float, float]]],
    unit_j: float,
    window: Window | None,
    at: Position | None,
) -> Energy | Refused:
    total_j, updates, spans = 0.0, [], []
    for name, raw in counters.items():
        taken = unwrapped(raw, readings.header.wraps_at.get(name))
        wrong = fault(taken) if taken else "the counter was not readable"
        if wrong is not None:
            return Refused(why=f"{name}: {wrong}", broken=True)
        steps = [two for one, two in pairwise(taken) if two[1] > one[1] and _inside(two[0], window)]
        if len(steps) < 2:
            seen = f"{len(steps)} step{'' if len(steps) == 1 else 's'}"
            return Refused(why=f"{name}: the window is too short: {seen} of the counter inside", broken=False)
        total_j += (steps[-1][1] - steps[0][1]) * unit_j
        updates.append(len(steps) - 1)
        spans.append((steps[0][0], steps[-1][0]))
    # Packages step at the same moments, to within a reading.
    began, ended = median(span[0] for span in spans), median(span[1] for span in spans)
    found = Energy(
        method="counter",
        energy_j=total_j,
        duration_s=ended - began,
        updates=min(updates),
        work=at(ended) - at(began) if at is not None else None,
        evidence=f"{', '.join(counters)}: {min(updates)} steps of the counter in {ended - began:.4g} s",
    )
    return _beside_power(found, readings.within(Window(began_s=began, ended_s=ended)).column("power_w"))


def _beside_power(found: Energy, power: Taken) -> Energy | Refused:
    """Refuse a counter that contradicts the power readings of the same window."""
    if found.duration_s < POWER_WINDOW_S or len(power) < 2:
        return found
    by_counter, by_readings = found.energy_j / found.duration_s, _integral(power) / (power[-1][0] - power[0][0])
    if abs(by_counter - by_readings) <= POWER_SHARE * by_readings:
        return found
    why = f"the counter tells {by_counter:.4g} W, the device's power readings {by_readings:.4g} W"
    return Refused(why=why, broken=True)


def _sampled(power: Taken, at: Position | None, readings: Readings) -> Energy | Refused:
    if len(power) < 2:
        told = "; ".join(readings.header.refused.values()) or "nothing here counts energy"
        return Refused(why=told, broken=False)
    began, ended = power[0][0], power[-1][0]
    return Energy(
        method="sampled",
        energy_j=_integral(power),
        duration_s=ended - began,
        updates=len(power),
        work=at(ended) - at(began) if at is not None else None,
        evidence=f"the device counts no energy: {len(power)} readings of its power in {ended - began:.4g} s",
    )


def _integral(power: Taken) -> float:
    return sum((later - sooner) * (one + two) / 2 for (sooner, one), (later, two) in pairwise(power))


def _inside(time: float, window: Window | None) -> bool:
    return window is None or window.began_s <= time <= window.ended_s
