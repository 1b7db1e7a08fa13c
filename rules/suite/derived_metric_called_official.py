"""Q30: a figure that was derived from results of the suite, called official or not called derived."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.words import UNVERIFIED, VERIFIED, apart, around, main_words
from ..language.answers import Mention
from ..language.reading import Reading, read
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Violation
from ..registry import rule


@rule(
    "Q30",
    "derived-metric-called-official",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite",
    origin="POL",
)
def derived_metric_called_official(claim: Claim, case: Case) -> Iterator[Branch]:
    """A number per device, per watt or per currency, made from a result and presented as the suite's own.

    ## What it does
    Takes a figure for derived where the claim says so, or where its unit divides by devices, watts or money, and looks
    in the main text for a label that says so. It must not be called official, verified or a score. Words for the
    results are no words for the figure: "both verified by MLCommons", "derived from the two official times".

    ## Why it misleads
    The suite publishes one number a result. Anything computed from it carries the choices of whoever computed it.

    ## Branches
    - (a) undermines, C3: a derived figure is called official, verified or a score, or is not labelled as derived.
    - not applicable: the figure is not derived.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"claims": {"offline": {"basis": "derived", "unit": "samples/s/GPU",
       "statement": "Official MLPerf results: 11743 samples/s per GPU."}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`:
    ```json
    {"claims": {"offline": {"basis": "derived", "unit": "samples/s/GPU",
       "statement": "11743 samples/s per GPU, derived from entry 5.0-0042; not an official metric."}}}
    ```

    ## How to fix
    Call the number derived, and give the primary metric with it.

    ## References
    MLPerf results messaging guidelines.
    """
    if claim.basis != "derived" and not _divides(claim.unit or ""):
        yield Inapplicable("the figure is the suite's own metric")
        return
    words = main_words(claim)
    called = next((found for reading in words if (found := _called(reading, claim)) is not None), None)
    at = claim.place("statement")
    if called is not None:
        message = f'a derived figure, in {claim.unit or "no unit"}, is called "{called.text}"'
        yield Violation("a", UNDERMINES, C3, message, at, called.text, "derived")
    elif claim.form not in {"ratio", "efficiency"} and not words.has("suite.derived", "suite.disowned", affirmed=False):
        message = f"a derived figure, in {claim.unit or 'no unit'}, is not called derived"
        yield Violation("a", UNDERMINES, C3, message, at)


def _divides(unit: str) -> bool:
    """Whether a unit is of something per device, per energy or per money."""
    per = next((token.end for token in read(unit, "header").tokens if token.low in {"/", "per"}), None)
    return per is not None and read(unit[per:]).has("suite.divisor")


def _called(reading: Reading, claim: Claim) -> Mention | None:
    """Return the words that call the figure itself verified; not those that call so the results that it is made of."""
    attributive = ("suite.source_of_figure", UNVERIFIED)
    called = _without_results(reading, tuple(apart(reading, "suite.figure_called_verified", *attributive)))
    if called:
        return called[0]
    numbers = tuple(apart(reading, "suite.number_called_verified", *attributive))
    if numbers and (mention := _of_figure(reading, numbers, claim)) is not None:
        return mention
    said = _without_results(reading, reading.mentions("suite.figure_said_verified"))
    found = (around(said, word.start) for word in apart(reading, VERIFIED, UNVERIFIED)) if said else ()
    return next((mention for mention in found if mention is not None), None)


def _without_results(reading: Reading, said: Sequence[Mention]) -> Sequence[Mention]:
    """Return those of some words that do not speak of results besides."""
    of_results = {around(said, result.start) for result in reading.mentions("suite.results")} if said else set()
    return [mention for mention in said if mention not in of_results]


def _of_figure(reading: Reading, called: Sequence[Mention], claim: Claim) -> Mention | None:
    """Return the words whose number is that of the claim; one that counts something, or stands beside it, is not."""
    value = Decimal(claim.value) if claim.value is not None else None
    others = {count.value for count in reading.counts()}
    printed = value is not None and reading.prints(value)
    for number in reading.numbers((0, len(reading.source))):
        mention = around(called, reading.tokens[number.first].start)
        if mention is not None and (number.low == value or not (printed or number.low in others)):
            return mention
    return None
