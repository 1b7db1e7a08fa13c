"""Lines of MLPerf training logs, of all rounds, as events; each line is read once, none is searched by a pattern.

:::MLLOG {"namespace": "", "time_ms": 1593136038653, "key": "seed", "value": 1, "metadata": {"lineno": 17}}
:::MLL 1561426495.331 seed: {"value": 1, "metadata": {"lineno": 17}}                        (v0.6)
:::MLPv0.5.0 gnmt 1544232580.120606184 (nmt.py:591) run_set_random_seed: 1                  (v0.5)
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from itertools import accumulate, repeat
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Struct

from ....rules.facts.runs.event_kinds import BESIDE_STOP, kind_of
from ....rules.trace import Event, Malformed

MARKER = b":::ML"
_PRESENT = b"LOG "
"""What follows the marker in the present form."""
LONGEST_BYTES = 1 << 16
MOST_BRACKETS = 2_000
MOST_EVENTS = 2_000_000
MOST_MALFORMED = 10_000
SHOWN = 400
LARGEST_COUNT = 1 << 64
MOST_PRINTED = 1_000
_WORDS = (
    (b"STARTING TIMING RUN AT ", "printed_begin", re.compile(rb"[A-Z ]{23}([0-9-]{10} [0-9:]{8} [AP]M)\s*$", re.M)),
    (b"RESULT,", "printed_seconds", re.compile(rb"RESULT,[^,\n]{0,60},[^,\n]{0,40},([0-9]{1,7}),", re.M)),
    (
        b"(AP) @[ IoU=0.50:0.95 | area=   all | maxDets=100 ] = ",
        "printed_ap",
        re.compile(rb"\(AP\)[^\]\n]{1,60}\] = ([01]\.[0-9]{1,9})\s*$", re.M),
    ),
)
"""What is printed beside the events: how it begins, its key, and its form."""
_LOOKED_AT = {int, dict, list, str}
_INSTEAD = {
    "Unterminated string": "the end of the text in quotes",
    "Invalid control character": "text without control characters",
    "Invalid \\uXXXX escape": "four hexadecimal digits",
    "Invalid \\escape": "a valid escape",
    "Expecting property name": "a name in quotes",
    "Illegal trailing comma": "no comma before the end",
}
"""What should stand where Python's reader of JSON complains, by the beginning of its complaint."""


class _Metadata(Struct, gc=False):
    """What stands beside a value and says where in the training it was logged."""

    samples_count: Any = None
    train_samples: Any = None
    consumed_samples: Any = None
    step_num: Any = None
    step: Any = None
    curr_global_step: Any = None
    current_iter_num: Any = None
    epoch_num: Any = None
    epoch: Any = None
    first_epoch_num: Any = None
    status: Any = None


class _Line(Struct, gc=False):
    key: Annotated[str, msgspec.Meta(min_length=1)]
    time_ms: float
    value: Any = None
    metadata: _Metadata | None = None
    # Another one is looked at slowly: it may be a word of the program, or text of another process inside the line.
    event_type: Literal["INTERVAL_START", "INTERVAL_END", "POINT_IN_TIME"] | None = None


class _Cut(Struct, frozen=True, gc=False):
    """A marker with what follows it, up to the end of its line or to the next marker; its column counts from 0."""

    line: int
    column: int
    body: bytes


_LINES = msgspec.json.Decoder(_Line)
_PACK = msgspec.msgpack.Encoder().encode


def read_lines(data: bytes) -> tuple[tuple[Event, ...], tuple[Malformed, ...]]:
    """Return the events of a log in the order of the file, and the lines that bear the marker and cannot be read."""
    malformed: list[Malformed] = []
    read_at_once = _quickly(data)
    if read_at_once is not None:
        numbers, lines = read_at_once
    else:
        numbers, lines = [], []
        for cut in _cuts(data):
            read = _slowly(cut)
            if isinstance(read, Malformed):
                malformed.append(read)
            else:
                lines.append(read)
                numbers.append(cut.line)
    if b"\0" in data:
        at = data.find(b"\0")
        line = data.count(b"\n", 0, at) + 1
        malformed.append(Malformed(line, at - data.rfind(b"\n", 0, at), "text without NUL characters"))
    events, printed = _events(numbers, lines), _printed(data)
    if printed:
        events = tuple(sorted((*events, *printed), key=lambda event: event.line))
    return events, tuple(sorted(malformed[:MOST_MALFORMED], key=lambda item: item.line))


def _printed(data: bytes) -> list[Event]:
    """Return what the script around a run prints of it in words, and the average precision of evaluations."""
    found: list[Event] = []
    for needle, key, pattern in _WORDS:
        at, counted, line = data.find(needle), 0, 1
        while at >= 0 and len(found) < MOST_PRINTED:
            match = pattern.match(data, at)
            line += data.count(b"\n", counted, at)
            counted = at
            if match is not None:
                text = match[1].decode()
                found.append(Event(line, None, key, "mark", int(text) if key == "printed_seconds" else text))
            at = data.find(needle, at + 1)
    return found


