"""What a comparison names as the difference under study."""

from __future__ import annotations

from ....schemas.submission import Claim
from ...caching import remembered
from ...case import Case


@remembered(1024)
def words_of(text: str) -> frozenset[str]:
    """Return the words of a text or key in lower case: `power_limit`, `power-limit` and `Power limit` are one."""
    plain = "".join(letter if letter.isalnum() else " " for letter in text.casefold())
    return frozenset(plain.split())


def treated(claim: Claim, *names: str) -> bool:
    """Whether the treatment of a claim names one of some things; a name of several words needs all of them."""
    stated = [words_of(item) for item in claim.treatment]
    return any(words_of(name) <= item for item in stated for name in names)


def varied(claim: Claim, case: Case, *names: str) -> bool:
    """Whether the table of a claim is one over some quantity."""
    table = case.table(claim)
    return table is not None and any(words_of(name) <= words_of(item) for item in table.varies for name in names)
