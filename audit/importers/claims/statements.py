"""The numbers that a sentence states of a performance: comparisons with a degree, and quantities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from ....rules.language import lexicon
from ....rules.language.answers import Mention
from ....rules.language.comparison import Comparison
from ....rules.language.numbers import Number
from ....rules.language.quantity import Quantity
from ....rules.language.questions import concepts_of
from ....rules.language.reading import Reading
from ....rules.language.tokens import NUMBER, Token, Tokens
from ....schemas.pattern import Pattern
from .printed import digits, in_unit, real_time

_UNREAD = Pattern(r" ?[-–]? ?[xX×]?[0-9]")
"""The rest of a range that is not read as one: "X3-X12"."""
RATIOS = frozenset({"ratio", "percent_more", "percent_less"})
COMPARED = {"memory": "memory", "energy": "energy"}
"""Quantity of a comparison by its dimension; that of a time is told by the words beside it."""
MEASURED = {"rate": "rate", "data_rate": "rate", "work_rate": "flops", "time": "time", "energy": "energy",
            "data": "memory", "quality": "accuracy"}  # fmt: skip
"""Quantity by the dimension of a number with a unit."""
SIGNS = {"<": "less_than", "≤": "up_to", ">": "over", "≥": "at_least"}
FEWEST_OF_NOUN = 5
"""Letters of a plural behind a number that it counts."""
FEWEST_OPERATIONS = 10**12
"""Operations per second from which on "GFLOPS" and "TFLOPS" are a rate beyond doubt."""
CHANGED = (("memory", "memory"), ("throughput", "rate"), ("latency", "latency"))
"""Quantities by the concept of the words that name what is changed."""
OF_SPEEDS = (
    ("throughput", "rate"), ("claims.rates", "rate"), ("latency", "latency"), ("latency.first_token", "latency")
)  # fmt: skip
"""Quantities of a comparison of speeds, by the concept of the words beside it."""
WORDS_OF_UP_TO = 4
"""Tokens from "by" to its number: "by up to 3x"."""
ARROWS = frozenset("-—–=")
"""Signs with which a sign of size is an arrow."""
MOST_OF_BASE = 6
"""Tokens of what a comparison is one with."""
MOST_OF_MEASURE = 4
"""Tokens between a degree and the "as" of what it is one of: "twice the throughput speed as the L4"."""
FARTHEST_COMMA = 60
"""Characters of what stands before the comma in "compared with the eager mode, ..."."""
OPENED = "open."
FARTHEST_NAME = 32
"""Characters between a share and what it is a share of."""
MOST_BETWEEN = 7
"""Tokens between two degrees of one list."""


class Degree(Struct, frozen=True):
    """The degree of a comparison: its number, its place, and what it is a degree of.

    Attributes:
        at: its number.
        start: where it begins in the sentence, with the word that governs it.
        end: place after its last character.
        unit: x or %.
        quantity: what it compares; empty where no word says so.
        joins: whether it is one of a list that an earlier one begins, where it has no quantity of its own.
        dimension: what the reader takes it for.
        kind: at_most, at_least, about or None.
        base: the words that it is a comparison with.
    """

    at: Number
    start: int
    end: int
    unit: str
    quantity: str
    joins: bool
    dimension: str
    kind: str | None
    base: tuple[int, int] | None


class Statement(Struct, frozen=True):
    """A number that a sentence states.

    Attributes:
        start: where its number begins in the sentence.
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
    """Yield the degrees of comparisons; one without a dimension of its own takes that of the one it follows."""
    before: Statement | None = None
    last = 0
    for degree in sorted((*_frames(reading), *_bare(reading)), key=lambda each: each.at.first):
        led = before is not None and _follows(reading, last, degree.at)
        quantity = degree.quantity
        if degree.joins and not quantity:
            if before is None or not led:
                continue
            quantity = before.quantity
        at = degree.at
        low, high = digits(at.low, at.half), digits(at.high, at.half)
        if low is None or high is None or _UNREAD.match(reading.source, degree.end):
            continue
        qualifier = _qualifier(reading, reading.tokens[at.first].start, degree.kind)
        before = Statement(
            reading.tokens[at.first].start, degree.end, low, high, degree.unit, quantity, "ratio",
            qualifier or (before.qualifier if before is not None and led else None),
            base=degree.base, dimension=degree.dimension,
        )  # fmt: skip
        last = at.last
        yield before


