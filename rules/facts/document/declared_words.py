"""What a document says of itself in words: beside a number, where it may weaken a finding, or anywhere else."""

from __future__ import annotations

from ....schemas.submission import Claim
from ...case import Case


def said(claim: Claim, *words: str) -> bool:
    """Whether a quote from beside the claim's number holds one of some words."""
    told = " ".join(item.quote for item in claim.said).casefold()
    return any(word.casefold() in told for word in words)


def disclosed(case: Case, *words: str) -> bool:
    """Whether a disclosure of the document holds one of some words: it answers caveats and what is not shown alone."""
    told = " ".join(item.quote for item in case.submission.disclosures).casefold()
    return any(word.casefold() in told for word in words)
