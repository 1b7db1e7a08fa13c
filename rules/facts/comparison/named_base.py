"""Whether a comparison says what it is compared with."""

from __future__ import annotations

from ....schemas.submission import Claim
from ...case import Case


def open_side(text: str, claim: Claim, case: Case) -> str:
    """Return what is not known of the other side; where the claim names none, say that first: it answers most."""
    table = case.table(claim)
    in_table = table is not None and (table.base_row is not None or (claim.row and claim.row.base_row is not None))
    if claim.base is not None or claim.comparator is not None or in_table:
        return text
    return f"the claim does not name its base (base: {{arm: ...}}), so {text}"
