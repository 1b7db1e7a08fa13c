"""Numbers: from tokens to exact values with ranges, spreads, qualifiers and the rounding of the printed digits.

Read are 1,200 / 1.200.000 / 1 200 / 1.2k / 1.1e18 / 2^16 / 3 x 10^6 / two thirds / twenty-two / 3-5 / 77.02 ± 0.04 /
~2 / >= 4. The value of `1.2k` is 1200, and half a unit of its last printed place is 50.
"""

from __future__ import annotations

from decimal import Decimal
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from . import lexicon
from .lexicon import Phrases
from .tokens import NUMBER, SIGN, WORD, Tokens

LARGEST_POWER = 300
MOST_STEPS = 4
"""Tokens to the left of a number that a qualifier may stand away: "up to a factor of 3"."""
MOST_INSIDE = 10
"""Tokens from "from" to the condition of its value: "from 90 ms at batch 4"."""
SPREADS = ("±", "+/-", "+-")
_SPACED = ("K", "M", "B")
"""Letters that scale a number across a space where a noun follows: "46 M parameters"."""
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


def number_at(tokens: Tokens, at: int) -> Number | None:
    """Return the number that begins at a token, with its range, spread and qualifier."""
    number = single_at(tokens, at)
    if number is None:
        return None
    before = tokens.low(at - 1)
    number = _repeated(tokens, number)
    number = _continued(tokens, replace(number, started=before if before in ("from", "between") else ""))
    return replace(number, qualifier=_qualifier(tokens, number))


def single_at(tokens: Tokens, at: int) -> Number | None:
    """Return the one number at a token, without what follows it."""
    if tokens.kind(at) == WORD:
        return None if tokens.glued(at) and tokens.low(at - 1) == "-" else worded_at(tokens, at)
    sign, first = 1, at
    if tokens.low(at) in ("-", "+") and _signs(tokens, at):
        sign, at = (-1 if tokens.low(at) == "-" else 1), at + 1
    printed = _printed(tokens, at) if tokens.counts(at) else None
    if printed is None:
        return None
    value, last = _power(tokens, at, printed)
    half = _half(printed) * (abs(value / printed) if printed else 1)
    if last > at + 1 and tokens.low(at + 1) in ("^", "**", "/"):
        half = Decimal(0)
    return _scaled(tokens, Number(first, last, value * sign, value * sign, half))


def _printed(tokens: Tokens, at: int) -> Decimal | None:
    """Return the value of a token; the point of "1.200 Bilder" stands between thousands, as a German noun says."""
    whole, _, rest = tokens[at].text.partition(".")
    german = len(rest) == 3 and rest.isdigit() and 0 < len(whole) <= 3 and whole != "0"
    if german and tokens.low(at + 1) in lexicon.words("numbers", "german"):
        return Decimal(whole + rest)
    return tokens[at].value


def _repeated(tokens: Tokens, number: Number) -> Number:
    """Return a number over its repetition in brackets: two (2), 18 billion (18B)."""
    if tokens.low(number.last) != "(" or not (number.worded or number.suffix):
        return number
    again = single_at(tokens, number.last + 1)
    closed = again is not None and tokens.low(again.last) == ")" and again.low == number.low
    return replace(number, last=again.last + 1) if again is not None and closed else number


def _signs(tokens: Tokens, at: int) -> bool:
    if tokens.kind(at + 1) != NUMBER or not tokens.glued(at + 1):
        return False
    return not tokens.glued(at) or tokens.low(at - 1) in ("(", "[", "~", "=", ":", "|")


def _half(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0) / 2


def _power(tokens: Tokens, at: int, value: Decimal) -> tuple[Decimal, int]:
    """Return a value with the power behind it: 2^16, 3 x 10^6, 1/2."""
    sign = tokens.low(at + 1)
    if sign in ("^", "**") and (power := _exponent(tokens, at + 2)) is not None:
        return _raised(value, power[0]), power[1]
    if sign == "/" and tokens.glued(at + 1) and tokens.glued(at + 2) and tokens.counts(at + 2):
        below = tokens[at + 2].value
        bracketed = tokens.low(at - 1) == "(" and tokens.low(at + 3) == ")"  # "(1/3) activation memory"
        scaled = lexicon.words("numbers", "fraction_followers") | lexicon.words("compare", "scaled")
        said = tokens.low(at + 3) in scaled or (bracketed and tokens.low(at + 5) in scaled)
        if value in (1, 2, 3) and below and value < below and said:
            return value / below, at + 3
    return value, at + 1


