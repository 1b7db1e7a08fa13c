"""The words that stand with a quoted result, and the result on the other side of a comparison."""

from __future__ import annotations

import re

from msgspec import Struct

from ....schemas.pattern import Pattern
from ....schemas.submission import Claim, SuiteResult
from ...caching import fact
from ...case import Case

_UNVERIFIED = Pattern(
    r"\bun-?verified\b|\bunofficial\b|\bwithout (?:verification|review)\b"
    r"|(?:\b(?:not|never|neither|nobody|yet to be)|n't)[ -](?:yet )?(?:been |be |an? )?(?:officially )?"
    r"(?:verified|official|reviewed|submitted|handed in)\b",
    re.IGNORECASE,
)
_CALLED = Pattern(r"\bverified\b|\bofficial(?:ly)?\b", re.IGNORECASE)
_OF_OTHER_THINGS = Pattern(
    r"\bofficial(?:ly)? (?:[\w.-]+ ){0,2}(?:code|implementations?|rules?|repositor(?:y|ies)|repo|data(?: ?sets?)?"
    r"|references?|containers?|images?|harness|scripts?|checkers?|websites?|pages?|lists?|releases?|targets?|seeds?"
    r"|guidelines?|tables?)\b|\bverified (?:that|the outputs?|the accuracy)\b",
    re.IGNORECASE,
)
"""What else than a result is official, or verified."""


class Other(Struct, frozen=True):
    """The other side of a comparison.

    Attributes:
        part: part of the suite of which it is a result; none where it is stated to be no such result, None if open.
        result: its identity, where it has one.
        division: its division, where stated.
        unit: unit of its number, where stated.
        at: its place.
    """

    part: str | None
    result: SuiteResult | None
    division: str | None
    unit: str | None
    at: str


def main_text(claim: Claim) -> str:
    """Return the sentence and what is quoted beside the number; not the footnote."""
    return " ".join((claim.statement, *(said.quote for said in claim.said), claim.explanation or ""))


def beside(claim: Claim, case: Case) -> str:
    """Return what else the document prints with the two sides of a comparison that are both its own.

    The labels of both arms, and the sentences about either arm's own number: they are the heads and rows of a table
    where the document is an excerpt of one; elsewhere a label is no part of the publication.
    """
    if case.submission.coverage != "excerpt" or claim.measured is None or claim.base is None or claim.base.arm is None:
        return ""
    arms = (claim.measured.arm, claim.base.arm)
    labels = [side.arm.label or "" for side in (case.subject(claim), case.base(claim)) if side is not None]
    told = _sentences(case)
    return " ".join((*labels, *(told.get(arm or "", "") for arm in arms)))


@fact
def _sentences(case: Case) -> dict[str, str]:
    """Return the sentences about each arm's own number."""
    found: dict[str, list[str]] = {}
    for claim in case.submission.claims.values():
        if claim.measured is not None and claim.measured.arm is not None and claim.compares == "none":
            found.setdefault(claim.measured.arm, []).append(claim.statement)
    return {arm: " ".join(said) for arm, said in found.items()}


def other_side(claim: Claim, case: Case) -> Other | None:
    """Return the other side: as the claim states it, else the claim of this document on the base's arm."""
    comparator = claim.comparator
    if comparator is not None and (comparator.suite_result is not None or comparator.suite is not None):
        found = comparator.suite_result
        part = comparator.suite or claim.suite
        return Other(part, found, found.division if found is not None else None, None, comparator.at)
    if claim.base is not None and claim.base.arm is not None:
        for other in case.submission.claims.values():
            told = other.measured
            same = told is not None and told.arm == claim.base.arm and _is_of(told.metric, claim.base.metric)
            if same and other is not claim and other.compares == "none" and other.suite is not None:
                return Other(other.suite, other.suite_result, other.division, other.unit, other.at)
    return None


def says_unverified(text: str) -> bool:
    """Whether a text says of some result that nobody verified it."""
    return _UNVERIFIED.search(text) is not None


def without_unverified(text: str) -> str:
    """Return a text without the words by which it calls a result unverified."""
    return _UNVERIFIED.sub("", text)


def called_verified(text: str) -> bool:
    """Whether a text calls a result verified or official; not the code, the rules or the data of the suite."""
    return _CALLED.search(_OF_OTHER_THINGS.sub("", without_unverified(text))) is not None


def _is_of(metric: str | None, named: str | None) -> bool:
    """Whether the number of a claim is the one that a base names: an arm may hold those of several scenarios."""
    return metric is None or named is None or metric == named
