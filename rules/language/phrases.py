"""Noun phrases: which noun a number counts, and which key it is the value of.

A count belongs to the head of its phrase: in "eight 400 W A100-80GB GPUs" eight devices, in "16 GPU streams" streams.
The classes are closed; a noun or a key is added to `nouns.json`.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from . import lexicon
from .modifiers import (
    MOST_STEPS,
    TIMES,
    closing,
    compound_end,
    counts_inside,
    is_identifier,
    is_index,
    is_modifier,
    is_passed,
    is_plural,
    names_one,
)
from .names import Name
from .numbers import Number
from .printed import Span
from .quantity import Owner, Quantity
from .tokens import NUMBER, WORD, Place, Token, Tokens, over

MOST_NODES = 200_000
"""So many are nodes of a graph."""
PROCESSORS = "processors"
"""Those of a host."""
MOST_PLAIN = 10_000
"""A model has more parameters: "8 parameter servers"."""
CORES = ("cortex", "arm cortex", "neoverse", "arm neoverse")
"""Names of cores rather than processors: "4x Cortex-A76"."""
PICTURED = ("samples", "requests")
"""What may describe another noun: "three image generation models"."""
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


def counted(tokens: Tokens, number: Number, of: str, noun: str = "", first: int | None = None) -> Count:
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


def _of_length(number: Number) -> bool:
    return number.suffix in ("k", "K", "M") or (number.low >= 1024 and number.low % 128 == 0)


class _Walk(Struct):
    """The walk from a number over the modifiers of its phrase: where it stands, and the best head so far."""

    at: int
    end: int = 0
    of: str = ""
    noun: str = ""
    times: bool = False
    named: bool = False
    done: bool = False
    large: bool = False
    strange: int = 0
    """Modifiers so far that no list knows."""

    @property
    def open(self) -> bool:
        """Whether nothing is counted yet, or only processors of a host, of which cores may follow."""
        return not self.of or self.of == PROCESSORS


def by_head(tokens: Tokens, number: Number, owner: Owner, quantity: QuantityAt) -> Count | None:
    """Return the count of the noun at the head of the phrase that a number begins."""
    walk = _Walk(number.last, large=number.low >= MOST_PLAIN)
    walk.times = tokens.low(walk.at) in TIMES
    walk.at += walk.times or (tokens.low(walk.at) == "+" and tokens.glued(walk.at))
    bounded = lexicon.table("nouns")["open_ends"].get(" ".join(tokens.lows(walk.at, walk.at + 2)))
    if bounded is not None:  # "2 or more GPUs"
        number, walk.at = replace(number, qualifier=bounded), walk.at + 2
    for _ in range(MOST_STEPS):
        if walk.done or walk.at >= len(tokens):
            break
        _advance(tokens, number, owner, quantity, walk)
    before = owner(number.first - 1)
    sized = before is not None and before.kind == "device" and not tokens.glued(number.last)
    sized = sized and number.low > 1 and walk.of == "devices" and not tokens.low(walk.end - 1).endswith("s")
    if sized or is_index(tokens, number):  # "an A100 80 GPU"
        return None
    if walk.of == "nodes" and number.low >= MOST_NODES:
        walk.of = "other"
    whole = number.low == int(number.low) or walk.of in ("tokens", "epochs", "steps", "samples")
    if not walk.of or not whole or number.low < 0 or names_one(tokens, number, walk.of):
        return None
    if walk.of != "devices":
        once = walk.times and number.low == 1 and walk.of not in ("nodes", "other", PROCESSORS)  # "the 1x models"
        return None if once else counted(tokens, number, walk.of, walk.noun)
    behind = walk.end + (tokens.low(walk.end) == "-")
    if tokens.low(behind) in lexicon.words("units", "times_of_devices"):
        return None
    return counted(tokens, number, _per_node(tokens, number, walk.end, owner), walk.noun)


def _advance(tokens: Tokens, number: Number, owner: Owner, quantity: QuantityAt, walk: _Walk) -> None:
    token, name = tokens[walk.at], owner(walk.at)
    inner = quantity(walk.at) if walk.open else None
    if name is not None:
        _over_name(tokens, number, name, walk)
        return
    if inner is not None:
        walk.at = inner.last
        return
    stop = token.kind != WORD or token.low in lexicon.words("nouns", "stops") or is_identifier(tokens, walk.at)
    lengths = token.low in lexicon.words("nouns", "lengths_of") and _of_length(number)
    heads = lexicon.classes("nouns", "heads")
    kind = "sequence_length" if lengths else heads.get(token.low)
    plural = f"{token.low}s"
    single = tokens.low(number.last - 1) in ("one", "1") and plural not in lexicon.words("nouns", "plural_only")
    if kind is None and single:
        kind = heads.get(plural)
    verb = tokens.low(walk.at + 1) in lexicon.words("nouns", "determiners")
    if verb and token.low in lexicon.words("nouns", "no_plurals"):  # "version 2 runs the tests"
        kind = None
    if walk.strange and number.low > 1 and not token.low.endswith("s"):  # "stride 2 max-pool layer"
        kind = None
    if kind is None and _counts_plural(tokens, number, owner, walk):
        kind = "other"
    if walk.of == "tokens" and token.low in lexicon.words("nouns", "length_heads"):
        walk.of = "sequence_length" if token.low.rstrip("s") in lexicon.words("nouns", "length_nouns") else walk.of
        walk.done = True
    elif kind is not None and not stop and not (walk.of and _is_compound(tokens, number, token.low)):
        _take_head(tokens, walk, kind)
    elif token.text == "(" and not walk.of and is_passed(tokens, owner, walk.at):
        walk.at = closing(tokens, walk.at)
    elif (token.text == "-" and not token.gap) or (_opens_noun(token) and not walk.of):
        walk.at += 1
    elif not walk.of and (inside := counts_inside(tokens, walk.at)):
        walk.at += inside
    elif walk.of == "devices" and token.low in lexicon.words("nouns", "carriers"):
        _at_carrier(tokens, number, walk, token.low)
    elif (
        (walk.of and (number.low == 1 or walk.of not in PICTURED))
        or stop
        or (tokens.glued(number.last) and tokens.low(number.last) != "+" and not walk.times)
    ):
        walk.done = True
    elif is_modifier(tokens, owner, walk.at, walk.strange):
        end = compound_end(tokens, walk.at)
        known = tokens.low(end - 1) in lexicon.words("nouns", "head_modifiers") or token.text[:1].isupper()
        walk.strange += not known
        headed = end > walk.at + 1 and tokens.low(end - 1) in lexicon.classes("nouns", "heads")
        headed = headed and (tokens.low(end - 1).endswith("s") or tokens.kind(end) != WORD)
        walk.at = end - 2 * headed + (tokens.low(end) in ("and", ",") and not headed)
    else:
        walk.done = True


def _opens_noun(token: Token) -> bool:
    """Whether a sign may stand between a number and its noun: 2 "true" tiles, 4/node."""
    return token.text == '"' or (token.text == "/" and not token.gap)


def _is_compound(tokens: Tokens, number: Number, low: str) -> bool:
    """Whether what is counted only describes a further noun: "12-core processors", "a 4 node run", "2 GPU server"."""
    before = tokens.low(number.first - 1)
    if tokens.low(number.last) == "-" or (before in ("a", "an") and number.low != 1):
        return True
    carried = low in lexicon.words("nouns", "carrier_nodes")
    carried = carried and tokens.low(number.last) in lexicon.words("units", "devices")
    return carried and number.low != 1 and (not low.endswith("s") or tokens.counts(number.first - 1))


def _counts_plural(tokens: Tokens, number: Number, owner: Owner, walk: _Walk) -> bool:
    """Whether a plural that no list knows is counted: "four layouts", "6 odd shapes"; not a verb, nor a name's part."""
    at, whole = walk.at, number.half in (0, Decimal("0.5")) or bool(number.suffix)
    compound = walk.of == "" or (walk.end == at and not (walk.named or walk.times or walk.of == "sequence_length"))
    if not (compound and whole and number.low != 1 and is_plural(tokens, at)) or tokens.low(number.last) == "-":
        return False
    if tokens.low(at + 1) in lexicon.classes("nouns", "heads") and not walk.of:
        return False
    before = tokens.low(number.first - 1)
    capital = tokens.kind(number.first - 1) == WORD and tokens[number.first - 1].text[:1].isupper()
    opens = tokens.kind(number.first - 2) not in (WORD, NUMBER)
    title = capital and not opens and before not in lexicon.words("nouns", "stops")
    valued = before in ("#", "$", "/") or (before == ":" and not number.worded)
    valued = valued or (before == "=" and tokens.glued(number.first))
    return not (title or valued) and owner(number.first - 1) is None


