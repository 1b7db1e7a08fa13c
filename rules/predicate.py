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

from ..schemas.pattern import Pattern
from ..schemas.submission import Claim
from .case import Case
from .fields import FIELDS, field_of
from .items import ITEMS
from .words import WORDS

_TOKEN = Pattern(r"\s*(>=|[()={},]|[A-Za-z_][A-Za-z0-9_]*|[0-9.]+)")


class Answers(dict[str, bool]):
    """What predicates say of one claim, by their text: each predicate, and each part of it, is decided once."""

    def __init__(self, claim: Claim, case: Case) -> None:
        super().__init__()
        self.claim, self.case = claim, case

    def __missing__(self, text: str) -> bool:
        test = _TESTS.get(text)
        answer = self[text] = test(self) if test is not None else self[_parsed(text)]
        return answer


Test = Callable[[Answers], bool]
_TESTS: dict[str, Test] = {}
"""How each part of the predicates that were parsed so far is decided, by its text."""


def answers(claim: Claim, case: Case) -> Answers:
    """Return what predicates say of a claim of a case; the case keeps it."""
    key = ("answers", id(claim))
    found = case.cache.get(key)
    if not isinstance(found, Answers):
        # it holds the claim, so that no other claim is ever given its identity
        found = case.cache[key] = Answers(claim, case)
    return found


def predicate(text: str) -> Callable[[Claim, Case], bool]:
    """Parse a predicate.

    Raises:
        ValueError: it does not fit the grammar, or uses a word outside the vocabulary.
    """
    _parsed(text)
    return lambda claim, case: answers(claim, case)[text]


@cache
def _parsed(text: str) -> str:
    """Parse a predicate; return its text as a part, by which it is decided."""
    part, rest = _expression(_tokens(text))
    if rest:
        raise ValueError(f"{text!r}: unexpected {rest[0]!r}")
    return part


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"{text!r}: cannot read at {text[at:]!r}")
        tokens.append(match[1])
        at = match.end()
    return tokens


def _expression(tokens: list[str]) -> tuple[str, list[str]]:
    first, rest = _conjunction(tokens)
    parts = [first]
    while rest[:1] == ["or"]:
        part, rest = _conjunction(rest[1:])
        parts.append(part)
    return (first if len(parts) == 1 else _either(parts)), rest


def _conjunction(tokens: list[str]) -> tuple[str, list[str]]:
    first, rest = _negation(tokens)
    parts = [first]
    while rest[:1] == ["and"]:
        part, rest = _negation(rest[1:])
        parts.append(part)
    return (first if len(parts) == 1 else _every(parts)), rest


def _either(parts: list[str]) -> str:
    def either(answers: Answers) -> bool:
        for part in parts:  # noqa: SIM110  a generator costs twice as much
            if answers[part]:
                return True
        return False

    return _part(f"({' or '.join(parts)})", either)


def _every(parts: list[str]) -> str:
    def every(answers: Answers) -> bool:
        for part in parts:  # noqa: SIM110
            if not answers[part]:
                return False
        return True

    return _part(f"({' and '.join(parts)})", every)


def _part(text: str, test: Test) -> str:
    _TESTS.setdefault(text, test)
    return text


def _negation(tokens: list[str]) -> tuple[str, list[str]]:
    if not tokens:
        raise ValueError("a predicate ends too early")
    head, rest = tokens[0], tokens[1:]
    if head == "not":
        inner, rest = _negation(rest)
        return _part(f"not {inner}", lambda answers: not answers[inner]), rest
    if head == "(":
        inner, rest = _expression(rest)
        return inner, _expect(rest, ")")
    return _test(head, rest)


def _test(head: str, rest: list[str]) -> tuple[str, list[str]]:
    if head == "has":
        item = _expect(rest, "(")[0]
        if item not in ITEMS:
            raise ValueError(f"has({item}) is not in the vocabulary")
        return _asked(f"has({item})", ITEMS[item]), _expect(_expect(rest, "(")[1:], ")")
    if head in FIELDS and rest[:1] == ["="]:
        value = rest[1]
        return _asked(f"{head}={value}", lambda claim, case: field_of(head, claim, case) == value), rest[2:]
    if head in FIELDS and rest[:1] == [">="]:
        least = float(rest[1])
        test = _asked(f"{head}>={rest[1]}", lambda claim, case: _at_least(field_of(head, claim, case), least))
        return test, rest[2:]
    if head in FIELDS and rest[:2] == ["in", "{"]:
        end = rest.index("}")
        values = frozenset(rest[2:end]) - {","}
        named = f"{head} in {{{', '.join(sorted(values))}}}"
        return _asked(named, lambda claim, case: field_of(head, claim, case) in values), rest[end + 1 :]
    if head in WORDS:
        return _asked(head, WORDS[head]), rest
    raise ValueError(f"{head!r} is not in the vocabulary")


def _asked(text: str, test: Callable[[Claim, Case], bool]) -> str:
    return _part(text, lambda answers: test(answers.claim, answers.case))


def _at_least(value: object, least: float) -> bool:
    return isinstance(value, int) and value >= least


def _expect(tokens: list[str], wanted: str) -> list[str]:
    if tokens[:1] != [wanted]:
        raise ValueError(f"expected {wanted!r} instead of {tokens[:1]}")
    return tokens[1:]
