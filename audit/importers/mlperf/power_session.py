"""Records of a measuring session of the MLPerf power workflow: client.json of the system, server.json of the meter.

Each names the session, when its phases began and ended by its own clock, and the SHA-1 of every file that it wrote.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice

from msgspec import Struct

from ....schemas.pattern import Pattern
from ..records import Record, document
from ..report_file import ReportFile

PHASES = ("ranging", "testing")
_SHA1 = Pattern(r"[0-9a-f]{40}\Z")
_GO = Pattern(r"Go,([0-9]{1,9}),[^,]{0,20},(.{1,200})")
_RANGE = Pattern(r"SR,([AV]),(.{1,40})")
_VERSION = Pattern(r"\bversion=([0-9][0-9A-Za-z.]{0,20})")
MOST_FILES, MOST_ENTRIES = 100, 200


class Session(Struct, frozen=True):
    """One record of a session.

    Attributes:
        file: where it stands.
        identity: the session's name with the identities of both sides.
        timezone_s: what its machine adds to local time for UTC, without summer time.
        phases: stamps in seconds since 1970-01-01 UTC by phase; work is done between the second and the third.
        recorded: SHA-1 by path below the folder of the measurement.
        name: the session's name.
        meter: what the meter and its program call themselves.
        marks: what the meter's program was told to call the readings of each phase, in their order.
        is_ranged: whether the meter had ranges of its own when the last phase began; None where not told.
        interval_s: time between readings that the meter was asked for.
        debug: whether the session was run to try the tool.
    """

    file: ReportFile
    identity: str
    timezone_s: float
    phases: Mapping[str, tuple[float, ...]]
    recorded: Mapping[str, str]
    name: str
    meter: str | None
    marks: tuple[str, ...]
    is_ranged: bool | None
    interval_s: float | None
    debug: bool


def read_session(file: ReportFile | None) -> Session | None:
    """Return the record of a session, or None where a file is none."""
    if file is None or file.json is None or not isinstance(file.json.value, dict):
        return None
    record = document(file)
    if "session_name" not in record or "phases" not in record:
        return None
    sides = sorted((side, record.get("uuid", side)) for side in record.inner("uuid") or ())
    names = [("session", record.get("session_name")), *sides]
    identity = ", ".join(f"{name} {text}" for name, text in names if isinstance(text, str))
    digests = {path: record.get("results", path) for path in list(record.inner("results") or ())[:MOST_FILES]}
    recorded = {path: text for path, text in digests.items() if isinstance(text, str) and _SHA1.match(text)}
    zone = _finite(record.get("timezone")) or 0.0
    stamps = {phase: _stamps(record, phase) for phase in PHASES}
    name = record.get("session_name")
    messages = _messages(record)
    asked = [match for command, _ in messages if (match := _GO.match(command)) is not None]
    intervals = [int(match[1]) / 1000 for match in asked if int(match[1])]
    return Session(
        file,
        identity[:400],
        zone,
        stamps,
        recorded,
        name[:200] if isinstance(name, str) else "",
        _meter(messages),
        tuple(match[2] for match in asked),
        _is_ranged(messages),
        max(intervals, default=None),
        record.get("debug") is True,
    )


def clock_offset_s(client: Session, server: Session) -> float | None:
    """Return the largest difference between the two clocks over the stamps of all phases, in seconds."""
    pairs = [
        zip(client.phases[name], server.phases[name], strict=True)
        for name in PHASES
        if len(client.phases[name]) == len(server.phases[name])
    ]
    return max((abs(mine - theirs) for mine, theirs in chain.from_iterable(pairs)), default=None)


def recorded_as(data: bytes, recorded: str) -> str:
    """Return the SHA-1 of a file, and the recorded one where it differs in nothing but its line ends."""
    found = _sha1(data)
    if found == recorded:
        return found
    plain = data.replace(b"\r\n", b"\n")
    return recorded if recorded in {_sha1(plain), _sha1(plain.replace(b"\n", b"\r\n"))} else found


def utc_shift_s(first: float, last: float, session: Session | None, phase: str) -> float:
    """Return what makes local stamps UTC: that of local time, UTC and summer time by which they meet their phase.

    Programs of the workflow write local time or UTC, by version. Where neither fits, it is that of local time.

    Args:
        first: the first stamp.
        last: the last stamp.
        session: the record of the machine that wrote them.
        phase: the phase that they are said to be of.
    """
    if session is None:
        return 0.0
    shifts = (session.timezone_s, 0.0, session.timezone_s - 3600)
    return next((shift for shift in shifts if in_phase(first + shift, last + shift, session, phase)), shifts[0])


def in_phase(first_s: float, last_s: float, session: Session | None, phase: str) -> bool | None:
    """Return whether times meet a phase, to five seconds; None where the session does not say when that was."""
    stamps = session.phases[phase] if session is not None else ()
    return first_s <= stamps[2] + 5 and last_s >= stamps[1] - 5 if len(stamps) > 2 else None


def _sha1(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


def _messages(record: Record) -> list[tuple[str, str]]:
    """Return commands to the meter's program with its replies."""
    pairs = [(each.get("cmd"), each.get("reply")) for each in islice(record.objects("ptd_messages"), MOST_ENTRIES)]
    return [(cmd, reply) for cmd, reply in pairs if isinstance(cmd, str) and isinstance(reply, str)]


def _is_ranged(messages: Sequence[tuple[str, str]]) -> bool | None:
    """Return whether voltage and current had ranges of their own when the last phase began."""
    ranges: dict[str, str] = {}
    found = None
    for command, _ in messages:
        set_range = _RANGE.match(command)
        if set_range is not None:
            ranges[set_range[1]] = set_range[2]
        elif command.startswith("Go,"):
            found = "Auto" not in ranges.values() if len(ranges) == 2 else None
    return found


def _meter(messages: Iterable[tuple[str, str]]) -> str | None:
    """Return meter and program as the program answered when it was asked to identify itself."""
    reply = next((reply for command, reply in messages if command == "Identify"), None)
    if reply is None:
        return None
    version, kind = _VERSION.search(reply), reply.partition(",")[0]
    names = reply.rpartition(",")[2].split(";")[:2]
    device = f"{' '.join(names)} ({kind})" if len(names) == 2 else kind
    return f"{device.strip()[:200]} read by PTDaemon" + (f" {version[1]}" if version is not None else "")


def _stamps(record: Record, phase: str) -> tuple[float, ...]:
    pairs = (record.array("phases", phase) or ())[:MOST_ENTRIES]
    found = [_finite(pair[0]) for pair in pairs if isinstance(pair, list) and pair]
    return tuple(time for time in found if time is not None)


def _finite(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if abs(value) < 1e12 else None
