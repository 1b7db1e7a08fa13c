"""Power of a result of MLPerf Inference: what the workflow of the suite measured at the wall while the run was going.

Beside the logs of LoadGen lie `spl.txt` with the readings of the meter, for the run and for the one that set its range,
and in `power/` the records of the session (`client.json`, `server.json`) and the log of the meter's program. Readings
count that lie between the stamps `power_begin` and `power_end` of the run, as in the suite's own evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from ....rules.facts.runs.instants import stamp_s
from ..draft import Origin, at
from ..drafting import stated
from ..report_file import ReportFile
from .inference_run import DETAIL, SUMMARY, Logs, wall_s, work_of
from .power_log import (
    MeterLog,
    PowerLog,
    Reading,
    copied,
    disordered,
    is_contradictory,
    longest_repeat,
    read_meter_log,
    read_power_log,
)
from .power_session import Session, clock_offset_s, in_phase, read_session, recorded_as, utc_shift_s

if TYPE_CHECKING:
    from ..fields import EnergyFields, MeterReadingsFields, MeterSessionFields, RecordedFileFields

READINGS, METER, CLIENT, SERVER = "spl.txt", "power/ptd_logs.txt", "power/client.json", "power/server.json"
STREAMS = frozenset({"singlestream", "multistream"})
RECORDED = frozenset(
    {"power/client.log", "power/server.log", METER}
    | {f"{run}/{name}" for run in ("ranging", "run_1") for name in (DETAIL, SUMMARY, READINGS)}
)
"""Files that stay as they were written: what LoadGen logs of outputs is cut before it is handed in."""
DUE = ("run_1/spl.txt", "run_1/mlperf_log_detail.txt")
"""Files without whose digest nothing ties the power to the run."""


class Power(Struct, frozen=True):
    """Power of a result.

    Attributes:
        energy: what an arm states of it.
        value: the figure that the suite scores, where the logs give it.
        unit: its unit: W, or mJ/query where queries come one after the other.
        origins: where the parts of `energy` stand, by the steps to them within it.
    """

    energy: EnergyFields
    value: str | None
    unit: str
    origins: Mapping[tuple[str, ...], Origin]


class Window(Struct, frozen=True):
    """The part of a power log that lies within its run.

    Attributes:
        begun_s, ended_s: stamps of the run, in UTC.
        shift_s: what makes stamps of the power log UTC.
        readings: readings between them; None without a power log.
        placed: whether run and log lie in the phase of the session; None where it does not say when that was.
    """

    begun_s: float
    ended_s: float
    shift_s: float
    readings: tuple[Reading, ...] | None
    placed: bool | None

    @property
    def duration_s(self) -> float:
        """Time between the stamps of the run."""
        return self.ended_s - self.begun_s

    @property
    def mean_w(self) -> float | None:
        """Mean of the readings above zero, as the suite takes it: a meter that is asked too early answers zero."""
        watts = [reading.watts for reading in self.readings or () if reading.watts > 0]
        return sum(watts) / len(watts) if watts else None

    @property
    def longest_gap_s(self) -> float | None:
        """Longest time without a reading."""
        if not self.readings:
            return None
        times = (self.begun_s, *(reading.time_s + self.shift_s for reading in self.readings), self.ended_s)
        return max(later - before for before, later in pairwise(times))


class Measurement(Struct, frozen=True):
    """The files of a measurement as read; a part is None where it was not handed in, or cannot be read."""

    run: Logs
    client: Session | None
    server: Session | None
    log: PowerLog | None
    ranging_log: PowerLog | None
    window: Window | None
    ranging: Window | None
    printed: MeterLog
    files: Mapping[str, ReportFile]

    def first(self, *names: str) -> Origin:
        """Return the beginning of the first file of some names."""
        return Origin(next((self.files[name].name for name in names if name in self.files), ""))


def power_of(folder: str, run: Logs, ranging: Logs | None, read: Callable[[str], ReportFile | None]) -> Power | None:
    """Return the power of a result, or None where nothing of it lies in its folder.

    Args:
        folder: the folder of the measurement, as `performance/`, in which `power/` stands beside the run's folder.
        run: logs of the run.
        ranging: logs of the run that set the meter's range.
        read: returns a file by its path, or None where there is no such text.
    """
    measurement = _read(folder, run, ranging, read)
    if measurement is None:
        return None
    window, printed, files = measurement.window, measurement.printed, measurement.files
    energy: EnergyFields = {"boundary": "node", "method": "meter", **_measured(measurement)}
    first = measurement.first(READINGS, SERVER, CLIENT, METER)
    origins: dict[tuple[str, ...], Origin] = {(): first}
    origins["duration_s",] = Origin(run.detail.name) if run.detail is not None else first
    if window is not None and window.readings and READINGS in files:
        origins["mean_power_w",] = origins["updates",] = Origin(files[READINGS].name, window.readings[0].line)
    session = _session(measurement)
    recorded = _recorded(folder, measurement, read)
    if recorded:
        session["files"] = {name: entry for name, (entry, _) in recorded.items()}
    lacking = list(_lacking(folder, measurement, recorded))
    if lacking:
        session["lacking"] = lacking
    energy["session"] = session
    origins |= {("session", "files", name): origin for name, (_, origin) in recorded.items()}
    origins["session",] = measurement.first(SERVER, CLIENT, METER, READINGS)
    if METER in files:
        origins["session", "printed_mean_power_w"] = Origin(files[METER].name, printed.line)
        uncertainty = _uncertainty(measurement)
        if uncertainty is not None:
            energy["uncertainty"], origins["uncertainty",] = uncertainty[0], Origin(files[METER].name, uncertainty[1])
    server = measurement.server
    if server is not None and server.meter is not None:
        energy["source"] = f"at the wall: {server.meter}"
    return Power(energy, *_scored(measurement), origins)


def _read(folder: str, run: Logs, ranging: Logs | None, read: Callable[[str], ReportFile | None]) -> Measurement | None:
    home = run.file.name.rpartition("/")[0] if run.file is not None else ""
    paths = {READINGS: f"{home}/{READINGS}" if home else READINGS, f"ranging/{READINGS}": f"{folder}ranging/{READINGS}"}
    paths |= {name: folder + name for name in (METER, CLIENT, SERVER)}
    files = {name: file for name, path in paths.items() if (file := read(path)) is not None}
    if not files.keys() & {READINGS, METER, CLIENT, SERVER}:
        return None
    client, server = read_session(files.get(CLIENT)), read_session(files.get(SERVER))
    logs = {name: read_power_log(files[name].text) for name in paths if name.endswith(READINGS) and name in files}
    log, ranging_log = logs.get(READINGS), logs.get(f"ranging/{READINGS}")
    meter = read_meter_log(files[METER].text, log.mark) if METER in files and log is not None else MeterLog()
    window = _window(run, log, client, server, "testing")
    same = ranging is not None and _scenario(ranging) == _scenario(run)
    ranged = _window(ranging, ranging_log, client, server, "ranging") if ranging is not None and same else None
    return Measurement(run, client, server, log, ranging_log, window, ranged, meter, files)


def _window(
    run: Logs, log: PowerLog | None, client: Session | None, server: Session | None, phase: str
) -> Window | None:
    """Return the readings within a run; None where the run's stamps are missing or a clock was set between them."""
    stamp, elapsed = stamp_s(run.text("power_begin") or ""), wall_s(run)
    if stamp is None or not elapsed:
        return None
    begun = stamp + utc_shift_s(stamp, stamp + elapsed, client, phase)
    ended = begun + elapsed
    placed = [in_phase(time, time, client, phase) for time in (begun, ended)]
    shift = 0.0
    if log is not None and log.readings:
        first, last = log.readings[0].time_s, log.readings[-1].time_s
        shift = utc_shift_s(first, last, server, phase)
        placed.append(in_phase(first + shift, last + shift, server, phase))
    known = [each for each in placed if each is not None]
    within = (
        tuple(reading for reading in log.readings if begun < reading.time_s + shift < ended)
        if log is not None and (log.readings or not log.unread)
        else None
    )
    return Window(begun, ended, shift, within, all(known) if known else None)


