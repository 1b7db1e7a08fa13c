"""R00: what is not stated and decides nothing, in one finding."""

from __future__ import annotations

from ..registry import lint_rule

report_incomplete = lint_rule(
    "R00",
    "report-incomplete",
    origin="real reports: such omissions are nearly everywhere",
    doc="""Items of a complete report that are not stated, and that decide no claim under the profile.

    ## What it does
    Gathers the rules whose evidence is missing without deciding a verdict into one finding per document. It lowers the
    stated coverage and changes no verdict.

    ## Why it misleads
    It does not, by itself. Each item is something that a reader would want to know before repeating the measurement.

    ## Branches
    - not shown: one or more of the items.

    ## Flagged
    On `rate`:
    ```json
    {"arms": {"a": {"software": {"driver": null}}}}
    ```

    ## Accepted
    On `training-pair`, where every item is stated.

    ## How to fix
    Add the listed pieces of spec or submission, most telling first.

    ## References
    Hoefler and Belli, Scientific Benchmarking of Parallel Computing Systems, rule 9.
    """,
)
