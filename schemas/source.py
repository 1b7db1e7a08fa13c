"""A document as it was handed in: its bytes, its value, and where in the text each value stands."""

from __future__ import annotations

import sys
from functools import cached_property
from pathlib import Path
from typing import Literal

from msgspec import Struct, field

from . import strict_json
from .errors import UserError
from .files import open_regular
from .place import JsonValue, Place, place_at

__all__ = ["JsonValue", "Place", "Source", "parse", "read", "read_bytes"]

Format = Literal["json", "yaml"]


class Source(Struct, frozen=True, eq=False, dict=True):
    """A readable document."""

    name: str
    """What messages call it: its path, or `<stdin>`."""
    data: bytes
    """The bytes as they were read."""
    value: JsonValue
    format: Format
    _yaml_offsets: dict[str, int] = field(default_factory=dict)

    def place(self, pointer: str) -> Place:
        """Return where the value at a JSON Pointer begins; if it does not exist, where its nearest parent begins."""
        if self.format == "json":
            return place_at(self._text, self._positions.offset(pointer))
        while pointer and pointer not in self._yaml_offsets:
            pointer = pointer.rpartition("/")[0]
        return place_at(self._text, self._yaml_offsets[pointer])

    def line(self, number: int) -> str:
        """Return the text of a line, counted from 1, without its end; empty where there is no such line."""
        return self._lines[number - 1].removesuffix("\r") if 0 < number <= len(self._lines) else ""

    @cached_property
    def _text(self) -> str:
        return self.data.decode()

    @cached_property
    def _lines(self) -> list[str]:
        return self._text.split("\n")

    @cached_property
    def _positions(self) -> strict_json.Positions:
        return strict_json.Positions(self._text)


def read(path: Path | str, limit_bytes: int = strict_json.LIMIT_BYTES) -> Source:
    """Read a JSON or YAML document from a regular file, or from standard input for `-`.

    Raises:
        UserError: there is no such file, is no regular file, is too large, or not strict JSON or YAML.
    """
    name = "<stdin>" if str(path) == "-" else str(path)
    return parse(read_bytes(path, limit_bytes), name, limit_bytes=limit_bytes)


def parse(data: bytes, name: str, *, limit_bytes: int = strict_json.LIMIT_BYTES) -> Source:
    """Read a document from memory: YAML if `name` ends so, JSON if it ends so, else whichever its first character says.

    Raises:
        UserError: with `name:line:column`.
    """
    if _is_yaml(name, data):
        from . import strict_yaml

        value, offsets = strict_yaml.loads(data, name, limit_bytes=min(limit_bytes, strict_yaml.LIMIT_BYTES))
        return Source(name, data, value, "yaml", offsets)
    return Source(name, data, strict_json.loads(data, name, limit_bytes=limit_bytes), "json")


def _is_yaml(name: str, data: bytes) -> bool:
    suffix = Path(name).suffix.lower()
    if suffix in (".yaml", ".yml", ".json"):
        return suffix != ".json"
    return not data[:4096].lstrip().startswith((b"{", b"["))


def read_bytes(path: Path | str, limit_bytes: int) -> bytes:
    """Return the bytes of a regular file, or of standard input for `-`.

    Raises:
        UserError: there is no such file, it is no regular file, or it holds more than `limit_bytes`.
    """
    if str(path) == "-":
        data = sys.stdin.buffer.read(limit_bytes + 1)
    else:
        with open_regular(str(path)) as file:
            data = file.read(limit_bytes + 1)
    if len(data) > limit_bytes:
        name = "<stdin>" if str(path) == "-" else str(path)
        raise UserError(f"larger than {limit_bytes:,} bytes", "split it, or leave raw numbers in sample files", name)
    return data
