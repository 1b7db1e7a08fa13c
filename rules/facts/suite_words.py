"""The words that stand with a quoted result, and the result on the other side of a comparison."""

from __future__ import annotations

import re

from msgspec import Struct

from ...schemas.submission import Claim, SuiteResult
from ..case import Case
from ..pattern import Pattern

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


def other_side(claim: Claim, case: Case) -> Other | None:
    """Return the other side: as the claim states it, else the claim of this document on the base's arm."""
    comparator = claim.comparator
    if comparator is not None and (comparator.suite_result is not None or comparator.suite is not None):
        found = comparator.suite_result
        part = comparator.suite or claim.suite
        return Other(part, found, found.division if found is not None else None, None, comparator.at)
    if claim.base is not None and claim.base.arm is not None:
        for other in case.submission.claims.values():
            same = other.measured is not None and other.measured.arm == claim.base.arm
            named = claim.base.metric is None or (same and other.measured.metric in {None, claim.base.metric})
            if same and named and other is not claim and other.compares == "none" and other.suite is not None:
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