def _frames(reading: Reading) -> Iterator[Degree]:
    for frame in reading.comparisons():
        if frame.degree is None or frame.high is None or frame.form not in RATIOS:
            continue
        span = (frame.start, frame.end)
        at = next((n for n in reading.numbers(span) if frame.degree in {n.low, n.high}), None)
        if at is None:
            at = Number(frame.first, frame.first + 1, frame.degree, frame.high, Decimal(0))
        at = replace(at, low=frame.degree, high=frame.high)
        if _is_added(reading, frame) or _counts_things(reading, at) or _is_of_a_part(reading, frame, at):
            continue
        own = "" if frame.bare else _quantity(reading, frame)
        quantity = own or (_by(reading, at) if frame.bare or frame.dimension == "other" else "")
        base = _named(reading.within(*frame.base)) if frame.base else _base(reading, span)
        yield Degree(
            at, *span, "x" if frame.form == "ratio" else "%", quantity, frame.bare or frame.dimension == "other",
            frame.dimension, frame.qualifier, base,
        )  # fmt: skip


def _counts_things(reading: Reading, at: Number) -> bool:
    """Whether a number counts what stands behind it: "the speed-up of 4 implementations"."""
    behind = reading.tokens.low(at.last)
    return (
        behind.isalpha()
        and len(behind) >= FEWEST_OF_NOUN
        and behind.endswith("s")
        and behind not in lexicon.word_set("plural_in_form_alone")
    )


def _is_added(reading: Reading, frame: Comparison) -> bool:
    """Whether something is added, of which nothing says that it takes time: "added a 2x upscaler"."""
    added = any(frame.start <= item.start < frame.end for item in reading.mentions("claims.adds"))
    return added and not reading.has("named_speed", affirmed=False)


def _is_of_a_part(reading: Reading, frame: Comparison, at: Number) -> bool:
    """Whether a number says how often something is done, or of which part another is a multiple.

    "calling it twice no longer fails"; "the GPU uses >8x CPU, >10x RAM".
    """
    compared = reading.within(frame.start, frame.end)
    often = any(a.low == "no" and b.low == "longer" for a, b in pairwise(compared))
    words = [token.low for token in compared if token.start >= reading.tokens[at.first].end and token.low.isalpha()]
    alone = [word for word in words if word != "x"]
    return often or (
        frame.dimension == "memory" and len(alone) == 1 and alone[0] in lexicon.word_set("parts_of_a_machine")
    )


def _bare(reading: Reading) -> Iterator[Degree]:
    """Yield factors that no comparison holds: those behind "by", of what is said to be better, and those of a list."""
    taken = {at for frame in reading.comparisons() for at in range(frame.first, frame.last)}
    for item in reading.quantities("ratio"):
        if item.number is None or item.first in taken:
            continue
        span = (item.start, item.end)
        real = real_time(reading, item.end)
        base = real or _base(reading, span)
        quantity = "time" if real is not None else _by(reading, item.number)
        yield Degree(item.number, *span, "x", quantity, True, "time", item.qualifier, base)


def _by(reading: Reading, number: Number) -> str:
    """Return what a degree behind "by" is one of: what is named behind the verb; the time of what outperforms."""
    before, end = reading.tokens.lows(number.first - WORDS_OF_UP_TO, number.first), reading.tokens[number.first].start
    if ":" in before and any(item.end < end for item in reading.mentions("heading.speedup")):
        return "time"
    if "by" not in before:
        return ""
    verbs = (*reading.mentions("claims.beats"), *reading.mentions("claims.cuts"))
    verb = max((item for item in verbs if item.end < end), key=lambda item: item.end, default=None)
    if verb is None or verb.concept == "claims.beats":
        return "time" if verb is not None else ""
    for concept, quantity in CHANGED:
        if any(verb.end <= item.start < end for item in reading.mentions(concept)):
            return quantity
    return ""


