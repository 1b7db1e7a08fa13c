"""Inline markup of Markdown and HTML, taken off a text so that it is known where each character stood."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from html import unescape

from ....schemas.pattern import Pattern

_BREAK = Pattern(r"<br */?>", re.IGNORECASE)
_STRUCK = Pattern(r"~~[^~]{1,400}~~|<(del|s|strike)>[^<>]{0,400}</\1>", re.IGNORECASE)
_IMAGE = Pattern(r"!\[[^\[\]]{0,400}\](?:\([^()]{0,2000}\)|\[[^\[\]]{0,400}\])")
_LINK = Pattern(r"\[([^\[\]]{0,400})\](?:\([^()]{0,2000}\)|\[[^\[\]^]{0,400}\])")
_BOLD = Pattern(r"(?<![A-Za-z0-9_])__(?=[^\s_])((?:[^_]|_(?!_)){1,400})__(?![A-Za-z0-9_])")
_STAR = Pattern(r"\\\*")
_RAISED = Pattern(r"(?<=[A-Za-z])<su[bp]>(?=[A-Za-z])")
_MARKS = Pattern(  # a star of a product, 8*32, is none
    r"(?!(?<=[0-9])\*[0-9]|(?<=\s)\*\s)\*{1,3}|`|\[\^[^\]]{0,40}\]|<sup>[^<>]{0,40}</sup>|</?[A-Za-z][^<>]{0,200}>"
)
_TAG = Pattern(r"</?[A-Za-z][^<>]{0,2000}>")
_ESCAPED = Pattern(r"\\([!-/:-@\[-`{-~])")
_ENTITY = Pattern(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")
_SPACES = Pattern(r"\s+")
_ANY = Pattern(r"[<~\[_\\*`&]|\s\s|[^\S ]")

Put = Callable[[re.Match[str]], tuple[int, str]]
"""From what is replaced to what stands there instead, and where that began."""
Seen = tuple[str, Sequence[int]]
"""A text, and where each of its characters stood in the text as written."""


def _literal(text: str) -> Put:
    return lambda match: (match.start(), text)


def _group(match: re.Match[str]) -> tuple[int, str]:
    return match.start(1), match[1]


def _character(match: re.Match[str]) -> tuple[int, str]:
    return match.start(), unescape(match[0])


_STEPS: tuple[tuple[str, Pattern, Put], ...] = (
    ("<", _BREAK, _literal(" ")),
    ("<~", _STRUCK, _literal("")),
    ("[", _IMAGE, _literal("")),
    ("[", _LINK, _group),
    ("_", _BOLD, _group),
    ("\\", _STAR, _literal("")),
    ("<", _RAISED, _literal(" ")),
    ("*`[<", _MARKS, _literal("")),
    ("\\", _ESCAPED, _group),
    ("&", _ENTITY, _character),
)
"""Signs without which a pattern cannot match, the pattern, and what stands there instead."""


def seen(text: str) -> Seen:
    """Return a text as a reader sees it, on one line: without marks, images and what is struck out."""
    found: Seen = (text, range(len(text)))
    if not _ANY.search(text):
        return stripped(found)
    for signs, pattern, put in _STEPS:
        if any(sign in found[0] for sign in signs):
            found = _replaced(found, pattern, put)
    return stripped(_replaced(found, _SPACES, _literal(" ")))


def seen_lines(text: str) -> Seen:
    """Return code in HTML as a reader sees it, with its lines."""
    found: Seen = (text, range(len(text)))
    for sign, pattern, put in (("<", _BREAK, _literal("\n")), ("<", _TAG, _literal("")), ("&", _ENTITY, _character)):
        found = _replaced(found, pattern, put) if sign in found[0] else found
    return found


def plain(text: str) -> str:
    """Return a cell or a heading as a reader sees it."""
    return seen(text)[0]


def stripped(found: Seen) -> Seen:
    """Return a text without the blanks at its ends."""
    text, at = found
    first = len(text) - len(text.lstrip())
    last = len(text.rstrip())
    return text[first:last], at[first:last]


def _replaced(found: Seen, pattern: Pattern, put: Put) -> Seen:
    text, at = found
    pieces: list[str] = []
    places: list[int] = []
    end = 0
    for match in pattern.finditer(text):
        if match[0] == " ":
            continue
        first, instead = put(match)
        pieces += (text[end : match.start()], instead)
        places += at[end : match.start()]
        kept = len(instead) == len(match[0]) or first > match.start()
        places += at[first : first + len(instead)] if kept else [at[match.start()]] * len(instead)
        end = match.end()
    if not end:
        return found
    return "".join((*pieces, text[end:])), [*places, *at[end:]]


def runs(at: Sequence[int], begins: Collection[int]) -> Iterator[tuple[int, int]]:
    """Yield offsets of a text, with where its characters stood: at the first, behind each gap, and where a line begins.

    Args:
        at: where each character stood.
        begins: where lines begin.
    """
    if isinstance(at, range):
        yield 0, at.start
        yield from ((begin - at.start, begin) for begin in begins if at.start < begin < at.stop)
        return
    before = -2
    for offset, place in enumerate(at):
        if place != before + 1 or place in begins:
            yield offset, place
        before = place
