"""The wire format of protocol buffers, as far as records of tracking tools need it."""

from __future__ import annotations

from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
MOST_OF_VARINT = 10
Field = tuple[int, int, bytes | int]
"""Number, wire type and value of a field; a varint is a number, all others are bytes."""


def fields(data: bytes) -> Iterator[Field]:
    """Yield the fields of a message; it ends where the bytes are no message any more."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == VARINT:
            value, at = _varint(data, at)
            yield key >> 3, kind, value
            continue
        size, at = _varint(data, at) if kind == BYTES else ({FIXED64: 8, FIXED32: 4}.get(kind, -1), at)
        if size < 0 or at + size > len(data):
            return
        yield key >> 3, kind, data[at : at + size]
        at += size


def messages(data: bytes, number: int) -> Iterator[bytes]:
    """Yield the values of the fields of a number that hold bytes."""
    for found, kind, value in fields(data):
        if found == number and kind == BYTES and isinstance(value, bytes):
            yield value


def varint(data: bytes, number: int) -> int:
    """Return the first plain number of a field; 0 where it has none."""
    return next((value for found, _, value in fields(data) if found == number and isinstance(value, int)), 0)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(MOST_OF_VARINT):
        if at >= len(data):
            return 0, len(data)
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:
            return value, at
    return 0, len(data)
