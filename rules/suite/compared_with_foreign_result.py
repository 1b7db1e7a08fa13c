"""Q26: a result of the suite, compared with a number that is none."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.words import other_side
from ..outcome import C3, UNDERMINES, Branch, NotShown, Violation
from ..registry import rule

PROVIDE = """\
claims:
  ratio:
    comparator: {suite: training, suite_result: {organisation: Example Lab, benchmark: retinanet, round: v5.0}}
"""


@rule(
    "Q26",
    "compared-with-foreign-result",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite and comparison",
    origin="POL",
)
def compared_with_foreign_result(claim: Claim, case: Case) -> Iterator[Branch]:
    """A comparison of a result of the suite with a number that was measured outside of it.

    ## What it does
    Looks whether the other side is a result of a suite: its identity, its id, or the claim that stands on the arm of
    the base. Unverified results are results, too, if they are called so.

    ## Why it misleads
    The name lends the rules of the suite to both numbers, and only one was measured under them.

    ## Branches
    - (a) undermines, C3: the other side is stated to be no result of a suite.
    - not shown: where the other side comes from is not known.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"compares": "other_system", "comparator": {"name": "our old stack", "suite": "none"}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"compares": "other_system", "comparator": {"name": "8x A100", "suite": "training",
       "result_id": "4.1-0017"}}}}
    ```

    ## How to fix
    Measure the other side with the suite, or leave its name out.

    ## References
    MLPerf results messaging guidelines.
    """
    other = other_side(claim, case)
    if other is not None and other.part == "none":
        message = "a result of the suite is compared with a number that is none"
        yield Violation("a", UNDERMINES, C3, message, other.at)
    elif other is None and (claim.comparator is None or claim.comparator.result_id is None):
        yield NotShown("whether the other side is a result of the suite is not stated", claim.at, provide=PROVIDE)
