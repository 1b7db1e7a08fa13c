"""Questions for authors: from the findings of a report to one question per cause, the weightiest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import starmap
from pathlib import Path

from msgspec import Struct

from ...rules.questions import Cause, causes, holding
from ...rules.registry import family_of
from ...rules.required import table, weight
from ...schemas.submission import Claim
from ..lint.lint import Linted
from ..report import ClaimReport, Finding
from .counts import is_caveat

_EFFECTS = {"refutes": 3, "undermines": 2, "caveat": 1}


class Question(Struct, frozen=True):
    """What to ask of one cause.

    Attributes:
        cause: what the question is about.
        kind: violation, caveat, or open where nothing is shown.
        decides: whether the answer decides a verdict.
        claims: those that it concerns.
        seen: what the evidence says, without repetition.
        place: where the first of them stands in what was published, where that is known.
    """

    cause: Cause
    kind: str
    decides: bool
    claims: tuple[ClaimReport, ...]
    seen: tuple[str, ...]
    place: str = ""


class Holds(Struct, frozen=True):
    """What was checked and agreed: in words, with the claims of which it holds."""

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
        groups.setdefault(each.cause, []).append(each)
    return Asked(tuple(_holds(item.report.claims)), tuple(starmap(_question, groups.items())))


class _Found(Struct, frozen=True):
    """A finding, or an item that one names beside others, with what weighs it; the lightest is asked first."""

    cause: Cause
    weight: tuple[bool, int, int]
    kind: str
    seen: str
    claim: ClaimReport | None = None
    place: str = ""


def _found(item: Linted) -> Iterator[_Found]:
    report, claims = item.report, item.case.submission.claims
    for claim in report.claims:
        for finding in claim.findings:
            if finding.waived is None and finding.outcome != "error":
                asked_of = [claims[claim.id]] if claim.id in claims else []
                order, at = _weight(finding, asked_of, item), finding.location
                # a report of another tool is itself what was published
                place = f"{Path(at.file).name}:{at.line}" if item.imported else item.places.get(claim.id, "")
                yield _Found(_cause(finding), order, _kind(finding), finding.message, claim, place)
    for code, message in (member for finding in report.findings for member in finding.members):
        if code in causes():
            yield _Found(causes()[code], (True, 0, _place(code, claims.values(), item)), "open", message)
    for finding in report.findings:
        if finding.outcome == "violation" and finding.waived is None and finding.code in causes():
            order = _weight(finding, claims.values(), item)
            yield _Found(causes()[finding.code], order, _kind(finding), finding.message)


def _weight(finding: Finding, claims: Iterable[Claim], item: Linted) -> tuple[bool, int, int]:
    """What decides comes first, then what contradicts, then what is required of such claims first."""
    graveness = 0 if is_caveat(finding) else _EFFECTS.get(finding.effect, 0)
    return (not finding.decides, -graveness, _place(finding.code, claims, item))


def _place(code: str, claims: Iterable[Claim], item: Linted) -> int:
    """Return the place of a rule in the table of required evidence; what only the submission can hold comes last."""
    if family_of(code) == "I":
        return len(table())
    return min((weight(code, claim, item.case) for claim in claims), default=0)


def _kind(finding: Finding) -> str:
    return "open" if finding.outcome != "violation" else "caveat" if is_caveat(finding) else "violation"


def _cause(finding: Finding) -> Cause:
    """Return what a finding is about; of a rule that questions.json does not know, by the finding's own words."""
    known = causes().get(finding.code)
    if known is not None:
        return known
    topic = finding.item or finding.code
    return Cause(topic, f"What can you say about this: {finding.message}?", "", finding.next_step)


def _question(cause: Cause, found: list[_Found]) -> Question:
    kind = next((kind for kind in ("violation", "caveat") if any(each.kind == kind for each in found)), "open")
    claims = {each.claim.id: each.claim for each in found if each.claim is not None}
    shown = [each.seen for each in found if each.kind != "open"] or [each.seen for each in found]
    decides = any(not each.weight[0] for each in found)
    place = next((each.place for each in found if each.claim is not None), "")
    return Question(cause, kind, decides, tuple(claims.values()), tuple(dict.fromkeys(shown)), place)


def _holds(claims: tuple[ClaimReport, ...]) -> Iterator[Holds]:
    for code, words in holding().items():
        found = tuple(claim for claim in claims if code in claim.coverage.decided and not _is_said(code, claim))
        if found:
            yield Holds(words, found)


def _is_said(code: str, claim: ClaimReport) -> bool:
    """Whether a rule that decided has a finding of its own on a claim, or one that speaks for it."""
    return any(code == finding.code or code in finding.also for finding in claim.findings)
