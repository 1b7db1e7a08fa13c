"""Quantities: a number and its unit, as an exact value of the closed units, with what it is counted per.

Compound durations count in their smallest unit (8 hr 41 min, 1h23m, 1:23:45); money may stand behind its sign; factors
may be words (twice, an order of magnitude). A unit alone, as in a table's header, is a quantity without a value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from . import lexicon
from .names import Name
from .numbers import Number, number_at
from .printed import Span
from .tokens import NUMBER, Token
from .units import ORDERS, Unit, denominator, settled, unit_at

SIXTY = {"d": ("h", 24), "h": ("min", 60), "min": ("s", 60)}
Owner = Callable[[int], Name | None]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity.

    Attributes:
        first: first token.
        last: token after the last one.
        start: first place in the source.
        end: place after the last one.
        value: its value in its unit; the lower end of a range; None where a unit stands alone.
        high: the upper end of a range, else equal to `value`.
        half: half a unit of the last printed place, in its unit.
        unit: a unit of the closed list; None for a quality without a sign.
        dimension: time, data, data_rate, work, work_rate, power, energy, money, frequency, ratio, percent, points,
            quality, rate or other.
        per: device, node, core, user or a singular noun; None.
        qualifier: at_most, at_least, about or None.
        spread: what stands behind ±, in its unit.
        worded: whether its number is spelt.
        metric: the quality metric that it belongs to.
        number: the number that it was made of.
    """

    first: int
    last: int
    start: int
    end: int
    value: Decimal | None
    high: Decimal | None
    half: Decimal
    unit: str | None
    dimension: str
    per: str | None = None
    qualifier: str | None = None
    spread: Decimal | None = None
    worded: bool = False
    metric: str | None = None
    number: Number | None = None

    @property
    def span(self) -> tuple[int, int]:
        """The place in the source."""
        return self.start, self.end

    @property
    def is_range(self) -> bool:
        """Whether it has two ends."""
        return self.value is not None and self.value != self.high

    @property
    def interval(self) -> Span | None:
        """What its printed digits allow: half a unit of the last place either way; None without a value."""
        if self.value is None or self.high is None:
            return None
        return Span(self.value - self.half, self.high + self.half)


def made(
    tokens: Sequence[Token],
    first: int,
    last: int,
    number: Number | None,
    unit: Unit | None,
    dimension: str | None = None,
) -> Quantity:
    """Return the quantity of a number and a unit over some tokens."""
    scale = unit.scale if unit is not None else Decimal(1)
    name = unit.name if unit is not None else None
    low = number.low * scale if number is not None else None
    high = number.high * scale if number is not None else None
    half = number.half * scale if number is not None else Decimal(0)
    spread = number.spread * scale if number is not None and number.spread is not None else None
    return Quantity(
        first, last, tokens[first].start, tokens[last - 1].end, low, high, half, name,
        dimension or (unit.dimension if unit is not None else "other"),
        per=unit.per if unit is not None else None,
        qualifier=number.qualifier if number is not None else None,
        spread=spread,
        worded=number is not None and number.worded,
        number=number,
    )  # fmt: skip


def quantity_at(tokens: Sequence[Token], number: Number, owner: Owner) -> Quantity | None:
    """Return the quantity that a number begins; None where no unit belongs to it."""
    money = _money(tokens, number)
    if money is not None:
        return money
    unit = _unit_behind(tokens, number, owner)
    if unit is None or _is_sign_of_product(tokens, unit, owner, number):
        return None
    if number.worded and unit.name in ("B", "x", "min") and tokens[unit.first].low in ("x", "b", "min", "g", "×"):
        return None
    if number.suffix in ("B", "b") and "/" not in unit.name:
        return None
    if unit.name == "x" and tokens[unit.first].low == "times" and _is_repetition(tokens, unit):
        return None
    unit = settled(tokens, unit, number.high, _kind_near(number.first, unit.last, owner))
    if unit.name == ORDERS:
        return _orders(tokens, number, unit)
    found = made(tokens, number.first, unit.last, number, unit)
    if unit.dimension == "time":
        found = _compound(tokens, found, unit)
    return _as_points(tokens, found) if unit.name == "%" else found


def _kind_near(first: int, last: int, owner: Owner) -> str | None:
    for at in (last, first - 1, first - 2, last + 1):
        name = owner(at)
        if name is not None and name.kind in ("model", "device"):
            return name.kind
    return None


def _money(tokens: Sequence[Token], number: Number) -> Quantity | None:
    before = tokens[number.first - 1] if number.first else None
    signs = lexicon.table("units")["currency"]
    if before is None or before.low not in signs:
        return None
    found = made(
        tokens,
        number.first - 1,
        number.last,
        number,
        Unit(number.first - 1, number.last, signs[before.low], Decimal(1)),
    )
    if number.last < len(tokens) and tokens[number.last].low in ("usd", "us"):
        found = replace(found, last=number.last + 1, end=tokens[number.last].end)
    below = denominator(tokens, found.last)
    if below is None:
        return found
    noun = lexicon.table("units")["time_nouns"].get(below.time, below.time) if below.time else below.noun
    return replace(found, per=noun, last=below.last, end=tokens[below.last - 1].end)


