"""I02: evidence that nobody whom the reader trusts has signed."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.document.cited import named, references
from ..outcome import Branch, NotShown
from ..registry import rule

ITEM = "signature under the trust file"
PROVIDE = """\
manifests:
  # manifest.dsse.json lies beside it; the digest is that of manifest.json
  study: {path: study/manifest.json, sha256: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}
claims:
  rate:
    measured: {manifest: study, arm: fast, metric: rate}
"""
REASONS = {
    "absent": "carries no signature",
    "unlisted": "verifies only under a key that the trust file does not list",
    "invalid": "does not verify",
    "unread": "could not be read",
}


@rule("I02", "unsigned", applies="any", origin="J")
def unsigned(claim: Claim, case: Case) -> Iterator[Branch]:
    """Evidence without a signature by a key that the reader lists.

    ## What it does
    Looks at every arm that the claim refers to: its number, its base, the quality beside it. Each must come from a
    cited study whose signature verifies under a key of the reader's trust file.

    ## Why it misleads
    Anybody can write down numbers, and anybody can sign with a new key. Only a signature by a known key says who
    answers for them. It proves who and unchanged, not honest.

    ## Branches
    - not shown: no signed study is cited, its signature is absent or does not verify, or it verifies only under an
      unlisted key (the evidence then counts as recomputed at best). Required (signature under the trust file) in
      procurement.

    ## Flagged
    On `training-pair` for claim `rate`.

    ## Accepted
    On `training-pair` for claim `rate` with a `trusted` study:
    ```json
    {"manifests": {"study": {"path": "study/manifest.json",
       "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"}},
     "claims": {"speedup": null, "rate": {"measured": {"manifest": "study"}}}}
    ```

    ## How to fix
    Sign the study, and list its key in the trust file.

    ## References
    DSSE, the dead simple signing envelope; in-toto attestation framework, Statement v1.
    """
    found = list(references(claim))
    if not found:
        yield NotShown("the claim cites no signed study", claim.at, ITEM, PROVIDE)
    for reference in found:
        if reference.manifest is None:
            yield NotShown(f"arm {reference.arm} comes from no signed study", reference.at, ITEM, PROVIDE)
            continue
        study = case.studies.get(reference.manifest)
        reason = REASONS.get(study.signature) if study is not None else "is not cited"
        if reason is not None:
            yield NotShown(f"{named(reference.manifest)} {reason}", reference.at, ITEM, PROVIDE)
