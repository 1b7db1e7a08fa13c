"""Q24: a result that nobody verified, not called so."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.result import is_handed_in
from ..facts.suite.words import UNVERIFIED, called_verified, main_words
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..tables import mlperf

ITEM = '"unverified" and its sentence'
PROVIDE = """\
claims:
  score:
    statement: "38.1 minutes (unverified). Result not verified by MLCommons Association."
    suite_result: {verified: false}
"""


@rule(
    "Q24",
    "unverified-not-said",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite",
    origin="POL",
)
def unverified_not_said(claim: Claim, case: Case) -> Iterator[Branch]:
    """A quoted result that nobody verified, called verified, or not called unverified.

    ## What it does
    Looks for the id of the published result. Where there is none, the score has to be called unverified, with the
    sentence that the suite prescribes beside it. Where the result is stated to be unverified, sentence and footnote are
    read for words that call it verified or official. Code, rules, data and pages of the suite may be official.

    ## Why it misleads
    A published result was reviewed by competitors. A number measured with the same programs was not.

    ## Branches
    - (a) undermines, C3: the result is called verified or official, and has no id; or it is stated to be unverified,
      and sentence or footnote call it verified without a word that something is not.
    - not shown: it has no id, and "unverified" or the sentence is missing. Required ("unverified" and its sentence) of
      results of a suite, from the reviewer profile on.
    - not applicable: the result itself as it was handed in.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"statement": "An official MLPerf result: 38.115 minutes.",
       "suite_result": {"verified": true}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, which is called unverified with the sentence of the suite.

    ## How to fix
    Give the id, or write that the result is unverified.

    ## References
    MLPerf results messaging guidelines.
    """
    if is_handed_in(claim, case):
        yield Inapplicable("the result itself as it was handed in, which nobody quotes")
        return
    stated = claim.suite_result
    words = main_words(claim)
    if stated is not None and stated.id is not None:
        words = words.and_((stated.place("footnote"), stated.footnote))
        if stated.verified is False and called_verified(words) and not words.has(UNVERIFIED, affirmed=False):
            message = "the result is called verified, and is stated to be unverified"
            related = (Related(stated.place("verified"), "whether it was verified"),)
            yield Violation("a", UNDERMINES, C3, message, claim.place("statement"), "verified", "unverified", related)
        return
    said = words.has(UNVERIFIED, affirmed=False)
    told = stated is not None and stated.verified is False and said
    if (called_verified(words) and not told) or (stated is not None and stated.verified):
        yield Violation("a", UNDERMINES, C3, "the result is called verified, and has no result id", claim.at)
        return
    sentence = _plain(mlperf.messaging().unverified_sentence)
    if not said or not any(sentence in _plain(reading.source) for reading in words):
        what = f'the sentence "{mlperf.messaging().unverified_sentence}"' if said else 'the word "unverified"'
        yield NotShown(f"the result has no id, and {what} does not stand beside it", claim.at, ITEM, PROVIDE)


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace(".", " ").split())
