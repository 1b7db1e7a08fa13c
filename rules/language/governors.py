"""Governors: the word that binds a degree, and what it makes of it.

A degree ("2x", "30 %") is bound by a comparative ("faster"), a noun of change ("speedup") or a verb ("cuts ... by").
Only that word gives the sense; a word elsewhere in the sentence gives none. `compare.json` lists governors by the
dimension that they have ("any" where another word gives it) and by what they say: better, worse, more or less.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache

from msgspec import Struct

from . import lexicon
from .binding import Bound
from .headers import is_quality, plain
from .names import Name
from .quantity import Quantity
from .sentences import ends_sentence
from .tokens import WORD, Tokens
from .units import denominator, items

RIGHT_STEPS, FAR, MOST_OF_REMARK, FEW = 9, 20, 12, 4
_SPEEDS = ("speed", "speeds", "throughput", "performance", "bandwidth")
SENSES = {"better": (1, True), "worse": (-1, True), "more": (1, False), "less": (-1, False), "any": (0, False)}


class Dimension(Struct, frozen=True):
    """What a comparison is about, and whether more of it is better (1), worse (-1) or neither (0)."""

    name: str
    direction: int


class Governor(Struct, frozen=True):
    """A governing word.

    Attributes:
        at: its token.
        kind: adjectives, nouns, verbs, level ("2x the memory") or plain ("twice as fast").
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
def dimensions() -> Mapping[str, Dimension]:
    """Return the dimension that each word has."""
    listed = lexicon.classes("compare", "dimensions").items()
    return {word: Dimension(said.split()[0], SENSES[said.split()[1]][0]) for word, said in listed}


def governor(kind: str, word: str, at: int) -> Governor | None:
    """Return a word as a governor of a kind."""
    said = lexicon.classes("compare", kind).get(word)
    if said is None:
        return None
    dimension, sense = said.split()
    return Governor(at, kind, None if dimension == "any" else dimension, *SENSES[sense])


@cache
def governing_words() -> frozenset[str]:
    """Return the words that a governor may begin or end with."""
    words = {word for kind in ("adjectives", "nouns", "verbs") for word in lexicon.classes("compare", kind)}
    return frozenset(words | {part for word in words for part in word.split("-")})


@cache
def lower_is_better() -> frozenset[str]:
    """Return the quality metrics of which less is better, as folded text without signs."""
    return frozenset(plain(name) for name in lexicon.table("metrics")["quality"]["lower"])