def _exponent(tokens: Tokens, at: int) -> tuple[int, int] | None:
    """Return an exponent and the token after it."""
    opened = tokens.low(at) in ("{", "(")
    minus = tokens.low(at + opened) == "-"
    at += opened + minus
    value = tokens[at].value if tokens.kind(at) == NUMBER else None
    if value is None or value != int(value) or value > LARGEST_POWER:
        return None
    closed = opened and tokens.low(at + 1) in ("}", ")")
    return int(value) * (-1 if minus else 1), at + 1 + closed


def _raised(value: Decimal, power: int) -> Decimal:
    return value**power if value.adjusted() < 3 else value


def _scaled(tokens: Tokens, number: Number) -> Number:
    """Return a number with the letter or the word that scales it: 34.08M, 1.3 billion, 8k."""
    letters, scales = lexicon.table("numbers")["suffixes"], lexicon.table("numbers")["scale_words"]
    at = number.last
    small = tokens.low(at) == "m" and tokens.low(at + 1) == "/" and tokens.low(at + 3) == "b"  # "125m/1.3B"
    if tokens.glued(at) and small:
        return _times(number, at + 1, Decimal(letters["M"]), "M")
    if tokens.glued(at) and tokens[at].text in letters:
        slash = tokens.low(at + 1) == "/" and tokens.kind(at + 2) != NUMBER
        joined = tokens.glued(at + 1) and (tokens.kind(at + 1) in (NUMBER, WORD) or slash)
        return number if joined else _times(number, at + 1, Decimal(letters[tokens[at].text]), tokens[at].text)
    spaced = tokens.kind(at) == WORD and tokens[at].text in _SPACED and not tokens.glued(at + 1)
    if spaced and _is_counted(tokens, at + 1):
        return _times(number, at + 1, Decimal(letters[tokens[at].text]), tokens[at].text)
    at += tokens.low(at) == "-"
    while tokens.low(at) in scales:
        number = _times(number, at + 1, Decimal(scales[tokens.low(at)]), tokens.low(at))
        at += 1
    return number


def _is_counted(tokens: Tokens, at: int) -> bool:
    """Whether a noun that is counted stands at a token, or behind one modifier."""
    heads = lexicon.classes("nouns", "heads")
    modified = tokens.low(at) in lexicon.words("nouns", "head_modifiers") and tokens.kind(at + 1) == WORD
    return tokens.low(at) in heads or (modified and tokens.low(at + 1) in heads)


def _times(number: Number, last: int, factor: Decimal, suffix: str) -> Number:
    low, high, half = (value * factor for value in (number.low, number.high, number.half))
    return replace(number, last=last, low=low, high=high, half=half, suffix=suffix)


def _worded(first: int, last: int, value: Decimal) -> Number:
    return Number(first, last, value, value, Decimal(0), worded=True)


def worded_at(tokens: Tokens, at: int) -> Number | None:
    """Return the number that is spelt at a token: eight, twenty-two, two thirds, a dozen, half a million."""
    data, low = lexicon.table("numbers"), tokens.low(at)
    values, scales, parts = data["words"], data["scale_words"], data["fractions"]
    if low in ("a", "an", "half") and (found := _article(tokens, at)) is not None:
        return found
    shouted = tokens[at].text.isupper() and len(low) > 1 and (tokens.kind(at - 1) == NUMBER or low == "zero")
    several = low == "hundred" and tokens.low(at + 1) == "of"
    if low not in values or shouted or several or tokens.low(at - 1) in ("several", "few", "many"):
        return None
    value, end = Decimal(values[low]), at + 1
    if value >= 20 and tokens.low(end) == "-" and 0 < values.get(tokens.low(end + 1), 99) < 10:
        value, end = value + values[tokens.low(end + 1)], end + 2
    behind = end + (tokens.low(end) == "-" and end + 1 < len(tokens))
    if tokens.low(behind) in parts and low != "single":
        return _worded(at, behind + 1, value / parts[tokens.low(behind)])
    while tokens.low(end) in scales or tokens.low(end) in ("dozen", "dozens"):
        value, end = value * scales.get(tokens.low(end), 12), end + 1
    return _worded(at, end, value)


