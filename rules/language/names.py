"""Names: the longest match over the tables of devices, systems, models, data sets, formats and the like.

A name owns its tokens, so that no number inside it is counted. A name is added by one line of its table in
`rules/tables/lexicon`: with "!" behind it where case decides, under `numbered` where a number belongs to it
("A": "100"). Devices and data sets of the reference tables are names without a second entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from . import lexicon, tails
from .lexicon import SOFT, Phrases
from .tokens import NUMBER, SIGN, WIDE, WORD, Place, Tokens, over

TABLES = [
    "devices",
    "systems",
    "models",
    "formats",
    "frameworks",
    "libraries",
    "metrics",
    "splits",
    "datasets",
    "optimizers",
]
ANY_NUMBER = ("*",)


class Name(Place, frozen=True):
    """A name.

    Attributes:
        kind: device, system, model, dataset, framework, format, optimizer, metric, split, library.
        text: the name as printed, with single spaces.
        host: whether a device is a processor of the host.
    """

    kind: str
    text: str
    host: bool = False


class _Entry(Struct, frozen=True):
    """A line of a table: its kind, its spelling where case decides, and the numbers that must follow."""

    kind: str
    exact: str = ""
    numbers: tuple[str, ...] = ()
    bare: bool = False
    glued: bool = False


def find_names(tokens: Tokens) -> tuple[Name, ...]:
    """Return the names of a text in their order; they do not overlap."""
    found: list[Name] = []
    at = 0
    while at < len(tokens):
        hit = _name_at(tokens, at) if _may_begin(tokens, at) else None
        if hit is None:
            at += 1
            continue
        kind, last = hit
        first = at
        host = kind == "device" and any(t.low in lexicon.words("devices", "hosts") for t in tokens[first : first + 2])
        if kind == "device":
            first = _with_vendor(tokens, first, found)
        family = found and kind == "device" == found[-1].kind and found[-1].text.replace(" ", "").isalpha()
        if family and found[-1].last == first and not found[-1].host:
            first = found.pop().first
        found.append(Name(*over(tokens, first, last), kind, surface(tokens, first, last), host))
        at = max(last, at + 1)
    return tuple(found)


def surface(tokens: Tokens, first: int, last: int) -> str:
    """Return tokens as printed, with single spaces."""
    return "".join((" " if t.gap and k else "") + t.text for k, t in enumerate(tokens[first:last]))


def _may_begin(tokens: Tokens, at: int) -> bool:
    token = tokens[at]
    if token.kind not in (WORD, NUMBER) or not tokens.glued(at) or at == 0:
        return token.kind in (WORD, NUMBER)
    before = tokens[at - 1]
    if before.kind == SIGN:
        return before.text not in ".'_" or (before.text == "_" and token.kind == WORD)
    counted = before.kind == NUMBER and token.kind == WORD and before.low != "1" and len(token.text) > 2
    return counted or before.low in ("x", "×")


def _with_vendor(tokens: Tokens, first: int, found: Sequence[Name]) -> int:
    """Return where a device's name begins with its maker: NVIDIA Tesla V100."""
    stop = found[-1].last if found else 0
    vendors = lexicon.words("devices", "vendors")
    while first > stop and tokens[first - 1].low in vendors and tokens[first].gap:
        first -= 1
    return first


@cache
def _entries() -> Phrases[_Entry]:
    made: Phrases[_Entry] = Phrases()
    for file in TABLES:
        data = lexicon.table(file)
        kind = data["kind"]
        for stem, numbers in data.get("numbered", {}).items():
            short = len(stem.replace(" ", "")) <= 3
            made.add_phrase(stem, _Entry(kind, stem if short else "", tuple(numbers.split())))
        for name in (*data.get("names", ()), *data.get("stems", ())):
            plain = name.rstrip("!")
            made.add_phrase(plain, _Entry(kind, plain if name.endswith("!") else ""))
        for name in data.get("composition", ()):
            made.add_phrase(name, _Entry(kind))
        for number in data.get("bare", ()):
            made.add([number], _Entry(kind, bare=True))
    for direction in ("higher", "lower"):
        for name in lexicon.table("metrics")["quality"][direction]:
            made.add_phrase(name.rstrip("!"), _Entry("metric", name[:-1] if name.endswith("!") else ""))
    for name in lexicon.table("metrics")["utilisation"]:
        made.add_phrase(name, _Entry("metric"))
    for file, entries, kind in (("accelerators", "devices", "device"), ("datasets", "datasets", "dataset")):
        for name in lexicon.names_of(file, entries):
            if not name.isalpha() or len(name) > 5:
                short = " " not in name and len(lexicon.first(name)) <= 3
                made.add_phrase(name, _Entry(kind, glued=short and kind == "device"))
    return made