def _measured(measurement: Measurement) -> EnergyFields:
    found: EnergyFields = {}
    window, ranging, log = measurement.window, measurement.ranging, measurement.log
    if window is not None:
        found["duration_s"] = round(window.duration_s, 6)
        if window.readings is not None:
            found["updates"] = sum(reading.watts > 0 for reading in window.readings)
        found["mean_power_w"] = _short(window.mean_w)
    found["work"] = _samples(measurement.run)
    if ranging is not None:
        found["ranging_duration_s"] = round(ranging.duration_s, 6)
        found["ranging_power_w"] = _short(ranging.mean_w)
    if log is not None:
        found["readings"] = _readings(log, window, measurement.ranging_log)
    return stated(found)


def _readings(log: PowerLog, window: Window | None, ranging: PowerLog | None) -> MeterReadingsFields:
    found: MeterReadingsFields = {"count": len(log.readings), "unread": log.unread}
    if log.readings:
        found["mean_power_w"] = _short(sum(reading.watts for reading in log.readings) / len(log.readings))
        found["contradictory"] = sum(map(is_contradictory, log.readings))
        found["disordered"] = disordered(log.readings)
        if ranging is not None:
            found["copied"] = copied(log.readings, ranging.readings)
    if window is not None and window.readings:
        found["longest_gap_s"] = round(window.longest_gap_s or 0.0, 6)
        found["longest_repeat"] = longest_repeat(window.readings)
    return found


def _samples(run: Logs) -> float | None:
    """Return the samples that a run answered."""
    work, scenario = work_of(run), _scenario(run)
    each = run.number("generated_samples_per_query") if scenario in STREAMS else 1.0
    samples = work * each if work is not None and each is not None else None
    return samples if samples is not None and 0 < samples < 2**53 else None


