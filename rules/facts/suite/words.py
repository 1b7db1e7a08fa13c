"""The words that stand with a quoted result, and the result on the other side of a comparison."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from msgspec import Struct

from ....schemas.submission import Claim, SuiteResult
from ...caching import fact
from ...case import Case
from ...language.answers import Mention
from ...language.reading import Reading, read
from ..document.words import Words, words_of

VERIFIED, UNVERIFIED = "suite.verified", "suite.unverified"


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


def main_words(claim: Claim) -> Words:
    """Return the sentence and what is quoted beside the number; not the footnote."""
    return words_of(claim).and_((claim.place("explanation"), claim.explanation))


def beside(claim: Claim, case: Case) -> tuple[tuple[str, str | None], ...]:
    """Return what else the document prints with the two sides of a comparison that are both its own.

    The labels of both arms, and the sentences about either arm's own number: they are the heads and rows of a table
    where the document is an excerpt of one; elsewhere a label is no part of the publication.
    """
    if case.submission.coverage != "excerpt" or claim.measured is None or claim.base is None or claim.base.arm is None:
        return ()
    arms = (claim.measured.arm, claim.base.arm)
    labels = [(side.arm.at, side.arm.label) for side in (case.subject(claim), case.base(claim)) if side is not None]
    return (*labels, *(said for arm in arms for said in _sentences(case).get(arm or "", ())))


@fact
def _sentences(case: Case) -> dict[str, list[tuple[str, str]]]:
    """Return the sentences about each arm's own number, with their places."""
    found: dict[str, list[tuple[str, str]]] = {}
    for claim in case.submission.claims.values():
        if claim.measured is not None and claim.measured.arm is not None and claim.compares == "none":
            found.setdefault(claim.measured.arm, []).append((claim.place("statement"), claim.statement))
    return found


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
            # an arm may hold the numbers of several scenarios
            named = {told.metric, claim.base.metric} - {None} if told is not None else set()
            same = told is not None and told.arm == claim.base.arm and len(named) < 2
            if same and other is not claim and other.compares == "none" and other.suite is not None:
                return Other(other.suite, other.suite_result, other.division, other.unit, other.at)
    return None


def says_unverified(text: str) -> bool:
    """Whether a text says of some result that nobody verified it."""
    return read(text).has(UNVERIFIED, affirmed=False)


def called_verified(words: Words) -> bool:
    """Whether words call a result verified or official; not the code, the rules or the data of the suite."""
    return any(True for reading in words for _ in apart(reading, VERIFIED, UNVERIFIED, "suite.official_thing"))


def apart(reading: Reading, concept: str, *longer: str) -> Iterator[Mention]:
    """Yield where a text affirms a concept in words that are no part of some longer ones."""
    others = sorted(other.span for name in longer for other in reading.mentions(name))
    at = end = 0
    for mention in reading.mentions(concept):
        while at < len(others) and others[at][0] <= mention.start:
            end, at = max(end, others[at][1]), at + 1
        if mention.start >= end and not mention.negated:
            yield mention


def around(mentions: Sequence[Mention], place: int) -> Mention | None:
    """Return the one of some mentions, in order, whose words a place of the source lies in."""
    at = bisect_right(mentions, place, key=lambda mention: mention.start) - 1
    return mentions[at] if at >= 0 and place < mentions[at].end else None
