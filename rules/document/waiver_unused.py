"""D03: a waiver that matches no finding."""

from __future__ import annotations

from ..registry import lint_rule

waiver_unused = lint_rule(
    "D03",
    "waiver-unused",
    origin="practice of linters: forgotten exceptions outlive their reason",
    doc="""A waiver that matches no finding.

    ## What it does
    Looks for the finding that each waiver of the document accepts.

    ## Why it misleads
    A waiver for something that is not there hides the next real finding of that kind.

    ## Branches
    - (a) caveat, C3: no finding of the rule on that claim, or the configuration makes the rule mandatory.

    ## Flagged
    On `rate`, with a waiver in the gate's file for a rule that is quiet.

    ## Accepted
    On `rate`, with a waiver whose finding is there.

    ## How to fix
    Delete the waiver.

    ## References
    None.
    """,
)
