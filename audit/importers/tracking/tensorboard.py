"""Event files of TensorBoard as lines of JSON: a line for each scalar, with its tag, its step and its digits."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator

from .wire import BYTES, FIXED32, fields, messages, varint

KIND = "scalars of a TensorBoard event file"
"""What the first line says that the others are."""
MAGIC = b"brain.Event:"
LENGTH, CHECKSUM = 8, 4
HEAD = 64
MOST_SCALARS = 200_000
LONGEST_TAG = 200
STEP, SUMMARY, VALUE = 2, 5, 1
TAG, SIMPLE, TENSOR = 1, 2, 8
DTYPE, CONTENT, FLOATS, DOUBLES = 1, 4, 5, 6
FLOAT, DOUBLE = 1, 2


def is_run(data: bytes) -> bool:
    """Whether bytes begin as an event file does: a record that says which version of events follow."""
    return MAGIC in data[LENGTH + CHECKSUM : HEAD]


def as_lines(data: bytes) -> bytes:
    """Return the scalars of an event file as lines of JSON."""
    lines = [json.dumps({KIND: True})]
    for record in _records(data):
        if len(lines) > MOST_SCALARS:
            break
        step = varint(record, STEP)
        for summary in messages(record, SUMMARY):
            for item in messages(summary, VALUE):
                tag, printed = _scalar(item)
                if tag and printed:
                    lines.append(f'{{"step": {step}, "key": {json.dumps(tag)}, "value": {printed}}}')
    return ("\n".join(lines) + "\n").encode()


def _records(data: bytes) -> Iterator[bytes]:
    """Yield the records of a file; what is cut off at its end is none."""
    at = 0
    while at + LENGTH + CHECKSUM <= len(data):
        (size,) = struct.unpack_from("<Q", data, at)
        begin = at + LENGTH + CHECKSUM
        if begin + size + CHECKSUM > len(data):
            return
        yield data[begin : begin + size]
        at = begin + size + CHECKSUM


def _scalar(item: bytes) -> tuple[str, str]:
    """Return the tag of a value with its digits; empty ones where it is no scalar."""
    tag, printed = "", ""
    for number, kind, value in fields(item):
        if isinstance(value, int):
            continue
        if number == TAG and kind == BYTES:
            tag = value.decode("utf-8", errors="replace")[:LONGEST_TAG]
        elif number == SIMPLE and kind == FIXED32:
            printed = _single(value)
        elif number == TENSOR and kind == BYTES:
            printed = _of_tensor(value) or printed
    return tag, printed


def _of_tensor(tensor: bytes) -> str:
    """Return the digits of a tensor that is one number."""
    held = {number: value for number, _, value in fields(tensor)}
    form, content = held.get(DTYPE), held.get(CONTENT) or held.get(FLOATS) or held.get(DOUBLES)
    if not isinstance(content, bytes):
        return ""
    if form == FLOAT and len(content) == struct.calcsize("<f"):
        return _single(content)
    if form == DOUBLE and len(content) == struct.calcsize("<d"):
        (value,) = struct.unpack("<d", content)
        return _digits(repr(value), value)
    return ""


def _single(content: bytes) -> str:
    """Return the fewest digits that tell a number of single precision."""
    (value,) = struct.unpack("<f", content)
    texts = (f"{value:.{digits}g}" for digits in range(6, 10))
    short = next((text for text in texts if struct.pack("<f", float(text)) == content), repr(value))
    return _digits(short, value)


def _digits(text: str, value: float) -> str:
    return text if math.isfinite(value) else '"nan"' if math.isnan(value) else '"inf"'
