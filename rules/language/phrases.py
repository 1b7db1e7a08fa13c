"""Noun phrases: which noun a number counts, and which key it is the value of.

A count belongs to the head of its phrase: in "eight 400 W A100-80GB GPUs" eight devices, in "16 GPU streams" streams.
The classes are closed; a noun or a key is added to `nouns.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from msgspec import Struct

from . import lexicon
from .names import Name
from .numbers import Number
from .printed import Span
from .quantity import Owner, Quantity
from .tokens import WORD, Place, Token, over

MOST_STEPS = 9
QuantityAt = Callable[[int], Quantity | None]


class Count(Place, frozen=True):
    """A count, or the value of a key.

    Attributes:
        value: its value; the lower end of a range.
        high: the upper end.
        half: half a unit of the last printed place.
        of: the class of what is counted.
        qualifier: at_most, at_least, about or None.
        noun: the word that says what is counted, as printed in lower case.
        worded: whether the number is spelt.
    """

    value: Decimal
    high: Decimal
    half: Decimal
    of: str
    qualifier: str | None = None
    noun: str = ""
    worded: bool = False

    @property
    def interval(self) -> Span:
        """What its printed digits allow; a whole number without a scale is exact."""
        whole = self.half == Decimal("0.5")
        half = Decimal(0) if whole else self.half
        return Span(self.value - half, self.high + half)


def counted(tokens: Sequence[Token], number: Number, of: str, noun: str = "", first: int | None = None) -> Count:
    """Return a number as a count; 8k of a length is 8,192."""
    low, high = (_length(number, value) if of == "sequence_length" else value for value in (number.low, number.high))
    begin = number.first if first is None else first
    return Count(
        *over(tokens, begin, number.last), low, high, number.half, of, number.qualifier, noun, number.worded
    )  # fmt: skip


def _length(number: Number, value: Decimal) -> Decimal:
    if number.suffix not in ("k", "K"):
        return value
    thousands = value / 1000
    whole = int(thousands)
    binary = thousands == whole and (whole & (whole - 1) == 0 or (whole % 16 == 0 and whole < 1024))
    return thousands * 1024 if whole >= 1 and binary else value


class _Walk(Struct):
    """The walk from a number over the modifiers of its phrase: where it stands, and the best head so far."""

    at: int
    end: int = 0
    of: str = ""
    noun: str = ""
    times: bool = False
    named: bool = False
    done: bool = False


def by_head(tokens: Sequence[Token], number: Number, owner: Owner, quantity: QuantityAt) -> Count | None:
    """Return the count of the noun at the head of the phrase that a number begins."""
    walk = _Walk(number.last)
    if walk.at < len(tokens) and tokens[walk.at].low in ("x", "×", "*"):
        walk.times, walk.at = True, walk.at + 1
    elif walk.at < len(tokens) and tokens[walk.at].text == "+" and not tokens[walk.at].gap:
        walk.at += 1
    for step in range(MOST_STEPS):
        if walk.done or walk.at >= len(tokens):
            break
        _advance(tokens, number, owner, quantity, walk, step)
    whole = number.low == int(number.low) or walk.of in ("tokens", "epochs", "steps", "samples")
    if not walk.of or not whole or number.low < 0:
        return None
    if walk.of == "devices" and _is_device_time(tokens, walk.end):
        return None
    if tokens[number.first].low == "single" and walk.of not in lexicon.words("nouns", "single_ok"):
        return None
    if (
        tokens[number.first].low == "one"
        and walk.of in ("repetitions", "other", "models", "tasks", "steps", "runs")
        and number.first
        and tokens[number.first - 1].low in ("the", "this", "that", "only", "each", "every")
    ):
        return None
    if walk.of in ("devices", "nodes", "cores") and _is_device_time(tokens, walk.end):
        return None
    of = _per_node(tokens, number, walk.end) if walk.of == "devices" else walk.of
    return counted(tokens, number, of, walk.noun)


def _is_device_time(tokens: Sequence[Token], end: int) -> bool:
    """Whether a noun is a part of a unit: GPU-hours, node days."""
    at = end + 1 if end + 1 < len(tokens) and tokens[end].text == "-" else end
    return at < len(tokens) and tokens[at].low in lexicon.words("nouns", "device_times")


def _advance(
    tokens: Sequence[Token], number: Number, owner: Owner, quantity: QuantityAt, walk: _Walk, step: int
) -> None:
    token, name = tokens[walk.at], owner(walk.at)
    if name is not None:
        _over_name(tokens, number, name, walk)
        return
    inner = quantity(walk.at)
    if inner is not None and (not walk.of or (walk.of == "other" and walk.named)):
        walk.at = inner.last
        return
    stops = lexicon.words("nouns", "stops")
    kind = None if token.low in stops or token.kind != WORD else _class_of(token, number)
    if kind is not None and not (tokens[number.last].text == "-" and walk.of):
        _take_head(tokens, walk, token, kind)
    elif token.text == "(" and _bracket_continues(tokens, owner, walk):
        walk.at = _after_bracket(tokens, walk.at)
    elif token.text in ("-", "/") and not token.gap and (not walk.of or token.text == "-"):
        walk.at += 1
    elif walk.of in ("devices",) and token.low in lexicon.words("nouns", "carriers"):
        _at_carrier(walk, token)
    elif (
        walk.of
        and token.low in lexicon.words("nouns", "length_heads")
        and walk.of in ("tokens", "sequence_length")
        and not token.gap
    ) or (walk.of == "tokens" and token.low in lexicon.words("nouns", "length_heads")):
        walk.of, walk.done = (
            (
                "sequence_length"
                if token.low.rstrip("s")
                in ("length", "window", "context", "ctx", "prompt", "input", "sequence", "output")
                else walk.of
            ),
            True,
        )
    elif not walk.of and token.kind == WORD and token.low not in stops and _is_modifier(tokens, owner, walk, step):
        walk.at += 1
    else:
        walk.done = True


def _class_of(token: Token, number: Number) -> str | None:
    if token.low in lexicon.words("nouns", "lengths_of") and number.suffix in ("k", "K", "M"):
        return "sequence_length"
    return lexicon.classes("nouns", "heads").get(token.low)


def _take_head(tokens: Sequence[Token], walk: _Walk, token: Token, kind: str) -> None:
    walk.at += 1
    if walk.of == "nodes" and token.low in lexicon.words("nouns", "carriers"):
        walk.done = True
        return
    walk.end, walk.of, walk.noun = walk.at, kind, token.low
    if (token.low.endswith("s") and len(token.low) > 3) or kind in ("parameters",):
        lengths = (
            walk.at < len(tokens) and tokens[walk.at].low in lexicon.words("nouns", "length_heads") and kind == "tokens"
        )
        walk.done = not lengths and not (
            kind == "devices"
            and walk.at < len(tokens)
            and tokens[walk.at].low in lexicon.words("nouns", "carriers")
            and not walk.times
        )
        walk.done = walk.done or kind == "devices"


def _over_name(tokens: Sequence[Token], number: Number, name: Name, walk: _Walk) -> None:
    """Go over a name; a device or a system may be what is counted: "8x A100", "two DGX-2"."""
    if name.kind in ("device", "system") and walk.of in ("", "devices"):
        walk.named = name.kind == "device"
        kind = "nodes" if name.kind == "system" else "other" if name.host else "devices"
        walk.end, walk.of, walk.noun = name.last, kind, name.text.lower()
        behind = tokens[name.last].low if name.last < len(tokens) else ""
        plural = name.text.endswith("s") and name.kind == "device"
        walk.done = plural and behind not in lexicon.words("units", "devices")
        if walk.times and kind == "devices" and behind in lexicon.words("nouns", "carriers"):
            _at_carrier(walk, tokens[name.last])
    elif walk.of and not (walk.of == "other" and walk.named):
        walk.done = True
    walk.at = max(name.last, walk.at + 1)


def _bracket_continues(tokens: Sequence[Token], owner: Owner, walk: _Walk) -> bool:
    if walk.at + 1 >= len(tokens):
        return False
    return (not walk.of and tokens[walk.at + 1].low in ("of", "out", "s")) or (
        not walk.of and owner(walk.at + 1) is not None
    )


def _after_bracket(tokens: Sequence[Token], at: int) -> int:
    for end in range(at, min(at + 8, len(tokens))):
        if tokens[end].text == ")":
            return end + 1
    return len(tokens)


def _at_carrier(walk: _Walk, token: Token) -> None:
    """Two "8-GPU nodes" have so many devices each; one "8-GPU node" has them in all."""
    walk.done = True
    if token.low in lexicon.words("nouns", "carrier_nodes") and token.low.endswith("s"):
        walk.of = "devices_per_node"


def _is_modifier(tokens: Sequence[Token], owner: Owner, walk: _Walk, step: int) -> bool:
    token = tokens[walk.at]
    if token.low in lexicon.words("nouns", "head_modifiers"):
        return True
    if step > 1:
        return False
    heads = lexicon.classes("nouns", "heads")
    following = tokens[walk.at + 1 : walk.at + 3]
    name = owner(walk.at + 1)
    if name is not None and name.kind == "device":
        return True
    for later in following:
        if (later.kind != WORD and later.text != "-") or later.low in lexicon.words("nouns", "stops"):
            return False
        if later.low in heads:
            return True
    return False


def nested(tokens: Sequence[Token], at: int, owner: Owner) -> list[Count]:
    """Return nodes and their devices in "4x8xV100", "2 x 8 A100"."""
    part = tokens[at : at + 5]
    if len(part) < 4 or not (part[0].counts and part[2].counts) or part[1].low not in ("x", "×"):
        return []
    named = at + 3 + (part[3].low in ("x", "×"))
    name = owner(named)
    whole = all(t.value is not None and t.value == int(t.value) and t.value <= 65536 for t in (part[0], part[2]))
    if name is None or name.kind != "device" or name.host or not whole or (at and tokens[at - 1].low in ("x", "×")):
        return []
    kinds = ((at, "nodes"), (at + 2, "devices_per_node"))
    numbers = [(k, of, tokens[k].value or Decimal(0)) for k, of in kinds]
    return [Count(*over(tokens, k, k + 1), v, v, Decimal("0.5"), of, noun=name.text.lower()) for k, of, v in numbers]


def _per_node(tokens: Sequence[Token], number: Number, end: int) -> str:
    """Tell devices of one node from all devices: "8 GPUs per node", "4 nodes with 8x V100"."""
    nodes = lexicon.words("nouns", "carrier_nodes")
    behind = [t.low for t in tokens[end : end + 3]]
    if behind[:1] in (["per"], ["/"], ["each"], ["pro"]) and len(behind) > 1 and behind[1] in nodes:
        return "devices_per_node"
    if behind[:1] in (["in"], ["on"]) and len(behind) > 2 and behind[1] in ("each", "every") and behind[2] in nodes:
        return "devices_per_node"
    if behind[:1] == ["each"] and any(t.low in nodes for t in tokens[max(0, number.first - 6) : number.first]):
        return "devices_per_node"
    at = number.first - 1
    while at >= 0 and number.first - at < 6 and tokens[at].low in lexicon.words("nouns", "node_joins"):
        at -= 1
    joined = {t.low for t in tokens[at + 1 : number.first]}
    if at < 0 or tokens[at].low not in nodes:
        return "devices"
    several = tokens[at].low.endswith("s") or (at > 0 and tokens[at - 1].low in ("each", "every", "per"))
    return "devices_per_node" if several and joined & lexicon.words("nouns", "node_has") else "devices"


def by_times(tokens: Sequence[Token], number: Number, owner: Owner, ending: QuantityAt) -> Count | None:
    """Return the count that stands behind its noun: "A100 x8", "A100 80GB x 4"."""
    at = number.first - 1
    if at < 1 or tokens[at].low not in ("x", "×", "*"):
        return None
    at -= 1
    while at >= 0 and (ending(at + 1) is not None or tokens[at].text in ("@", ",", "(", ")")):
        inner = ending(at + 1)
        at = inner.first - 1 if inner is not None else at - 1
    name = owner(at) if at >= 0 else None
    generic = at >= 0 and tokens[at].low in lexicon.words("units", "devices")
    if generic or (name is not None and name.kind == "device"):
        host = name is not None and name.host
        return counted(tokens, number, "other" if host else "devices", "")
    return None
