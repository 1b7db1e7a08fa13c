"""Power of an MLPerf Training result: the logs of its nodes and switches, and the energy that the suite makes of them.

Beside `BENCHMARK/result_N.txt` stands `BENCHMARK/power/result_N/node_K.txt` for each node, and `sw_K.txt` for each
switch. A node's log holds `power_measurement_start`, `power_reading` in watts and `power_measurement_stop`, that of a
switch `interconnect_power_est`; either may give a `conversion_eff`, by which its power is multiplied.

A node's mean power is that of the suite's summariser: each reading counts for the time since the one before it (the
first for that since the start), and the sum is divided by the window from start to stop, or to the last reading where
no stop is logged. The energy of a run is the power of all its nodes and switches times the run's own time from start to
stop. The score is the mean energy of the runs that the mean time counts: without the fastest and the slowest run, which
need not be those of the least and the most energy.

Of several runs, the power is the mean over those that succeeded. Readings and window are those of one log, the one
that is farthest below what the suite asks (60 readings, one a second) or else has fewest readings; a node of one run
that has no log in another has no reading there. So the window is not the time of the mean power, and no joules stand
beside it: the score holds the energy. A log that cannot be read leaves the number out that would rest on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ....rules.facts.runs.names import is_run_name
from ....rules.facts.runs.times import duration_s, is_successful
from ....rules.trace import Event, Logged, Trace
from ....schemas.pattern import Pattern
from ....schemas.runs import Run
from ..draft import LARGEST, Origin
from ..drafting import ArmDraft, Drafting
from .run_logs import RunLog
from .training_result import Result, counted, left_out

if TYPE_CHECKING:
    from ..fields import ClaimFields, EnergyFields, MetricFields

START, STOP, READING = "power_measurement_start", "power_measurement_stop", "power_reading"
EFFICIENCY, ESTIMATE = "conversion_eff", "interconnect_power_est"
DUE_READINGS, DUE_PER_SECOND = 60, 1
MOST_NAMED = 6
_METER = Pattern(r"(node|sw)_[^/]+\.txt")


class Meter(Struct, frozen=True):
    """What the power log of one node or switch says; a node without a log has no reading, and no power.

    Attributes:
        run: the run that its folder names.
        name: as `node_0`.
        file: its path; empty where there is no log.
        line: where its window begins.
        readings: readings in its window; None where they cannot be counted.
        window_s: its window, where it has one.
        power_w: mean power times conversion efficiency; None where none follows.
        efficiency: conversion efficiency, 1 where none is given; None where no power follows.
        lacking: why no power follows.
        longest_gap_s: longest time from one reading in its window to the next.
    """

    run: str
    name: str
    file: str = ""
    line: int = 1
    readings: int | None = 0
    window_s: float | None = None
    power_w: float | None = None
    efficiency: float | None = None
    lacking: str = ""
    longest_gap_s: float | None = None

    @property
    def is_switch(self) -> bool:
        """Whether it is a switch."""
        return self.name.startswith("sw_")

    @property
    def share(self) -> float:
        """Share of the readings that the suite asks for, at most 1; 1 also where they cannot be counted."""
        if self.readings is None:
            return 1.0
        due = max(1.0, DUE_PER_SECOND * (self.window_s or 0.0))
        return min(1.0, self.readings / DUE_READINGS, (self.readings + 1) / due)


class Place(Struct, frozen=True):
    """Where a file of a power folder belongs: folder of the result, run, and `node_0` or `sw_0` where it is a log."""

    folder: str
    run: str
    meter: str


def place_of(path: str) -> Place | None:
    """Return where a file of a power folder belongs, or None for a file elsewhere.

    Below `results/` a system and a benchmark stand before the power folder: either may be named so itself.
    """
    if "/power/" not in f"/{path}":
        return None
    above, _, rest = f"/{path}".rpartition("/power/")
    run, slash, file = rest.partition("/")
    if not slash or not is_run_name(f"{run}.txt"):
        return None
    if "/results/" in f"/{path}" and len(f"{above}/".rpartition("/results/")[2].split("/")) < 3:
        return None
    return Place(above[1:], run, file.removesuffix(".txt") if _METER.fullmatch(file) else "")


def put_energy(
    draft: Drafting, result: Result, claim: str, logs: Iterable[RunLog], traces: Mapping[tuple[str, str], Trace]
) -> list[str]:
    """Put the energy of a result into a draft that holds its arm: energy, score, and a claim of its own.

    Args:
        draft: the draft.
        result: the result.
        claim: id of the claim.
        logs: the files of its power folder.
        traces: the logs of its runs, by arm and run.

    Returns:
        what no field takes: files that no run has, and logs that cannot be read.
    """
    runs = [Logged(name, Run(at=trace.at), trace) for (_, name), trace in traces.items()]
    by_run = {_stem(run.trace.file): run for run in runs}
    found, unused = _meters(logs, frozenset(by_run))
    if not runs:
        return unused
    meters = _completed(found, by_run)
    powers = {run.id: _power(meters[_stem(run.trace.file)]) for run in runs}
    arm = draft.arm(result.key)
    every = [meter for name in by_run for meter in meters[name]]
    least = _least(every)
    energy = _energy(every, [powers[run.id] for run in runs if is_successful(run)], least)
    energy["source"] = _source(every, found)[:4000]
    arm.fields["energy"] = energy
    of_least = by_run[least.run]
    where = Origin(least.file, least.line) if least.file else Origin(of_least.trace.file)
    arm.place(where, "energy")
    time_s = duration_s(of_least)
    if least.window_s is not None and time_s is not None and 0 < time_s <= LARGEST:
        metered: MetricFields = {"quantity": "time", "value": f"{time_s / 60:.3f}", "unit": "min"}
        arm.put_metric("metered", {**metered, "scope": "training_run"}, None)
    score = _score_kj(tuple(runs), powers) if not result.weak else None
    if score is not None:
        scored: MetricFields = {"quantity": "energy", "value": score[0], "unit": "kJ", "statistic": "trimmed_mean"}
        scored["n"] = {"unit": "training_run", "completed": len(runs), "excluded": score[1]}
        arm.put_metric("energy", {**scored, "scope": "training_run"}, None)
    draft.put_claim(claim, _claim(arm, score, len(runs)), where)
    return unused


def _stem(path: str) -> str:
    """Return a run's name as its power folder has it: the log's up to the first dot."""
    return path.rpartition("/")[2].partition(".")[0]


def _meters(logs: Iterable[RunLog], runs: frozenset[str]) -> tuple[dict[str, list[Meter]], list[str]]:
    """Return the logs of nodes and switches by run, and what is none of them or cannot be read."""
    found: dict[str, list[Meter]] = {}
    unused = []
    for log in logs:
        place = place_of(log.path)
        if place is None or not place.meter or place.run not in runs:
            if log.marker:
                unused.append(log.path)
            continue
        meter = read_meter(log, place)
        if meter.lacking:
            unused.append(f"{log.path} ({meter.lacking})")
        found.setdefault(place.run, []).append(meter)
    return found, unused


def read_meter(log: RunLog, place: Place) -> Meter:
    """Return what the power log of a node or a switch says."""
    bare = Meter(place.run, place.meter, log.path)
    if not log.marker and log.bytes:
        return replace(bare, readings=None, lacking="no line of a power log")
    trace = Trace(log.events, log.malformed, log.path)
    read = _switch if bare.is_switch else _node
    return read(trace, bare)


def _switch(trace: Trace, bare: Meter) -> Meter:
    """Read the log of a switch: its first estimate, by the last conversion efficiency before it."""
    estimates = trace.of(ESTIMATE)
    if not estimates:
        return replace(bare, lacking="no estimate of a switch's power")
    first = estimates[0]
    before = [event for event in trace.of(EFFICIENCY) if event.line <= first.line]
    efficiency, watts = _efficiency(before), _watts(first)
    if efficiency is None or watts is None or trace.malformed:
        return replace(bare, line=first.line, lacking="its power is no number")
    return replace(bare, line=first.line, power_w=efficiency * watts, efficiency=efficiency)


def _node(trace: Trace, bare: Meter) -> Meter:
    """Read the log of a node; where start or stop is missing, the window for counting ends with the readings.

    A stop under the stamp of the start is none.
    """
    readings = [event for event in trace.in_time if event.key == READING]
    if trace.malformed or len(readings) < len(trace.of(READING)):
        where = trace.malformed[0].line if trace.malformed else 1
        return replace(bare, line=where, readings=None, lacking="lines that cannot be read")
    if not readings:
        return replace(bare, line=_line(trace), lacking="no reading")
    starts, stops = _times(trace, START), _times(trace, STOP)
    if starts == stops:
        stops = []
    begin, end = (starts or _of(readings[:1]))[0], (stops or _of(readings[-1:]))[-1]
    window_s = (end - begin) / 1000
    if not 0 <= window_s <= LARGEST:
        return replace(bare, line=_line(trace), readings=None, lacking="it stops before it starts")
    inside = [event for event in readings if begin <= (event.time_ms or 0.0) <= end]
    times = _of(inside)
    gap_s = max((after - before for before, after in pairwise(times)), default=0.0) / 1000 if inside else None
    whole = replace(bare, line=_line(trace), readings=len(inside), window_s=window_s or None, longest_gap_s=gap_s)
    if len(starts) != 1 or len(stops) > 1:
        return replace(whole, lacking="no single start and stop")
    efficiency = _efficiency([event for event in trace.in_time if event.key == EFFICIENCY])
    sum_wms = _integral_wms(inside, begin)
    if efficiency is None or sum_wms is None or not inside or not window_s:
        return replace(whole, lacking="its power is no number")
    return replace(whole, power_w=efficiency * sum_wms / 1000 / window_s, efficiency=efficiency)


def _times(trace: Trace, key: str) -> list[float]:
    return sorted(set(_of(trace.of(key))))


def _of(events: Iterable[Event]) -> list[float]:
    return [event.time_ms for event in events if event.time_ms is not None]


def _line(trace: Trace) -> int:
    """Return the line where a log's window begins, else that of its first event."""
    events = trace.of(START, READING) or trace.events
    return events[0].line if events else 1


