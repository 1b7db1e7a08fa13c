"""X01: a quoted statement that does not hold the number claimed from it."""

from __future__ import annotations

from collections.abc import Iterator

from dlaudit.rules.case import Case
from dlaudit.rules.outcome import C3, CAVEAT, Branch, Violation
from dlaudit.rules.registry import Threshold, rule
from dlaudit.schemas.submission import Claim
from msgspec import Struct


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    digits: float = Threshold(1, "digits", "judgement: shorter numbers are often written as words")


@rule(
    "X01",
    "statement-without-number",
    effect=CAVEAT,
    confidence=C3,
    applies="not words",
    origin="house rule",
    thresholds=Thresholds,
)
def statement_without_number(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A quoted statement that does not hold the number claimed from it.

    ## What it does
    Looks for the claimed digits, as printed, in the quoted statement; thousands separators are ignored.

    ## Why it misleads
    A quotation that does not say the number is no evidence that anybody claimed it.

    ## Branches
    - (a) caveat, C3: the digits are not in the statement.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"claims": {"rate": {"statement": "One A100 trains ResNet-50 very fast."}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, whose statement holds its number.

    ## How to fix
    Quote the sentence in which the number stands.

    ## References
    None.
    """
    if claim.value is None or len(claim.value) < thresholds.digits:
        return
    if claim.value not in claim.statement.replace(",", ""):
        message = f"the quoted sentence does not say {claim.value}"
        yield Violation("a", CAVEAT, C3, message, claim.place("statement"), claimed=claim.value)
