"""D05: a source that is not the one that was read."""

from __future__ import annotations

from collections.abc import Iterator

from ..case import Case
from ..outcome import C3, CAVEAT, Branch, Related, Violation
from ..registry import document_rule


@document_rule("D05", "source-changed", effect=CAVEAT, confidence=C3, origin="trials of reviewers")
def source_changed(case: Case) -> Iterator[Branch]:
    """The document that the claims were taken from has been changed since it was read.

    ## What it does
    Compares the digest that `source` gives with the document that is there. Whether the sentences still stand in it,
    D04 says.

    ## Why it misleads
    The submission tells of another version than the one that a reader has.

    ## Branches
    - (a) caveat, C3: the digests differ.

    ## Flagged
    On `rate` where its source reads `Training reaches 2,140 images per second.`:
    ```json
    {"source": {"file": "README.md", "sha256": "1111111111111111111111111111111111111111111111111111111111111111"}}
    ```

    ## Accepted
    On `rate` where its source reads `Training reaches 2,140 images per second.`:
    ```json
    {"source": {"file": "README.md", "sha256": "0000000000000000000000000000000000000000000000000000000000000000"}}
    ```

    ## How to fix
    Read the new version, and give its digest; a document that may change needs none.

    ## References
    FIPS 180-4 (SHA-256).
    """
    source, published = case.submission.source, case.published
    if source is None or source.sha256 is None or published is None or not published.sha256:
        return
    if source.sha256 != published.sha256:
        message = f"{published.name} is not the version that the submission was taken from"
        related = (Related("published:1", "the document as it is"),)
        at = source.place("sha256")
        yield Violation("a", CAVEAT, C3, message, at, source.sha256[:16], published.sha256[:16], related)
