"""A quality that a sentence prints with a large configuration and that runs on fewer devices gave."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from msgspec import Struct

from ....schemas.evidence import Quality
from ....schemas.pattern import Pattern
from ....schemas.submission import Claim
from ...case import Case, Side
from ..comparison.options import compare
from ..comparison.pairing import has_value
from ..comparison.points import Point, ends, largest, points
from ..quantities.numbers import span

_NUMBER = Pattern(r"(?<![\w.])\d+\.\d+")
_CLAUSES = Pattern(r"[;,()]|\.(?=\s|$)")
_QUALITY = Pattern(
    r"\b(?:accurac\w+|quality|loss|perplexity|converge\w*|top-[15]|trained (?:to|until|for|only))\b", re.IGNORECASE
)
_SENTENCES = Pattern(r"[^.;]+(?:\.\d[^.;]*)*")
_DEVICE = r"(?:device|GPU|TPU|accelerator|card|chip|die|node|processor|worker)s?"
_COUNTED = r"(?!\s*(?:%|x\b|times\b|epochs?\b|seeds?\b|runs?\b|trials?\b|steps?\b|points?\b|evaluations?\b))"
_ALIKE = Pattern(
    r"\b(?:does|do|did) not (?:change|depend|vary|suffer|drop|degrade)\b|\bdoesn't (?:change|depend|vary|suffer)\b"
    r"|\b(?:unchanged|unaffected|independent of|regardless of|irrespective of|remains? the same|stays? the same)\b"
    r"|\bwithout (?:any )?(?:loss|change) (?:of|in) (?:\w+[ -])?(?:accuracy|quality)\b|\bno (?:accuracy )?loss\b"
    r"|\b(?:keeps?|preserv\w*|retain\w*|maintain\w*) (?:the |its |full )?(?:\w+[ -])?(?:accuracy|quality)\b"
    r"|\bsame (?:final |test |top-1 )?(?:accuracy|quality|loss)\b",
    re.IGNORECASE,
)
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
LEAST_DIGITS = 3
"""A number of fewer digits in a sentence may be anything."""


class Borrowed(Struct, frozen=True):
    """A quality that stands for a point it was not measured at.

    Attributes:
        point: the point that the claim is about.
        side: the arm that it was measured on: that with the most devices of those that may stand for the point.
        quality: the quality.
        printed: whether the sentence prints its value; else it says that the quality is the same at the point.
    """

    point: Point
    side: Side
    quality: Quality
    printed: bool

    def of_smallest(self, series: Iterable[Point]) -> bool:
        """Whether it is printed and of no more devices than the smallest point of a series."""
        counts = [point.devices for point in series if point.devices is not None]
        return self.printed and (self.side.devices or 0) <= min(counts, default=0)


def borrowed_quality(claim: Claim, case: Case) -> Borrowed | None:
    """Return the quality that a sentence gives to its point without a word that only runs on fewer devices have it.

    The point's own arm states no quality and holds no evaluations. None where the sentence, a quote or a caption says
    on how many devices the quality was measured, or where a device count is not known.
    """
    point = _point(claim, case)
    if point is None or point.devices is None or point.side is None or _judged(point.side):
        return None
    side, quality = case.side(claim.quality), case.quality(claim.quality)
    if side is not None and quality is not None and _fewer(side, point) and _prints(claim.statement, quality):
        return None if _labelled(claim, case, side, quality) else Borrowed(point, side, quality, printed=True)
    return _called_alike(claim, case, point)


def _point(claim: Claim, case: Case) -> Point | None:
    """Return the point that a claim is about: its row, or its arm; of a whole table the largest."""
    if claim.row is not None and claim.row.row is None:
        return largest(points(claim, case))
    return next(reversed(ends(claim, case)), None)


def _called_alike(claim: Claim, case: Case, point: Point) -> Borrowed | None:
    """Return the quality on the most devices, where a sentence says that it is the same at the point."""
    match = _ALIKE.search(claim.statement)
    if match is None or not _QUALITY.search(claim.statement):
        return None
    alike = [side for side in case.sides() if any(map(has_value, side.arm.quality.values())) and _one(side, point)]
    if not alike or not all(_fewer(side, point) for side in alike):
        return None
    nearest = max(alike, key=lambda side: side.devices or 0)
    texts = (claim.statement[match.start() :], *_quotes(claim, case))
    if any(_names(text, nearest) for text in texts):
        return None
    return Borrowed(point, nearest, next(filter(has_value, nearest.arm.quality.values())), printed=False)


def _judged(side: Side) -> bool:
    trained = any(trial.evaluations or trial.final for trial in side.arm.trials.values())
    return trained or any(map(has_value, side.arm.quality.values()))


def _fewer(side: Side, point: Point) -> bool:
    return side.devices is not None and point.devices is not None and side.devices < point.devices


def _one(side: Side, point: Point) -> bool:
    """Whether two arms are known to train one model."""
    arm = point.side.arm if point.side is not None else None
    return arm is not None and "model" in compare(arm.options, side.arm.options).equal


def _prints(text: str, quality: Quality) -> bool:
    return bool(_printed(text, quality))


def _printed(text: str, quality: Quality) -> tuple[str, ...]:
    """Return the clauses that print a quality's value, as a share or in percent, with what follows in brackets."""
    if quality.value is None:
        return ()
    value = Decimal(quality.value)
    found = []
    for match in _NUMBER.finditer(text):
        digits = len(match[0].replace(".", "").lstrip("0"))
        number = span(match[0])
        if digits >= LEAST_DIGITS and any(number.low <= value.scaleb(power) <= number.high for power in (-2, 0, 2)):
            found.append(_clause(text, match.start(), match.end()))
    return tuple(found)