def _integral_wms(readings: Iterable[Event], begin_ms: float) -> float | None:
    """Return the sum of each reading times the time since the one before, in watts times milliseconds."""
    parts, before = [], begin_ms
    for event in readings:
        watts, time = _watts(event), event.time_ms
        if watts is None or time is None:
            return None
        parts.append(watts * (time - before))
        before = time
    return math.fsum(parts)


def _watts(event: Event) -> float | None:
    """Return the number of an event, logged as such or as {"value": number}; None for one that is no power."""
    value = event.value.get("value") if isinstance(event.value, dict) else event.value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= LARGEST:
        return None
    return float(value)


def _efficiency(events: list[Event]) -> float | None:
    """Return the last conversion efficiency, 1 where none is given, None where it is no positive number."""
    if not events:
        return 1.0
    return _watts(events[-1]) or None


def _completed(found: Mapping[str, list[Meter]], runs: Iterable[str]) -> dict[str, list[Meter]]:
    """Return the meters of each run, with one that has no log for each that another run has."""
    names = sorted({meter.name for meters in found.values() for meter in meters}) or ["node_0"]
    if not any(name.startswith("node_") for name in names):
        names.append("node_0")
    completed = {}
    for run in runs:
        here = {meter.name: meter for meter in found.get(run, ())}
        completed[run] = [here.get(name) or Meter(run, name, lacking="no log") for name in names]
    return completed


