"""Fields that say that there is nothing, or that nothing is said."""

from __future__ import annotations

from ...caching import remembered
from ...language.reading import read


def is_none(text: str) -> bool:
    """Whether a whole text says that there is none of something: "none", "off", "without"."""
    return _said(text, "none_of_it", whole=True)


def begins_with_none(text: str) -> bool:
    """Whether a text says first that there is none of something: "no rule", "none were dropped", "N/A"."""
    return is_unstated(text) or _said(text, "none_of_it", whole=False)


@remembered(1024)
def is_unstated(text: str) -> bool:
    """Whether a whole text says nothing: "N/A", "unknown", "not stated", a dash."""
    return not any(letter.isalnum() for letter in text) or _said(text, "unstated", whole=True)


def _said(text: str, concept: str, *, whole: bool) -> bool:
    reading = read(text)
    words = [token for token in reading.tokens if token.text.isalnum()]
    return any(
        item.start <= words[0].start and (item.end >= words[-1].end or not whole) for item in reading.mentions(concept)
    )
