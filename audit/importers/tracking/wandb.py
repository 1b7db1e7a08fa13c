"""Offline files of Weights & Biases as lines of JSON: a line for each number, with its key, its step and its digits."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator

from .wire import BYTES, fields, messages, varint

KIND = "numbers of a Weights & Biases offline run"
"""What the first line says that the others are."""
MAGIC = b":W&B"
HEAD, BLOCK = 7, 1 << 15
FULL, FIRST, MIDDLE, LAST = 1, 2, 3, 4
HISTORY, CONFIG, RUN = 2, 5, 17
CONFIG_OF_RUN = 4
ITEM, STEP, NUM = 1, 2, 1
KEY, NESTED, VALUE = 1, 2, 16
MOST_NUMBERS = 200_000
MOST_PARTS = 512
"""Parts of a record: longer ones are no numbers."""
LONGEST_KEY, LONGEST_NUMBER = 200, 64


def is_run(data: bytes) -> bool:
    """Whether bytes begin as the file of a run does that was not uploaded."""
    return data.startswith(MAGIC) and b"\0" in data[:HEAD]


def as_lines(data: bytes) -> bytes:
    """Return the numbers that a run logged, and those of its configuration, as lines of JSON."""
    lines = [json.dumps({KIND: True})]
    for record in _records(data):
        for number, kind, value in fields(record):
            if kind != BYTES or not isinstance(value, bytes):
                continue
            if number == HISTORY:
                step = next((varint(each, NUM) for each in messages(value, STEP)), 0)
                lines += [f'{{"step": {step}, {item}}}' for item in _items(value)]
            for config in [value] if number == CONFIG else messages(value, CONFIG_OF_RUN) if number == RUN else ():
                lines += [f"{{{item}}}" for item in _items(config)]
        if len(lines) > MOST_NUMBERS:
            break
    return ("\n".join(lines) + "\n").encode()


def _items(message: bytes) -> Iterator[str]:
    """Yield the plain numbers of a message as members of a JSON object; keys that begin with "_" are the tool's."""
    for item in messages(message, ITEM):
        keys = [value.decode("utf-8", errors="replace") for number in (KEY, NESTED) for value in messages(item, number)]
        key = ".".join(filter(None, keys))[:LONGEST_KEY]
        text = next(messages(item, VALUE), b"").decode("utf-8", errors="replace")
        if key and not key.startswith("_") and _is_number(text):
            yield f'"key": {json.dumps(key)}, "value": {text}'


def _is_number(text: str) -> bool:
    try:
        return (
            len(text) <= LONGEST_NUMBER and isinstance(json.loads(text), int | float) and text not in ("true", "false")
        )
    except ValueError:
        return False


def _records(data: bytes) -> Iterator[bytes]:
    """Yield the records of a log: parts of blocks of 32 KiB, put together; what is cut off at its end is none."""
    at, held = HEAD, list[bytes]()
    while at + HEAD <= len(data):
        left = BLOCK - at % BLOCK
        if left < HEAD:
            at += left
            continue
        _, size, part = struct.unpack_from("<IHB", data, at)
        begin = at + HEAD
        if part not in (FULL, FIRST, MIDDLE, LAST) or begin + size > len(data):
            return
        held = [] if part in (FULL, FIRST) else held
        held.append(data[begin : begin + size])
        if part in (FULL, LAST) and len(held) <= MOST_PARTS:
            yield b"".join(held)
        at = begin + size
