"""Questions for authors: from the findings of a report to one question per cause, the weightiest first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from ...rules.questions import Cause, holding
from ...rules.registry import family_of
from ...rules.required import table, weight
from ...schemas.submission import Claim
from ..lint.lint import Linted
from ..report import ClaimReport, Finding, Location
from .counts import is_caveat
from .raised import KINDS, Raised, raised

_ARM = re.compile(r"\barm ([A-Za-z0-9._-]+)")
_EFFECTS = {"refutes": 3, "undermines": 2, "caveat": 1}


class Question(Struct, frozen=True):
    """What to ask of one cause.

    Attributes:
        cause: what the question is about.
        kind: violation, caveat, or open where nothing is shown.
        decides: whether the answer decides a verdict.
        claims: those that it concerns.
        seen: what the evidence says, without repetition.
        place: where the sentence of the first claim stands in what was published, where that is known.
        lines: the lines there of the other claims, where these are known.
    """

    cause: Cause
    kind: str
    decides: bool
    claims: tuple[ClaimReport, ...]
    seen: tuple[str, ...]
    place: str = ""
    lines: tuple[int, ...] = ()


class Holds(Struct, frozen=True):
    """What was checked and agreed: the rule, in words, with the claims of which it holds."""

    code: str
    words: str
    claims: tuple[ClaimReport, ...]


class Asked(Struct, frozen=True):
    """What a report says to authors.

    Attributes:
        holds: what agreed, the most telling first.
        questions: the weightiest first.
    """

    holds: tuple[Holds, ...]
    questions: tuple[Question, ...]


def asked(item: Linted) -> Asked:
    """Return what to tell and ask the authors of a document; what a waiver accepts is not asked."""
    found = sorted(_found(item), key=lambda each: each.weight)
    groups: dict[Cause, list[_Found]] = {}
    for each in found:
        groups.setdefault(each.raised.cause, []).append(each)
    questions = tuple(_question(cause, found, item) for cause, found in groups.items())
    return Asked(tuple(holds(item.report.claims)), questions)


class _Found(Struct, frozen=True):
    """What is raised, with what weighs it; the lightest is asked first."""

    raised: Raised
    weight: tuple[bool, int, int]


def _found(item: Linted) -> Iterator[_Found]:
    claims = item.case.submission.claims
    for each in raised(item.report):
        if each.finding is None:
            yield _Found(each, (True, 0, _place(each.code, claims.values(), item)))
        elif each.claim is None:
            yield _Found(each, _weight(each.finding, claims.values(), item))
        else:
            asked_of = [claims[each.claim.id]] if each.claim.id in claims else []
            yield _Found(each, _weight(each.finding, asked_of, item))


def _published_place(claim: ClaimReport, item: Linted) -> str:
    """Return where the sentence of a claim was published; a report of another tool is itself what was published."""
    if not item.imported:
        return item.places.get(claim.id, "")
    return _printed_place(claim.location) if claim.location is not None else ""


def _printed_place(at: Location) -> str:
    """Return a place as a reader finds it: by its line, or in the words of a document without lines."""
    name = Path(at.file).name
    return f"{name}:{at.line}" if at.lines else f"{name}, {at.place}" if at.place else name


def _weight(finding: Finding, claims: Iterable[Claim], item: Linted) -> tuple[bool, int, int]:
    """What decides comes first, then what contradicts, then what is required of such claims first."""
    graveness = 0 if is_caveat(finding) else _EFFECTS.get(finding.effect, 0)
    return (not finding.decides, -graveness, _place(finding.code, claims, item))


def _place(code: str, claims: Iterable[Claim], item: Linted) -> int:
    """Return the place of a rule in the table of required evidence; what only the submission can hold comes last."""
    if family_of(code) == "I":
        return len(table())
    return min((weight(code, claim, item.case) for claim in claims), default=0)


def _question(cause: Cause, found: list[_Found], item: Linted) -> Question:
    every = [each.raised for each in found]
    kind = next(kind for kind in KINDS if any(each.kind == kind for each in every))
    claims = {each.claim.id: each.claim for each in every if each.claim is not None}
    shown = [each.seen for each in every if each.kind != "open"] or [each.seen for each in every]
    decides = any(not each.weight[0] for each in found)
    place = next((_published_place(claim, item) for claim in claims.values()), "")
    seen = tuple(dict.fromkeys(_by_place(text, item) for text in shown))
    lines = [_published_line(claim, item) for claim in claims.values()]
    others = sorted({line for line in lines[1:] if line is not None})
    return Question(cause, kind, decides, tuple(claims.values()), seen, place, tuple(others))


def _published_line(claim: ClaimReport, item: Linted) -> int | None:
    """Return the line of a claim in what was published; None where that has no lines, or it is not known."""
    line = _published_place(claim, item).rpartition(":")[2]
    return int(line) if line.isdecimal() else None


def _by_place(text: str, item: Linted) -> str:
    """Return a message with arms named by their places: of a report of another tool their ids stand nowhere in it."""
    return _ARM.sub(lambda found: _place_of(found[1], item) or found[0], text) if item.imported else text


def _place_of(arm: str, item: Linted) -> str:
    stated = item.case.submission.claims
    of = (claim for claim in item.report.claims if (made := stated[claim.id].measured) and made.arm == arm)
    at = next((claim.location for claim in of if claim.location is not None), None)
    where = "" if at is None else f"in line {at.line}" if at.lines else f"on {at.place}" if at.place else ""
    return f"the number {where}" if where else ""


def holds(claims: tuple[ClaimReport, ...]) -> Iterator[Holds]:
    """Yield what was checked and agreed, the most telling first."""
    for code, words in holding().items():
        # a number that stands in a table and in a sentence holds where both do
        doubted = {claim.value for claim in claims if _is_said(code, claim)}
        found = tuple(claim for claim in claims if code in claim.coverage.decided and claim.value not in doubted)
        if found:
            yield Holds(code, words, found)


def _is_said(code: str, claim: ClaimReport) -> bool:
    """Whether a rule that decided has a finding of its own on a claim, or one that speaks for it."""
    return any(code == finding.code or code in finding.also for finding in claim.findings)
