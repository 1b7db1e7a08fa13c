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
from .tokens import NUMBER, SIGN, WORD, Place, Token, over

TABLES = (
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
)
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


def find_names(tokens: Sequence[Token]) -> tuple[Name, ...]:
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


def surface(tokens: Sequence[Token], first: int, last: int) -> str:
    """Return tokens as printed, with single spaces."""
    return "".join((" " if t.gap and k else "") + t.text for k, t in enumerate(tokens[first:last]))


def _may_begin(tokens: Sequence[Token], at: int) -> bool:
    token = tokens[at]
    if token.kind not in (WORD, NUMBER):
        return False
    if at == 0 or token.gap:
        return True
    before = tokens[at - 1]
    if before.kind == SIGN:
        return before.text not in ".'_" or (before.text == "_" and token.kind == WORD)
    return before.low in ("x", "×") or (
        before.kind == NUMBER and token.kind == WORD and before.low not in ("1",) and len(token.text) > 2
    )


def _with_vendor(tokens: Sequence[Token], first: int, found: Sequence[Name]) -> int:
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


def _name_at(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """Return the kind and the end of the longest name at a token."""
    best: tuple[str, int] | None = None
    for end, entry in _entries().match(tokens, at, SOFT):
        last = _end_of(tokens, at, end, entry)
        if last and (best is None or last > best[1]):
            best = (entry.kind, last)
    return best or tails.by_pattern(tokens, at)


def _end_of(tokens: Sequence[Token], at: int, end: int, entry: _Entry) -> int:
    """Return where the name of an entry ends, or 0 where the entry does not fit."""
    if entry.bare:
        return _bare(tokens, at, end)
    if not _fits_case(tokens, at, end, entry) or _in_identifier(tokens, end):
        return 0
    if entry.numbers:
        last = _number_behind(tokens, end, entry)
        if not last:
            return 0
        end = last
    elif (
        end < len(tokens)
        and not tokens[end].gap
        and (tokens[end].kind == WORD or (tokens[end].kind == NUMBER and tokens[end].value is not None))
    ):
        if tokens[end - 1].kind == NUMBER and entry.kind in ("metric", "dataset"):
            return 0
        if tokens[end].kind == WORD and tokens[end].low not in ("s", "v", "'s"):
            return 0
        if entry.kind in ("metric", "split", "optimizer"):
            return 0
    elif (entry.kind == "metric" and end < len(tokens) and tokens[end].text == "%") or (
        entry.kind == "model"
        and end == at + 1
        and tokens[at].low in lexicon.words("models", "need_tail")
        and not tails.is_number_tail(tokens, end)
    ):
        return 0
    return tails.tail_end(tokens, at, end, entry.kind)


def _in_identifier(tokens: Sequence[Token], end: int) -> bool:
    """Whether a name goes on as an identifier of a program: jetson_clocks."""
    return (
        end + 1 < len(tokens)
        and tokens[end].text == "_"
        and not (tokens[end].gap or tokens[end + 1].gap)
        and (tokens[end + 1].kind == WORD)
    )


def _fits_case(tokens: Sequence[Token], at: int, end: int, entry: _Entry) -> bool:
    printed = surface(tokens, at, end)
    if entry.glued and " " in printed:
        return False
    if (
        entry.kind == "metric"
        and len(printed) <= 3
        and printed.islower()
        and printed not in ("acc", "map", "f1", "ppl", "wer", "fid", "bpb", "auc", "mse")
    ):
        return False
    if entry.kind == "metric" and printed == "map":
        return False
    if not entry.exact:
        return True
    same = printed.replace("-", " ").split() == entry.exact.replace("-", " ").split()
    return same or (
        entry.kind == "device"
        and bool(entry.numbers)
        and printed == entry.exact.lower()
        and len(printed) < 4
        and end < len(tokens)
        and not tokens[end].gap
    )


def _bare(tokens: Sequence[Token], at: int, end: int) -> int:
    """Return the end of a card that is called by its number alone: "on a 4090", "4090 GPUs"."""
    left = tokens[at - 1].low if at else ""
    right = tokens[end].low if end < len(tokens) else ""
    if right in ("gpu", "gpus", "card", "cards", "ti", "super", "rtx", "gtx"):
        return tails.tail_end(tokens, at, end, "device")
    if left in ("on", "nvidia", "rtx", "x", "a", "single", "/", "an", "one") and right not in lexicon.classes(
        "nouns", "heads"
    ):
        return tails.tail_end(tokens, at, end, "device")
    return 0


def _number_behind(tokens: Sequence[Token], end: int, entry: _Entry) -> int:
    """Return the end of the number that a stem needs, or 0."""
    at = end
    if (
        at < len(tokens)
        and tokens[at].text in "-_"
        and not tokens[at].gap
        and at + 1 < len(tokens)
        and not tokens[at + 1].gap
    ):
        at += 1
    if at >= len(tokens) or tokens[at].kind != NUMBER:
        return 0
    spaced = tokens[at].gap
    if spaced and entry.exact and entry.exact not in ("RTX", "GTX", "RX", "MI", "GT"):
        return 0
    last = at + 1
    if (
        last < len(tokens)
        and not tokens[last].gap
        and tokens[last].kind == WORD
        and (len(tokens[last].text) < 4 or tokens[last].text.isupper() or tokens[last].low == "super")
        and (tokens[last].low != "x" or entry.numbers != ANY_NUMBER)
    ):
        last += 1
    printed, base = surface(tokens, at, last), tokens[at].text
    if entry.numbers == ANY_NUMBER:
        value = tokens[at].value
        small = spaced and value is not None and value < 100
        return (
            0
            if small
            and tokens[end - 1].low
            not in ("gen", "trainium", "gaudi", "v", "ultra", "iphone", "ipad", "pixel", "tpu", "galaxy")
            else last
        )
    if printed in entry.numbers or printed.upper() in entry.numbers or base in entry.numbers:
        return last
    return last if printed.rstrip("sxX") in entry.numbers else 0