def _follows(reading: Reading, last: int, at: Number) -> bool:
    """Whether a degree goes on with a list that an earlier one begins: "29x, 29x, and 3x", "4x on A and 2x on B"."""
    between = reading.tokens[last : at.first]
    verbs = lexicon.classes("compare", "verbs")
    joined = any(token.low in lexicon.word_set("joins") for token in between)
    return (
        joined
        and len(between) <= MOST_BETWEEN
        and not any(token.low in verbs or token.low in lexicon.word_set("end_a_list") for token in between)
    )


def _quantity(reading: Reading, frame: Comparison) -> str:
    """Return what a comparison is of; empty where it is no performance."""
    speedup = any(frame.end <= item.start <= frame.end + 2 for item in reading.mentions("heading.speedup"))
    if frame.dimension != "time" and not speedup:
        return COMPARED.get(frame.dimension, "")
    clause = reading.clause((frame.start, frame.end))
    for concept, quantity in OF_SPEEDS:
        if any(reading.clause(item.span) == clause for item in reading.mentions(concept)):
            return quantity
    said = {quantity for concept, quantity in OF_SPEEDS if reading.has(concept)}
    bracketed = reading.source[: frame.start].count("(") > reading.source[: frame.start].count(")")
    return said.pop() if bracketed and len(said) == 1 and not reading.has("claims.in_time") else "time"


def _base(reading: Reading, span: tuple[int, int]) -> tuple[int, int] | None:
    """Return the words that a degree is a comparison with: those behind "over" or "the speed of", or what is beaten.

    Where its own clause has none, those of the only other comparison of the sentence.
    """
    rest = reading.within(span[1], len(reading.source))
    if rest and rest[0].low == "as":  # "twice as fast as"
        return _named(rest[1:])
    again = next((at for at, token in enumerate(rest[:MOST_OF_MEASURE]) if token.low == "as"), None)
    if again is not None and rest[again + 1 : again + 2] and _begins_name(rest[again + 1]):  # "twice the rate as an L4"
        return _named(rest[again + 1 :])
    clause = reading.clause(span)
    behind = [
        *(item for item in reading.mentions("claims.times_of") if item.start <= span[1] + 1 < item.end),
        *(item for item in reading.mentions("relative_to") if item.start >= span[1] and _one(reading, item, clause)),
    ]
    if behind:
        return _named(reading.within(behind[0].end, len(reading.source)))
    for item in reading.mentions("claims.compared_first"):
        comma = next((t for t in reading.within(item.end, span[0]) if t.low == ","), None)
        if comma is not None and comma.start - item.end <= FARTHEST_COMMA:
            return (item.end, comma.start)
    for item in reading.mentions("claims.beats"):
        by = next((t for t in reading.within(item.end, len(reading.source)) if t.low == "by"), None)
        if by is not None and item.end < by.start <= span[1]:
            return (item.end, by.start)
    # the words of a base that reach over the degree itself are those of another clause
    bases = {other.base for other in reading.comparisons() if other.base is not None}
    others = {base for base in bases if not (base[0] < span[1] and span[0] < base[1])}
    return others.pop() if len(others) == len(bases) == 1 else None


def _begins_name(token: Token) -> bool:
    return token.low in lexicon.word_set("determiners") or token.text[:1].isupper()