def _clause(text: str, start: int, end: int) -> str:
    """Return the clause around a number: the brackets that open right behind it, or that it stands in, belong to it."""
    before = max((match.end() for match in _CLAUSES.finditer(text) if match.end() <= start), default=0)
    if text[before - 1 : before] == "(":
        before = max((match.end() for match in _CLAUSES.finditer(text) if match.end() < before), default=0)
    after = next((match for match in _CLAUSES.finditer(text) if match.start() >= end), None)
    if after is not None and after[0] == "(":
        after = next((match for match in _CLAUSES.finditer(text) if match.start() > after.start()), None)
    return text[before : after.start() if after is not None else len(text)]


def _labelled(claim: Claim, case: Case, side: Side, quality: Quality) -> bool:
    clauses = _printed(claim.statement, quality)
    own = any(_names(clause, side) for clause in clauses) and not _ALIKE.search(claim.statement)
    return own or any(_names(text, side) for text in _quotes(claim, case))


def _quotes(claim: Claim, case: Case) -> tuple[str, ...]:
    """Return the sentences elsewhere in the publication that speak of quality."""
    table = case.table(claim)
    texts = [
        *(item.quote for item in claim.said),
        *(item.quote for item in case.submission.disclosures),
        (table.caption or "") if table is not None else "",
    ]
    return tuple(part for text in texts for part in _SENTENCES.findall(text) if _QUALITY.search(part))


def _names(text: str, side: Side) -> bool:
    """Whether a text names an arm: its label, or its number of devices."""
    count = _count(side.devices or 0)
    label = side.arm.label
    return (label is not None and label.casefold() in text.casefold()) or bool(
        re.search(rf"\b(?:on|with|at|for|using|of|from|by)\s+(?:only |just |the )?{count}\b{_COUNTED}", text, re.I)
        or re.search(rf"\b{count}[ -]{_DEVICE}\b", text, re.I)
    )


def _count(devices: int) -> str:
    words = ["one", "a single", "single"] if devices == 1 else [_WORDS[devices]] if devices < len(_WORDS) else []
    return f"(?:{'|'.join([str(devices), *words])})"
