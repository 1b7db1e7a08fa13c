"""What the description of a result says as it was handed in, and how the logs of its runs call their platform."""

from __future__ import annotations

from msgspec import Struct

from ..case import Side
from ..facts.document.placeholders import is_blank

PLATFORMS = ("submission_platform", "sut_name")
"""Keys under which a log names what it ran on."""


class Stated(Struct, frozen=True):
    """Something that a result says of itself, and where."""

    words: str
    at: str


def handed_in(side: Side, field: str) -> Stated | None:
    """Return a field of the description; None where there is none, or it is blank or a template's."""
    description = side.arm.description
    words = description.fields.get(field) if description is not None else None
    if description is None or not isinstance(words, str) or not words.strip() or is_blank(words):
        return None
    return Stated(words, description.place("fields", field))
