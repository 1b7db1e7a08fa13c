"""Blanks of a template that nobody filled in: TODO, <driver version>, SUBMISSION_PLATFORM_PLACEHOLDER."""

from __future__ import annotations

from ....schemas.pattern import Pattern
from ...caching import remembered

MOST_WORDS = 5
"""Longer texts are prose and may speak of blanks."""
_BLANK = Pattern(
    r"(?<![\w-])(?:PLACEHOLDER|TODO|TBD|CHANGEME|UNSET)(?![\w-])|^(?i:tb[ad]|todo)[.:!?]*$|^\?\?"
    r"|(?<!\w)<[A-Za-z][\w .-]*>(?!\w)"
    r"|(?<![A-Z_])(?:[A-Z]+_)+(?:PLACEHOLDER|HERE)(?!\w)|(?<![A-Za-z_])YOUR(?:_[A-Z]+)+(?!\w)"
)


def is_blank(text: object) -> bool:
    """Whether a value is a short text that still holds a template's blank."""
    return isinstance(text, str) and _is_blank(text)


@remembered(4096)
def _is_blank(text: str) -> bool:
    return len(text.split()) <= MOST_WORDS and _BLANK.search(text) is not None
