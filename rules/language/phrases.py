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
    PICTURED,
    TIMES,
    closing,
    compound_end,
    counts_inside,
    is_identifier,
    is_index,
    is_known,
    is_modifier,
    is_passed,
    is_plural,
    is_spatial,
    is_year,
    names_one,
    settled,
)
from .names import Name
from .nodes import of_nodes
from .numbers import Number
from .printed import Span
from .quantity import Owner, Quantity
from .tokens import NUMBER, WORD, Place, Tokens, over

PROCESSORS = "processors"
"""Those of a host."""
MOST_PLAIN = 1000
"""A model has more parameters: "8 parameter servers"."""
CORES = ("cortex", "arm cortex", "neoverse", "arm neoverse")
"""Names of cores rather than processors: "4x Cortex-A76"."""
_AFTER_ONE = ("per", "for", "of", "and", "out", "", ".", ",", ")", "with")
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
    return value / 1000 * 1024 if number.suffix in ("k", "K") and value % 1000 == 0 else value


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
    if number.low > 1 and tokens.low(walk.at) == "of" and tokens.low(walk.at + 1) in lexicon.words("nouns", "pointing"):
        walk.at += 2  # "three of these runs"
    for _ in range(MOST_STEPS):
        if walk.done or walk.at >= len(tokens):
            break
        _advance(tokens, number, owner, quantity, walk)
    before = owner(number.first - 1)
    sized = before is not None and before.kind == "device" and not tokens.glued(number.last)
    sized = sized and number.low > 1 and walk.of == "devices" and not tokens.low(walk.end - 1).endswith("s")
    keyed = number.low > 1 and walk.noun == "gpu" and tokens.low(walk.end) == ":"  # "version: 4 GPU: A100"
    if sized or keyed or is_index(tokens, number) or is_year(tokens, number, walk.end):  # "an A100 80 GPU"
        return None
    if not walk.of and (noun := _singular(tokens, number)):
        walk.of, walk.end, walk.noun = "other", noun + 1, tokens.low(noun)
    walk.of = settled(tokens, number, walk.of, walk.end)
    whole = number.low == int(number.low) or walk.of in ("epochs", "steps", "samples") or tokens.low(walk.end) == "per"
    sized = walk.of == "models" and number.suffix in ("B", "b")
    if not walk.of or not whole or number.low < 0 or sized or names_one(tokens, number, walk.of):
        return None
    if walk.of != "devices":
        once = walk.times and number.low == 1 and walk.of not in ("nodes", "other", PROCESSORS)  # "the 1x models"
        return None if once and not tokens.glued(number.last + 1) else counted(tokens, number, walk.of, walk.noun)
    return counted(tokens, number, of_nodes(tokens, number, walk.end, owner), walk.noun)


def _singular(tokens: Tokens, number: Number) -> int:
    """Return the place of a noun in the singular that no list knows: "one face per image", "a two-tier cache"; or 0."""
    at, joined = number.last, tokens.low(number.last) == "-" and tokens.glued(number.last + 1)
    low, behind = tokens.low(at + joined), tokens.low(at + joined + 1)
    stops, modifiers = lexicon.words("nouns", "stops"), lexicon.words("nouns", "head_modifiers")
    plain = low.isalpha() and low.islower() and len(low) > 2 and tokens.low(number.first - 1) != "-"
    unlike = tuple(lexicon.words("nouns", "no_nouns"))
    if not plain or low in stops or low.endswith(unlike):
        return 0
    if joined:
        return at + 1 if number.worded and number.low > 1 and tokens.kind(at + 2) == WORD else 0
    ends = {*_AFTER_ONE, *stops, *lexicon.words("nouns", "modals")}
    while not joined and at - number.last < 2 and tokens.kind(at + 1) == WORD and ends.isdisjoint((low, behind)):
        at, low, behind = at + 1, behind, tokens.low(at + 2)  # "one segmentation window per chunk"
    free = number.low == 1 and (number.worded or behind == "per") and not tokens.glued(number.last)
    counted = behind in _AFTER_ONE and tokens.low(number.first - 1) not in lexicon.words("nouns", "before_one")
    return at if free and counted and low not in {*ends, *modifiers} and not low.endswith(unlike) else 0


def _advance(tokens: Tokens, number: Number, owner: Owner, quantity: QuantityAt, walk: _Walk) -> None:
    token, name = tokens[walk.at], owner(walk.at)
    inner = quantity(walk.at) if walk.open else None
    if name is not None:
        _over_name(tokens, number, name, quantity, walk)
        return
    if inner is not None:
        walk.at = inner.last
        return
    ended = token.low in lexicon.words("nouns", "stops") and compound_end(tokens, walk.at) == walk.at + 1
    stop = token.kind != WORD or ended or is_identifier(tokens, walk.at)  # not the "per" of "per-tensor"
    glued = tokens.glued(number.last) and tokens.low(number.last) != "+" and not walk.times
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
    if tokens.glued(walk.at + 1) and _opens_compound(tokens, walk.at):
        kind = None
    if kind is None and _counts_plural(tokens, number, owner, walk):
        kind = heads.get(_last_hump(token.text), "other")
    if walk.of == "tokens" and token.low in lexicon.words("nouns", "length_heads"):
        walk.of = "sequence_length" if token.low.rstrip("s") in lexicon.words("nouns", "length_nouns") else walk.of
        walk.done = True
    elif kind is not None and not stop and not (walk.of and _is_compound(tokens, number, token.low)):
        _take_head(tokens, walk, kind)
    elif token.text == "(" and not walk.of and is_passed(tokens, owner, walk.at):
        walk.at = closing(tokens, walk.at)
    elif (token.text == "-" and not token.gap) or (not walk.of and _opens_noun(tokens, walk.at)):
        walk.at += 1
    elif not walk.of and (inside := counts_inside(tokens, walk.at)):
        walk.at += inside
    elif not walk.of and is_spatial(tokens, walk.at):
        walk.at += 2
    elif walk.of == "devices" and token.low in lexicon.words("nouns", "carriers"):
        _at_carrier(tokens, number, walk, token.low)
    elif (walk.of and (number.low == 1 or walk.of not in PICTURED)) or stop or glued:
        walk.done = True
    elif is_modifier(tokens, owner, walk.at, walk.strange):
        end = compound_end(tokens, walk.at)
        named = (k for k in range(walk.at + 1, end) if (held := owner(k)) is not None and held.kind == "device")
        if (begin := next(named, None)) is not None:  # "four A100/H100s"
            walk.at = begin
            return
        known = is_known(tokens.low(end - 1)) or token.text[:1].isupper()
        walk.strange += not known
        headed = tokens.low(end - 1) in lexicon.classes("nouns", "heads") or is_plural(tokens, end - 1)
        headed = headed and end > walk.at + 1 and (tokens.low(end - 1).endswith("s") or tokens.kind(end) != WORD)
        walk.at = end - 2 * headed + (tokens.low(end) in ("and", ",") and not headed)
    else:
        walk.done = True