def _take_head(tokens: Tokens, walk: _Walk, kind: str) -> None:
    low = tokens.low(walk.at)
    if kind == "parameters" and not walk.large:  # "two parameters: url and path"
        kind = "other"
    compound = f"{tokens.low(walk.at - 1)}-{low}" in lexicon.words("nouns", "other_compounds")
    if compound or tokens.lows(walk.at - 2, walk.at) == ["hyper", "-"]:
        kind = "other"
    walk.at += 1
    if walk.of == "nodes" and low in lexicon.words("nouns", "carriers"):
        walk.done = True
        return
    walk.end, walk.of, walk.noun = walk.at, kind, low
    lengths = kind == "tokens" and tokens.low(walk.at) in lexicon.words("nouns", "length_heads")
    walk.done = not lengths and ((low.endswith("s") and len(low) > 3) or kind == "parameters")


def _over_name(tokens: Tokens, number: Number, name: Name, walk: _Walk) -> None:
    """Go over a name; a device or a system may be what is counted: "8x A100", "two DGX-2"."""
    behind = tokens.low(name.last)
    carried = behind in lexicon.words("nouns", "carriers") or behind in lexicon.words("nouns", "carrier_nodes")
    users = name.kind == "system" and (behind == "/" or (is_plural(tokens, name.last) and not carried))
    if name.kind in ("device", "system") and walk.of in ("", "devices") and not users:
        walk.named = name.kind == "device"
        core = name.text.lower().startswith(CORES)
        kind = "nodes" if name.kind == "system" else "cores" if core else PROCESSORS if name.host else "devices"
        walk.end, walk.of, walk.noun = name.last, kind, name.text.lower()
        plural = name.text.endswith("s") and name.kind == "device"
        walk.done = plural and behind not in lexicon.words("units", "devices")
        if walk.times and kind == "devices" and behind in lexicon.words("nouns", "carriers"):
            _at_carrier(tokens, number, walk, behind)
    elif not walk.open:
        walk.done = True
    walk.at = max(name.last, walk.at + 1)


