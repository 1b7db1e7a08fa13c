"""A quality that a sentence prints with a large configuration and that runs on fewer devices gave."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from decimal import Decimal

from msgspec import Struct

from ....schemas.evidence import Quality
from ....schemas.submission import Claim
from ...case import Case, Side
from ...language.printed import span
from ...language.reading import Reading, read
from ...language.sentences import ends_sentence
from ..comparison.options import compare
from ..comparison.pairing import has_value
from ..comparison.points import Point, ends, largest, points

DEVICES = frozenset({"devices", "nodes", "other"})
"""Classes of counts that may name an arm by its size: GPUs, machines, workers."""
LEAST_DIGITS = 3
"""A number of fewer digits in a sentence may be anything."""
ENDS = frozenset(";,()")


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
    if side is not None and quality is not None and _fewer(side, point) and _printed(claim.statement, quality):
        return None if _labelled(claim, case, side, quality) else Borrowed(point, side, quality, printed=True)
    return _called_alike(claim, case, point)


def _point(claim: Claim, case: Case) -> Point | None:
    """Return the point that a claim is about: its row, or its arm; of a whole table the largest."""
    if claim.row is not None and claim.row.row is None:
        return largest(points(claim, case))
    return next(reversed(ends(claim, case)), None)


def _called_alike(claim: Claim, case: Case, point: Point) -> Borrowed | None:
    """Return the quality on the most devices, where a sentence says that it is the same at the point."""
    reading = read(claim.statement)
    if not reading.has("quality_is_alike", affirmed=False) or not _speaks_of_quality(reading):
        return None
    alike = [side for side in case.sides() if any(map(has_value, side.arm.quality.values())) and _one(side, point)]
    if not alike or not all(_fewer(side, point) for side in alike):
        return None
    nearest = max(alike, key=lambda side: side.devices or 0)
    alike_at = reading.mentions("quality_is_alike")[0].start
    texts = (claim.statement[alike_at:], *_quotes(claim, case))
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


def _printed(text: str, quality: Quality) -> tuple[str, ...]:
    """Return the clauses that print a quality's value, as a share or in percent, with what follows in brackets."""
    if quality.value is None:
        return ()
    value, reading = Decimal(quality.value), read(text)
    ends = [at for at, token in enumerate(reading.tokens) if token.text in ENDS or ends_sentence(reading.tokens, at)]
    found = []
    for at, token in enumerate(reading.tokens):
        digits = len(token.text.replace(".", "").lstrip("0"))
        if token.value is None or "." not in token.text or digits < LEAST_DIGITS:
            continue
        number = span(token.text)
        if any(number.low <= value.scaleb(power) <= number.high for power in (-2, 0, 2)):
            found.append(_clause(reading, ends, at))
    return tuple(found)


def _clause(reading: Reading, ends: Sequence[int], at: int) -> str:
    """Return the clause around a number: the brackets that open right behind it, or that it stands in, belong to it."""
    tokens, after = reading.tokens, bisect_left(ends, at)
    before = after - 1
    if before >= 0 and tokens[ends[before]].text == "(":
        before -= 1
    if after < len(ends) and tokens[ends[after]].text == "(":
        after += 1
    start = tokens[ends[before]].end if before >= 0 else 0
    return reading.source[start : tokens[ends[after]].start if after < len(ends) else len(reading.source)]


def _labelled(claim: Claim, case: Case, side: Side, quality: Quality) -> bool:
    clauses = _printed(claim.statement, quality)
    own = any(_names(clause, side) for clause in clauses) and not read(claim.statement).has(
        "quality_is_alike", affirmed=False
    )
    return own or any(_names(text, side) for text in _quotes(claim, case))


def _quotes(claim: Claim, case: Case) -> tuple[str, ...]:
    """Return the sentences elsewhere in the publication that speak of quality."""
    table = case.table(claim)
    texts = [
        *(item.quote for item in claim.said),
        *(item.quote for item in case.submission.disclosures),
        (table.caption or "") if table is not None else "",
    ]
    parts = (text[start:end] for text in texts for start, end in read(text).sentences())
    return tuple(part for part in parts if _speaks_of_quality(read(part)))


def _speaks_of_quality(reading: Reading) -> bool:
    return reading.has("quality_of_a_model", affirmed=False)


def _names(text: str, side: Side) -> bool:
    """Whether a text names an arm: its label, or its number of devices."""
    label, reading = side.arm.label, read(text)
    counted = any(item.of in DEVICES and item.value == side.devices for item in reading.counts())
    bare = any(item.low == side.devices for item in reading.unbound_numbers())
    return (label is not None and label.casefold() in text.casefold()) or counted or bare
