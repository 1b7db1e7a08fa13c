"""Fields that say that there is nothing, or that nothing is said."""

from __future__ import annotations

from ...caching import remembered
from ...language.reading import read


def is_none(text: str) -> bool:
    """Whether a whole text says that there is none of something: "none", "off", "without"."""
    return read(text).is_only("none_of_it")


def begins_with_none(text: str) -> bool:
    """Whether a text says first that there is none of something: "no rule", "none were dropped", "N/A"."""
    return is_unstated(text) or read(text).begins("none_of_it")


@remembered(1024)
def is_unstated(text: str) -> bool:
    """Whether a whole text says nothing: "N/A", "unknown", "not stated", a dash."""
    return not any(letter.isalnum() for letter in text) or read(text).is_only("unstated")
