"""I01: a cited study that does not verify."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.document.cited import cited, named
from ..outcome import C3, REFUTES, Branch, Inapplicable, Violation
from ..registry import rule


@rule("I01", "signature-invalid", effect=REFUTES, confidence=C3, applies="has(signature)", origin="J")
def signature_invalid(claim: Claim, case: Case) -> Iterator[Branch]:
    """A claim that stands on a study whose signature or digests do not hold.

    ## What it does
    Reads what verification said of every study that the claim cites: the envelope's signature, the equality of payload
    and manifest, the digest of the manifest in the submission, and the digests of the raw files.

    ## Why it misleads
    A manifest that was changed after it was signed says nothing about the run.

    ## Branches
    - (a) refutes, C3: the signature is invalid, or a digest differs from what it covers.
    - not applicable: the claim cites no study, or its study could not be read.

    ## Flagged
    On `training-pair` for claim `rate` with an `invalid` study:
    ```json
    {"manifests": {"study": {"path": "study/manifest.json",
       "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"}},
     "claims": {"rate": {"measured": {"manifest": "study"}}}}
    ```

    ## Accepted
    On `training-pair` for claim `rate` with a `trusted` study:
    ```json
    {"manifests": {"study": {"path": "study/manifest.json",
       "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"}},
     "claims": {"rate": {"measured": {"manifest": "study"}}}}
    ```

    ## How to fix
    Hand in the study as it was signed.

    ## References
    DSSE, the dead simple signing envelope; in-toto attestation framework, Statement v1.
    """
    studies = cited(claim, case)
    known = [study for study in studies if study.signature != "unread"]
    if not known:
        yield Inapplicable("the claim cites no study that could be read")
        return
    for study in known:
        reference = case.submission.manifests.get(study.id)
        at = reference.at if reference is not None else claim.at
        problems = study.problems or (("its signature is invalid",) if study.signature == "invalid" else ())
        if problems:
            yield Violation("a", REFUTES, C3, f"{named(study.id)} does not verify: {problems[0]}", at)
