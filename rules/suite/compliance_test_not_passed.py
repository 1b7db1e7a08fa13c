"""Q18: a compliance test that failed, was skipped, or is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace

from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite_result import Quoted, member, quoted
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Violation
from ..pattern import Pattern
from ..registry import rule
from ..tables import mlperf
from ..trace import Logged

ITEM = "compliance texts"
PROVIDE = """\
arms:
  offline:
    runs:
      TEST01: {role: compliance, verdict: {valid: true, words: "TEST PASS"}}
"""
FALLBACK = ("baseline_accuracy", "compliance_accuracy")
_FAILED = Pattern(r"\bTEST FAIL\b|\bpass: *False\b|\bTEST0[0-9]\S* FAIL", re.IGNORECASE)
_SKIPPED = Pattern(r"\bpass: *Skipped\b", re.IGNORECASE)
_PASSED = Pattern(r"\bTEST PASS\b|\bpass: *True\b|\bTEST[0-9]{2}\S* PASS", re.IGNORECASE)
_NAME = Pattern(r"(TEST[0-9]{2})")


@rule(
    "Q18",
    "compliance-test-not-passed",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite_inference and closed",
    origin="POL, MEAS",
)
def compliance_test_not_passed(claim: Claim, case: Case, settings: SimpleNamespace) -> Iterator[Branch]:
    """A closed result whose compliance tests did not all pass.

    ## What it does
    Reads the verdicts that the compliance tests printed. A failed bit by bit comparison counts as passed where both
    records of the fallback, the accuracy before and in the test, were handed in; the check of the first token is
    skipped in the offline scenario.

    ## Why it misleads
    The tests look for caching of answers, for other precision in the timed run, and for outputs that nobody computed.

    ## Branches
    - (a) undermines, C3: a verdict other than pass, or a check skipped where that is not allowed.
    - not shown: a test that the round asks for, or its verdict, is missing. Required (compliance texts) of closed
      results of an inference suite, from the reviewer profile on.
    - not applicable: no figure for benchmark and round, and no test was handed in.

    ## Flagged
    On `suite-inference` for claim `offline`:
    ```json
    {"arms": {"offline": {"runs": {"TEST01": {"verdict": {"valid": false, "words": "TEST FAIL"}}}}}}
    ```

    ## Accepted
    On `suite-inference` for claim `offline`, where TEST01 and TEST04 passed.

    ## How to fix
    Find what differs between the test and the timed run, and run both again.

    ## References
    MLPerf Inference compliance tests; verdicts measured on published results.
    """
    result = quoted(claim)
    tests = [run for run in case.runs(claim) if run.role == "compliance"]
    figures = member(result)
    if figures is None and not tests:
        yield result.no_figure("compliance tests")
        return
    shown = {found[1] for run in tests if (found := _NAME.match(run.id)) is not None}
    for run in tests:
        if not _other_half(run, tests):
            yield from _verdict(run, result)
    missing = [name for name in (figures.tests if figures is not None else ()) if name not in shown]
    if missing:
        yield NotShown(f"no compliance test {', '.join(missing)} was handed in", claim.at, ITEM, PROVIDE)
    elif not tests:
        yield Inapplicable("the round asks for no compliance test of this benchmark")


def _other_half(run: Logged, tests: list[Logged]) -> bool:
    """Whether a run is the second half of a test in two halves, whose verdict stands with the first."""
    stem, _, half = run.id.partition("-")
    silent = run.run.verdict is None or run.run.verdict.words is None
    return silent and bool(half) and any(other.id.startswith(f"{stem}-") and other is not run for other in tests)


def _verdict(run: Logged, result: Quoted) -> Iterator[Branch]:
    verdict = run.run.verdict
    words = verdict.words if verdict is not None else None
    if (
        verdict is None
        or words is None
        or not (_FAILED.search(words) or _PASSED.search(words) or _SKIPPED.search(words))
    ):
        yield NotShown(f"the verdict of {run.id} is missing", run.place("verdict"), ITEM, PROVIDE)
        return
    failed = _FAILED.search(words)
    if failed is not None and not all(name in run.run.summary for name in FALLBACK):
        message = f"{run.id} did not pass: {words[:120]}"
        yield Violation("a", UNDERMINES, C3, message, verdict.place("words"), "pass", failed[0])
    elif _SKIPPED.search(words) and result.scenario is not None and result.scenario not in _may_skip():
        message = f"{run.id} was skipped in part, which scenario {result.scenario} does not allow: {words[:120]}"
        yield Violation("a", UNDERMINES, C3, message, verdict.place("words"), "pass", "skipped")


def _may_skip() -> tuple[str, ...]:
    return mlperf.inference().compliance.first_token_skipped_in
