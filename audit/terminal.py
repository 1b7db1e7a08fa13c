"""Text from documents on its way to a terminal: nothing in it may steer the terminal or hide from the reader."""

from __future__ import annotations

import os
import re
import sys

_UNSAFE = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, joiners, fillers that show nothing
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero-width, line separators, bidirectional controls
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"  # fillers, variation selectors, BOM, annotations
    "\ud800-\udfff"  # surrogates: no encoder takes them
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # invisible musical controls, tag characters
    "]"
)
_COMMAND = re.compile(r"^([ \t]*):(?=:)|#(?=#(?:\[|vso\[))", re.MULTILINE)
LEAST_WIDTH = 40


def inert(text: str) -> str:
    r"""Return lines that no service for continuous integration reads as its commands, wherever their words come from.

    GitHub takes a line that begins with `::`, or that holds `##[`, for one; Azure `##vso[`. The first character of
    these becomes `\x3a` or `\x23`.
    """
    return _COMMAND.sub(lambda match: rf"{match[1] or ''}\x{ord(match[0][-1]):02x}", text)


def width(usual: int) -> int:
    """Return how many columns to write: COLUMNS where the environment sets it, else a narrower terminal's, else usual.

    Args:
        usual: what reads well where there is room.
    """
    set_by_user = os.environ.get("COLUMNS", "")
    if set_by_user.isdecimal() and int(set_by_user) > 0:
        return max(int(set_by_user), LEAST_WIDTH)
    try:
        shown = os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):  # no terminal
        shown = usual
    return max(min(shown or usual, usual), LEAST_WIDTH)


def safe(text: object) -> str:
    r"""Return text that shows every character and controls nothing.

    Control, invisible, bidirectional and surrogate characters become `\x1b`, `\u202e` or `\U000e0041`; a backslash
    stays as it is.
    """
    return _UNSAFE.sub(_escaped, str(text))


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
