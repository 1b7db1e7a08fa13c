"""What a document says of itself in words: the topics and quotes of its disclosures and of what a claim says."""

from __future__ import annotations

from ...schemas.submission import Claim
from ..case import Case


def declares(claim: Claim, case: Case, *words: str) -> bool:
    """Whether a disclosure of the document, or what is said beside the claim, names one of some words."""
    texts = [f"{item.topic} {item.quote}" for item in claim.said]
    texts += [f"{item.topic} {item.quote}" for item in case.submission.disclosures]
    told = " ".join(texts).casefold()
    return any(word.casefold() in told for word in words)