def _power(meters: Iterable[Meter]) -> float | None:
    """Return the power of a run in watts, where that of all its nodes and switches is known."""
    powers = [meter.power_w for meter in meters]
    return math.fsum(power for power in powers if power is not None) if None not in powers else None


def _least(meters: Iterable[Meter]) -> Meter:
    """Return the node's log that is farthest below what is due; else one whose readings cannot be counted."""
    nodes = [meter for meter in meters if not meter.is_switch]
    return min(nodes, key=lambda meter: (meter.share, meter.readings is not None, meter.readings or 0))


def _energy(meters: list[Meter], powers: list[float | None], least: Meter) -> EnergyFields:
    energy: EnergyFields = {"boundary": "node", "method": "sampled"}
    known = [power for power in powers if power is not None]
    if powers and len(known) == len(powers) and fmean(known) <= LARGEST:
        energy["mean_power_w"] = round(fmean(known), 3)
    if least.window_s is not None:
        energy["duration_s"] = least.window_s
    if least.readings is not None:
        energy["updates"] = least.readings
    if least.longest_gap_s is not None:
        energy["readings"] = {"longest_gap_s": least.longest_gap_s}
    measured: dict[str, int] = {}
    for meter in meters:
        if meter.file and not meter.is_switch:
            measured[meter.run] = measured.get(meter.run, 0) + 1
    if measured:
        energy["nodes"] = min(measured.values())
    return energy