def _opens_compound(tokens: Tokens, at: int) -> bool:
    """Whether what is glued to a word goes on with it: "two token2wav instances", "9 class-conditional models"."""
    if tokens.low(at + 1) == "-":
        return tokens.glued(at + 2) and tokens.kind(at + 2) == WORD and not is_plural(tokens, at) and tokens[at].gap
    return tokens.kind(at + 1) == NUMBER


def _opens_noun(tokens: Tokens, at: int) -> bool:
    """Whether a sign may stand between a number and its noun: 2 "true" tiles, 4/node; not 3/4-bit."""
    return tokens.low(at) == '"' or (tokens.low(at) == "/" and tokens.glued(at) and not tokens.counts(at + 1))


def _is_compound(tokens: Tokens, number: Number, low: str) -> bool:
    """Whether what is counted only describes a further noun: "16 core machines", "a 4 node run", "2 GPU server"."""
    before = tokens.low(number.first - 1)
    joined = {tokens.low(number.last), tokens.low(number.first)} & {"-", "core", "cores", "dual", "quad"}
    if joined or (before in ("a", "an") and number.low != 1):
        return True
    carried = low in lexicon.words("nouns", "carrier_nodes")
    several = tokens.counts(number.first - 1) or before in lexicon.table("numbers")["words"]
    return carried and number.low != 1 and (not low.endswith("s") or several)


def _counts_plural(tokens: Tokens, number: Number, owner: Owner, walk: _Walk) -> bool:
    """Whether a plural that no list knows is counted: "four layouts", "6 odd shapes"; not a verb, nor a name's part."""
    at, whole = walk.at, number.half in (0, Decimal("0.5")) or bool(number.suffix)
    whole = whole or tokens.low(at + 1) == "per"
    compound = walk.of == "" or (walk.end == at and not (walk.named or walk.times or walk.of == "sequence_length"))
    if not (compound and whole and number.low != 1 and is_plural(tokens, at)) or tokens.low(number.last) == "-":
        return False
    before = tokens.low(number.first - 1)
    capital = tokens.kind(number.first - 1) == WORD and tokens[number.first - 1].text[:1].isupper()
    opens = tokens.kind(number.first - 2) not in (WORD, NUMBER)
    title = capital and not opens and before not in lexicon.words("nouns", "stops")
    return not title and before not in ("#", "$", "/") and owner(number.first - 1) is None


def _last_hump(word: str) -> str:
    """Return the last part of a word of several: the cores of "NeuronCores"."""
    begin = max((at for at, c in enumerate(word) if c.isupper()), default=0)
    return word[begin:].lower()


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


def _over_name(tokens: Tokens, number: Number, name: Name, quantity: QuantityAt, walk: _Walk) -> None:
    """Go over a name; a device or a system may be what is counted: "8x A100", "two DGX-2"."""
    held = quantity(name.last)
    end = held.last if held is not None and held.dimension == "data" else name.last  # "8xH100 80GB nodes"
    behind = tokens.low(end)
    carried = behind in lexicon.words("nouns", "carriers") or behind in lexicon.words("nouns", "carrier_nodes")
    users = name.kind == "system" and (behind == "/" or (is_plural(tokens, name.last) and not carried))
    if name.kind in ("device", "system") and walk.of in ("", "devices") and not users:
        walk.named = name.kind == "device"
        core = name.text.lower().startswith(CORES)
        kind = "nodes" if name.kind == "system" else "cores" if core else PROCESSORS if name.host else "devices"
        walk.end, walk.of, walk.noun = end, kind, name.text.lower()
        plural = name.text.endswith("s") and name.kind == "device"
        walk.done = plural and behind not in lexicon.words("units", "devices")
        if walk.times and kind == "devices" and behind in lexicon.words("nouns", "carriers"):
            _at_carrier(tokens, number, walk, behind)
    walk.at = max(end, walk.at + 1)


def _at_carrier(tokens: Tokens, number: Number, walk: _Walk, low: str) -> None:
    """Two "8-GPU nodes" have so many devices each; one "8-GPU node" has them in all."""
    walk.done, before = True, number.first - 1
    spelt = lexicon.table("numbers")["words"].get(tokens.low(before), 1) > 1
    several = low.endswith("s") or tokens.counts(before) or spelt
    if low in lexicon.words("nouns", "carrier_nodes") and several:
        walk.of = "devices_per_node"
