"""Names of devices as tokens: a printed name meets one of a table exactly, in any order, and never a part of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import TypeVar

from msgspec import Struct

from ...schemas.pattern import Pattern
from ..caching import remembered
from ..language.lexicon import words
from ..language.text import latin

_TOKEN = Pattern(r"[a-z0-9]+(?:\.[a-z0-9]+)*\+*")
_COUNT = Pattern(r"\A\s*[0-9]+\s*[x×]\s*(?=[a-z])")
_SIZE = Pattern(r"\b([0-9]+(?:\.[0-9]+)?)[\s_-]*(?:gib|gb|g)\b")
_MEMORY = Pattern(r"(?<![\d.])(\d{1,3}(?:\.\d{1,2})?)[\s-]?gi?b\b")
_POWER = Pattern(r"[0-9]+w\Z")
_MARKS = Pattern(r"\((?:r|tm|c)\)|[®™©]")
MOST_TOKENS = 10
"""A name of more tokens is a sentence: it matches nothing."""

V = TypeVar("V")


class Named(Struct, frozen=True):
    """A device by its name: the model alone, with its form and its memory where they are stated.

    Attributes:
        model: the name without vendor, form and memory.
        form: "sxm", "pcie" or another module, without its generation; None where it is not stated.
        memory: gigabytes as printed; None where they are not stated.
    """

    model: str
    form: str | None = None
    memory: str | None = None


@remembered(1024)
def plain(name: str) -> str:
    """Return a name without case, blanks and signs: "Top-1 accuracy" and "top1_accuracy" are one."""
    return "".join(letter for letter in latin(name).casefold() if letter.isascii() and letter.isalnum())


@remembered(1024)
def named(name: str) -> Named:
    """Return a printed name of a device by its parts: "NVIDIA A100-SXM4-80GB" is an a100, sxm, 80."""
    low = latin(name).casefold()
    memory, form = _MEMORY.search(low), _form().search(low)
    model = "".join(plain(part) for part in _parts(_form().sub(" ", _MEMORY.sub(" ", low))))
    return Named(model, form[1].replace("-", "") if form else None, memory[1] if memory else None)


@cache
def _form() -> Pattern:
    """Return the pattern of a module as it stands in a name, with its generation."""
    forms = "|".join(sorted(words("devices", "forms")))
    return Pattern(rf"(?<![a-z])({forms})\d?(?![a-z0-9])")


@remembered(1024)
def tokens(name: str) -> frozenset[str]:
    """Return the tokens of a printed name without makers, counts and wattages; "80 GB" and "80G" are `80gb`."""
    return frozenset(part for part in _parts(_SIZE.sub(r"\1gb", latin(name).casefold())) if not _POWER.match(part))


def _parts(low: str) -> Iterator[str]:
    bare = _COUNT.sub("", _MARKS.sub(" ", low))
    silent = words("devices", "says_nothing")
    return (match[0] for match in _TOKEN.finditer(bare) if match[0] not in silent)


def matching(index: Mapping[frozenset[str], V], name: frozenset[str]) -> tuple[tuple[frozenset[str], V], ...]:
    """Return the entries of a table whose tokens all stand in a name, each with the tokens that are left over."""
    if len(name) > MOST_TOKENS:
        return ()
    ordered = sorted(name)
    parts = (frozenset(part) for size in range(1, len(name) + 1) for part in combinations(ordered, size))
    return tuple((name - part, index[part]) for part in parts if part in index)