def _scenario(run: Logs) -> str:
    return (run.text("effective_scenario", "scenario") or "").casefold().replace(" ", "")


def _session(measurement: Measurement) -> MeterSessionFields:
    client, server, printed = measurement.client, measurement.server, measurement.printed
    window, ranging = measurement.window, measurement.ranging
    names = list(dict.fromkeys(_identities(measurement)))
    found: MeterSessionFields = {"identities": names} if names else {}
    if client is not None and server is not None and (offset := clock_offset_s(client, server)) is not None:
        found["clock_offset_s"] = round(offset, 6)
    placed = [each.placed for each in (window, ranging) if each is not None and each.placed is not None]
    if placed:
        found["in_phase"] = all(placed)
    if window is not None and ranging is not None:
        found["ranging_lead_s"] = round(window.begun_s - ranging.ended_s, 6)
    if server is not None and server.interval_s is not None:
        found["interval_s"] = server.interval_s
    if server is not None and server.is_ranged is not None:
        found["is_ranged"] = server.is_ranged
    if any(each is not None and each.debug for each in (client, server)):
        found["debug"] = True
    if printed.mean_w is not None:
        found |= {"printed_readings": printed.readings, "printed_mean_power_w": printed.mean_w}
    return found


def _identities(measurement: Measurement) -> Iterator[str]:
    """Yield the session as its records name it, and as its logs do where that is another one."""
    client, server = measurement.client, measurement.server
    yield from (each.identity for each in (client, server) if each is not None and each.identity)
    marks = server.marks if server is not None else ()
    for log, own in ((measurement.log, marks[-1:]), (measurement.ranging_log, marks[:1])):
        if log is None or not log.mark or server is None:
            continue
        if log.mark not in own if own else not log.mark.startswith(server.name):
            yield f"readings marked {log.mark}"


def _recorded(
    folder: str, measurement: Measurement, read: Callable[[str], ReportFile | None]
) -> dict[str, tuple[RecordedFileFields, Origin]]:
    """Return the files that the session recorded and that were handed in, with the places of their records."""
    found: dict[str, tuple[RecordedFileFields, Origin]] = {}
    for session in (measurement.client, measurement.server):
        for path, recorded in (session.recorded if session is not None else {}).items():
            file = read(folder + path) if path in RECORDED else None
            if file is None or session is None:
                continue
            digest, record = recorded_as(file.raw, recorded), session.file.name
            if file.name not in found or digest != recorded:
                entry: RecordedFileFields = {"recorded": recorded, "found": digest, "record": record}
                found[file.name] = entry, Origin(record, pointer=at("results", path))
    return found


def _lacking(folder: str, measurement: Measurement, recorded: Mapping[str, object]) -> Iterator[str]:
    """Yield in words what of a measurement was not handed in, or cannot be read."""
    client, server = measurement.client, measurement.server
    if measurement.window is None:
        yield "the stamps of the run, power_begin and power_end"
    if measurement.log is None or not measurement.log.readings:
        yield "the readings of the run, spl.txt"
    if measurement.ranging is None or measurement.ranging.mean_w is None:
        yield "the run of the same scenario that set the meter's range, with its readings"
    if client is None:
        yield "the record of the system's side, client.json"
    if server is None:
        yield "the record of the meter's side, server.json"
    for session, side in ((client, "client.json"), (server, "server.json")):
        if session is not None and not session.identity.count(", "):
            yield f"the identities of the session in {side}"
        if session is not None and len(session.phases["testing"]) < 3:
            yield f"the phases of the session in {side}"
    if server is not None and server.meter is None:
        yield "the name of the meter in server.json"
    if measurement.printed.mean_w is None:
        yield "what the meter's program logged of the session, ptd_logs.txt"
    if client is not None and server is not None:
        yield from (f"a digest of {path}" for path in DUE if folder + path not in recorded)


def _uncertainty(measurement: Measurement) -> tuple[float, int] | None:
    """Return the largest uncertainty that the meter's program warned of within the run, with its line."""
    window, warned = measurement.window, measurement.printed.uncertainties
    if window is None or not warned:
        return None
    shift = utc_shift_s(warned[0][0], warned[-1][0], measurement.server, "testing")
    within = [(share, line) for time, share, line in warned if window.begun_s < time + shift < window.ended_s]
    return max(within, default=None)


def _scored(measurement: Measurement) -> tuple[str | None, str]:
    """Return what the suite scores: the mean power, or where queries come one by one the energy of each."""
    run, window = measurement.run, measurement.window
    mean = window.mean_w if window is not None else None
    if _scenario(run) not in STREAMS:
        return (f"{mean:.6g}" if mean is not None else None), "W"
    queries = work_of(run)
    if mean is None or window is None or not queries:
        return None, "mJ/query"
    return f"{mean * window.duration_s * 1000 / queries:.6g}", "mJ/query"


def _short(watts: float | None) -> float | None:
    return float(f"{watts:.9g}") if watts is not None else None
