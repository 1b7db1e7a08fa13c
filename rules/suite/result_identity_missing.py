"""Q22: a quoted benchmark result that does not say which one it is."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.words import main_words
from ..outcome import Branch, NotShown
from ..registry import rule

ITEM = "organisation, benchmark, version, system"
PROVIDE = """\
claims:
  rate:
    suite_result: {organisation: Example Lab, benchmark: ResNet-50, round: v4.1, division: closed, system: 8x A100}
"""
PARTS = {"organisation": "organisation", "benchmark": "benchmark", "round": "version or round", "system": "system"}


@rule("Q22", "result-identity-missing", applies="suite", origin="POL")
def result_identity_missing(claim: Claim, case: Case) -> Iterator[Branch]:
    """A result of a benchmark suite without who, what, when and on which system.

    ## What it does
    Looks in the main text for the four parts that identify a result: organisation, benchmark, version (round) and
    system. In the closed division the name of the model stands for that of the benchmark. A result of inference has a
    fifth: its scenario, of which one benchmark has several results on one system.

    ## Why it misleads
    A quoted score without them cannot be found in the published tables.

    ## Branches
    - not shown: one of the parts is missing. Required (organisation, benchmark, version, system) of claims that quote a
      suite, from the reviewer profile on.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"claims": {"rate": {"suite": "training", "suite_result": {"organisation": "Example Lab",
       "benchmark": "ResNet-50"}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`:
    ```json
    {"claims": {"rate": {"suite": "training", "suite_result": {"organisation": "Example Lab", "benchmark": "ResNet-50",
       "round": "v4.1", "system": "8x A100"}}}}
    ```

    ## How to fix
    Name organisation, benchmark, version and system beside the number.

    ## References
    MLPerf results messaging guidelines.
    """
    result = claim.suite_result
    missing = {name for name in PARTS if result is None or getattr(result, name) is None}
    if "benchmark" in missing and _closed(claim) and _model(claim, case):
        missing.remove("benchmark")
    words = [text for name, text in PARTS.items() if name in missing]
    if claim.suite == "inference" and (result is None or result.scenario is None):
        words += [] if main_words(claim).has("suite.scenario", affirmed=False) else ["scenario"]
    if words:
        listed = ", ".join(words)
        yield NotShown(f"the quoted result does not state: {listed}", claim.at, ITEM, PROVIDE, lacking=listed)


def _closed(claim: Claim) -> bool:
    stated = claim.suite_result.division if claim.suite_result is not None else None
    return (stated or claim.division) == "closed"


def _model(claim: Claim, case: Case) -> bool:
    side = case.subject(claim)
    return side is not None and side.arm.options is not None and side.arm.options.model is not None