def _source(meters: list[Meter], found: Mapping[str, list[Meter]]) -> str:
    """Return in words what the logs cover, and which are not there."""
    runs = {meter.run for meter in meters}
    nodes = {meter.name for meter in meters if not meter.is_switch and meter.file}
    switches = {meter.name for meter in meters if meter.is_switch}
    words = f"power logs of {_count(len(nodes), 'node')}"
    if switches:
        words += f", and estimates of {_count(len(switches), 'switch')}"
    words += f", of {len(runs & set(found))} of {_count(len(runs), 'run')}"
    factors = sorted({meter.efficiency for meter in meters if meter.efficiency not in {None, 1.0}} - {None})
    if factors:
        shown = ", ".join(f"{factor:g}" for factor in factors[:MOST_NAMED])
        words += f"; times the conversion efficiency {shown}{', ...' if len(factors) > MOST_NAMED else ''}"
    missing = [f"{meter.name} of {meter.run}" for meter in meters if not meter.file]
    unread = [f"{meter.name} of {meter.run}" for meter in meters if meter.file and meter.lacking]
    return words + _named("without", missing) + _named("no power follows from", unread)


def _count(number: int, noun: str) -> str:
    plural = f"{noun}es" if noun.endswith("ch") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


def _named(word: str, names: list[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"; {word} {', '.join(names[:MOST_NAMED])}{more}"


def _score_kj(runs: tuple[Logged, ...], powers: Mapping[str, float | None]) -> tuple[str, int] | None:
    """Return the mean energy of the runs that count, as printed, and how many do not; None where a power is missing."""
    score = counted(runs)
    if score is None or any(powers[run.id] is None for run in runs if is_successful(run)):
        return None
    energies = [(powers[run.id] or 0.0) * (duration_s(run) or 0.0) / 1000 for run in score[0]]
    mean = fmean(energies)
    return (f"{mean:.3f}", score[1]) if mean <= LARGEST else None


def _claim(arm: ArmDraft, score: tuple[str, int] | None, runs: int) -> ClaimFields:
    """Return the claim, with the identity that the claim on the time has."""
    time = arm.draft.claims[arm.key]
    who = time["statement"].partition(": ")[0]
    if score is not None:
        words = f"{score[0]} kJ, the mean energy of {runs} logged runs without {left_out(score[1])}"
    else:
        words = f"power logs of {runs} logged run{'' if runs == 1 else 's'}, from which no energy follows"
    claim: ClaimFields = {"statement": f"{who}: {words}"[:4000]}
    if score is not None:
        claim |= {"value": score[0], "unit": "kJ", "statistic": "trimmed_mean"}
    claim |= {"quantity": "energy", "form": "absolute" if score is not None else "words", "scope": "training_run"}
    claim |= {"purpose": "leaderboard", "mode": "training", "compares": "none", "suite": "training"}
    if "division" in time:
        claim["division"] = time["division"]
    if "suite_result" in time:
        claim["suite_result"] = time["suite_result"]
    claim["measured"] = {"arm": arm.key}
    if score is not None:
        claim["measured"]["metric"] = "energy"
    return claim
