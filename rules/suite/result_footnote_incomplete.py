"""Q23: a quoted result without its footnote, or with the id of another round."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.pattern import Pattern
from ...schemas.submission import Claim, SuiteResult
from ..case import Case
from ..facts.document.words import words_in
from ..facts.suite.result import Quoted, is_handed_in, quoted
from ..facts.suite.words import UNVERIFIED, VERIFIED
from ..language.reading import read
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..registry import rule
from ..tables import mlperf
from ..tables.mlperf_common import common

ITEM = "footnote"
PROVIDE = """\
claims:
  score:
    suite_result:
      id: "5.0-0042"
      footnote: "MLPerf Training v5.0, closed division, RetinaNet. Retrieved from https://mlcommons.org/benchmarks/training
        on 1 July 2025, entry 5.0-0042. The MLPerf name and logo are registered trademarks. Verified by MLCommons."
"""
SOURCE = Pattern(r"mlcommons[.]org|mlperf[.]org|github[.]com/mlcommons|https?://")
YEAR = Pattern(r"(?<![0-9.-])(?:19|20)[0-9]{2}(?![0-9])")


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
    round_name = mlperf.round_of_id(text)
    if round_name is None:
        message = f'"{text[:80]}" does not have the form of a result id, such as 5.0-0042'
        yield Violation("a", UNDERMINES, C3, message, at, text, None)
    elif result.round is not None and round_name != result.round:
        message = f"the result id {text} is of round v{round_name}, the stated round is v{result.round}"
        yield Violation("a", UNDERMINES, C3, message, at, f"v{result.round}", text)


def _parts(footnote: str, stated: SuiteResult | None, result: Quoted) -> Iterator[tuple[str, bool]]:
    text, reading = footnote.casefold(), read(footnote)
    number = stated.id if stated is not None else None
    unverified = stated is not None and stated.verified is False
    yield "suite", "mlperf" in text
    dated = YEAR.search(footnote) is not None or reading.has("day", affirmed=False)
    yield "version", result.round in footnote if result.round is not None else dated
    yield "division", any(division in text for division in common().divisions)
    yield "scenario", result.part == "training" or (result.scenario or "offline").casefold() in text.replace(" ", "")
    yield "date of retrieval", dated
    yield "source", SOURCE.search(text) is not None
    yield "result id", unverified or (number is not None and number in footnote)
    yield "trademark", bool({"™", "®"} & set(footnote)) or reading.has("suite.trademark", affirmed=False)
    yield "whether it was verified", words_in(footnote).has(VERIFIED, UNVERIFIED, affirmed=False)
