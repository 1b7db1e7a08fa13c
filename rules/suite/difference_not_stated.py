"""Q27: a comparison of two results that does not say in what they differ."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...schemas.pattern import Pattern
from ...schemas.submission import Claim, SuiteResult
from ..case import Case
from ..facts.suite.result import of_result, quoted
from ..facts.suite.words import beside, main_text, other_side, says_unverified
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule

ROUNDS = Pattern(r"\b(?:previous|prior|last|earlier) (?:round|version|year|generation)|\bround[- ]over[- ]round", re.I)
COUNTS = Pattern(r"\b(?:per|each) (?:chip|gpu|accelerator|device|node)|\btimes (?:as many|the)\b", re.IGNORECASE)
ONE_VERIFIED = Pattern(
    r"\bonly\b[^.;]{0,60}\b(?:verified|official)\b|\b(?:our own|own|in-house|internal) (?:\w+ ){0,2}"
    r"(?:measurements?|runs?|tests?)\b|\b(?:we|I) (?:have )?(?:measured|ran|reproduced)\b|\bpreliminary\b",
    re.IGNORECASE,
)
"""Words that say that one of two results is verified, or whose it is, beside those that call it unverified."""
OPEN = Pattern(r"\bopen\b(?![- ]?(?:source|weights?|ai\b))", re.IGNORECASE)
PROVIDE = """\
claims:
  ratio:
    suite_result: {round: v5.0, division: closed, category: available, devices: 8, verified: true}
    comparator: {suite: training, suite_result: {round: v4.1, division: closed, category: available, devices: 8}}
"""


@rule(
    "Q27",
    "difference-not-stated",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite and comparison",
    origin="POL",
)
def difference_not_stated(claim: Claim, case: Case) -> Iterator[Branch]:
    """A comparison of results of another version, division, category, scenario or device count that does not say so.

    ## What it does
    Compares version, division, category of availability, verification, scenario and device count of the two results. A
    difference is stated where both values, or words for it, stand in the main text, to which labels and sentences of
    both sides belong where the document has numbers of both. "Verified" alone does not say that
    one of the two is not. The number of an entry holds its version, but only for who knows how entries are numbered.

    ## Why it misleads
    Twice as fast on twice as many devices is no progress.

    ## Branches
    - (a) undermines, C3: one of them differs, and the main text does not say so.
    - (b, instead of a) caveat, C3: the versions differ, and stand nowhere but in the numbers of the entries.
    - not shown: one of them is known on one side only.
    - not applicable: the other side is not known as a result of the suite.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"compares": "other_system", "suite_result": {"devices": 8},
       "comparator": {"suite": "training", "suite_result": {"round": "v5.0", "division": "closed", "devices": 16,
       "verified": false}}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"compares": "other_system", "suite_result": {"devices": 8},
       "comparator": {"suite": "training", "suite_result": {"round": "v5.0", "division": "closed", "devices": 8,
       "verified": false}}}}}
    ```

    ## How to fix
    State every difference beside the comparison.

    ## References
    MLPerf results messaging guidelines.
    """
    other, stated = other_side(claim, case), claim.suite_result
    if other is None or other.result is None or stated is None:
        yield Inapplicable("the identities of both results are not known")
        return
    ours, theirs = quoted(claim), of_result(other.part or "none", other.result, other.division)
    pairs = {
        "version": (ours.round, theirs.round),
        "division": (ours.division, theirs.division),
        "scenario": (ours.scenario, theirs.scenario),
        "category": (_low(stated.category), _low(other.result.category)),
        "device count": (stated.devices, other.result.devices),
        "verification": (stated.verified, other.result.verified),
    }
    text, unknown = f"{main_text(claim)} {beside(claim, case)}", []
    for what, (first, second) in pairs.items():
        if (first is None) != (second is None):
            unknown.append(what)
        elif first != second and not _said(what, text, str(first), str(second)):
            message = f"the results differ in {what}, {first} against {second}, and the main text does not say so"
            related = (Related(other.at, "the other result"),)
            told = what == "version" and all(
                re.search(rf"(?<![\d.]){value}-\d{{4}}", text) for value in (first, second)
            )
            branch, effect = ("b", CAVEAT) if told else ("a", UNDERMINES)
            message += " but in the numbers of the entries" if told else ""
            yield Violation(branch, effect, C3, message, _place(stated, claim), str(first), str(second), related)
    if unknown:
        yield NotShown(f"known of one of the two results only: {', '.join(unknown)}", other.at, provide=PROVIDE)


def _place(stated: SuiteResult, claim: Claim) -> str:
    return stated.at or claim.at


def _low(text: str | None) -> str | None:
    return text.casefold() if text is not None else None


def _said(what: str, text: str, first: str, second: str) -> bool:
    plain = re.sub(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))", "", text.casefold())
    if what == "version" and ROUNDS.search(text):
        return True
    if what == "device count" and COUNTS.search(text):
        return True
    if what == "verification":
        return says_unverified(text) or ONE_VERIFIED.search(text) is not None
    if what == "version":
        return all(re.search(rf"(?<![\d.]){re.escape(value)}(?!\.?\d|-\d)", plain) for value in (first, second))
    if what == "division":
        return "closed" in plain and OPEN.search(text) is not None
    if what == "device count":
        return all(
            re.search(rf"(?<![\w.-]){value}(?![0-9.]*[0-9])(?![.-][0-9])", plain) is not None
            for value in (first, second)
        )
    return all(value.casefold() in plain for value in (first, second))
