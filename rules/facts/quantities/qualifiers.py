"""The words in front of a claimed number that bound it, as its authors wrote them."""

from __future__ import annotations

from decimal import Decimal

from ....schemas.submission import Claim
from ...language import lexicon
from ...language.questions import concepts_of
from ...language.reading import Reading, read

OPENED = "open."
NEAR = 1
"""Characters between the words and their number."""


def qualifier_words(claim: Claim) -> str:
    """Return the words that bound a claim's number: "beyond", "more than"; those of its field where none stand there.

    Empty of a claim without a bound.
    """
    if claim.qualifier is None:
        return ""
    usual = claim.qualifier.replace("_", " ")
    if claim.value is None:
        return usual
    reading, value = read(claim.statement), Decimal(claim.value)
    starts = [reading.tokens[item.first].start for item in reading.numbers() if value in {item.low, item.high}]
    return next((words for start in starts if (words := _before(reading, start))), usual)


def _before(reading: Reading, start: int) -> str:
    """Return the words that end right before a number and bound it, or nothing."""
    found = (item for name in concepts_of(OPENED) for item in reading.mentions(name))
    mentioned = [item for item in found if item.end <= start <= item.end + NEAR]
    if mentioned:
        return " ".join(min(mentioned, key=lambda item: item.start).text.split())
    last = reading.within(max(0, start - 1 - max(map(len, lexicon.word_set("bound_a_number")))), start)
    return last[-1].text if last and last[-1].low in lexicon.word_set("bound_a_number") else ""
