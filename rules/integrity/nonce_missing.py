"""I04: evidence that may be older than the question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...schemas.submission import Claim
from ..case import Case, Study
from ..facts.document.cited import cited, named
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import rule

ITEM = "the buyer's nonce"
PROVIDE = """\
nonce: "2f1c9b0e7a"          # in the spec, before the run; and `dlaudit lint --nonce 2f1c9b0e7a` by who gave it
"""


@rule("I04", "nonce-missing", effect=UNDERMINES, confidence=C3, applies="any", origin="J")
def nonce_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A study that does not carry the nonce that its reader gave out.

    ## What it does
    Compares the nonce that the reader gives to `dlaudit lint` with the one in the record of every study that the claim
    cites. What the submission itself says of a nonce shows nothing in its favour; but a study that carries another one
    is not the study that it speaks of.

    ## Why it misleads
    A signed study of last year, from better silicon or before an update, verifies as well as a fresh one. Only a number
    that nobody could know before shows that the run began after it was asked for.

    ## Branches
    - (a) undermines, C3: the record carries another nonce than the one that was set; or, where the reader gave none,
      than the one that the submission says was.
    - not applicable: the reader set no nonce, and the profile asks for none.
    - not shown: no nonce was set in procurement, the claim cites no study that could be read, or its record carries
      none. Required (the buyer's nonce) in procurement.

    ## Flagged
    On `training-pair` for claim `rate` with a `trusted` study of nonce `8d04e1` where `2f1c9b0e7a` was set:
    ```json
    {"manifests": {"study": {"path": "study/manifest.json",
       "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"}},
     "claims": {"speedup": null, "rate": {"measured": {"manifest": "study"}}}}
    ```

    ## Accepted
    On `training-pair` for claim `rate` with a `trusted` study of nonce `2f1c9b0e7a` where `2f1c9b0e7a` was set:
    ```json
    {"manifests": {"study": {"path": "study/manifest.json",
       "sha256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"}},
     "claims": {"speedup": null, "rate": {"measured": {"manifest": "study"}}}}
    ```

    ## How to fix
    Put the nonce into the spec, and run again.

    ## References
    Freshness by a nonce, as in remote attestation procedures (RFC 9334).
    """
    studies, stated = cited(claim, case), case.submission.nonce
    if case.nonce is None and stated is not None:
        yield from _unlike(studies, stated, f'the submission says that "{stated}" was set')
    if case.nonce is None and case.profile != "procurement":
        yield Inapplicable("the reader set no nonce")
        return
    if case.nonce is None:
        yield NotShown("no nonce was set", claim.at, ITEM, PROVIDE)
        return
    if not studies:
        yield NotShown("the claim cites no study that could carry the nonce", claim.at, ITEM, PROVIDE)
    for study in studies:
        record = study.record.study if study.record is not None else None
        if record is None or record.nonce is None:
            reference = case.submission.manifests.get(study.id)
            at = record.at if record is not None else reference.at if reference is not None else claim.at
            yield NotShown(f"{named(study.id)} carries no nonce", at, ITEM, PROVIDE)
    yield from _unlike(studies, case.nonce, f'"{case.nonce}" was set')


def _unlike(studies: Iterable[Study], nonce: str, words: str) -> Iterator[Violation]:
    """Yield the studies that carry another nonce."""
    for study in studies:
        record = study.record.study if study.record is not None else None
        if record is not None and record.nonce is not None and record.nonce != nonce:
            message = f'{named(study.id)} carries the nonce "{record.nonce}"; {words}'
            yield Violation("a", UNDERMINES, C3, message, record.place("nonce"), record.nonce, nonce)
