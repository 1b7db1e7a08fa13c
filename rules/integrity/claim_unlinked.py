"""I03: a measured number that is linked to no evidence."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..completion.links import is_found
from ..outcome import Branch, NotShown
from ..registry import rule

ITEM = "link to option set and run"
PROVIDE = """\
claims:
  rate:
    measured: {arm: fast, metric: rate}
arms:
  fast:
    options: {model: ResNet-50, global_batch: 256}
"""


@rule("I03", "claim-unlinked", applies="measured", origin="J")
def claim_unlinked(claim: Claim, case: Case) -> Iterator[Branch]:
    """A measured number without a link to the option set and the run behind it.

    ## What it does
    Looks for the arm that the claim names, its options (or the digest of its option set), and a number or a trial in
    it. A claim about a row of a table is linked by its row.

    ## Why it misleads
    A number that points nowhere cannot be checked against anything: every rule that reads data is blind to it.

    ## Branches
    - not shown: no arm or row is named, or the arm states neither options nor anything that was measured. Required
      (link to option set and run) from the gate profile on.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"claims": {"rate": {"measured": null}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, which names its arm and metric.

    ## How to fix
    Name the arm and its metric in `measured`, or the row of the table.

    ## References
    The option set ties a performance number to a convergence check of the same configuration.
    """
    if case.row(claim) is not None:
        return
    side = case.subject(claim)
    if side is None or is_found(claim.measured, claim):
        yield NotShown("the number is linked to no arm and no row", claim.at, ITEM, PROVIDE)
        return
    if side.arm.options is None and side.arm.option_set is None:
        yield NotShown(f"arm {side.id} states no options", side.arm.at, ITEM, PROVIDE)
    if not side.arm.trials and not side.arm.performance and not side.arm.quality:
        yield NotShown(f"arm {side.id} has neither a number nor a trial", side.arm.at, ITEM, PROVIDE)
