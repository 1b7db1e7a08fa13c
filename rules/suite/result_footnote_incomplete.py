"""Q23: a quoted result without its footnote, or with the id of another round."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...schemas.pattern import Pattern
from ...schemas.submission import Claim, SuiteResult
from ..case import Case
from ..facts.suite.result import Quoted, is_handed_in, quoted
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import rule
from ..tables import mlperf

ITEM = "footnote"
PROVIDE = """\
claims:
  score:
    suite_result:
      id: "5.0-0042"
      footnote: "MLPerf Training v5.0, closed division, RetinaNet. Retrieved from https://mlcommons.org/benchmarks/training
        on 1 July 2025, entry 5.0-0042. The MLPerf name and logo are registered trademarks. Verified by MLCommons."
"""
SOURCE = Pattern(r"mlcommons\.org|mlperf\.org|github\.com/mlcommons|https?://", re.IGNORECASE)
DATE = Pattern(
    r"\b(?:19|20)[0-9]{2}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? [0-9]{1,2}", re.IGNORECASE
)
TRADEMARK = Pattern(r"trademark|™|®", re.IGNORECASE)
VERIFIED = Pattern(r"verified|official", re.IGNORECASE)


@rule(
    "Q23",
    "result-footnote-incomplete",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite",
    origin="POL",
)
def result_footnote_incomplete(claim: Claim, case: Case) -> Iterator[Branch]:
    """A quoted result of a suite whose footnote is missing, or names another round.

    ## What it does
    Compares the id of the result with the form of such ids and with the stated round, and looks in the footnote for
    suite, version, division, benchmark, scenario, date and source of retrieval, id, trademark, and whether it was
    verified. A result that is not verified has no id.

    ## Why it misleads
    The footnote is how a reader finds the published entry. One that leads elsewhere hides it.

    ## Branches
    - (a) undermines, C3: the id does not have the form of one, or belongs to another round than the stated one.
    - not shown: the footnote or one of its parts is missing. Required (footnote) of quoted results, in the mlperf
      profile and from the publication profile on.
    - not applicable: the result itself as it was handed in.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"suite_result": {"id": "5.1-0042"}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"suite_result": {"id": "5.0-0042", "verified": true,
       "footnote": "MLPerf Training v5.0 closed, entry 5.0-0042, mlcommons.org, 1 July 2025; verified. A trademark."}}}}
    ```

    ## How to fix
    Print the footnote with the entry's id.

    ## References
    MLPerf results messaging guidelines.
    """
    if is_handed_in(claim, case):
        yield Inapplicable("the result itself as it was handed in, which nobody quotes")
        return
    stated, result = claim.suite_result, quoted(claim)
    if stated is not None and stated.id is not None:
        yield from _id(stated, stated.id.strip(), result)
    footnote = stated.footnote if stated is not None else None
    if footnote is None:
        yield NotShown("the quoted result has no footnote", claim.at, ITEM, PROVIDE)
        return
    missing = [what for what, there in _parts(footnote, stated, result) if not there]
    if missing:
        place = stated.place("footnote") if stated is not None else claim.at
        yield NotShown(f"the footnote lacks: {', '.join(missing)}", place, ITEM, PROVIDE)


def _id(stated: SuiteResult, text: str, result: Quoted) -> Iterator[Branch]:
    at = stated.place("id")
    if re.fullmatch(mlperf.messaging().result_id.form, text) is None:
        message = f'"{text[:80]}" does not have the form of a result id, such as 5.0-0042'
        yield Violation("a", UNDERMINES, C3, message, at, text, None)
    elif result.round is not None and text.split("-")[0] != result.round:
        message = f"the result id {text} is of round v{text.split('-')[0]}, the stated round is v{result.round}"
        yield Violation("a", UNDERMINES, C3, message, at, f"v{result.round}", text)


def _parts(footnote: str, stated: SuiteResult | None, result: Quoted) -> Iterator[tuple[str, bool]]:
    text = footnote.casefold()
    number = stated.id if stated is not None else None
    unverified = stated is not None and stated.verified is False
    yield "suite", "mlperf" in text
    yield "version", result.round in footnote if result.round is not None else DATE.search(footnote) is not None
    yield "division", "closed" in text or "open" in text
    yield "scenario", result.part == "training" or (result.scenario or "offline").casefold() in text.replace(" ", "")
    yield "date of retrieval", DATE.search(footnote) is not None
    yield "source", SOURCE.search(footnote) is not None
    yield "result id", unverified or (number is not None and number in footnote)
    yield "trademark", TRADEMARK.search(footnote) is not None
    yield "whether it was verified", VERIFIED.search(footnote) is not None