def _quickly(data: bytes) -> tuple[list[int], list[_Line]] | None:
    """Return all lines with their numbers, decoded at once; None if one cannot be read, or is not of the present form.

    Most lines of a log bear no marker, and are passed over without being cut out.
    """
    before, *parts = data.split(MARKER)
    if not parts or len(parts) > MOST_EVENTS or not all(map(bytes.startswith, parts, repeat(_PRESENT))):
        return None
    ends = map(bytes.count, (before, *parts[:-1]), repeat(b"\n"))
    parts[-1] += b"\n"
    try:
        lines = _LINES.decode_lines(b"\n".join([part[len(_PRESENT) : part.find(b"\n")] for part in parts]))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return (list(accumulate(ends, initial=1))[1:], lines) if len(lines) == len(parts) else None


def _cuts(data: bytes) -> Iterator[_Cut]:
    """Yield every marker with its line, its column from 0, and its payload; it ends with its line, or at the next."""
    at, line, begin, end, counted = data.find(MARKER), 1, 0, -1, 0
    for _ in range(MOST_EVENTS + 1):
        if at < 0:
            return
        if at > end:
            line += data.count(b"\n", counted, at)
            begin = data.rfind(b"\n", counted, at) + 1 or begin
            counted = at
            end = data.find(b"\n", at)
            end = len(data) if end < 0 else end
        following = data.find(MARKER, at + len(MARKER))
        yield _Cut(line, at - begin, data[at : min(following, end)] if following >= 0 else data[at:end])
        at = following


def _slowly(cut: _Cut) -> _Line | Malformed:
    """Return one line, or what is wrong with it."""
    if len(cut.body) > LONGEST_BYTES or cut.body.count(b"[") + cut.body.count(b"{") > MOST_BRACKETS:
        return _malformed(cut, 0, f"a line of at most {LONGEST_BYTES:,} characters")
    text = cut.body.decode("utf-8", errors="replace")
    head = text.partition(" ")[0]
    if head == ":::MLLOG":
        return _present(cut, text, len(head) + 1)
    if head == ":::MLL":
        return _round_0_6(cut, text)
    if head.startswith(":::MLPv0.5"):
        return _round_0_5(cut, text)
    return _malformed(cut, 0, ":::MLLOG and an object in JSON")


def _present(cut: _Cut, text: str, start: int) -> _Line | Malformed:
    value = _json(cut, text, start)
    if isinstance(value, Malformed):
        return value
    if not isinstance(value, dict):
        return _malformed(cut, start, "an object in JSON")
    key, time = value.get("key"), _number(value.get("time_ms"))
    if time is None and (seconds := _number(value.get("time_s"))) is not None:
        time = round(seconds * 1000, 3)
    if not isinstance(key, str) or not key:
        return _malformed(cut, start, '"key" with a text')
    if time is None:
        return _malformed(cut, start, '"time_ms" with a number')
    sort = value.get("event_type")
    if sort is not None and not (isinstance(sort, str) and sort.isidentifier()):
        return _malformed(cut, max(start, text.find('"event_type"')), '"event_type" with one word')
    return _Line(key, time, value.get("value"), _metadata(value.get("metadata")))


def _round_0_6(cut: _Cut, text: str) -> _Line | Malformed:
    """Read `:::MLL SECONDS KEY: {"value": .., "metadata": {..}}`."""
    _, _, rest = text.partition(" ")
    seconds, _, rest = rest.partition(" ")
    key, colon, payload = rest.partition(":")
    time = _seconds(seconds)
    if time is None or not colon or not key:
        return _malformed(cut, 7, "a time in seconds, a key and a colon")
    value = _json(cut, text, len(text) - len(payload.lstrip()))
    if isinstance(value, Malformed):
        return value
    if not isinstance(value, dict):
        return _malformed(cut, len(text) - len(payload), "an object in JSON")
    return _Line(key, time, value.get("value"), _metadata(value.get("metadata")))


def _round_0_5(cut: _Cut, text: str) -> _Line | Malformed:
    """Read `:::MLPv0.5.0 BENCHMARK SECONDS (FILE:LINE) KEY: VALUE`; the value is JSON or absent."""
    _, _, rest = text.partition(" ")
    _, _, rest = rest.partition(" ")
    seconds, _, rest = rest.partition(" ")
    time = _seconds(seconds)
    if time is None:
        return _malformed(cut, 0, "a benchmark and a time in seconds")
    if rest.startswith("("):
        rest = rest.partition(") ")[2]
    key, _, payload = rest.partition(":")
    key = key.strip()
    if not key:
        return _malformed(cut, len(text) - len(rest), "a key")
    value = _json(cut, text, len(text) - len(payload.lstrip())) if payload.strip() else None
    if isinstance(value, Malformed):
        return value
    metadata = _metadata(value) if isinstance(value, dict) else None
    if isinstance(value, dict) and "value" in value:
        value = value["value"]
    return _Line(key, time, value, metadata)


