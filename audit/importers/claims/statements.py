"""The numbers that a sentence states of a performance: comparisons with a degree, and quantities."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ....rules.language import lexicon
from ....rules.language.comparison import Comparison
from ....rules.language.quantity import Quantity
from ....rules.language.questions import concepts_of
from ....rules.language.reading import Reading
from .printed import digits, in_unit

RATIOS = frozenset({"ratio", "percent_more", "percent_less"})
COMPARED = {"memory": "memory", "energy": "energy"}
"""Quantity of a comparison by its dimension; that of a time is told by the words beside it."""
MEASURED = {"rate": "rate", "data_rate": "rate", "work_rate": "flops", "time": "time", "energy": "energy",
            "data": "memory", "quality": "accuracy", "percent": "mfu"}  # fmt: skip
"""Quantity by the dimension of a number with a unit."""
OPENED = "open."
NEAR = 4
"""Tokens between a share and what it is a share of."""
JOINS = frozenset({",", "and", "or", "/", "&"})
ENDS = frozenset({".", ";", "with", "while", "but"})
MOST_BETWEEN = 7
"""Tokens between two degrees of one list."""


class Statement(Struct, frozen=True):
    """A number that a sentence states.

    Attributes:
        start: where it begins in the sentence.
        end: place after its last character.
        low: the lower end of a range, else equal to `value`.
        value: as a claim prints it; of a range the higher end.
        unit: its unit; nothing of a quality without one.
        quantity: what it measures.
        form: absolute, ratio or efficiency.
        qualifier: what stands in front of it.
        metric: of a quality, its name.
        base: of a comparison, the words that it is one with.
        dimension: what the reader takes it for.
    """

    start: int
    end: int
    low: str
    value: str
    unit: str
    quantity: str
    form: str
    qualifier: str | None = None
    metric: str | None = None
    base: tuple[int, int] | None = None
    dimension: str = ""


def statements_of(reading: Reading) -> tuple[Statement, ...]:
    """Return the numbers of a sentence that may be a performance, in order; whether they are one is asked elsewhere."""
    frames = tuple(_compared(reading))
    taken = [(frame.start, frame.end) for frame in reading.comparisons() if frame.form in RATIOS and not frame.bare]
    found = [item for item in _measured(reading) if not any(a < item.end and item.start < b for a, b in taken)]
    return tuple(sorted((*frames, *found), key=lambda item: item.start))


def _compared(reading: Reading) -> Iterator[Statement]:
    """Yield the comparisons with a degree; one without a dimension of its own takes that of the one it follows."""
    before: Statement | None = None
    last = 0
    for frame in reading.comparisons():
        if frame.degree is None or frame.high is None or frame.form not in RATIOS:
            continue
        led = before is not None and _follows(reading, last, frame)
        quantity = "" if frame.bare else _quantity(reading, frame)
        if before is not None and led and not quantity:
            quantity = before.quantity
        elif frame.bare:
            continue
        number = next((n for n in reading.numbers((frame.start, frame.end)) if frame.degree in {n.low, n.high}), None)
        half = number.half if number is not None else frame.degree * 0
        low, high = digits(frame.degree, half), digits(frame.high, half)
        if low is None or high is None:
            continue
        start = reading.tokens[number.first].start if number is not None else frame.start
        qualifier = _qualifier(reading, start, frame)
        before = Statement(
            frame.start, frame.end, low, high, "x" if frame.form == "ratio" else "%", quantity, "ratio",
            qualifier or (before.qualifier if before is not None and led else None),
            base=frame.base or _base(reading, frame), dimension=frame.dimension,
        )  # fmt: skip
        last = frame.last
        yield before


def _follows(reading: Reading, last: int, frame: Comparison) -> bool:
    """Whether a degree goes on with a list that an earlier one begins: "29x, 29x, and 3x", "4x on A and 2x on B"."""
    between = reading.tokens[last : frame.first]
    verbs = lexicon.classes("compare", "verbs")
    joined = any(token.low in JOINS for token in between)
    return (
        joined
        and len(between) <= MOST_BETWEEN
        and not any(token.low in verbs or token.low in ENDS for token in between)
    )


def _quantity(reading: Reading, frame: Comparison) -> str:
    """Return what a comparison is of; empty where it is no performance."""
    speedup = any(frame.end <= item.start <= frame.end + 2 for item in reading.mentions("speedup"))
    if frame.dimension != "time" and not speedup:
        return COMPARED.get(frame.dimension, "")
    clause = reading.clause((frame.start, frame.end))
    for concept, quantity in (("throughput", "rate"), ("latency", "latency")):
        if any(reading.clause(item.span) == clause for item in reading.mentions(concept)):
            return quantity
    return "time"


def _base(reading: Reading, frame: Comparison) -> tuple[int, int] | None:
    """Return the words behind "over" or "compared with" in the clause of a comparison, or those of "than" before it."""
    clause = reading.clause((frame.start, frame.end))
    of = next((item for item in reading.mentions("claims.times_of") if item.start <= frame.end + 1 < item.end), None)
    if of is not None:
        tokens = reading.within(of.end, len(reading.source))[:6]
        return (of.end, tokens[-1].end) if tokens else None
    behind = [item for item in reading.mentions("relative_to") if item.start >= frame.end]
    for item in behind[:1]:
        if reading.clause(item.span) == clause:
            tokens = reading.within(item.end, len(reading.source))[:6]
            return (item.end, tokens[-1].end) if tokens else None
    others = {other.base for other in reading.comparisons() if other.base is not None}
    return others.pop() if len(others) == 1 else None


def _qualifier(reading: Reading, start: int, frame: Comparison | Quantity) -> str | None:
    """Return the qualifier of a number as claims name it."""
    kind = frame.qualifier
    if kind is None or kind == "about":
        return kind
    before = [item for name in concepts_of(OPENED) for item in reading.mentions(name) if item.end <= start + 1]
    nearest = max(before, key=lambda item: item.end, default=None)
    if nearest is not None:
        return nearest.concept.removeprefix(OPENED)
    return "at_least" if kind == "at_least" else "up_to"


def _measured(reading: Reading) -> Iterator[Statement]:
    for quantity in reading.quantities():
        meant = MEASURED.get(quantity.dimension)
        if meant is None or quantity.value is None or (quantity.dimension == "percent" and not quantity.metric):
            share = _share(reading, quantity) if quantity.dimension == "percent" and quantity.value is not None else ""
            if not share:
                continue
            meant = share
        elif quantity.dimension == "percent":
            meant = _share(reading, quantity) or "accuracy"
        elif quantity.dimension == "time" and _is_latency(reading, quantity):
            meant = "latency"
        printed = in_unit(reading, quantity) if quantity.unit is not None else _plain(quantity)
        if printed is None:
            continue
        low, high, unit = printed
        yield Statement(
            quantity.start, quantity.end, low, high, unit, meant, "efficiency" if meant == "efficiency" else "absolute",
            _qualifier(reading, quantity.start, quantity), metric=quantity.metric if meant == "accuracy" else None,
            dimension=quantity.dimension,
        )  # fmt: skip


def _plain(quantity: Quantity) -> tuple[str, str, str] | None:
    if quantity.value is None or quantity.high is None:
        return None
    low, high = digits(quantity.value, quantity.half), digits(quantity.high, quantity.half)
    return (low, high, "") if low is not None and high is not None else None


def _share(reading: Reading, quantity: Quantity) -> str:
    """Return mfu or efficiency where a percentage stands beside the words for it."""
    near = reading.tokens[max(0, quantity.first - NEAR) : quantity.last + NEAR]
    if not near:
        return ""
    begin, end = near[0].start, near[-1].end
    for concept, meant in (("heading.used", "mfu"), ("claims.efficiency", "efficiency")):
        for item in reading.mentions(concept):
            nearest = not any(
                other.start < item.end and quantity.end <= other.start for other in reading.quantities("percent")
            )
            if begin <= item.start and item.end <= end and nearest:
                return meant
    return ""


def _is_latency(reading: Reading, quantity: Quantity) -> bool:
    clause = reading.clause((quantity.start, quantity.end))
    return any(reading.clause(item.span) == clause for item in reading.mentions("latency"))
