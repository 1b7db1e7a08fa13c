"""Predicates of "applies to", parsed once over a closed vocabulary: `training and (tta or points>=2) and not has(raw)`.

Grammar:
    expression = conjunction {"or" conjunction}
    conjunction = negation {"and" negation}
    negation = "not" negation | "(" expression ")" | test
    test = FIELD "=" VALUE | FIELD ">=" NUMBER | FIELD "in" "{" VALUE {"," VALUE} "}" | "has(" ITEM ")" | WORD
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..schemas.submission import Claim
from .case import Case
from .fields import FIELDS, field_of
from .items import ITEMS
from .pattern import Pattern
from .words import WORDS

Test = Callable[[Claim, Case], bool]
_TOKEN = Pattern(r"\s*(>=|[()={},]|[A-Za-z_][A-Za-z0-9_]*|[0-9.]+)")


@cache
def predicate(text: str) -> Test:
    """Parse a predicate.

    Raises:
        ValueError: it does not fit the grammar, or uses a word outside the vocabulary.
    """
    tokens = _tokens(text)
    test, rest = _expression(tokens)
    if rest:
        raise ValueError(f"{text!r}: unexpected {rest[0]!r}")
    return test


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"{text!r}: cannot read at {text[at:]!r}")
        tokens.append(match[1])
        at = match.end()
    return tokens


def _expression(tokens: list[str]) -> tuple[Test, list[str]]:
    first, rest = _conjunction(tokens)
    parts = [first]
    while rest[:1] == ["or"]:
        part, rest = _conjunction(rest[1:])
        parts.append(part)
    return (first if len(parts) == 1 else lambda claim, case: any(part(claim, case) for part in parts)), rest


def _conjunction(tokens: list[str]) -> tuple[Test, list[str]]:
    first, rest = _negation(tokens)
    parts = [first]
    while rest[:1] == ["and"]:
        part, rest = _negation(rest[1:])
        parts.append(part)
    return (first if len(parts) == 1 else lambda claim, case: all(part(claim, case) for part in parts)), rest


def _negation(tokens: list[str]) -> tuple[Test, list[str]]:
    if not tokens:
        raise ValueError("a predicate ends too early")
    head, rest = tokens[0], tokens[1:]
    if head == "not":
        inner, rest = _negation(rest)
        return (lambda claim, case: not inner(claim, case)), rest
    if head == "(":
        inner, rest = _expression(rest)
        return inner, _expect(rest, ")")
    return _test(head, rest)


def _test(head: str, rest: list[str]) -> tuple[Test, list[str]]:
    if head == "has":
        item = _expect(rest, "(")[0]
        if item not in ITEMS:
            raise ValueError(f"has({item}) is not in the vocabulary")
        held = ITEMS[item]
        return (lambda claim, case: held(claim, case)), _expect(_expect(rest, "(")[1:], ")")
    if head in FIELDS and rest[:1] == ["="]:
        value = rest[1]
        return (lambda claim, case: field_of(head, claim, case) == value), rest[2:]
    if head in FIELDS and rest[:1] == [">="]:
        least = float(rest[1])
        return (lambda claim, case: _at_least(field_of(head, claim, case), least)), rest[2:]
    if head in FIELDS and rest[:2] == ["in", "{"]:
        end = rest.index("}")
        values = frozenset(rest[2:end]) - {","}
        return (lambda claim, case: field_of(head, claim, case) in values), rest[end + 1 :]
    if head in WORDS:
        word = WORDS[head]
        return (lambda claim, case: word(claim, case)), rest
    raise ValueError(f"{head!r} is not in the vocabulary")


def _at_least(value: object, least: float) -> bool:
    return isinstance(value, int) and value >= least


def _expect(tokens: list[str], wanted: str) -> list[str]:
    if tokens[:1] != [wanted]:
        raise ValueError(f"expected {wanted!r} instead of {tokens[:1]}")
    return tokens[1:]
