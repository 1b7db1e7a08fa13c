"""Q30: a figure that was derived from results of the suite, called official or not called derived."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...schemas.pattern import Pattern
from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.words import main_text, without_unverified
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Violation
from ..registry import rule

PER = Pattern(
    r"(?:/|\bper )\s*(?:chip|gpu|accelerator|device|card|node|socket|core|w\b|watt|k?j\b|joule|usd|\$|eur|dollar|rack"
    r"|kwh)",
    re.I,
)
OFFICIAL = Pattern(r"(?<!un)\bofficial(?:ly)?\b|\bverified\b|\bMLPerf[\w .]{0,60} score\b", re.IGNORECASE)
NEGATED = Pattern(
    r"\b(?:not|un|never)[ -]?(?:an? )?(?:officially )?(?:official|verified)\b"
    r"|\bonly\b[^.;]{0,60}\b(?:verified|official)\b(?! (?:ratio|factor|speed))",
    re.IGNORECASE,
)
OF_RESULT = Pattern(
    r"\b(?:results?|scores?|times|entry|entries|it|both|each)"
    r"(?: of the system| of entry [\w.-]+| results| [0-9][\w.-]*)?,? "
    r"(?:(?:is|are|was|were) )?(?:both )?(?:officially )?verified by (?:the )?MLCommons\b"
    r"|\b(?:both|each|all)\b[^.;]{0,80}\bverified by (?:the )?MLCommons\b"
    r"|\([^():]{0,40}\b(?:verified|official)\)(?=: )|\b(?:verified|official)\b(?=(?: [\w.-]+){0,3} \([a-z]+/s\))",
    re.IGNORECASE,
)
"""The words that the suite itself prescribes for the result beside which a figure stands; or its row or column."""
OF_SOURCE = Pattern(
    r"\b(?:from|of|by|between|with|to|beside)\b (?:[\w'-]+ ){0,3}(?:officially verified|official|verified)\b"
    r"|\bverified by (?:the )?MLCommons\b"
    r"|\b(?:official|verified) (?:[\w.-]+ ){0,3}(?:results|scores|times|rates|entries)\b"
    r"|\b(?:the|its|their|our) (?:official|verified) (?:[\w.-]+ ){0,3}(?:result|score|time|rate|throughput|entry)\b",
    re.IGNORECASE,
)
"""Words for what a figure was derived from, beside a label that says that it was."""
ITSELF = Pattern(
    r"\b(?:ratio|factor|speed-?up|quotient|efficiency|figure|metric"
    r"|per[- ](?:gpu|chip|accelerator|device|card|watt|dollar)(?: \w+)?)\b"
    r"(?:(?!results?\b|times\b|scores?\b|rates\b|entr)(?:[^.;,()]|\.(?=[0-9]))){0,40}?"
    r"\b(?:is|was|been)\b (?:also |itself |thus )?(?:officially )?(?:verified|official)\b",
    re.IGNORECASE,
)
"""Words that call the figure itself verified, whatever else stands there."""
LABELLED = Pattern(
    r"\bderived\b|\bcomputed from\b|\bcalculated\b|\b(?:our|own) (?:own )?(?:calculations?|computations?|arithmetic)\b"
    r"|\bown division\b|\bno (?:(?:primary|official) )?MLPerf (?:metric|result|figure|number)\b"
    r"|\bnormali[sz]ed\b|\bdivided by\b|\bnot (?:an )?official\b"
    r"|\bunofficial\b|\bsecondary metric\b|\bnot (?:an? )?(?:primary|MLPerf) metric\b|\binterpolated\b|\bestimated?\b",
    re.IGNORECASE,
)


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
    results are no words for the figure: "both verified by MLCommons", and beside a label also "derived from the two
    official times".

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
    text = main_text(claim)
    if claim.basis != "derived" and not (claim.unit is not None and PER.search(claim.unit)):
        yield Inapplicable("the figure is the suite's own metric")
        return
    rest = OF_RESULT.sub("", NEGATED.sub("", without_unverified(text)))
    called = ITSELF.search(rest) or OFFICIAL.search(OF_SOURCE.sub("", rest) if LABELLED.search(text) else rest)
    at = claim.place("statement")
    if called is not None:
        message = f'a derived figure, in {claim.unit or "no unit"}, is called "{called[0]}"'
        yield Violation("a", UNDERMINES, C3, message, at, called[0], "derived")
    elif claim.form not in {"ratio", "efficiency"} and not LABELLED.search(text):
        message = f"a derived figure, in {claim.unit or 'no unit'}, is not called derived"
        yield Violation("a", UNDERMINES, C3, message, at)
