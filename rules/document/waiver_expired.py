"""D02: a waiver whose last day has passed."""

from __future__ import annotations

from ..registry import lint_rule

waiver_expired = lint_rule(
    "D02",
    "waiver-expired",
    origin="practice of linters: forgotten exceptions outlive their reason",
    doc="""A waiver whose last day has passed.

    ## What it does
    Compares the last day of each waiver that names the document with the day of the judgement.

    ## Why it misleads
    An accepted weakness that nobody looks at again becomes the rule.

    ## Branches
    - (a) caveat, C3: the day has passed; the waiver counts for nothing.

    ## Flagged
    On `rate`, with a waiver in the gate's file that names this document and ended.

    ## Accepted
    On `rate`, with a waiver that still holds.

    ## How to fix
    Decide anew: extend the waiver with a reason, or mend the finding.

    ## References
    None.
    """,
)
