"""Governors: the word that binds a degree, and what it makes of it.

A degree ("2x", "30 %") is bound by a comparative ("faster"), a noun of change ("speedup") or a verb ("cuts ... by").
Only that word gives the sense; a word elsewhere in the sentence gives none. A governor is a line of `compare.json`:
its dimension where it has one, its direction, and whether that alone says better or worse.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from . import lexicon
from .binding import Bound
from .headers import is_quality, plain
from .names import Name
from .quantity import Quantity
from .sentences import ends_sentence
from .tokens import WORD, Token
from .units import denominator, items

RIGHT_STEPS, LEFT_STEPS = 9, 16


class Dimension(Struct, frozen=True):
    """What a comparison is about, and whether more of it is better (1), worse (-1) or neither (0)."""

    name: str
    direction: int


class Governor(Struct, frozen=True):
    """A governing word.

    Attributes:
        at: its token.
        kind: adjective, noun, verb, level ("2x the memory") or as ("twice as fast").
        dimension: the dimension that it has by itself, or None.
        direction: 1 for more or better, -1 for less or worse.
        inherent: whether the direction is the sense.
    """

    at: int
    kind: str
    dimension: str | None
    direction: int
    inherent: bool


@cache
def _dimensions() -> Mapping[str, Dimension]:
    found: dict[str, Dimension] = {}
    for entry in lexicon.table("compare")["dimensions"].values():
        for word in entry["words"]:
            found.setdefault(word, Dimension(entry["as"], entry["direction"]))
    return found


@cache
def _lower_is_better() -> frozenset[str]:
    return frozenset(plain(name) for name in lexicon.table("metrics")["quality"]["lower"])


class Scene:
    """The tokens of a text with what is bound, as the search for governors sees them."""

    def __init__(self, tokens: Sequence[Token], names: Sequence[Name], bound: Bound) -> None:
        self.tokens, self.bound = tokens, bound
        self.data: Mapping[str, Any] = lexicon.table("compare")
        self.owners: list[Name | None] = [None] * (len(tokens) + 1)
        for name in names:
            self.owners[name.first : name.last] = [name] * (name.last - name.first)
        self.quantities: list[Quantity | None] = [None] * (len(tokens) + 1)
        for quantity in bound.quantities:
            self.quantities[quantity.first : quantity.last] = [quantity] * (quantity.last - quantity.first)
        self.words = sum(t.kind == WORD and t.low not in ("x", "times") for t in tokens)
        breaks = lexicon.words("compare", "breaks")
        self._stops = [
            t.text in ("(", ")", "[", "]", ";", "—", "|", ":") or t.low in breaks or ends_sentence(tokens, k)
            for k, t in enumerate(tokens)
        ]

    def stops(self, at: int) -> bool:
        """Whether a search does not go past a token."""
        return self._stops[at]

    def stretch(self, at: int, step: int, most: int, until: str = "") -> list[int]:
        """Return the places from one on in a direction, up to a stop."""
        found: list[int] = []
        while (
            0 <= at < len(self.tokens) and len(found) < most and not self._stops[at] and self.tokens[at].text != until
        ):
            found.append(at)
            at += step
        return found

    def compound(self, at: int) -> str:
        """Return a word with what a hyphen joins to it: speed-up."""
        if at + 2 < len(self.tokens) and self.tokens[at + 1].text == "-" and not self.tokens[at + 2].gap:
            return f"{self.tokens[at].low}-{self.tokens[at + 2].low}"
        return self.tokens[at].low

    def dimension(self, places: Iterable[int]) -> Dimension | None:
        """Return the first dimension that a word of some places has."""
        for at in places:
            name = self.owners[at]
            if name is not None and name.kind != "metric":
                continue
            if is_quality(name) and name is not None:
                return Dimension("quality", -1 if plain(name.text) in _lower_is_better() else 1)
            found = _dimensions().get(self.tokens[at].low)
            if found is None:
                continue
            if found.direction < 1 and self._is_rate(at):
                return Dimension("time", 1)
            if (
                self.tokens[at].low in ("size", "sizes", "length")
                and at
                and self.tokens[at - 1].low in ("batch", "-", "sequence", "context", "dataset", "vocabulary")
            ):
                return Dimension("other", 0)
            if (
                found.name == "size"
                and self.tokens[at].low.startswith(("model", "param"))
                and at + 1 < len(self.tokens)
                and self.tokens[at + 1].low in ("size", "memory", "loading", "quality")
            ):
                continue
            return found
        return None

    def _is_rate(self, at: int) -> bool:
        """Whether an item is counted per time: "requests per second"."""
        if self.tokens[at].low not in items():
            return False
        below = denominator(self.tokens, at + 1)
        return below is not None and below.time is not None

    def entry(self, at: int, kinds: tuple[str, ...]) -> Governor | None:
        """Return the governor at a token, of some kinds of word."""
        low, joined = self.tokens[at].low, self.compound(at)
        for kind in kinds:
            table = self.data[kind]
            found = table.get(joined, table.get(low)) if kind != "adjectives" else table.get(low)
            if found is not None:
                return Governor(at, kind[:-1], found[0], found[1], bool(found[2]))
        return None


def right_of(scene: Scene, last: int, unit: str | None) -> Governor | None:
    """Return the governor to the right of a degree: "2x faster", "30 % less memory", "a 2x speedup", "2x the rate"."""
    tokens, skips = scene.tokens, lexicon.words("compare", "skips")
    at, unknown = last, 0
    level: Governor | None = None
    for _ in range(RIGHT_STEPS):
        if at >= len(tokens) or scene.stops(at):
            break
        low = tokens[at].low
        if low in ("more", "less") and (special := efficient(scene, at)) is not None:
            return special
        if low == "as" and at + 1 < len(tokens) and tokens[at + 1].low in scene.data["plain"]:
            return _plain(scene, at + 1)
        found = scene.entry(at, ("adjectives", "nouns"))
        if found is not None and not _is_level_noun(scene, at, found):
            return found if level is None or found.kind == "noun" or at - level.at < 3 else level
        if unit in ("x", "word") and level is None and _opens_level(scene, at, last):
            level = Governor(at, "level", None, 1, False)
        if (
            scene.quantities[at] is not None
            or (low in ("by", "at", "for", "and", ",", "or", "on", "in") and low not in skips)
            or (low in ("in", "on", "for", "to") and at > last)
        ):
            break
        if low not in skips and low not in _dimensions() and scene.owners[at] is None and low != "-":
            unknown += 1
            if unknown > 2 or tokens[at].kind != WORD or (low in lexicon.words("nouns", "stops") and low not in skips):
                break
        at += 1
    return level


def _is_level_noun(scene: Scene, at: int, found: Governor) -> bool:
    """Whether "loss" is the metric and not what is lost: "training loss"."""
    name = scene.owners[at]
    return scene.tokens[at].low == "loss" and name is not None and name.first < at


def _opens_level(scene: Scene, at: int, last: int) -> bool:
    """Whether "the throughput" or "throughput" follows a factor directly."""
    tokens = scene.tokens
    if tokens[at].low == "of" and at == last:
        return scene.dimension(scene.stretch(at + 1, 1, 5)) is not None
    if tokens[at].low in ("the", "its", "their", "our", "that"):
        return at == last and scene.dimension(scene.stretch(at + 1, 1, 5)) is not None
    return (at == last and scene.dimension([at]) is not None) or (
        at == last
        and at + 1 < len(tokens)
        and tokens[at].kind == WORD
        and not scene.stops(at + 1)
        and scene.dimension([at + 1]) is not None
        and tokens[at].low not in scene.data["adjectives"]
    )


def efficient(scene: Scene, at: int) -> Governor | None:
    """Return "more efficient", "less accurate", "more memory-efficient"."""
    tokens = scene.tokens
    table = scene.data["quality_adjectives"]
    for k in (at + 1, at + 2):
        if k >= len(tokens):
            break
        found = table.get(scene.compound(k)) or table.get(tokens[k].low)
        if found is not None:
            return Governor(k, "adjective", found[0], found[1] * (1 if tokens[at].low == "more" else -1), True)
        if tokens[k].kind != WORD or (
            tokens[k].low in _dimensions() and tokens[k + 1 : k + 2] and tokens[k + 1].text != "-"
        ):
            break
    return None


def _plain(scene: Scene, at: int) -> Governor:
    dimension, direction, inherent = scene.data["plain"][scene.tokens[at].low]
    return Governor(at, "as", dimension, direction, bool(inherent))


def left_of(scene: Scene, first: int, unit: str | None) -> Governor | None:
    """Return the governor to the left of a degree: "cuts latency by 30 %", "a speedup of 2x", "speedup: 2x"."""
    tokens, skips = scene.tokens, lexicon.words("compare", "skips")
    fillers = lexicon.words("compare", "left_fillers") - {"by", "of", "than", "at"}
    at = first - 1
    while at >= 0 and (
        tokens[at].low in fillers
        or (tokens[at].low == "to" and at and tokens[at - 1].low == "up")
        or (tokens[at].low == "than" and at and tokens[at - 1].low in ("more", "less"))
    ):
        at -= 1
    while at > 2 and [t.low for t in tokens[at - 1 : at + 1]] == ["factor", "of"]:
        at -= 2
        while at > 0 and tokens[at].low in ("a", "the"):
            at -= 1
    link = ""
    if at >= 0 and (tokens[at].low in lexicon.words("compare", "linkers") or tokens[at].text in (":", "=", "(")):
        link, at = tokens[at].low, at - 1
        while at >= 0 and tokens[at].low in ("up", "least", "about"):
            at -= 1
        if link == "by" and at > 0 and tokens[at].text == "(":
            at -= 1
    if (unit == "%" and link in ("to", "at", "with")) or (unit == "%" and link == "from"):
        return None
    return _scan_left(scene, at, link, skips)


def _scan_left(scene: Scene, at: int, link: str, skips: frozenset[str]) -> Governor | None:
    tokens, clean, steps = scene.tokens, True, 0
    begin = at
    while at >= 0 and steps < LEFT_STEPS and not scene.stops(at):
        low = tokens[at].low
        joined = f"{tokens[at - 2].low}-{low}" if at > 1 and tokens[at - 1].text == "-" else low
        for word in (joined, low):
            noun = scene.data["nouns"].get(word)
            if (
                noun
                and link in ("of", ":", "=", "by", "from", "(", "to", "", "is", "was", "are")
                and (at == begin or clean or (link in ("of", ":", "is", "was", "from", "to") and steps < 12))
                and not (link == "" and at != begin and not clean)
            ):
                return Governor(at, "noun", noun[0], noun[1], bool(noun[2]))
            verb = scene.data["verbs"].get(word)
            if verb and (link in ("by", "um", "(") or (clean and link in ("", "of", "to", "from"))):
                return Governor(at, "verb", verb[0], verb[1], bool(verb[2]))
        if low in scene.data["adjectives"] and link in ("by", "(") and steps < 4:
            entry = scene.data["adjectives"][low]
            return Governor(at, "adjective", entry[0], entry[1], bool(entry[2]))
        known = (
            low in skips
            or low in _dimensions()
            or scene.owners[at] is not None
            or scene.quantities[at] is not None
            or low in ("'s", "s", "-", "/", "our", "their", "on", "and", "for", "both")
        )
        if not known:
            if link in ("", "(", ":"):
                clean = False
                if steps > 2:
                    return None
            elif tokens[at].kind == WORD and link != "by":
                clean = clean and steps < 3
        at, steps = at - 1, steps + 1
    return None
