"""Detailed logs of LoadGen, the load generator of MLPerf Inference, in both forms, as events of one vocabulary.

:::MLLOG {"key": "effective_scenario", "value": "Server", "time_ms": 0.04995, "namespace": "mlperf::logging", ...}
"pid": 16125, "tid": 16125, "ts": 193181ns : Scenario : Offline                                      (up to v0.7)

Times are milliseconds since the generator's start. What the first form calls effective or requested in every key, the
second says in a heading before the settings.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from ....rules.trace import Event, Malformed
from ..draft import LARGEST
from .loadgen_summary import slug

MARKER = ":::MLLOG "
_MARKER = MARKER.encode()
_BEGINS = b"\n" + _MARKER
_AS_THEY_ARE = {bool, type(None), float}
_LOADED = b'"key": "loaded_qsl_set", "value": ['
_LISTED = b"0123456789, "
MOST_EVENTS = 1_000_000
MOST_MALFORMED = 10_000
LONGEST = 1 << 20
SHOWN = 400
MARKS = frozenset({"effective_test_mode", "test_datetime", "power_begin", "power_end", "loaded_qsl_set"})
OWN_COUNTERS = frozenset(
    {
        "logger_start_reading_entries_retry_count",
        "logger_swap_request_slots_retry_count",
        "logger_swap_request_slots_retry_reencounter_count",
        "logger_swap_request_slots_retry_retry_count",
        "logger_tls_total_log_cas_fail_count",
        "logger_tls_total_swap_buffers_slot_retry_count",
    }
)
"""What the logger counts of itself after every test, in six of a dozen lines: no run is judged by it."""
_OLD = re.compile(r'"pid": [0-9]{1,20}, "tid": [0-9]{1,20}, "ts": ([0-9]{1,20})ns : ?(.*)')
_PAIR = re.compile(r'"([^"]{1,60})" : ([^,"]{1,60})')
_HEADINGS = {"Effective Settings": "effective_", "Requested Settings": "requested_"}
_NAMES = {
    "version": "loadgen_version",
    "date_+_time_of_test": "test_datetime",
    "system_under_test_sut_name": "sut_name",
    "query_sample_library_qsl_name": "qsl_name",
    "qsl_total_size": "qsl_reported_total_count",
    "qsl_performance_size*": "qsl_reported_performance_count",
}


class _Metadata(Struct, gc=False):
    is_error: Any = None


class _Line(Struct, gc=False):
    key: Annotated[str, msgspec.Meta(min_length=1)]
    time_ms: float | None = None
    value: Any = None
    metadata: _Metadata | None = None


_LINES = msgspec.json.Decoder(_Line)


def read_events(data: bytes) -> tuple[tuple[Event, ...], tuple[Malformed, ...]]:
    """Return the events of a detailed log in the order of the file, and the lines that cannot be read."""
    data = _with_counts(data)
    lines = _quickly(data)
    return (_events(lines), ()) if lines is not None else _slowly(data.decode("utf-8-sig", errors="replace"))


def _with_counts(data: bytes) -> bytes:
    """Return a log with the length of each list of loaded samples in its place: most of a log is such lists."""
    parts: list[bytes] = []
    done, at = 0, data.find(_LOADED)
    while at >= 0:
        begin = at + len(_LOADED)
        end = data.find(b"]", begin)
        held = data[begin:end] if end >= 0 else b"?"
        if not held.translate(None, _LISTED):
            count = held.count(b",") + 1 if held.strip() else 0
            parts += (data[done : begin - 1], b"%d" % count)
            done = end + 1
        at = data.find(_LOADED, begin)
    return b"".join((*parts, data[done:])) if parts else data


def _quickly(data: bytes) -> list[_Line] | None:
    """Return the lines of a log of the present form, decoded at once; None for any other, or if one cannot be read."""
    whole = data.removesuffix(b"\n")
    count = whole.count(b"\n") + 1
    if not whole.startswith(_MARKER) or not count == whole.count(_MARKER) == whole.count(_BEGINS) + 1 <= MOST_EVENTS:
        return None
    if len(whole) > LONGEST and max(map(len, whole.split(b"\n"))) > LONGEST:
        return None
    try:
        lines = _LINES.decode_lines(whole.replace(_BEGINS, b"\n")[len(_MARKER) :])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return lines if len(lines) == count else None


def _events(lines: list[_Line]) -> tuple[Event, ...]:
    # by key its kind and the text that all its events share
    kinds: dict[str, tuple[str, str]] = {}
    events = []
    for number, line in enumerate(lines, 1):
        if line.key in OWN_COUNTERS:
            continue
        known = kinds.get(line.key)
        if known is None:
            key = line.key[:SHOWN]
            known = kinds[line.key] = (key, _kind(key, flagged=False))
        key, kind = known
        if line.metadata is not None and line.metadata.is_error is True:
            kind = "error"
        value = line.value
        if value.__class__ not in _AS_THEY_ARE:
            value = _value(value)
        events.append(Event(number, line.time_ms, key, kind, value))
    return tuple(events)


def _slowly(text: str) -> tuple[tuple[Event, ...], tuple[Malformed, ...]]:
    """Read a log of any form line by line."""
    events: list[Event] = []
    malformed: list[Malformed] = []
    prefix = ""
    for number, line in enumerate(text.split("\n"), 1):
        if len(events) >= MOST_EVENTS:
            break
        at = line.find(MARKER)
        if at >= 0:
            found = _present(number, line, at)
            if isinstance(found, Malformed):
                malformed.append(found)
            elif found.key not in OWN_COUNTERS:
                events.append(found)
            continue
        match = _OLD.match(line.rstrip("\r")) if line.startswith('"pid"') else None
        if match is not None:
            heading = match[2].strip().rstrip(":").strip()
            if heading in _HEADINGS or not heading:
                prefix = _HEADINGS.get(heading, "")
            else:
                events.extend(_old(number, int(match[1]) / 1e6, heading, prefix))
    return tuple(events), tuple(malformed[:MOST_MALFORMED])


def _present(number: int, line: str, at: int) -> Event | Malformed:
    start = at + len(MARKER)
    if len(line) > LONGEST:
        return Malformed(number, at + 1, f"a line of at most {LONGEST:,} characters", line[at : at + SHOWN])
    try:
        value = json.loads(line[start:])
    except (ValueError, RecursionError) as error:
        column = start + getattr(error, "pos", 0) + 1
        return Malformed(number, column, "an object in JSON", line[at : at + SHOWN])
    key = value.get("key") if isinstance(value, dict) else None
    if not isinstance(key, str) or not key:
        return Malformed(number, start + 1, '"key" with a text', line[at : at + SHOWN])
    time, metadata = value.get("time_ms"), value.get("metadata")
    flagged = isinstance(metadata, dict) and metadata.get("is_error") is True
    key = key[:SHOWN].encode("utf-8", "replace").decode()
    plain = isinstance(time, int | float) and not isinstance(time, bool) and math.isfinite(time)
    return Event(number, float(time) if plain else None, key, _kind(key, flagged=flagged), _value(value.get("value")))


def _old(number: int, time_ms: float, text: str, prefix: str) -> Iterator[Event]:
    if text.startswith(("ERROR", "WARNING")):
        kind = "error" if text.startswith("ERROR") else "mark"
        yield Event(number, time_ms, text.partition(" ")[0].casefold(), kind, text[:SHOWN])
    elif text.startswith("GeneratedQueries:"):
        found = {slug(name): value.strip() for name, value in _PAIR.findall(text)}
        names = {"queries": "query_count", "samples_per_query": "samples_per_query", "duration": "query_duration"}
        for name, key in names.items():
            if name in found:
                yield Event(number, time_ms, f"generated_{key}", "stat", _text(found[name]))
    elif text.startswith(("POWER_BEGIN:", "POWER_END:")):
        stamp = text.rpartition('"time" : ')[2].strip()
        yield Event(number, time_ms, text.partition(":")[0].casefold(), "mark", stamp[:SHOWN])
    elif text.startswith("Loading QSL"):
        yield Event(number, time_ms, "loaded_qsl_set", "mark", text.count(",") + 1)
    else:
        name, separator, value = text.partition(" : ")
        if not separator:
            name, separator, value = text.partition(": ")
        key = slug(name)
        if separator and key and not key[0].isdigit():
            key = _NAMES.get(key, prefix + key)
            yield Event(number, time_ms, key, _kind(key, flagged=False), _text(value.strip()))


def _kind(key: str, *, flagged: bool) -> str:
    if flagged:
        return "error"
    if key in MARKS:
        return "mark"
    if key.startswith("effective_"):
        return "option"
    if key == "sut_name":
        return "identity"
    return "stat" if key.startswith(("result_", "num_", "early_", "generated_", "logger_")) else "mark"


def _value(value: Any) -> Any:
    """Return a value that an event can hold: long integers as text, long lists as their length, long texts cut."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value if abs(value) <= LARGEST else str(value)[:SHOWN]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return value[:SHOWN].encode("utf-8", "replace").decode()
    return len(value) if isinstance(value, list | dict) else None


def _text(text: str) -> Any:
    """Return a printed value: a whole number, a decimal number, a truth value, or the text."""
    if text in {"true", "false"}:
        return text == "true"
    if text.isascii() and text.isdigit() and len(text) <= 20:
        return _value(int(text))
    try:
        number = float(text)
    except ValueError:
        return text[:SHOWN]
    return number if math.isfinite(number) else text[:SHOWN]
