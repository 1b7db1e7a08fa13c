"""What a person must decide about a claim of a draft: only questions of which two answers are judged differently.

Whether they are is tried out: the claim is judged with one answer after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from typing import Any

from msgspec import Struct

from .questions import Answer, Question, questions_about
from .submission import Value

MOST_QUESTIONS = 6
MOST_KINDS = 12
"""Kinds of claims of which comments ask; of a longer document the first."""
Judged = tuple[int, frozenset[tuple[str, str, str]]]
Judge = Callable[[Value, str], Judged | None]
"""How a claim of a submission is judged: its verdict, and the rules with their outcomes; None where it is not valid."""


class Alike(Struct, frozen=True):
    """Claims of one kind, of which one question settles all: the cells of a table, or one sentence."""

    claims: tuple[str, ...]


def groups(value: Value) -> tuple[Alike, ...]:
    """Return the claims of a draft in groups of one kind, sentences first: they are what a publication stands on."""
    found: dict[object, list[str]] = {}
    for key, claim in value["claims"].items():
        of_table = claim.get("put_together") or not key.startswith("line-")
        kind = tuple(sorted((name, str(claim.get(name))) for name in _KIND)) if of_table else key
        found.setdefault(kind, []).append(key)
    ranked = sorted(found.values(), key=lambda each: not each[0].startswith("line-"))
    return tuple(Alike(tuple(each)) for each in ranked)


_KIND = ("quantity", "form", "scope", "mode", "compares", "purpose", "unit", "metric", "suite")


def open_decisions(value: Value, judge: Judge) -> dict[str, tuple[Question, ...]]:
    """Return what to decide about the claims of a draft, by the first claim of each kind, of so many kinds at most."""
    return {each.claims[0]: decisions(value, each, judge) for each in groups(value)[:MOST_KINDS]}


def decisions(value: Value, claims: Alike, judge: Judge) -> tuple[Question, ...]:
    """Return what to ask about claims of one kind: what changes the verdict, then what changes most."""
    ranked: list[tuple[bool, int, int, Question]] = []
    first = claims.claims[0]
    now = judge(value, first)
    for number, question in enumerate(questions_about(value, first)):
        judged = [now, *(judge(answered(value, [first], answer), first) for answer in question.tried)]
        told = [each for each in judged if each is not None]
        verdicts, findings = {each[0] for each in told}, {each[1] for each in told}
        if len(findings) > 1:
            ranked.append((len(verdicts) == 1, -len(findings), number, question))
    chosen = sorted(ranked, key=lambda each: each[:3])[:MOST_QUESTIONS]
    return tuple(question for *_, question in sorted(chosen, key=lambda each: each[2]))


def answered(value: Value, claims: Iterable[str], answer: Answer) -> Value:
    """Return a submission with an answer about some of its claims; one without fields changes nothing."""
    changed = deepcopy(value)
    for claim in claims:
        for step in answer.changes:
            for place in _places(changed, claim, step.of):
                _put(place, step.path, step.value)
    return changed


def _places(value: Value, claim: str, of: str) -> Iterator[Value]:
    """Yield what an answer is about: the claim, or the arm, the number or the quality behind it."""
    found = value["claims"][claim]
    ref = (found.get("quality") if of == "quality" else found.get("measured")) or {}
    arm = value.get("arms", {}).get(ref.get("arm"), {})
    places = {
        "claim": found,
        "arm": arm,
        "number": arm.get("performance", {}).get(ref.get("metric")),
        "quality": arm.get("quality", {}).get(ref.get("quality")),
    }
    if places[of]:
        yield places[of]


def _put(place: Value, path: tuple[str, ...], value: Any) -> None:
    for name in path[:-1]:
        place = place.setdefault(name, {})
    if value is None:
        place.pop(path[-1], None)
    else:
        place[path[-1]] = value