def _unit_behind(tokens: Sequence[Token], number: Number, owner: Owner) -> Unit | None:
    """Return the unit behind a number: directly, after a hyphen, a plus, or in brackets."""
    at = number.last
    if at < len(tokens) and owner(at) is None and (unit := unit_at(tokens, at)) is not None:
        return unit
    if at + 1 >= len(tokens) or owner(at + 1) is not None:
        return None
    sign = tokens[at].text
    if (sign in ("-", "+") and not tokens[at].gap and not tokens[at + 1].gap) or (sign == "+" and not tokens[at].gap):
        unit = unit_at(tokens, at + 1)
        return (
            None
            if unit is not None and sign == "-" and len(tokens[at + 1].text) == 1 and tokens[at + 1].low != "x"
            else unit
        )
    if sign in ("(", "["):
        unit = unit_at(tokens, at + 1)
        closed = unit is not None and unit.last < len(tokens) and tokens[unit.last].text in (")", "]")
        return unit if closed and unit is not None and unit.dimension != "ratio" and unit.name != "%" else None
    if sign == "$":
        return None
    return None


def _is_sign_of_product(tokens: Sequence[Token], unit: Unit, owner: Owner, number: Number) -> bool:
    """Whether x is a sign of multiplication: 8x A100, 4x4, 2 x 8 GPUs, 3 x (...)."""
    sign = tokens[unit.first]
    if unit.name != "x" or sign.low not in ("x", "×") or unit.last >= len(tokens):
        return False
    following, name = tokens[unit.last], owner(unit.last)
    if following.kind == NUMBER and not following.fixed and (following.gap == sign.gap):
        return True
    if following.text == "(" and sign.gap:
        return True
    nouns = lexicon.words("units", "devices") | lexicon.words("units", "nodes") | lexicon.words("devices", "vendors")
    if name is not None and name.kind in ("device", "system"):
        return number.low == int(number.low)
    return following.low in nouns and not _degree_follows(tokens, unit.last)


def _degree_follows(tokens: Sequence[Token], at: int) -> bool:
    words = lexicon.table("compare")["adjectives"]
    return any(t.low in words or t.low in ("utilization", "memory", "throughput") for t in tokens[at + 1 : at + 3])


def _is_repetition(tokens: Sequence[Token], unit: Unit) -> bool:
    """Whether "times" counts repetitions: "repeated 5 times", "run three times"."""
    following = tokens[unit.last].low if unit.last < len(tokens) else ""
    if following in lexicon.words("compare", "after_times") or following in lexicon.table("compare")["adjectives"]:
        return False
    left = {t.low for t in tokens[max(0, unit.first - 7) : unit.first]}
    return bool(left & lexicon.words("compare", "repeating"))


def _orders(tokens: Sequence[Token], number: Number, unit: Unit) -> Quantity:
    ten = Decimal(10)
    if number.high > 30:
        return made(tokens, number.first, unit.last, number, replace(unit, name="x"))
    low, high = ten ** int(number.low), ten ** int(number.high)
    powered = replace(number, low=low, high=high, half=Decimal(0))
    return made(tokens, number.first, unit.last, powered, replace(unit, name="x"))


def _as_points(tokens: Sequence[Token], found: Quantity) -> Quantity:
    following = [t.low for t in tokens[found.last : found.last + 3]]
    if (
        following[:1] in (["points"], ["point"], ["absolute"], ["abs"], ["pts"])
        or following[:2] == ["-", "points"]
        or following[:2] == ["-", "point"]
        or following[:3] == ["(", "absolute", ")"]
    ):
        last = found.last + (2 if following[0] == "-" else 1 if following[0] != "(" else 3)
        return replace(found, unit="percentage_points", dimension="points", last=last, end=tokens[last - 1].end)
    return found


def _compound(tokens: Sequence[Token], found: Quantity, unit: Unit) -> Quantity:
    """Return a duration with the smaller units behind it, counted in the smallest."""
    name = unit.name
    while name in SIXTY and found.value is not None and not found.is_range and unit.per is None:
        at = found.last
        if at < len(tokens) and tokens[at].low in ("and", ","):
            at += 1
        following = number_at(tokens, at) if at < len(tokens) else None
        if following is None or (following.worded != found.worded and not tokens[at].counts):
            return found
        smaller = _smaller(tokens, following, name)
        if smaller is None or following.is_range or (tokens[found.last].low == "," and smaller.name == name):
            return found
        value, have = found.value, name
        while have != smaller.name and have in SIXTY:
            value, have = value * SIXTY[have][1], SIXTY[have][0]
        if have != smaller.name or have == name:
            return found
        value += following.low * smaller.scale
        found = replace(
            found,
            value=value,
            high=value,
            half=following.half * smaller.scale,
            unit=have,
            last=smaller.last,
            end=tokens[smaller.last - 1].end,
        )
        name = have
    return found


