"""Numbers: from tokens to exact values with ranges, spreads, qualifiers and the rounding of the printed digits.

Read are 1,200 / 1.200.000 / 1 200 / 1.2k / 1.1e18 / 2^16 / 3 x 10^6 / two thirds / twenty-two / 3-5 / 77.02 ± 0.04 /
~2 / >= 4. The value of `1.2k` is 1200, and half a unit of its last printed place is 50.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from . import lexicon
from .lexicon import Phrases
from .tokens import NUMBER, SIGN, WORD, Token

LARGEST_POWER = 300
MOST_STEPS = 4
"""Tokens to the left of a number that a qualifier may stand away: "up to a factor of 3"."""
_SPREADS = ("±", "+/-", "+-")
_RANGES = ("-", "–", "—", "~", "..", "...")


class Number(Struct, frozen=True):
    """A number as printed.

    Attributes:
        first: first token.
        last: token after the last one.
        low: its value, or the lower end of a range.
        high: the upper end of a range; equal to `low` otherwise.
        half: half a unit of the last printed place.
        suffix: what scaled it, as printed: k, M, million; empty otherwise.
        worded: whether it is spelt in words.
        qualifier: at_most, at_least, about, or None.
        spread: what stands behind ±, or None.
        started: whether "from" or "between" stands before it.
    """

    first: int
    last: int
    low: Decimal
    high: Decimal
    half: Decimal
    suffix: str = ""
    worded: bool = False
    qualifier: str | None = None
    spread: Decimal | None = None
    started: str = ""

    @property
    def is_range(self) -> bool:
        """Whether it has two ends."""
        return self.low != self.high


def number_at(tokens: Sequence[Token], at: int) -> Number | None:
    """Return the number that begins at a token, with its range, spread and qualifier."""
    number = single_at(tokens, at)
    if number is None:
        return None
    before = tokens[at - 1].low if at else ""
    number = replace(number, started=before if before in ("from", "between") else "")
    if number.last + 1 < len(tokens):
        number = _continued(tokens, number)
    return replace(number, qualifier=_qualifier(tokens, number))


def single_at(tokens: Sequence[Token], at: int) -> Number | None:
    """Return the one number at a token, without what follows it."""
    token = tokens[at]
    if token.kind == WORD:
        return None if not token.gap and at and tokens[at - 1].text == "-" else worded_at(tokens, at)
    sign, first = 1, at
    if token.text in ("-", "+") and _signs(tokens, at):
        sign, at = (-1 if token.text == "-" else 1), at + 1
        token = tokens[at]
    if not token.counts or token.value is None:
        return None
    value, last = _power(tokens, at, token.value)
    half = _half(token.value) * (abs(value / token.value) if token.value else 1)
    if last > at + 1 and tokens[at + 1].text in ("^", "**", "/"):
        half = Decimal(0)
    return _scaled(tokens, Number(first, last, value * sign, value * sign, half))


def _signs(tokens: Sequence[Token], at: int) -> bool:
    if at + 1 >= len(tokens) or tokens[at + 1].kind != NUMBER or tokens[at + 1].gap:
        return False
    free = tokens[at].gap or (at > 0 and tokens[at - 1].text in ("(", "[", "~", "=", ":", "|"))
    return free and not (at > 0 and tokens[at - 1].kind == NUMBER and not tokens[at].gap)


def _half(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0) / 2


def _power(tokens: Sequence[Token], at: int, value: Decimal) -> tuple[Decimal, int]:
    """Return a value with the power behind it: 2^16, 3 x 10^6, 1/2."""
    end = at + 1
    rest = tokens[end : end + 5]
    if len(rest) > 1 and rest[0].text in ("^", "**") and (power := _exponent(rest[1:])) is not None:
        return _raised(value, power[0]), end + 1 + power[1]
    if (
        len(rest) > 3
        and rest[0].low in ("x", "×", "*")
        and rest[1].value == 10
        and rest[2].text == "^"
        and (power := _exponent(rest[3:])) is not None
    ):
        return value * _raised(Decimal(10), power[0]), end + 3 + power[1]
    if (
        len(rest) > 1
        and rest[0].text == "/"
        and not rest[0].gap
        and not rest[1].gap
        and rest[1].counts
        and rest[1].value
        and _is_fraction(value, rest[1].value, tokens, end + 2)
    ):
        return value / rest[1].value, end + 2
    return value, end


def _exponent(rest: Sequence[Token]) -> tuple[int, int] | None:
    """Return an exponent and how many tokens it takes."""
    skip = 1 if rest[0].text in ("{", "(") else 0
    minus = len(rest) > skip and rest[skip].text == "-"
    at = skip + minus
    if (
        at >= len(rest)
        or rest[at].value is None
        or rest[at].value != int(rest[at].value or 0)
        or (rest[at].value or 0) > LARGEST_POWER
    ):
        return None
    closed = skip and at + 1 < len(rest) and rest[at + 1].text in ("}", ")")
    return int(rest[at].value or 0) * (-1 if minus else 1), at + 1 + bool(closed)


def _raised(value: Decimal, power: int) -> Decimal:
    return value**power if value.adjusted() < 3 else value


def _is_fraction(above: Decimal, below: Decimal, tokens: Sequence[Token], end: int) -> bool:
    following = tokens[end].low if end < len(tokens) else ""
    small = above in (1, 2, 3) and below in (2, 3, 4, 5, 8, 10, 16) and above < below
    return small and (following in lexicon.words("numbers", "fraction_followers"))


def _scaled(tokens: Sequence[Token], number: Number) -> Number:
    """Return a number with the letter or the word that scales it: 34.08M, 1.3 billion, 8k."""
    letters, scales = lexicon.table("numbers")["suffixes"], lexicon.table("numbers")["scale_words"]
    at = number.last
    if at >= len(tokens):
        return number
    token = tokens[at]
    following = tokens[at + 1] if at + 1 < len(tokens) else None
    if not token.gap and token.text in letters:
        glued = (
            following is not None and not following.gap and (following.kind in (NUMBER, WORD) or following.text == "/")
        )
        return number if glued else _times(number, at + 1, Decimal(letters[token.text]), token.text)
    at += token.text == "-"
    while at < len(tokens) and tokens[at].low in scales:
        number = _times(number, at + 1, Decimal(scales[tokens[at].low]), tokens[at].low)
        at += 1
    return number


def _times(number: Number, last: int, factor: Decimal, suffix: str) -> Number:
    return replace(
        number, last=last, low=number.low * factor, high=number.high * factor, half=number.half * factor, suffix=suffix
    )


def worded_at(tokens: Sequence[Token], at: int) -> Number | None:
    """Return the number that is spelt at a token: eight, twenty-two, two thirds, a dozen, half a million."""
    data = lexicon.table("numbers")
    values, scales, parts = data["words"], data["scale_words"], data["fractions"]
    low = tokens[at].low
    if low in ("a", "an", "half") and (found := _article(tokens, at)) is not None:
        return found
    if low not in values or (tokens[at].text.isupper() and len(low) > 1 and at and tokens[at - 1].kind == NUMBER):
        return None
    value, end = Decimal(values[low]), at + 1
    following = tokens[end + 1] if end + 1 < len(tokens) and tokens[end].text == "-" else None
    if value >= 20 and following is not None and 0 < values.get(following.low, 99) < 10:
        value, end = value + values[following.low], end + 2
    behind = end + 1 if end + 1 < len(tokens) and tokens[end].text == "-" else end
    if behind < len(tokens) and tokens[behind].low in parts and low not in ("single", "both"):
        return Number(
            at,
            behind + 1,
            value / parts[tokens[behind].low],
            value / parts[tokens[behind].low],
            Decimal(0),
            worded=True,
        )
    while end < len(tokens) and (tokens[end].low in scales or tokens[end].low in ("dozen", "dozens")):
        value, end = value * scales.get(tokens[end].low, 12), end + 1
    return Number(at, end, value, value, Decimal(0), worded=True)


def _article(tokens: Sequence[Token], at: int) -> Number | None:
    """Return "a dozen", "a hundred", "a third", "half a million", "half an hour", "under a minute"."""
    data = lexicon.table("numbers")
    scales, hours = data["scale_words"], lexicon.words("numbers", "single_times")
    half = tokens[at].low == "half"
    if half and (at + 1 >= len(tokens) or tokens[at + 1].low not in ("a", "an")):
        return None
    following = tokens[at + 1 + half].low if at + 1 + half < len(tokens) else ""
    if half:
        scale = scales.get(following, 1 if following in hours else None)
        value, last = (Decimal(scale) / 2 if scale else None), at + 2 + (scale != 1)
    else:
        value, last = scales.get(following, Decimal(12) if following == "dozen" else None), at + 2
        if value is None and following in data["fractions"] and following != "second":
            value = 1 / Decimal(data["fractions"][following])
        if value is None and following in hours and at and tokens[at - 1].low in lexicon.words("numbers", "bounds"):
            value, last = Decimal(1), at + 1
    return None if value is None else Number(at, last, Decimal(value), Decimal(value), Decimal(0), worded=True)


def _continued(tokens: Sequence[Token], number: Number) -> Number:
    """Return a number with the spread or the upper end behind it."""
    at = number.last
    sign = tokens[at]
    if sign.text in _SPREADS:
        other = single_at(tokens, at + 1)
        return number if other is None else replace(number, last=other.last, spread=other.low)
    following, other = tokens[at + 1], None
    if sign.text in _RANGES and (sign.gap == following.gap or sign.text == "–"):
        if (following.kind == NUMBER and not following.fixed) or following.kind == WORD:
            other = single_at(tokens, at + 1)
    elif (
        sign.low in ("to", "and", "through", "bis")
        and (sign.low == "and") == (number.started == "between")
        and number.started != "from"
    ):
        other = single_at(tokens, at + 1) if following.kind != SIGN else None
    if other is None or other.worded != number.worded:
        return number
    low = number.low
    bare = tokens[other.first].value or Decimal(1)
    if other.suffix and not number.suffix and not other.worded and low < bare:
        low = low * other.low / bare
    if not low < other.low or (sign.low == "to" and other.low > 1000 * max(low, Decimal("1e-9"))):
        return number
    return replace(
        number,
        low=low,
        high=other.low,
        half=max(number.half, other.half),
        suffix=other.suffix or number.suffix,
        last=other.last,
    )


@cache
def _qualifiers() -> Phrases[str]:
    return lexicon.phrases_of(lexicon.table("numbers")["qualifiers"], reverse=True)


def _qualifier(tokens: Sequence[Token], number: Number) -> str | None:
    """Return what bounds a number: a word or a sign to its left, or a plus behind it."""
    fillers = lexicon.words("numbers", "qualifier_fillers")
    at = number.first - 1
    while at >= 0 and number.first - at <= MOST_STEPS:
        found = _ends_at(tokens, at)
        if found:
            return found
        if tokens[at].low not in fillers:
            break
        at -= 1
    after = tokens[number.last] if number.last < len(tokens) else None
    plus = after is not None and after.text == "+" and not after.gap
    return (
        "at_least" if plus and not (number.last + 1 < len(tokens) and tokens[number.last + 1].kind == NUMBER) else None
    )


def _ends_at(tokens: Sequence[Token], at: int) -> str | None:
    left = [tokens[k] for k in range(at, max(-1, at - 4), -1)]
    found = _qualifiers().match(left, 0)
    return found[0][1] if found else None
