"""What may stand between a number and its noun: modifiers, compounds, short brackets; and what only numbers."""

from __future__ import annotations

from . import lexicon
from .numbers import Number
from .quantity import Owner
from .structure import is_reference
from .tokens import NUMBER, WORD, Tokens

MOST_STEPS = 9
MOST_STRANGE = 3
"""So many words in a row that no list knows may modify a noun: "15 molecular property prediction tasks"."""
LATEST_YEAR = 2035
LEAST_MODEL = 1000
"""From here on the number behind a maker's name is that of a model: "AMD 7543"."""
MOST_NODES = 200_000
"""So many are nodes of a graph."""
PICTURED = ("samples", "requests")
"""What may describe another noun: "three image generation models"."""
PARTS = (WORD, NUMBER)
TIMES = ("x", "×", "*")


def is_modifier(tokens: Tokens, owner: Owner, at: int, strange: int) -> bool:
    """Whether a word may stand between a number and its head: a known one, or any one directly before a head."""
    if is_known(tokens.low(at)):
        return True
    begin = compound_end(tokens, at)
    if begin > at + 1 and (tokens.low(begin - 1) in lexicon.classes("nouns", "heads") or is_plural(tokens, begin - 1)):
        return strange <= 1
    near = (owner(begin), owner(begin + 1) if tokens.kind(begin) == WORD else None)
    if strange == MOST_STRANGE or any(name is not None and name.kind == "device" for name in near):
        return strange <= 1
    if is_plural(tokens, at) or tokens.low(at) in lexicon.words("nouns", "no_plurals"):
        return False
    if tokens.low(begin) in ("and", ","):  # "2 diverse and clean sets"
        begin = compound_end(tokens, begin)
    return _leads_to_head(tokens, begin, named=tokens[at].text[:1].isupper())


def is_known(low: str) -> bool:
    """Whether a word may always modify a noun: a listed one, an adverb, a participle."""
    return low in lexicon.words("nouns", "head_modifiers") or (len(low) > 4 and low.endswith(("ly", "ed")))