def _smaller(tokens: Sequence[Token], number: Number, name: str) -> Unit | None:
    at = number.last
    if at < len(tokens) and tokens[at].text == "m" and not tokens[at].gap and name == "h":
        return Unit(at, at + 1, "min", Decimal(1))
    unit = unit_at(tokens, at) if at < len(tokens) else None
    return unit if unit is not None and unit.dimension == "time" and unit.per is None else None


def clock_at(tokens: Sequence[Token], at: int) -> Quantity | None:
    """Return a duration such as 1:23:45 or 1m06s, whose m is minutes because seconds follow."""
    part = tokens[at : at + 5]
    if (
        len(part) == 5
        and part[1].text == ":"
        and part[3].text == ":"
        and all(t.counts for t in part[::2])
        and (
            not any(t.gap for t in part[1:])
            and _below_sixty(part[2])
            and _below_sixty(part[4])
            and not _more_clock(tokens, at)
        )
    ):
        h, m, s = (t.value or Decimal(0) for t in part[::2])
        seconds = h * 3600 + m * 60 + s
        return Quantity(at, at + 5, part[0].start, part[4].end, seconds, seconds, Decimal("0.5"), "s", "time")
    part = tokens[at : at + 4]
    if (
        len(part) == 4
        and part[1].low in ("m", "min")
        and part[0].counts
        and part[2].counts
        and part[3].low in ("s", "sec", "secs")
        and _below_sixty(part[2])
    ):
        seconds = (part[0].value or Decimal(0)) * 60 + (part[2].value or Decimal(0))
        return Quantity(at, at + 4, part[0].start, part[3].end, seconds, seconds, Decimal("0.5"), "s", "time")
    return None


def _below_sixty(token: Token) -> bool:
    return token.value is not None and token.value < 60 and len(token.text.split(".")[0]) <= 2


def _more_clock(tokens: Sequence[Token], at: int) -> bool:
    """Whether 12:30:05 is a time of day: a date or "at" stands before it."""
    return at > 0 and (tokens[at - 1].fixed or tokens[at - 1].low in ("t", "at", "utc"))


def word_factor_at(tokens: Sequence[Token], at: int) -> Quantity | None:
    """Return a factor that is a word: "an order of magnitude", "twice", "half" of something, "doubles"."""
    low = tokens[at].low
    if low in ("an", "one", "order"):
        return _magnitude(tokens, at)
    factor = lexicon.table("compare")["multipliers"].get(low)
    if factor is None or not _scales(tokens, at):
        return None
    value = Decimal(factor)
    return Quantity(
        at, at + 1, tokens[at].start, tokens[at].end, value, value, Decimal(0), "x", "ratio", worded=True,
        qualifier="at_least" if at > 1 and tokens[at - 1].low == "than" and tokens[at - 2].low == "more" else None,
    )  # fmt: skip


def _scales(tokens: Sequence[Token], at: int) -> bool:
    """Whether a word such as "double" or "half" scales something: not "double precision", "the first half"."""
    low = tokens[at].low
    before = tokens[at - 1].low if at else ""
    behind = tokens[at + 1].low if at + 1 < len(tokens) else ""
    if low in lexicon.words("compare", "sure_multipliers"):
        return behind not in ("-",) or low.endswith("fold")
    if before in (
        "first",
        "second",
        "other",
        "top",
        "bottom",
        "one",
        "upper",
        "lower",
        "and",
        "-",
        "in",
    ) or behind in lexicon.words("compare", "no_multiples"):
        return False
    return behind in (
        "the",
        "as",
        "that",
        "of",
        "its",
        "their",
        "our",
        "throughput",
        "memory",
        "speed",
        "latency",
        "performance",
        "time",
        "size",
        "bandwidth",
        "cost",
        "to",
        "in",
    )


def _magnitude(tokens: Sequence[Token], at: int) -> Quantity | None:
    begin = at if tokens[at].low == "order" else at + 1
    words = [t.low for t in tokens[begin : begin + 5] if t.text != "-"][:3]
    if words != ["order", "of", "magnitude"]:
        return None
    last = next(k for k in range(begin, begin + 5) if tokens[k].low == "magnitude") + 1
    number = Number(at, last, Decimal(10), Decimal(10), Decimal(0), worded=True)
    return made(tokens, at, last, number, Unit(begin, last, "x", Decimal(1)))
