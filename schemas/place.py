"""Places in a document: JSON Pointers (RFC 6901) and lines with columns."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"


class Place(Struct, frozen=True, order=True):
    """A character of a text; line and column count from 1, a column is one character."""

    line: int
    column: int


def place_at(text: str, offset: int) -> Place:
    """Return the place of the character at `offset`; lines end with a line feed."""
    return Place(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


def split_pointer(pointer: str) -> list[str]:
    """Return the unescaped steps of a JSON Pointer; the empty pointer has none.

    Raises:
        ValueError: the pointer neither is empty nor begins with a slash.
    """
    if pointer and not pointer.startswith("/"):
        raise ValueError(f"no JSON Pointer: {pointer[:80]!r}")
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def join_pointer(steps: list[str | int]) -> str:
    """Return the JSON Pointer of unescaped steps."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def escaped(text: str, limit: int = 60) -> str:
    """Show a piece of a document in a message: one line, without control characters, cut to about `limit`."""
    return repr(text)[1:-1] if len(text) <= limit else repr(text[: limit - 1])[1:-1] + "…"


def short(text: str, limit: int = 60) -> str:
    """Quote a piece of a document in a message: as `escaped`, within quotation marks."""
    return repr(text) if len(text) <= limit else repr(text[: limit - 1]) + "…"
