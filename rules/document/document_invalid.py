"""D01: a document that does not fit its schema."""

from __future__ import annotations

from ..registry import lint_rule

document_invalid = lint_rule(
    "D01",
    "document-invalid",
    origin="the schemas",
    doc="""A readable document that does not fit its schema.

    ## What it does
    Reports every place of a document that its schema does not allow, all at once, and gives no verdict (exit code 2).

    ## Why it misleads
    A misspelt field is silently missing evidence; a number in the wrong place is evidence for something else.

    ## Branches
    - no verdict: a node does not fit the schema.

    ## Flagged
    On `rate`:
    ```json
    {"claims": {"rate": {"quantity": "speed"}}}
    ```

    ## Accepted
    On `rate`, as it stands.

    ## How to fix
    Correct the named places; `dlaudit schema submission` prints what is allowed, with meanings and units.

    ## References
    JSON Schema, draft 2020-12.
    """,
)
