"""Power of a result of MLPerf Inference: what the workflow of the suite measured at the wall while the run was going.

Beside the logs of LoadGen lie `spl.txt` with the readings of the meter, for the run and for the one that set its range,
and in `power/` the records of the session (`client.json`, `server.json`) and the log of the meter's program. Readings
count that lie between the stamps `power_begin` and `power_end` of the run, as in the suite's own evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from .draft import Origin, at
from .handed import Handed
from .mlperf_inference_run import Logs, work_of
from .power_log import MeterLog, PowerLog, read_meter_log, read_power_log, stamp_s
from .power_session import Session, clock_offset_s, read_session, recorded_as, to_utc_s

READINGS, METER, CLIENT, SERVER = "spl.txt", "power/ptd_logs.txt", "power/client.json", "power/server.json"
STREAMS = frozenset({"singlestream", "multistream"})
RECORDED = frozenset(
    {"power/client.log", "power/server.log", METER}
    | {
        f"{run}/{name}"
        for run in ("ranging", "run_1")
        for name in ("mlperf_log_detail.txt", "mlperf_log_summary.txt", READINGS)
    }
)
"""Files that stay as they were written: what LoadGen logs of outputs is cut before it is handed in."""


class Power(Struct, frozen=True):
    """Power of a result.

    Attributes:
        energy: what an arm states of it.
        value: the figure that the suite scores, where the logs give it.
        unit: its unit: W, or mJ/query where queries come one after the other.
        origins: where the parts of `energy` stand, by JSON Pointer within it.
    """

    energy: Mapping[str, Any]
    value: str | None
    unit: str
    origins: Mapping[str, Origin]


class Window(Struct, frozen=True):
    """The readings of one phase that lie within its run.

    Attributes:
        duration_s: time between the stamps of the run.
        watts: readings between them; None without a power log.
        begun_s, ended_s: those stamps, in UTC.
        line: first line of a reading within.
    """

    duration_s: float
    watts: tuple[float, ...] | None
    begun_s: float
    ended_s: float
    line: int = 1

    @property
    def mean_w(self) -> float | None:
        """Mean of the readings."""
        return sum(self.watts) / len(self.watts) if self.watts else None


def power_of(folder: str, run: Logs, ranging: Logs | None, read: Callable[[str], Handed | None]) -> Power | None:
    """Return the power of a result, or None where nothing of it lies in its folder.

    Args:
        folder: the folder of the measurement, as `performance/`, in which `power/` stands beside the run's folder.
        run: logs of the run.
        ranging: logs of the run that set the meter's range.
        read: returns a file by its path, or None where there is no such text.
    """
    home = run.file.name.rpartition("/")[0] if run.file is not None else ""
    readings = read(f"{home}/{READINGS}") if home else None
    meter = read(folder + METER)
    client, server = read_session(read(folder + CLIENT)), read_session(read(folder + SERVER))
    if readings is None and meter is None and client is None and server is None:
        return None
    log = read_power_log(readings.text) if readings is not None else None
    window = _window(run, log, client, server, "testing")
    energy: dict[str, Any] = {"boundary": "node", "method": "meter"}
    origins = {"": _first(readings, server, client, meter)}
    if window is not None:
        energy |= _measured(run, window)
        origins["/duration_s"] = _first(run.detail)
        if readings is not None:
            origins["/mean_power_w"] = origins["/updates"] = Origin(readings.name, window.line)
    ranged = _ranging(folder, ranging, client, server, read)
    if ranged is not None:
        energy["ranging_duration_s"] = round(ranged.duration_s, 6)
        energy |= {"ranging_power_w": _short(ranged.mean_w)} if ranged.mean_w is not None else {}
    printed = read_meter_log(meter.text, log.mark) if meter is not None and log is not None else MeterLog()
    session = _session(client, server, log, printed)
    files = _files(folder, client, server, read)
    if files:
        session["files"] = {name: dict(entry) for name, (entry, _) in files.items()}
    if session:
        energy["session"] = session
        origins |= {"/session" + at("files", name): origin for name, (_, origin) in files.items()}
        origins["/session"] = _first(server, client, meter, readings)
    if printed.mean_w is not None and meter is not None:
        origins["/session/mean_power_w"] = origins["/session/readings"] = Origin(meter.name, printed.line)
    uncertainty = _uncertainty(printed, window, server)
    if uncertainty is not None and meter is not None:
        energy["uncertainty"], origins["/uncertainty"] = uncertainty[0], Origin(meter.name, uncertainty[1])
    if server is not None and server.meter is not None:
        energy["source"] = f"at the wall: {server.meter}"
    return Power(energy, *_scored(run, window), origins)


def _first(*found: Handed | Session | None) -> Origin:
    """Return the beginning of the first file that there is."""
    files = (each.file if isinstance(each, Session) else each for each in found)
    return Origin(next((file.name for file in files if file is not None), ""))


def _window(
    run: Logs, log: PowerLog | None, client: Session | None, server: Session | None, phase: str
) -> Window | None:
    """Return the readings within a run; None where the run's stamps are missing or a clock was set between them."""
    begun, ended = (stamp_s(run.text(key) or "") for key in ("power_begin", "power_end"))
    if begun is None or ended is None or not 0 < ended - begun < 1e7:
        return None
    shift = to_utc_s(begun, client, phase) - begun
    begun, ended = begun + shift, ended + shift
    if log is None:
        return Window(ended - begun, None, begun, ended)
    later = to_utc_s(log.times_s[0], server, phase) - log.times_s[0] if log.times_s else 0.0
    # The suite leaves out readings of zero: a meter that is asked too early gives them.
    within = [index for index, time in enumerate(log.times_s) if begun < time + later < ended and log.watts[index] > 0]
    line = log.lines[within[0]] if within else 1
    return Window(ended - begun, tuple(log.watts[index] for index in within), begun, ended, line)