class Scene:
    """The tokens of a text with what is bound, as the search for governors sees them."""

    def __init__(self, tokens: Tokens, names: Sequence[Name], bound: Bound) -> None:
        self.tokens, self.bound = tokens, bound
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

    def low(self, at: int) -> str:
        """Return the word at a token in lower case, empty outside the text."""
        return self.tokens.low(at)

    def stops(self, at: int) -> bool:
        """Whether a search does not go past a token."""
        return self._stops[at]

    def ends(self, at: int) -> bool:
        """Whether a sentence ends at a token."""
        return ends_sentence(self.tokens, at)

    def stretch(self, at: int, step: int, most: int) -> list[int]:
        """Return the places from one on in a direction, up to a stop."""
        found: list[int] = []
        while 0 <= at < len(self.tokens) and len(found) < most and not self._stops[at]:
            found.append(at)
            at += step
        return found

    def before_end(self, places: list[int], ends: Set[str]) -> list[int]:
        """Return the places of a phrase: up to a word that ends it, or a quantity."""
        ended = (n for n, at in enumerate(places) if self.low(at) in ends or self.valued(at))
        return places[: next(ended, len(places))]

    def valued(self, at: int) -> bool:
        """Whether a token belongs to a quantity that has a value."""
        quantity = self.quantities[at]
        return quantity is not None and quantity.value is not None

    def before_fillers(self, at: int) -> int:
        """Return the place before "up to", "about" and the like."""
        at -= 1
        while self.low(at) in lexicon.words("compare", "left_fillers") - {"by"} or self.low(at) == "to":
            at -= 1
        return at

    def past_bracket(self, at: int, step: int) -> int:
        """Return the place past a short remark in brackets that begins at a place, or the place itself."""
        if self.low(at) != ("(" if step > 0 else ")"):
            return at
        closing = ")" if step > 0 else "("
        places = range(at + step, at + step * MOST_OF_REMARK, step)
        return next((k + step for k in places if self.low(k) == closing), at)

    def compound(self, at: int) -> str:
        """Return a word with what a hyphen joins to it: speed-up."""
        hyphened = self.low(at + 1) == "-" and self.tokens.glued(at + 2)
        return f"{self.low(at)}-{self.low(at + 2)}" if hyphened else self.low(at)

    def dimension(self, places: Iterable[int]) -> Dimension | None:
        """Return the first dimension that a word of some places has."""
        for at in places:
            name, low = self.owners[at], self.tokens[at].low
            if name is not None and name.kind != "metric":
                continue
            if name is not None and is_quality(name):
                return Dimension("quality", -1 if plain(name.text) in lower_is_better() else 1)
            found = dimensions().get(low)
            if found is None:
                continue
            if found.direction < 1 and self._is_rate(at):
                return Dimension("time", 1)
            if self.low(at + 1) == "efficiency" and found.name != "utilisation":  # of time: more of it is better
                return Dimension(found.name, 1)
            if low in ("size", "sizes", "length") and self.low(at - 1) in lexicon.words("compare", "sized"):
                return Dimension("other", 0)
            if low in ("speed", "speeds", "rate", "rates") and self.low(at - 1) in lexicon.words("compare", "settings"):
                return Dimension("other", 0)
            modifies = found.name == "size" or (found.name, found.direction) == ("other", -1)
            if modifies and low in lexicon.words("units", "devices") and self.low(at + 1) in ("training", "inference"):
                continue  # "multi-GPU training throughput"
            quick = found.name in ("time", "memory") and self.low(at + 1) in _SPEEDS  # "DRAM bandwidth"
            if quick or (modifies and (self.low(at + 1) in dimensions() or self.low(at + 1) == "loading")):
                continue
            if self.tokens[at].text == "FLOPS":
                return Dimension("time", 1)
            return found
        return None

    def before(self, at: int, most: int) -> Dimension | None:
        """Return the dimension of what stands before a place: the frequency in "the frequency of checkpoints"."""
        places = self.stretch(at - 1, -1, most)
        found = next((k for k in places if self.dimension([k]) is not None), at)
        of = next((k for k in places if found - FEW < k < found and self.low(k) == "of"), 0)
        return self.dimension([of - 1] if of else []) or self.dimension(places)

    def subject(self, before: int) -> Dimension | None:
        """Return the dimension of the subject of a sentence: "the throughput of the model with weights is" ..."""
        for at in range(before - 1, max(-1, before - FAR), -1):
            if self.ends(at) or self.low(at) in ("that", "but"):
                return None
            found = self.dimension([at])
            if found is not None and found.name not in ("size", "work", "other"):
                return found
        return None

    def _is_rate(self, at: int) -> bool:
        """Whether an item is counted per time: "requests per second"."""
        below = denominator(self.tokens, at + 1) if self.tokens[at].low in items() else None
        return below is not None and below.time is not None

    def entry(self, at: int, kind: str) -> Governor | None:
        """Return the governor of a kind at a token."""
        joined = governor(kind, self.compound(at), at) if kind != "adjectives" else None
        return joined or governor(kind, self.tokens[at].low, at)


