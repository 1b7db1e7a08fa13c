"""Logs of a power meter that PTDaemon reads: one reading a line, and the daemon's own log of its sessions.

Time,02-24-2023 12:25:33.670,Watts,645.600000,Volts,207.915000,Amps,1.594250,PF,0.973855,Mark,2023-02-24_testing
02-24-2023 12:43:28.417: Avg watts 1048.819163, min watts 611.600000, max watts 1340.800000, samples 1075, ...

Stamps are local times of the machine that the meter is connected to; here they are seconds since 1970-01-01 as if that
machine kept UTC.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime

from msgspec import Struct

MOST_READINGS = 1_000_000
STAMP = "%m-%d-%Y %H:%M:%S.%f"
_AVERAGE = re.compile(r"Avg watts ([0-9]{1,9}(?:\.[0-9]{1,9})?),[^\n]{0,200}?\bsamples ([0-9]{1,9})\b")
_VALID = re.compile(r"\bvalid ([0-9]{1,9})\b")
_UNCERTAINTY = re.compile(r"Uncertainty ([0-9]{1,3}(?:\.[0-9]{1,6})?)%")


class PowerLog(Struct, frozen=True):
    """Readings of a power log, in its order.

    Attributes:
        times_s: their local stamps.
        watts: the whole power of each.
        mark: what the log calls the session of the first one.
        lines: the line of each.
    """

    times_s: tuple[float, ...] = ()
    watts: tuple[float, ...] = ()
    mark: str = ""
    lines: tuple[int, ...] = ()


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


def stamp_s(text: str) -> float | None:
    """Return a stamp in seconds since 1970-01-01, as if it were UTC; None where it is none."""
    try:
        return datetime.strptime(text.strip(), STAMP).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def read_power_log(text: str) -> PowerLog:
    """Return the readings of a power log; lines that hold none are left out."""
    times: list[float] = []
    watts: list[float] = []
    lines: list[int] = []
    mark = ""
    for number, line in enumerate(text.split("\n"), 1):
        parts = line.split(",", 4)
        if len(parts) < 4 or parts[0] != "Time" or parts[2] != "Watts":
            continue
        time, power = stamp_s(parts[1]), _number(parts[3])
        if time is None or power is None or power < 0 or len(times) >= MOST_READINGS:
            continue
        times.append(time)
        watts.append(power)
        lines.append(number)
        mark = mark or line.partition(",Mark,")[2].split(",")[0].strip()
    return PowerLog(tuple(times), tuple(watts), mark[:200], tuple(lines))


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