def _json(cut: _Cut, text: str, start: int) -> Any:
    try:
        value, end = json.JSONDecoder().raw_decode(text, start)
    except json.JSONDecodeError as error:
        return _malformed(cut, error.pos, _expected(error.msg))
    except (RecursionError, ValueError):
        return _malformed(cut, start, "JSON of few levels and short numbers")
    if "\\u" in text and _has_half_characters(value):
        return _malformed(cut, start, "whole characters")
    if text[end:].strip():
        return _malformed(cut, end + len(text[end:]) - len(text[end:].lstrip()), "the end of the line")
    return value


def _has_half_characters(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _expected(message: str) -> str:
    """Return what should stand there; of "Expecting value" and the like, what follows the first word."""
    meant = (words for beginning, words in _INSTEAD.items() if message.startswith(beginning))
    return next(meant, message.removeprefix("Expecting "))


def _malformed(cut: _Cut, offset: int, expected: str) -> Malformed:
    return Malformed(cut.line, cut.column + offset + 1, expected, cut.body[:SHOWN].decode("utf-8", errors="replace"))


def _metadata(value: object) -> _Metadata | None:
    if not isinstance(value, dict):
        return None
    return _Metadata(**{name: value.get(name) for name in _Metadata.__struct_fields__})


def _seconds(text: str) -> float | None:
    try:
        return round(float(text) * 1000, 3)
    except ValueError:
        return None


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _events(numbers: list[int], lines: list[_Line]) -> tuple[Event, ...]:
    """Turn lines into events; a time of zero among instants says nothing."""
    instants = any(line.time_ms > 1e11 for line in lines)
    started, short = False, _all_short(lines)
    # by key its kind and the text that all its events share, without a counter and with one; new when the run starts
    kinds: tuple[dict[str, tuple[str, str]], dict[str, tuple[str, str]]] = ({}, {})
    events = []
    for number, line in zip(numbers, lines, strict=True):
        key, value, metadata, time = line.key, line.value, line.metadata, line.time_ms
        samples = step = epoch = None
        if metadata is not None:
            samples, step, epoch = metadata.samples_count, metadata.step_num, metadata.epoch_num
            if samples.__class__ is int and step is None and epoch is None:
                samples = float(samples) if -LARGEST_COUNT < samples < LARGEST_COUNT else None
            else:
                samples, step, epoch = _counters(metadata)
            if metadata.status is not None and (value is None or key == "run_stop"):
                value = _short(metadata.status)
        if key == "run_start" and not started:
            started, kinds = True, ({}, {})
        counted = samples is not None or step is not None or epoch is not None
        known = kinds[counted].get(key)
        if known is None:
            known = kinds[counted][key] = key, kind_of(key, started=started, counted=counted)
        key, kind = known
        if kind == "eval":
            value = _of_eval(value)
        elif key == "run_stop":
            if line.value.__class__ is float:
                events.append(Event(number, time, BESIDE_STOP, "stat", line.value, samples, step, epoch))
            value = _ended(value)
        elif not short and value.__class__ in _LOOKED_AT:
            value = _short(value)
        events.append(Event(number, time if time or not instants else None, key, kind, value, samples, step, epoch))
    return tuple(events)


def _all_short(lines: list[_Line]) -> bool:
    """Whether no value holds an integer that `_short` would have to write as text."""
    try:
        _PACK([line.value for line in lines])
    except (OverflowError, RecursionError):
        return False
    return True


def _counters(metadata: _Metadata) -> tuple[float | None, float | None, float | None]:
    """Return samples, steps and epochs, each from the first name that is there."""
    samples, step, epoch = metadata.samples_count, metadata.step_num, metadata.epoch_num
    if samples is None:
        samples = metadata.consumed_samples if metadata.train_samples is None else metadata.train_samples
    if step is None:
        step = metadata.step
        if step is None:
            step = metadata.curr_global_step
            step = metadata.current_iter_num if step is None else step
    if epoch is None:
        epoch = metadata.first_epoch_num if metadata.epoch is None else metadata.epoch
    return _number(samples), _number(step), _number(epoch)


def _ended(value: Any) -> Any:
    """Return how a run ended, which early rounds wrote as {"success": true}."""
    if isinstance(value, dict) and str(value.get("success")).casefold() in {"true", "false"}:
        return "success" if str(value["success"]).casefold() == "true" else "aborted"
    return _short(value)


def _short(value: Any) -> Any:
    """Return a value whose integers fit 64 bits; longer ones, such as seeds of a generator, become text."""
    try:
        _PACK(value)
    except (OverflowError, RecursionError):
        return _shortened(value)
    return value


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shortened(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and not -(2**63) <= value < 2**64:
        return str(value)
    return value


def _of_eval(value: Any) -> Any:
    """Return an evaluation's value as a number where it was logged as text."""
    if not isinstance(value, str):
        return value
    try:
        return float(value)
    except ValueError:
        return value