def _named(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return the words of a base, up to what it is one for, or to the next number of a list."""
    ends = (
        at
        for at, token in enumerate(tokens)
        if token.low in lexicon.word_set("after_a_base") or _goes_on(tokens[at : at + 2])
    )
    most = Tokens(tokens).past_words(0, MOST_OF_BASE)
    kept = list(tokens[: min(most, next(ends, most))])
    while kept and kept[-1].low in lexicon.word_set("determiners") | lexicon.words("nouns", "stops"):
        kept.pop()  # "cuDNN on an"
    return (kept[0].start, kept[-1].end) if kept else None


def _goes_on(pair: Sequence[Token]) -> bool:
    """Whether a list goes on with a number: "over the old loop and 40 images/s"."""
    return len(pair) > 1 and pair[0].low == "and" and pair[1].kind == NUMBER


def _one(reading: Reading, item: Mention, clause: int) -> bool:
    return reading.clause(item.span) == clause


def _qualifier(reading: Reading, start: int, kind: str | None) -> str | None:
    """Return the qualifier of a number as claims name it."""
    if kind is None or kind == "about":  # "nearly" is about, and not above
        return "nearly" if kind and reading.source[:start].rstrip().lower().endswith("nearly") else kind
    sign = reading.source[:start].rstrip()[-2:]
    if sign[-1:] in SIGNS:
        return SIGNS[sign[-1]] if sign[:1] not in ARROWS else None
    before = [item for name in concepts_of(OPENED) for item in reading.mentions(name) if item.end <= start + 1]
    nearest = max(before, key=lambda item: item.end, default=None)
    if nearest is not None:
        return nearest.concept.removeprefix(OPENED)
    return "at_least" if kind == "at_least" else "up_to"


def _measured(reading: Reading) -> Iterator[Statement]:
    """Yield the quantities of a sentence that may be a performance."""
    for quantity in reading.quantities():
        meant = _meant(reading, quantity) if quantity.value is not None else ""
        if meant and _is_key(reading, quantity):
            continue
        printed = (in_unit(reading, quantity) if quantity.unit is not None else _plain(quantity)) if meant else None
        if printed is None:
            continue
        low, high, unit = printed
        number = quantity.number
        metric = _error(reading, quantity) or quantity.metric
        start = reading.tokens[number.first].start if number is not None else quantity.start
        yield Statement(
            quantity.start, quantity.end, low, high, unit,
            "rate" if meant == "efficiency" else meant, "efficiency" if meant == "efficiency" else "absolute",
            _qualifier(reading, start, quantity.qualifier), metric if meant == "accuracy" else None,
            dimension=quantity.dimension,
        )  # fmt: skip


def _is_key(reading: Reading, quantity: Quantity) -> bool:
    """Whether the unit behind a number is the name of the next one: "PPS: 823 TPS: 183"."""
    number = quantity.number
    if number is None or number.last >= quantity.last:
        return False
    return reading.tokens.low(quantity.last) == ":" and reading.tokens.kind(quantity.last + 1) == NUMBER


def _error(reading: Reading, quantity: Quantity) -> str:
    """Return the metric of a share that the word behind it calls an error: "68.7 % top-1 (31.3 % error)"."""
    behind = reading.within(quantity.end, len(reading.source))[:1]
    if not behind or behind[0].low not in lexicon.word_set("errors"):
        return ""
    named = (quantity.metric or "").replace("accuracy", "").strip()
    return f"{named} error".strip()


def _meant(reading: Reading, quantity: Quantity) -> str:
    """Return what a quantity measures, or efficiency; empty where it is no performance.

    Numbers in words are times at most: "two top levels" are no operations per second.
    """
    if quantity.worded and quantity.dimension != "time":
        return ""
    if quantity.dimension == "work_rate" and not (quantity.unit or "").startswith("FLOP"):
        return "rate"
    timed = any(token.low in lexicon.word_set("per_second") for token in reading.within(quantity.start, quantity.end))
    if quantity.dimension == "work_rate" and (quantity.high or 0) < FEWEST_OPERATIONS and not timed:
        return ""  # "only 3.02 GFlops" are the operations of a model
    if quantity.dimension == "percent":
        return _share(reading, quantity) or ("accuracy" if quantity.metric else "")
    clause = reading.clause((quantity.start, quantity.end))
    if quantity.dimension == "time" and any(_one(reading, item, clause) for item in reading.mentions("latency")):
        return "latency"
    return MEASURED.get(quantity.dimension, "")


def _plain(quantity: Quantity) -> tuple[str, str, str] | None:
    if quantity.value is None or quantity.high is None:
        return None
    low, high = digits(quantity.value, quantity.half), digits(quantity.high, quantity.half)
    return (low, high, "") if low is not None and high is not None else None


def _share(reading: Reading, quantity: Quantity) -> str:
    """Return mfu or efficiency where a percentage stands beside the words for it."""
    clause = reading.clause((quantity.start, quantity.end))
    for concept, meant in (("heading.used", "mfu"), ("claims.efficiency", "efficiency")):
        for item in reading.mentions(concept):
            behind = item.start - quantity.end
            if item.end <= quantity.start and reading.clause(item.span) == clause:
                return meant
            between = any(quantity.end <= other.start < item.start for other in reading.quantities())
            if 0 <= behind <= FARTHEST_NAME and not between:
                return meant
    return ""