def _article(tokens: Tokens, at: int) -> Number | None:
    """Return "a dozen", "a hundred", "a third", "half a million", "half an hour", "under a minute"."""
    data, hours = lexicon.table("numbers"), lexicon.words("numbers", "single_times")
    scales, half, following = data["scale_words"], tokens.low(at) == "half", tokens.low(at + 1)
    if half:
        scaled = tokens.low(at + 2)
        scale = scales.get(scaled, 1 if scaled in hours else None) if following in ("a", "an") else None
        return _worded(at, at + 2 + (scaled not in hours), Decimal(scale) / 2) if scale else None
    if following in scales or following == "dozen":
        return _worded(at, at + 2, Decimal(scales.get(following, 12)))
    if following in data["fractions"] and following != "second":
        return _worded(at, at + 2, 1 / Decimal(data["fractions"][following]))
    spent = tokens.low(at - 1) == "over" and tokens.low(at - 2) in lexicon.words("numbers", "spending")
    bounded = spent or tokens.low(at - 1) in lexicon.words("numbers", "bounds")  # "over a week" may be its course
    return _worded(at, at + 1, Decimal(1)) if following in hours and bounded else None


def _continued(tokens: Tokens, number: Number) -> Number:
    """Return a number with the spread or the upper end behind it."""
    at = number.last
    at += tokens.lows(at, at + 2) == ["-", "-"] and tokens.glued(at) and tokens.glued(at + 1)  # "2--3x"
    low, begins = tokens.low(at), at + 1 < len(tokens)
    other = None
    if low in SPREADS and begins:
        other = single_at(tokens, at + 1)
        return number if other is None else replace(number, last=other.last, spread=other.low)
    if low in _RANGES and begins and (tokens.glued(at) == tokens.glued(at + 1) or low == "–"):
        plain = tokens.kind(at + 1) == WORD or (tokens.kind(at + 1) == NUMBER and not tokens[at + 1].fixed)
        other = single_at(tokens, at + 1) if plain else None
    elif low in ("to", "and", "through", "bis", "or") and number.started != "from" and tokens.kind(at + 1) != SIGN:
        if low == "to" and is_inside(tokens, number.first):
            return number
        between = (low == "and") == (number.started == "between")
        other = single_at(tokens, at + 1) if begins and between else None
    if other is None or other.worded != number.worded or (low == "or" and other.low != number.low + 1):
        return number
    lower, bare = number.low, tokens[other.first].value or Decimal(1)
    if other.suffix and not number.suffix and not other.worded and lower < bare:
        lower = lower * other.low / bare
    if not lower < other.low or (low == "to" and other.low > 1000 * max(lower, Decimal("1e-9"))):
        return number
    half, suffix = max(number.half, other.half), other.suffix or number.suffix
    return replace(number, low=lower, high=other.low, half=half, suffix=suffix, last=other.last)


def is_inside(tokens: Tokens, at: int) -> bool:
    """Whether a "from" with its own number waits for the "to" behind a number: "from 90 ms at batch 4 to 120 ms"."""
    for k in range(at - 1, max(-1, at - MOST_INSIDE), -1):
        if tokens.low(k) in ("to", ".", ";", "from"):
            return tokens.low(k) == "from" and tokens.counts(k + 1) and k + 1 < at
    return False


@cache
def _qualifiers() -> Phrases[str]:
    return lexicon.phrases_of(lexicon.table("numbers")["qualifiers"], reverse=True)


def _qualifier(tokens: Tokens, number: Number) -> str | None:
    """Return what bounds a number: a word or a sign to its left, or a plus behind it."""
    fillers = lexicon.words("numbers", "qualifier_fillers")
    for at in range(number.first - 1, max(-1, number.first - 1 - MOST_STEPS), -1):
        left = tokens[max(0, at - 3) : at + 1][::-1]
        if found := _qualifiers().match(left, 0):
            size, said = found[0]
            bound = _qualifiers().match(tokens[max(0, at - size - 3) : at - size + 1][::-1], 0)
            return bound[0][1] if said == "about" and bound else said  # "up to about 3x"
        if tokens.low(at) not in fillers:
            break
    plus = tokens.low(number.last) == "+" and tokens.glued(number.last)
    return "at_least" if plus and tokens.kind(number.last + 1) != NUMBER else None
