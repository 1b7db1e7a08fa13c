"""What may stand between a number and its noun: modifiers, compounds, short brackets; and what only numbers."""

from __future__ import annotations

from . import lexicon
from .numbers import Number
from .quantity import Owner
from .tokens import NUMBER, WORD, Tokens

MOST_STEPS = 9
TIMES = ("x", "×", "*")


def is_modifier(tokens: Tokens, owner: Owner, at: int, strange: int) -> bool:
    """Whether a word may stand between a number and its head: a known one, or any one directly before a head."""
    if tokens.low(at) in lexicon.words("nouns", "head_modifiers"):
        return True
    begin = compound_end(tokens, at)
    if begin > at + 1 and tokens.low(begin - 1) in lexicon.classes("nouns", "heads"):
        return strange <= 1
    near = (owner(begin), owner(begin + 1) if tokens.kind(begin) == WORD else None)
    if strange > 1 or any(name is not None and name.kind == "device" for name in near):
        return strange <= 1
    if is_plural(tokens, at) or tokens.low(at) in lexicon.words("nouns", "no_plurals"):
        return False
    if tokens.low(begin) in ("and", ","):  # "2 diverse and clean sets"
        begin = compound_end(tokens, begin)
    return _leads_to_head(tokens, begin, named=tokens[at].text[:1].isupper())


def _leads_to_head(tokens: Tokens, at: int, *, named: bool) -> bool:
    """Whether a head is one of the next two words, or of some more where all are written as a name."""
    plain = 0
    for _ in range(MOST_STEPS // 2):
        if tokens.kind(at) != WORD or tokens.low(at) in lexicon.words("nouns", "stops"):
            return False
        if tokens.low(at) in lexicon.classes("nouns", "heads") or is_plural(tokens, at):
            return True
        named = named and tokens[at].text[:1].isupper()
        plain += not named
        if plain == 2:
            return False
        at = compound_end(tokens, at)
    return False


def compound_end(tokens: Tokens, at: int) -> int:
    """Return the end of a word with what hyphens join to it: "state-of-the-art"."""
    at += 1
    while tokens.low(at) == "-" and tokens.glued(at) and tokens.glued(at + 1) and tokens.kind(at + 1) in (WORD, NUMBER):
        at += 2
        at += tokens.kind(at - 1) == NUMBER and tokens.kind(at) == WORD and tokens.glued(at)  # "ESM-1v"
    return at


def is_plural(tokens: Tokens, at: int) -> bool:
    """Whether a word looks like a noun in the plural."""
    low = tokens.low(at)
    initials = len(low) == 3 and tokens[at].text[:2].isupper()  # "50 PRs"
    ended = low.isalpha() and low[-1] == "s" and (initials or (len(low) > 3 and low[-2] not in "sui"))
    shaped = tokens.kind(at) == WORD and ended and tokens[at].text[-1] == "s"
    verb = tokens.low(at + 1) in lexicon.words("nouns", "after_verbs")
    noun = low not in lexicon.words("nouns", "no_plurals") or tokens.low(at + 1) == "of"  # "two sets of"
    return shaped and noun and not verb and not tokens.glued(at)


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
    kind = lexicon.classes("nouns", "heads").get(before)
    titled = kind == "steps" and tokens[number.first - 1].text[:1].isupper()
    single = kind in ("devices", "cores", "layers", "epochs") or titled or before in lexicon.words("nouns", "numbered")
    if number.worded or not single or tokens.low(number.last) in TIMES:
        return False
    if before.endswith("s"):  # "GPUs 0-7"
        return number.is_range
    return tokens.low(number.first - 2) not in ("each", "every", "per", "one", "a", "single", "-", "/")


def names_one(tokens: Tokens, number: Number, of: str) -> bool:
    """Whether "one" or "single" points at a thing: "this one run", "one of the runs", "a single step"."""
    low, before = tokens.low(number.first), tokens.low(number.first - 1)
    if low == "single":
        return of not in lexicon.words("nouns", "single_ok")
    if low == "one" and tokens.low(number.last) == "of":
        return True
    pointed = before in ("the", "this", "that", "only", "each", "every", "from")
    return low == "one" and pointed and of in ("repetitions", "other", "models", "tasks", "steps", "runs")


def is_value(tokens: Tokens, number: Number) -> bool:
    """Whether a number is the value of a key, so that it shares no noun: "foo: 4", "acc_grad 4, 90 epochs"."""
    sign, identified = tokens.low(number.first - 1), is_identifier(tokens, number.first - 1)
    return sign == "=" or identified or (sign == ":" and not number.suffix)


def is_passed(tokens: Tokens, owner: Owner, at: int) -> bool:
    """Whether a bracket stands between a number and its noun: "two (out of nine) GPUs", "64 (dashed) neurons"."""
    behind = closing(tokens, at)
    headed = tokens.low(behind) in lexicon.classes("nouns", "heads")
    return headed or tokens.low(at + 1) in ("of", "out", "s") or owner(at + 1) is not None


def closing(tokens: Tokens, at: int) -> int:
    """Return the token behind a short bracket; the end of the text where it does not close soon."""
    close = (k for k in range(at, min(at + MOST_STEPS, len(tokens))) if tokens[k].text == ")")
    return next(close, len(tokens)) + 1
