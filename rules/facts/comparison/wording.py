"""Free texts compared without taking another wording for another meaning."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from ....schemas.pattern import Pattern
from ..document.none_said import is_none
from .options import Same, same_value

_COMMIT = Pattern(r"(?<!\w)(?=[0-9a-f]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,64}(?!\w)")
_NUMBER = Pattern(r"\d+(?:\.\d+)*")


def same_words(left: str, right: str) -> Same:
    """Return whether two descriptions of one option mean the same.

    EQUAL after naming normalisation. DIFFERENT where one of them is "none" and the other is not, or where each holds a
    number (a size, a count, a version, a commit) that the other does not. UNKNOWN for any other wording: "greedy" and
    "argmax" may be one thing.
    """
    if same_value("", left, right) is Same.EQUAL:
        return Same.EQUAL
    if is_none(left) != is_none(right):
        return Same.DIFFERENT
    ours, theirs = _numbers(left), _numbers(right)
    return Same.DIFFERENT if _missing(ours, theirs) and _missing(theirs, ours) else Same.UNKNOWN


def same_version(left: str, right: str) -> Same:
    """Return whether two versions are one, as far as both tell: 2.6 and 2.6.0 are, 2.6.0 and 2.6.1 are not.

    UNKNOWN where one holds no number, or the two are written by different schemes (9.1.0 and 90100).
    """
    found = [_NUMBER.search(text) for text in (left, right)]
    if same_value("", left, right) is Same.EQUAL:
        return Same.EQUAL
    if found[0] is None or found[1] is None:
        return Same.UNKNOWN
    parts = [match[0].split(".") for match in found if match is not None]
    if (len(parts[0]) == 1) != (len(parts[1]) == 1) and max(len(parts[0][0]), len(parts[1][0])) >= 4:
        return Same.UNKNOWN
    return Same.EQUAL if _prefix(found[0][0], found[1][0]) else Same.DIFFERENT


def _numbers(text: str) -> frozenset[str]:
    plain = text.casefold()
    return frozenset(_COMMIT.findall(plain)) | frozenset(_NUMBER.findall(_COMMIT.sub(" ", plain)))


def _missing(some: AbstractSet[str], others: AbstractSet[str]) -> bool:
    """Whether some number is none of the others, nor a longer or shorter form of one."""
    return any(not any(_prefix(number, other) for other in others) for number in some)


def _prefix(left: str, right: str) -> bool:
    """Whether two numbers or commits are one, given to different lengths; a number and a commit are none."""
    if _COMMIT.search(left) or _COMMIT.search(right):
        return left.startswith(right) or right.startswith(left)
    ours, theirs = ([part.lstrip("0") for part in text.split(".")] for text in (left, right))
    return all(mine == other for mine, other in zip(ours, theirs, strict=False))
