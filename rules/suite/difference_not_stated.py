"""Q27: a comparison of two results that does not say in what they differ."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ...schemas.submission import Claim
from ..case import Case
from ..facts.document.words import Words
from ..facts.suite.result import of_result, quoted, versions_in
from ..facts.suite.words import UNVERIFIED, beside, main_words, other_side
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..tables import mlperf

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
    words, unknown = main_words(claim).and_(*beside(claim, case)), []
    for what, (first, second) in pairs.items():
        if (first is None) != (second is None):
            unknown.append(what)
        elif first != second and not _said(what, words, str(first), str(second)):
            message = f"the results differ in {what}, {first} against {second}, and the main text does not say so"
            related = (Related(other.at, "the other result"),)
            told = what == "version" and {first, second} <= _versions_of_entries(words)
            branch, effect = ("b", CAVEAT) if told else ("a", UNDERMINES)
            message += " but in the numbers of the entries" if told else ""
            yield Violation(branch, effect, C3, message, stated.at or claim.at, str(first), str(second), related)
    if unknown:
        yield NotShown(f"known of one of the two results only: {', '.join(unknown)}", other.at, provide=PROVIDE)


def _low(text: str | None) -> str | None:
    return text.casefold() if text is not None else None


def _versions_of_entries(words: Words) -> set[str]:
    return {name.split("-")[0] for reading in words for name, _ in mlperf.ids_in(reading.source)}


def _said(what: str, words: Words, first: str, second: str) -> bool:
    """Whether words say in what two results differ: by both values, or as such."""
    if what == "verification":
        return words.has(UNVERIFIED, "suite.one_verified", affirmed=False)
    if what == "version":
        versions = {version for reading in words for version in versions_in(reading.source)}
        return {first, second} <= versions or words.has("suite.earlier_round")
    if what == "device count":
        both = all(any(reading.prints(Decimal(value)) for reading in words) for value in (first, second))
        return both or words.has("suite.other_count")
    if what == "division":
        return words.has("suite.closed", affirmed=False) and words.has("suite.open", affirmed=False)
    said = [reading.source.casefold() for reading in words]
    return all(any(value.casefold() in text for text in said) for value in (first, second))
