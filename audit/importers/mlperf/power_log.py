"""Logs of a power meter that PTDaemon reads: one reading a line, and the daemon's own log of its sessions.

Time,02-24-2023 12:25:33.670,Watts,645.600000,Volts,207.915000,Amps,1.594250,PF,0.973855,Mark,2023-02-24_testing
02-24-2023 12:43:28.417: Avg watts 1048.819163, min watts 611.600000, max watts 1340.800000, samples 1075, ...

Stamps are local times of the machine that the meter is connected to; here they are seconds since 1970-01-01 as if that
machine kept UTC.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby

from msgspec import Struct

from ....rules.facts.runs.instants import stamp_s

MOST_READINGS = 200_000
PHASES = (1, 2, 3)
TOLERANCE = 0.03
IN_A_ROW = 30
_AVERAGE = re.compile(r"Avg watts ([0-9]{1,9}(?:\.[0-9]{1,9})?),[^\n]{0,200}?\bsamples ([0-9]{1,9})\b")
_VALID = re.compile(r"\bvalid ([0-9]{1,9})\b")
_UNCERTAINTY = re.compile(r"Uncertainty ([0-9]{1,3}(?:\.[0-9]{1,6})?)%")


class Reading(Struct, frozen=True):
    """One reading: local stamp, whole power, the rest of its line as it stands, and its number."""

    time_s: float
    watts: float
    rest: str
    line: int

    @property
    def alike(self) -> tuple[float, str]:
        """Power, voltage and current as printed."""
        return self.watts, ",".join(self.rest.split(",", 4)[1:4:2])


class PowerLog(Struct, frozen=True):
    """A power log.

    Attributes:
        readings: in its order.
        unread: lines that hold none.
        mark: what the log calls the session of the first one.
    """

    readings: tuple[Reading, ...] = ()
    unread: int = 0
    mark: str = ""


class MeterLog(Struct, frozen=True):
    """What the meter's program prints of one session.

    Attributes:
        mean_w: mean power.
        readings: how many readings it rests on.
        line: where both are printed.
        uncertainties: local stamp, uncertainty as a share, and line of every reading that was above the limit.
    """

    mean_w: float | None = None
    readings: int | None = None
    line: int = 1
    uncertainties: tuple[tuple[float, float, int], ...] = ()


def read_power_log(text: str) -> PowerLog:
    """Return the readings of a power log."""
    found: list[Reading] = []
    unread, mark = 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        parts = line.rstrip("\r").split(",", 4)
        time = stamp_s(parts[1]) if len(parts) > 3 and (parts[0], parts[2]) == ("Time", "Watts") else None
        watts = _number(parts[3]) if time is not None else None
        rest = parts[4] if len(parts) > 4 else ""
        if time is None or watts is None or watts < 0 or rest[:1].isdigit() or len(found) >= MOST_READINGS:
            unread += bool(line.strip())
            continue
        found.append(Reading(time, watts, rest, number))
        mark = mark or f",{rest}".partition(",Mark,")[2].split(",")[0].strip()
    return PowerLog(tuple(found), unread, mark[:200])


def is_contradictory(reading: Reading) -> bool:
    """Whether power differs from voltage times current times power factor, or from the sum of its channels.

    A meter of several phases prints means of voltage and current: the product may be one, two or three times too small.
    """
    head, _, channels = reading.rest.partition(",Ch1,")
    volts, amps, factor = (_number(text) for text in (*head.split(",")[1:7:2], "", "", "")[:3])
    if channels:
        parts = [_number(text) for text in re.findall(r"Watts,([^,]{1,30})", channels)]
        total = math.fsum(part for part in parts if part is not None)
        return None not in parts and abs(total - reading.watts) > TOLERANCE * reading.watts + 0.1
    if volts is None or amps is None or factor is None or min(volts, amps, factor) <= 0 or reading.watts < 1:
        return False  # a meter that cannot tell one of them answers zero or less
    product = volts * amps * factor
    return all(abs(reading.watts - phases * product) > TOLERANCE * reading.watts for phases in PHASES)


def disordered(readings: Sequence[Reading]) -> int:
    """Return how many readings are not later than every one before them."""
    latest = accumulate((reading.time_s for reading in readings), max)
    return sum(reading.time_s <= before for before, reading in zip(latest, readings[1:], strict=False))


def longest_repeat(readings: Iterable[Reading]) -> int:
    """Return how many readings in a row are alike at most."""
    return max((sum(1 for _ in group) for _, group in groupby(reading.alike for reading in readings)), default=0)


def copied(readings: Sequence[Reading], other: Sequence[Reading]) -> int:
    """Return how many readings stand, thirty or more in a row and not all alike, in another log or in theirs before."""
    before = {hash(stretch) for stretch in _stretches(other)}
    inside: set[int] = set()
    waiting: deque[int] = deque()
    for index, stretch in enumerate(_stretches(readings)):
        if len(waiting) == IN_A_ROW:
            before.add(waiting.popleft())
        if hash(stretch) in before and len(set(stretch)) > IN_A_ROW // 3:
            inside.update(range(index, index + IN_A_ROW))
        waiting.append(hash(stretch))
    return len(inside)


def _stretches(readings: Sequence[Reading]) -> Iterator[tuple[float, ...]]:
    watts = [reading.watts for reading in readings]
    return (tuple(watts[index : index + IN_A_ROW]) for index in range(len(watts) - IN_A_ROW + 1))


def read_meter_log(text: str, mark: str) -> MeterLog:
    """Return what the log of the meter's program says of the session of a mark."""
    within, mean, readings, line_of_mean = False, None, None, 1
    uncertainties: list[tuple[float, float, int]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if "Go with mark" in line:
            within = f"'{mark}'" in line
        elif within and mean is None and (found := _AVERAGE.search(line)) is not None:
            valid = _VALID.search(line)
            mean, readings = float(found[1]), int((valid or found)[1 if valid else 2])
            line_of_mean = number
        elif within and (above := _UNCERTAINTY.search(line)) is not None:
            time, share = stamp_s(line[:23]), float(above[1]) / 100
            if time is not None and share <= 1 and len(uncertainties) < MOST_READINGS:
                uncertainties.append((time, share, number))
    return MeterLog(mean, readings, line_of_mean, tuple(uncertainties))


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and abs(value) < 1e12 else None