def _leads_to_head(tokens: Tokens, at: int, *, named: bool) -> bool:
    """Whether a head is one of the next two words, or of some more where all are written as a name."""
    plain = 0
    for _ in range(MOST_STEPS // 2):
        at += 2 * is_spatial(tokens, at)
        if tokens.kind(at) != WORD or tokens.low(at) in lexicon.words("nouns", "stops"):
            return False
        if tokens.low(at) in lexicon.classes("nouns", "heads") or is_plural(tokens, at):
            return True
        named = named and tokens[at].text[:1].isupper()
        plain += not (named or is_known(tokens.low(at)))
        if plain == MOST_STRANGE:
            return False
        at = compound_end(tokens, at)
    return False


def is_spatial(tokens: Tokens, at: int) -> bool:
    """Whether a number of dimensions stands at a token: "64 3D shapes"."""
    said = tokens.kind(at) == NUMBER and tokens.low(at + 1) == "d"
    return said and tokens.glued(at + 1) and not tokens.glued(at + 2)


def compound_end(tokens: Tokens, at: int) -> int:
    """Return the end of a word with what hyphens join to it: "state-of-the-art"."""
    at += 1
    while tokens.low(at) in ("-", "/") and tokens.glued(at) and tokens.glued(at + 1) and tokens.kind(at + 1) in PARTS:
        at += 2
        at += tokens.kind(at - 1) == NUMBER and tokens.kind(at) == WORD and tokens.glued(at)  # "ESM-1v"
    while tokens.kind(at) == NUMBER and tokens.glued(at) and tokens.kind(at + 1) == WORD and tokens.glued(at + 1):
        at += 2  # "seq2seq"
    return at + (tokens.kind(at) == NUMBER and tokens.glued(at) and not tokens.glued(at + 1))  # "B580"


def is_plural(tokens: Tokens, at: int) -> bool:
    """Whether a word looks like a noun in the plural."""
    low = tokens.low(at)
    initials = len(low) == 3 and tokens[at].text[:2].isupper()  # "50 PRs"
    ended = low.isalpha() and low[-1] == "s" and (initials or (len(low) > 3 and low[-2] not in "sui"))
    shaped = tokens.kind(at) == WORD and ended and tokens[at].text[-1] == "s"
    verb = tokens.low(at + 1) in lexicon.words("nouns", "after_verbs")
    noun = low not in lexicon.words("nouns", "no_plurals") or tokens.low(at + 1) == "of"  # "two sets of"
    return shaped and noun and not verb and (not tokens.glued(at) or tokens.low(at - 1) == "-")


def is_identifier(tokens: Tokens, at: int) -> bool:
    """Whether a word is a part of an identifier: of gpus_per_node, not of "gpus"."""
    opens = tokens.low(at + 1) == "_" and tokens.glued(at + 1) and tokens.glued(at + 2)
    return opens or (tokens.low(at - 1) == "_" and tokens.glued(at))


def counts_inside(tokens: Tokens, at: int) -> int:
    """Return how many tokens count what each of several things has: "32 8xH100 nodes", "four 8-GPU nodes"."""
    sign = tokens.low(at + 1)
    if tokens.counts(at) and sign == "b" and tokens.glued(at + 1):  # "two 7B models"
        return 2
    if not tokens.counts(at) or tokens.kind(at + 2) != WORD:
        return 0
    each = sign in lexicon.words("units", "devices") and tokens.low(at + 2) in lexicon.words("nouns", "carrier_nodes")
    return 3 if sign == "-" else 2 * (sign in ("x", "×") or each)


def is_index(tokens: Tokens, number: Number) -> bool:
    """Whether a number only names one of several: "Device 0 samples", "rank 3"; not "per node 8 GPUs"."""
    before = tokens.low(number.first - 1)
    if before in lexicon.words("devices", "vendors") and number.low >= LEAST_MODEL and not number.suffix:
        return True
    heads, noun = lexicon.classes("nouns", "heads"), tokens.low(number.last)
    singular = noun in heads and not noun.endswith("s") and tokens.kind(number.first) == NUMBER
    if singular and (is_reference(tokens, number) or (number.low == 0 and number.first)):  # "the Phase 1 run"
        return True
    kind = heads.get(before)
    titled = kind == "steps" and tokens[number.first - 1].text[:1].isupper()
    single = kind in ("devices", "cores", "layers", "epochs") or titled or before in lexicon.words("nouns", "numbered")
    if number.worded or not single or tokens.low(number.last) in TIMES:
        return False
    if before.endswith("s"):  # "GPUs 0-7"
        return number.is_range
    return tokens.low(number.first - 2) not in ("each", "every", "per", "one", "a", "single", "-", "/")


def is_year(tokens: Tokens, number: Number, end: int) -> bool:
    """Whether a number is the year of one thing: "a 2015 Titan X", "my late 2019 MacBook"; not "the 2000 GPUs"."""
    printed, before = tokens[number.first].text, tokens.low(number.first - 1)
    if not (len(printed) == 4 and printed.isdigit() and printed[:2] in {"19", "20"} and number.low <= LATEST_YEAR):
        return False
    return before in lexicon.words("nouns", "before_years") and not tokens.low(end - 1).endswith("s")


def names_one(tokens: Tokens, number: Number, of: str) -> bool:
    """Whether "one" or "single" points at a thing: "this one run", "one of the runs", "a single step"."""
    low, before = tokens.low(number.first), tokens.low(number.first - 1)
    if low == "single":
        return of not in lexicon.words("nouns", "single_ok")
    if low == "one" and tokens.low(number.last) in ("of", "or"):
        return True
    pointed = before in ("the", "this", "that", "each", "every", "from", "in")
    return low == "one" and pointed and of in ("repetitions", "other", "models", "tasks", "steps", "runs")


def settled(tokens: Tokens, number: Number, of: str, end: int) -> str:
    """Return the class that the words around settle: "4 concurrent jobs", "1M users", "a layer of 500 nodes"."""
    before, around = tokens.lows(number.first - 5, number.first), tokens.lows(number.last, end + 4)
    if of == "nodes":
        graph = lexicon.words("nouns", "of_graphs").intersection((*before, *around))
        return "other" if graph or number.low >= MOST_NODES else of
    if of not in ("concurrency", "other", *PICTURED):
        return of
    if tokens.low(end - 1) in ("pass", "passes") and tokens.low(end) == "over":  # of the data
        return "epochs"
    if not lexicon.words("nouns", "at_once").isdisjoint(around) or " at once" in " ".join(around):
        return "concurrency"
    return "other" if of == "concurrency" and lexicon.words("nouns", "served").isdisjoint(before) else of


def is_value(tokens: Tokens, number: Number) -> bool:
    """Whether a number is the value of a key, so that it shares no noun: "foo: 4", "acc_grad 4, 90 epochs"."""
    sign, identified = tokens.low(number.first - 1), is_identifier(tokens, number.first - 1)
    return sign == "=" or identified or (sign == ":" and not number.suffix)


def is_passed(tokens: Tokens, owner: Owner, at: int) -> bool:
    """Whether a bracket stands between a number and its noun: "two (out of nine) GPUs", "64 (dashed) neurons"."""
    headed = tokens.low(closing(tokens, at)) in lexicon.classes("nouns", "heads")
    return headed or tokens.low(at + 1) in ("of", "out", "s") or owner(at + 1) is not None


def closing(tokens: Tokens, at: int) -> int:
    """Return the token behind a short bracket; the end of the text where it does not close soon."""
    close = (k for k in range(at, min(at + MOST_STEPS, len(tokens))) if tokens[k].text == ")")
    return next(close, len(tokens)) + 1


def past_remark(tokens: Tokens, at: int) -> int:
    """Return the token behind a short remark in brackets that begins at a token, or the token itself."""
    return min(closing(tokens, at), len(tokens)) if tokens.low(at) == "(" else at