def right_of(scene: Scene, last: int, unit: str | None) -> Governor | None:
    """Return the governor to the right of a degree: "2x faster", "30 % less memory", "a 2x speedup", "2x the rate"."""
    tokens, skips = scene.tokens, lexicon.words("compare", "skips")
    unknown = 0
    level: Governor | None = None
    at = last - 1
    for _ in range(RIGHT_STEPS):
        at = scene.past_bracket(at + 1, 1) if at >= last else at + 1
        if at >= len(tokens) or scene.stops(at):
            break
        low = tokens[at].low
        if low in ("more", "less") and (special := efficient(scene, at)) is not None:
            return special
        if low in ("as", "so") and (plainly := governor("plain", scene.low(at + 1), at + 1)) is not None:
            return plainly
        if at == last and scene.low(at + 1) == "as" and (plainly := governor("plain", low, at)) is not None:
            return plainly
        if at == last and low in ("short", "shy") and scene.low(at + 1) == "of":
            return Governor(at, "adjectives", None, -1, True)
        found = scene.entry(at, "adjectives") or scene.entry(at, "nouns")
        if found is None and low.endswith("ed") and at > last and low not in skips and unit == "%":
            found = governor("verbs", low, at) if scene.dimension([at - 1]) else None  # "10 % file size reduced"
        if low == "speed" and scene.low(at + 1) in ("up", "ups"):  # "a 3x speed up"
            found = Governor(at + 1, "nouns", "time", 1, True)
        if found is not None and found.kind == "nouns" and scene.low(at + 1) in ("ratio", "ratios", "rate", "rates"):
            break
        if found is not None and not _is_level_noun(scene, at):
            return found if level is None or found.kind == "nouns" or at - level.at < 3 else level
        if unit in ("x", "word") and level is None and at == last and _opens_level(scene, at, unit):
            level = Governor(at, "level", None, 1, False)
        if tokens[at].fixed:
            continue
        quantity = scene.quantities[at]
        ends = low in lexicon.words("compare", "right_ends") and (low not in skips or at > last)
        if scene.valued(at) or (ends and scene.low(at - 1) != "-"):
            break
        if low not in skips and low not in dimensions() and not (scene.owners[at] or quantity or low in ("-", "/")):
            unknown += 1
            if unknown > 2 or tokens[at].kind != WORD or low in lexicon.words("nouns", "stops"):
                break
    return level


def _is_level_noun(scene: Scene, at: int) -> bool:
    """Whether "loss" is the metric and not what is lost: "training loss"."""
    name = scene.owners[at]
    return scene.tokens[at].low == "loss" and name is not None and name.first < at


def _opens_level(scene: Scene, at: int, unit: str) -> bool:
    """Whether "the throughput" or "throughput" begins at a token."""
    tokens = scene.tokens
    if tokens[at].low == "that" and scene.low(at + 1) == "of":
        return scene.subject(at) is not None
    if tokens[at].low in ("of", "the", "its", "their", "our", "that"):
        return scene.dimension(scene.stretch(at + 1, 1, 5)) is not None
    ends = tokens[at].low in lexicon.words("compare", "object_ends") or scene.low(at - 1) == ")"
    if ends or tokens[at].low in ("real", "times"):  # "12x real-time" is a rate
        return False
    following = at + 1 < len(tokens) and tokens[at].kind == WORD and not scene.stops(at + 1)
    near = scene.dimension(scene.stretch(at, 1, 3) if following else [at])
    weighs = near is not None and near.direction != 0 and near.name not in ("size", "quality")
    return weighs or (unit == "word" and near is not None)


def efficient(scene: Scene, at: int) -> Governor | None:
    """Return "more efficient", "less accurate", "more memory-efficient"."""
    tokens = scene.tokens
    for k in range(at + 1, min(at + 3, len(tokens))):
        words = (joined := scene.compound(k), tokens[k].low, joined.removesuffix("ly") if "-" in joined else "")
        said = (governor("quality_adjectives", low, k) for low in words)
        found = next((found for found in said if found is not None), None)
        if found is not None:
            direction = found.direction * (1 if tokens[at].low == "more" else -1)
            return Governor(k, "adjectives", found.dimension, direction, True)
        behind = scene.low(k + 1)
        adjective = behind in ("", "-") or governor("quality_adjectives", behind, k) is not None
        if tokens[k].kind != WORD or (tokens[k].low in dimensions() and not adjective):
            break
    return None