def _name_at(tokens: Tokens, at: int) -> tuple[str, int] | None:
    """Return the kind and the end of the longest name at a token."""
    best: tuple[str, int] | None = None
    for end, entry in _entries().match(tokens, at, SOFT):
        last = _end_of(tokens, at, end, entry)
        if last and (best is None or last > best[1]):
            best = (entry.kind, last)
    return best or tails.by_pattern(tokens, at)


def _end_of(tokens: Tokens, at: int, end: int, entry: _Entry) -> int:
    """Return where the name of an entry ends, or 0 where the entry does not fit."""
    if entry.bare:
        return _bare(tokens, at, end)
    identifier = tokens.low(end) == "_" and tokens.glued(end) and tokens.glued(end + 1) and tokens.kind(end + 1) == WORD
    if identifier or not _fits_case(tokens, at, end, entry):
        return 0
    if entry.numbers:
        end = _number_behind(tokens, end, entry)
        return tails.tail_end(tokens, at, end, entry.kind) if end else 0
    valued = tokens.kind(end) == NUMBER and tokens[end].value is not None
    if tokens.glued(end) and (valued or tokens.kind(end) == WORD):
        ended = tokens.kind(end) == WORD and tokens.low(end) not in ("s", "v", "'s")
        numbered = tokens.kind(end - 1) == NUMBER and entry.kind in ("metric", "dataset")
        scored = entry.kind == "metric" and not (valued and tokens[end - 1].text.isupper())
        if ended or numbered or scored or entry.kind in ("split", "optimizer"):
            return 0
    elif entry.kind == "metric" and tokens.low(end) == "%":
        return 0
    elif entry.kind == "model" and end == at + 1 and tokens.low(at) in lexicon.words("models", "need_tail"):
        return tails.tail_end(tokens, at, end, entry.kind) if tails.is_number_tail(tokens, end) else 0
    return tails.tail_end(tokens, at, end, entry.kind)


def _fits_case(tokens: Tokens, at: int, end: int, entry: _Entry) -> bool:
    printed = surface(tokens, at, end)
    if entry.glued and " " in printed:
        return False
    small = entry.kind == "metric" and len(printed) <= 3 and printed.islower()
    if small and printed not in lexicon.words("metrics", "small"):
        return False
    if not entry.exact or printed.replace("-", " ").split() == entry.exact.replace("-", " ").split():
        return True
    lower = entry.kind == "device" and bool(entry.numbers) and printed == entry.exact.lower()
    return lower and len(printed) < 4 and tokens.glued(end)


def _bare(tokens: Tokens, at: int, end: int) -> int:
    """Return the end of a card that is called by its number alone: "on a 4090", "4090 GPUs"."""
    left, right = tokens.low(at - 1), tokens.low(end)
    counted = tokens.counts(at - 1) or left in lexicon.table("numbers")["words"]
    several = right == "s" and tokens.glued(end) and counted
    shaped = left in ("x", "×") and tokens.kind(at - 2) == NUMBER and len(tokens[at - 2].text) > 2  # "1920x1080"
    introduced = not shaped and left in lexicon.words("devices", "before_bare")
    introduced = introduced and right not in lexicon.classes("nouns", "heads")
    if several or introduced or right in lexicon.words("devices", "after_bare"):
        return tails.tail_end(tokens, at, end, "device")
    return 0


def _number_behind(tokens: Tokens, end: int, entry: _Entry) -> int:
    """Return the end of the number that a stem needs, or 0."""
    at = end + (tokens.low(end) in ("-", "_") and tokens.glued(end) and tokens.glued(end + 1))
    if tokens.kind(at) != NUMBER:
        return 0
    spaced = not tokens.glued(at)
    if spaced and entry.exact and entry.exact not in lexicon.words("devices", "spaced_stems"):
        return 0
    last, free = at + 1, entry.numbers == ANY_NUMBER
    if tokens.glued(last) and tokens.kind(last) == WORD and not (free and tokens.low(last) == "x"):
        word = tokens[last].text
        last += word[0] < WIDE and (len(word) < 4 or word.isupper() or word.lower() == "super")
    printed = surface(tokens, at, last)
    if free:
        value = tokens[at].value
        small = spaced and value is not None and value < 100
        return 0 if small and tokens.low(end - 1) not in lexicon.words("devices", "small_numbers") else last
    known = {printed, printed.upper(), tokens[at].text, printed.rstrip("sxX")}
    return 0 if known.isdisjoint(entry.numbers) else last
