"""What a cell of a table prints: a number with its digits, its unit, a word before it, a spread behind it."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal, cast

from msgspec import Struct

from ....rules.language import lexicon
from ....rules.language.cells import compound, printed
from ....schemas.pattern import Pattern
from ..draft import printed_text

Qualifier = Literal["over", "at_least", "up_to", "less_than", "about", "nearly"]
_NUMBER = r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?|[+-]?\.[0-9]+"
_CELL = Pattern(
    rf"\s*\$?(?P<number>{_NUMBER})(?P<more>\+(?![/-]))?\s*"
    rf"(?:(?P<in>\()?\s*(?:\+/-|\+-|±)\s*(?P<spread>{_NUMBER})\s*(?(in)\))\s*)?(?P<unit>[^\s0-9][^0-9]{{0,30}})?"
)
_SCALES = {"k": 3, "m": 6, "b": 9, "million": 6, "billion": 9}
_SECONDS = {"h": 3600, "min": 60, "s": 1}
_COLONS = Pattern(r"([0-9]{1,4}):([0-5][0-9])(?::([0-5][0-9](?:\.[0-9]{1,3})?))?")
ABSENT = frozenset({"-", "--", "n/a", "na", "none", "oom", "tbd", "unavailable"})
_LIST = Pattern(r"\s*(?:,|/|;|\band\b)\s*")


_FOREIGN = Pattern("[\u2e80-\u9fff\uff00-\uffef]")
_WORDS_OF_UNITS = (
    *(("毫秒", "ms"), ("微秒", "us"), ("纳秒", "ns"), ("分钟", "min"), ("小时", "h"), ("分", "min"), ("秒", "s")),
    *(("时间", "h"), ("時間", "h"), ("天", "days"), ("倍", "x"), ("约", "~"), ("約", "~"), ("％", "%")),
)  # fmt: skip


def in_plain_units(text: str) -> str:
    """Return a cell with the units of other scripts as English writes them: 25分钟 is 25min."""
    if not _FOREIGN.search(text[:200]):
        return text
    for word, plain in _WORDS_OF_UNITS:
        text = re.sub(rf"(?<=[0-9])\s*{word}" if plain != "~" else word, plain, text)
    return text


_NOTE = Pattern(r"\[[a-z]\]\Z")
"""The mark of a note behind a number: 27.12 [a]."""


_TWICE = Pattern(r"^([^±]{0,20}[0-9]) ?([A-Za-zµ%/]{1,12}) ?(?:±|\+/-) ?([0-9.,]{1,20}) ?\2$")
"""A number and its spread, each with the unit."""


_TIMES = Pattern(r"[x×]\s?(?=[0-9])(?!(?:86|64|32)\b)([^\s%x×]+)")
"""A factor with its sign before it: x3.04; x86 and x64 are none."""


class Number(Struct, frozen=True):
    """A number of a cell.

    Attributes:
        printed: its digits, without separators of thousands.
        unit: what follows it, or nothing.
        qualifier: the word or sign before it.
        spread: what follows a plus-minus sign.
    """

    printed: str
    unit: str = ""
    qualifier: Qualifier | None = None
    spread: str | None = None


def _qualified(text: str) -> tuple[Qualifier | None, str]:
    """Return what the word or sign before a number says of it, and the rest of its cell."""
    low = text.casefold()
    for word, qualifier in lexicon.classes("columns", "before_a_number").items():
        if low.startswith(word):
            return cast("Qualifier", qualifier), text[len(word) :]
    return None, text


def number(text: str) -> Number | None:
    """Return the number that a cell prints; None where it is empty, a text, or several numbers."""
    text = _TWICE.sub(r"\1 ± \3 \2", in_plain_units(text)[:400].strip())
    qualifier, rest = _qualified(text.strip()[:200].replace("−", "-").replace("\u00a0", " "))
    signed = _TIMES.fullmatch(rest)
    match = _CELL.fullmatch(f"{signed[1]}x" if signed is not None else rest)
    if match is None:
        bare = _without_aside(rest)
        return number(bare) if bare else None
    digits = match["number"]
    plain = printed_text(digits.replace("+", "", 1) if digits.startswith("+") else digits)
    if plain is None and digits.lstrip("+-").startswith("."):
        plain = printed_text(digits.replace(".", "0.", 1))
    spread = printed_text(match["spread"]) if match["spread"] else None
    if plain is None:
        return None
    unit = _NOTE.sub("", (match["unit"] or "").strip().strip("*†‡")).strip()
    if unit.startswith("/") and unit[1:].strip().casefold() in ABSENT:  # one of two numbers, and nothing says which
        return None
    unit, comma, behind = unit.partition(", ")
    if comma and behind.casefold() not in ABSENT:  # "sec, N/A" is a time without what the column holds beside it
        unit += comma + behind
    return Number(plain, unit, "at_least" if match["more"] else qualifier, spread)


def _without_aside(text: str) -> str:
    """Return a cell without a change or another quantity in brackets behind its number: "8.6 (+299 %)" is 8.6.

    Nothing where no such stands there: of two bare numbers none is the one that is meant.
    """
    before, bracket, aside = text.removesuffix(")").rpartition("(")
    if not bracket or not text.endswith(")") or not before.strip():
        return ""
    held = printed(aside)
    other = held is not None and (held.unit is not None or aside.strip()[:1] in {"+", "-"})
    return before.strip() if other else ""


def duration(text: str, clock: str = "") -> Number | None:
    """Return a time that a cell prints in several parts, in the smallest of their units; None for any other cell.

    Args:
        text: the cell: "4m30s", "1 h 5 min", "14:00:00".
        clock: what the heading says of two parts with a colon: "mm:ss", "hh:mm".
    """
    qualifier, bare = _qualified(in_plain_units(text).strip()[:60])
    bare = bare.strip().casefold()
    coloned = _COLONS.fullmatch(bare)
    if coloned is None:
        found = compound(bare) if number(bare) is None else None
        timed = found is not None and found.dimension == "time" and not found.is_range and found.per is None
        return Number(str(found.value), str(found.unit), qualifier) if found is not None and timed else None
    three = coloned[3] is not None
    if not three and not clock:
        return None
    names = ("h", "min", "s") if three else ("min", "s") if clock.endswith("ss") else ("h", "min")
    total = sum(Decimal(part) * _SECONDS[name] for name, part in zip(names, coloned.groups(), strict=False))
    return Number(str(total / _SECONDS[names[-1]]), names[-1], qualifier) if total > 0 else None


def whole(text: str) -> int | None:
    """Return the whole number of at least 1 that a cell prints, or None."""
    found = number(text)
    if found is None or found.qualifier is not None or found.spread is not None or found.unit:
        return None
    plain = found.printed.removesuffix(".0")
    return int(plain) if plain.isdigit() and int(plain[:17]) > 0 and len(plain) <= 15 else None


def amount(text: str) -> float | None:
    """Return a positive amount with its suffix: 7B, 22.59M, 1,572,864; None where a cell prints none."""
    found = number(text)
    if found is None or found.qualifier is not None:
        return None
    scale = _SCALES.get(found.unit.casefold(), None if found.unit else 0)
    value = float(found.printed) * 10.0**scale if scale is not None else 0.0
    return value if 0 < value < 1e18 else None


def several(text: str, count: int) -> tuple[int, ...] | None:
    """Return as many whole numbers as a heading names variants ("64 , 32", "4,2", "256 and 32"); None for others."""
    parts = _LIST.split(text.strip()[:200])
    numbers = [whole(part or "") for part in parts]
    if len(parts) != count or any(value is None for value in numbers):
        return None
    return tuple(value for value in numbers if value is not None)
