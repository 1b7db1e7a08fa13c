"""Whether words tell anything: a quote or an explanation excuses only where it says something of its own."""

from __future__ import annotations

from collections.abc import Iterator

from ....schemas.submission import Claim
from ...caching import remembered
from ...language.reading import read

FEWEST = 2
"""Words that a quotation or an explanation has at least: a single one is a label."""
SHORTEST = 2
"""Letters of a word that counts; a number counts at any length."""


def said(claim: Claim, *topics: str) -> bool:
    """Whether the publication says something on one of some topics in the same sentence, caption or table."""
    return any(True for _ in quotes(claim, *topics))


def quotes(claim: Claim, *topics: str) -> Iterator[str]:
    """Yield the quotes on some topics that are words of the claim's sentence, or enough words to be a sentence."""
    for item in claim.said:
        if item.topic in topics and is_quotation(item.quote, claim.statement):
            yield item.quote


@remembered(1024)
def is_quotation(quote: str, statement: str) -> bool:
    """Whether words can be a quotation: they stand in the sentence itself, or there are enough of them for one."""
    words = _words(quote)
    return len(words) >= FEWEST or (bool(words) and read(statement).says(quote))


def explained(claim: Claim) -> bool:
    """Whether a claim explains what is found on it: in words that its sentence does not hold already."""
    return claim.explanation is not None and explains(claim.explanation, claim.statement)


@remembered(1024)
def explains(explanation: str, statement: str) -> bool:
    """Whether an explanation adds anything to a sentence; a single word does not."""
    return len(_words(explanation) - _words(statement)) >= FEWEST


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in _all_words(text) if len(word) >= SHORTEST or word.isdigit())


def _all_words(text: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split()