def _at_carrier(tokens: Tokens, number: Number, walk: _Walk, low: str) -> None:
    """Two "8-GPU nodes" have so many devices each; one "8-GPU node" has them in all."""
    walk.done, before = True, number.first - 1
    spelt = lexicon.table("numbers")["words"].get(tokens.low(before), 1) > 1
    several = low.endswith("s") or tokens.counts(before) or spelt
    if low in lexicon.words("nouns", "carrier_nodes") and several:
        walk.of = "devices_per_node"


def _per_node(tokens: Tokens, number: Number, end: int, owner: Owner) -> str:
    """Tell devices of one node from all devices: "8 GPUs per node", "4 nodes with 8x V100"."""
    nodes = lexicon.words("nouns", "carrier_nodes")
    first, second, third = (tokens.low(end + k) for k in range(3))
    if (first, second) == ("in", "total") or first == "total":
        return "devices"
    each = first in ("per", "/", "each", "pro") and second in nodes
    each = each or (first in ("in", "on") and second in ("each", "every") and third in nodes)
    if each or (first == "each" and not nodes.isdisjoint(tokens.lows(number.first - 6, number.first))):
        return "devices_per_node"
    at = number.first - 1
    while number.first - at < 6 and tokens.low(at) in lexicon.words("nouns", "node_joins"):
        at -= 1
    joined = tokens.lows(at + 1, number.first)
    several = tokens.low(at).endswith("s") or tokens.low(at - 1) in ("each", "every", "per") or "je" in joined
    has = not lexicon.words("nouns", "node_has").isdisjoint(joined)
    system = owner(at)
    counted_system = system is not None and system.kind == "system" and tokens.counts(system.first - 1)
    held = counted_system or (tokens.low(at) in nodes and several)
    return "devices_per_node" if held and has else "devices"