def _measured(run: Logs, window: Window) -> dict[str, Any]:
    found: dict[str, Any] = {"duration_s": round(window.duration_s, 6)}
    if window.watts is not None:
        found["updates"] = len(window.watts)
    if window.mean_w is not None:
        found["mean_power_w"] = _short(window.mean_w)
    samples = _samples(run)
    return found | ({"work": samples} if samples is not None else {})


def _samples(run: Logs) -> float | None:
    """Return the samples that a run answered."""
    work, scenario = work_of(run), _scenario(run)
    each = run.number("generated_samples_per_query") if scenario in STREAMS else 1.0
    samples = work * each if work is not None and each is not None else None
    return samples if samples is not None and 0 < samples < 2**53 else None


def _scenario(run: Logs) -> str:
    return (run.text("effective_scenario", "scenario") or "").casefold().replace(" ", "")


def _ranging(
    folder: str,
    ranging: Logs | None,
    client: Session | None,
    server: Session | None,
    read: Callable[[str], Handed | None],
) -> Window | None:
    if ranging is None:
        return None
    readings = read(f"{folder}ranging/{READINGS}")
    log = read_power_log(readings.text) if readings is not None else None
    return _window(ranging, log, client, server, "ranging")


def _session(client: Session | None, server: Session | None, log: PowerLog | None, printed: MeterLog) -> dict[str, Any]:
    both = [session for session in (client, server) if session is not None]
    names = list(dict.fromkeys(each.identity for each in both if each.identity))
    found: dict[str, Any] = {"identities": names} if names else {}
    if client is not None and server is not None and (offset := clock_offset_s(client, server)) is not None:
        found["clock_offset_s"] = round(offset, 6)
    if log is not None and log.watts:
        found |= {"readings": len(log.watts), "mean_power_w": _short(sum(log.watts) / len(log.watts))}
    if printed.mean_w is not None:
        found |= {"printed_readings": printed.readings, "printed_mean_power_w": printed.mean_w}
    return found


def _files(
    folder: str, client: Session | None, server: Session | None, read: Callable[[str], Handed | None]
) -> dict[str, tuple[Mapping[str, str], Origin]]:
    """Return the files that the session recorded and that were handed in, with the places of their records."""
    found: dict[str, tuple[Mapping[str, str], Origin]] = {}
    for session in (client, server):
        for path, recorded in (session.recorded if session is not None else {}).items():
            file = read(folder + path) if path in RECORDED else None
            if file is None or session is None:
                continue
            digest, record = recorded_as(file.raw, recorded), session.file.name
            if file.name not in found or digest != recorded:
                entry = {"recorded": recorded, "found": digest, "record": record}
                found[file.name] = entry, Origin(record, pointer=at("results", path))
    return found


def _uncertainty(printed: MeterLog, window: Window | None, server: Session | None) -> tuple[float, int] | None:
    """Return the largest uncertainty that the meter's program warned of within the run, with its line."""
    if window is None or not printed.uncertainties:
        return None
    first = printed.uncertainties[0][0]
    shift = to_utc_s(first, server, "testing") - first
    within = [
        (share, line) for time, share, line in printed.uncertainties if window.begun_s < time + shift < window.ended_s
    ]
    return max(within, default=None)


def _scored(run: Logs, window: Window | None) -> tuple[str | None, str]:
    """Return what the suite scores: the mean power, or where queries come one by one the energy of each."""
    mean = window.mean_w if window is not None else None
    if _scenario(run) not in STREAMS:
        return (f"{mean:.6g}" if mean is not None else None), "W"
    queries = work_of(run)
    if mean is None or window is None or not queries:
        return None, "mJ/query"
    return f"{mean * window.duration_s * 1000 / queries:.6g}", "mJ/query"


def _short(watts: float | None) -> float | None:
    return float(f"{watts:.9g}") if watts is not None else None
