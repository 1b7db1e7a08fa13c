"""Q18: a compliance test that failed, was skipped, or is missing."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from msgspec import Struct

from ...schemas.pattern import Pattern
from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.inference import performance_runs, printed
from ..facts.suite.result import Quoted, is_asked, quoted, required_tests
from ..language.printed import short
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule
from ..tables import mlperf
from ..tables.mlperf_common import common
from ..trace import Logged

MISMATCHES, REFERENCE, SCORE = "num_perf_log_data_mismatch", "reference_score", "test_score"
_SCORES = {
    "Offline": ("samples_per_second",),
    "Server": ("scheduled_samples_per_second", "completed_samples_per_second"),
    "Interactive": ("scheduled_samples_per_second", "completed_samples_per_second"),
    "SingleStream": ("early_stopping_estimate_ns", "90.0th_percentile_latency_ns", "90.00_percentile_latency_ns"),
    "MultiStream": ("early_stopping_estimate_ns", "99th_percentile_latency_ns", "99.00_percentile_latency_ns"),
}
_LEAST_NS = 1e4
"""Latencies below it are printed in another unit by early scripts."""


class Compared(Struct, frozen=True):
    """The two scores of a compliance test.

    Attributes:
        reference: score of the result, as the test prints it.
        score: that of the test's own run.
        allowed: greatest distance of the two as a share of the reference; streams of short latencies have more.
    """

    reference: float
    score: float
    allowed: float

    @property
    def apart(self) -> float:
        """How much the test's score is above the reference, as a share of it."""
        return self.score / self.reference - 1


def compared(test: Logged, scenario: str | None) -> Compared | None:
    """Return the scores that a test compares; None where it prints none."""
    reference, score = printed(test, REFERENCE), printed(test, SCORE)
    if reference is None or score is None or reference <= 0 or score <= 0:
        return None
    tolerance = mlperf.inference().compliance.tolerance
    return Compared(reference, score, tolerance.get(scenario or "", max(tolerance.values())))


def beyond(test: Logged, found: Compared) -> bool:
    """Whether two scores are further apart than a test that passes allows; rounding of the print aside."""
    apart = found.apart if test.id.startswith(mlperf.inference().compliance.one_way) else abs(found.apart)
    return apart > found.allowed * 1.001


def scores(run: Logged, scenario: str | None) -> tuple[float, ...]:
    """Return what a run's summary may give as its score in a scenario: rates, or percentiles in ns."""
    values = (printed(run, name) for name in _SCORES.get(scenario or "", ()))
    return tuple(value for value in values if value is not None and value > 0)


def foreign(score: float, known: tuple[float, ...], scenario: str | None, most: float) -> float | None:
    """Return the nearest of some scores where a printed one is none of them, not even nearly; else None.

    Args:
        score: as the test prints it.
        known: scores of the run that it should be.
        scenario: of the result.
        most: share by which a score of the same configuration, run again, may differ.
    """
    judged = common().scenarios.get(scenario or "")
    if not known or (judged is not None and judged.scored_by == "latency" and score < _LEAST_NS):
        return None
    nearest = min(known, key=lambda value: abs(math.log(value / score)))
    return nearest if abs(score / nearest - 1) > most else None


ITEM = "compliance texts"
PASSED = '{role: compliance, verdict: {valid: true, words: "TEST PASS"}}'
FALLBACK = ("baseline_accuracy", "compliance_accuracy")
_FAILED = Pattern(r"\bTEST FAIL\b|\bpass: *False\b|\bTEST0[0-9]\S{0,80} FAIL", re.IGNORECASE)
_SKIPPED = Pattern(r"\bpass: *Skipped\b", re.IGNORECASE)
_PASSED = Pattern(r"\bTEST PASS\b|\bpass: *True\b|\bTEST[0-9]{2}\S{0,80} PASS", re.IGNORECASE)
_NAME = Pattern(r"(TEST[0-9]{2})")


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    rerun: float = Threshold(
        0.05, "fraction of the score", "measured on published results, which differ by up to 2.6 %"
    )


@rule(
    "Q18",
    "compliance-test-not-passed",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite_inference and closed",
    origin="POL, MEAS",
    thresholds=Thresholds,
)
def compliance_test_not_passed(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A closed result whose compliance tests did not all pass.

    ## What it does
    Reads the verdicts that the compliance tests printed. A failed bit by bit comparison counts as passed where both
    records of the fallback, the accuracy before and in the test, were handed in; the check of the first token is
    skipped in the offline scenario. A text that says pass is held against its own figures: outputs that differ, and the
    scores of the result and of the test's run, which may be 10 % apart, in the streams 20 %; and those against the
    summaries of the runs.

    ## Why it misleads
    The tests look for caching of answers, for other precision in the timed run, and for outputs that nobody computed.

    ## Branches
    - (a) undermines, C3: a verdict other than pass, or a check skipped where that is not allowed.
    - (b) undermines, C3: a text says pass, and its own figures do not: outputs differ, or the scores are further apart
      than the test allows.
    - (c) undermines, C3: the log of a test is that of the performance run, byte for byte.
    - (d) caveat, C3: a test compares another score than that of the result, or prints another than that of its own run.
    - (e) caveat, C3: a test that the round does not ask for of this benchmark did not pass: where inputs differ in
      work, one that is sent again and again tells nothing of a cache.
    - not shown: a test that the round asks for, or its verdict, is missing. Required (compliance texts) of closed
      results of an inference suite, from the reviewer profile on; not of quoted, verified entries.
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
    asked = required_tests(result)
    if asked is None and not tests:
        yield result.no_figure("compliance tests")
        return
    shown = {found[1] for run in tests if (found := _NAME.match(run.id)) is not None}
    side = case.subject(claim)
    arm = side.id if side is not None else "offline"
    timed = performance_runs(claim, case)
    for run in tests:
        if not is_asked(result, run.id[: len("TEST00")]):
            yield from _not_asked(run)
            continue
        if not _other_half(run, tests):
            yield from _verdict(run, result, arm)
        yield from _copied(run, timed)
        yield from _scores(run, timed, result, thresholds.rerun)
    missing = [name for name in asked or () if name not in shown]
    if missing:
        message = f"no compliance test {', '.join(missing)} was handed in"
        yield NotShown(message, claim.at, ITEM, _piece(arm, missing))
    elif not tests:
        yield Inapplicable("the round asks for no compliance test of this benchmark")


def _piece(arm: str, tests: list[str]) -> str:
    """Return the piece of a submission that would show some tests."""
    lines = "".join(f"      {name}: {PASSED}\n" for name in tests)
    return f"arms:\n  {arm}:\n    runs:\n{lines}"


def _other_half(run: Logged, tests: list[Logged]) -> bool:
    """Whether a run is the second half of a test in two halves, whose verdict stands with the first."""
    stem, _, half = run.id.partition("-")
    silent = run.run.verdict is None or run.run.verdict.words is None
    return silent and bool(half) and any(other.id.startswith(f"{stem}-") and other is not run for other in tests)


def _not_asked(run: Logged) -> Iterator[Violation]:
    """Yield a failed test that decides nothing in its round."""
    verdict = run.run.verdict
    words = verdict.words if verdict is not None else None
    failed = _FAILED.search(words) if words is not None else None
    if verdict is not None and words is not None and failed is not None:
        message = f"{run.id}, which the round does not ask for of this benchmark, did not pass: {words[:120]}"
        yield Violation("e", CAVEAT, C3, message, verdict.place("words"), "pass", failed[0])


def _verdict(run: Logged, result: Quoted, arm: str) -> Iterator[Branch]:
    verdict = run.run.verdict
    words = verdict.words if verdict is not None else None
    if verdict is None or words is None or not any(found.search(words) for found in (_FAILED, _PASSED, _SKIPPED)):
        yield NotShown(f"the verdict of {run.id} is missing", run.place("verdict"), ITEM, _piece(arm, [run.id]))
        return
    failed, may_skip = _FAILED.search(words), mlperf.inference().compliance.first_token_skipped_in
    if failed is not None and not all(name in run.run.summary for name in FALLBACK):
        message = f"{run.id} did not pass: {words[:120]}"
        yield Violation("a", UNDERMINES, C3, message, verdict.place("words"), "pass", failed[0])
    elif _SKIPPED.search(words) and result.scenario is not None and result.scenario not in may_skip:
        message = f"{run.id} was skipped in part, which scenario {result.scenario} does not allow: {words[:120]}"
        yield Violation("a", UNDERMINES, C3, message, verdict.place("words"), "pass", "skipped")
    if failed is not None:
        return
    mismatches, found = printed(run, MISMATCHES), compared(run, result.scenario)
    if mismatches is not None and mismatches > 0:
        message = (
            f"{run.id} says pass, and counts {short(mismatches)} outputs that differ from those of the accuracy run"
        )
        yield Violation("b", UNDERMINES, C3, message, verdict.place("words"), "pass", short(mismatches))
    if found is not None and beyond(run, found):
        message = (
            f"{run.id} says pass at a score of {short(found.score)} against {short(found.reference)}: "
            f"{found.apart:+.1%}, {found.allowed:.0%} are allowed"
        )
        apart = f"{found.apart:+.1%}"
        yield Violation("b", UNDERMINES, C3, message, verdict.place("words"), f"{found.allowed:.0%}", apart)


def _copied(run: Logged, timed: tuple[Logged, ...]) -> Iterator[Violation]:
    """Yield a test whose log is that of a performance run."""
    own = run.run.file
    if own is None or own.sha256 is None or own.bytes == 0:
        return
    for other in timed:
        if other.run.file is not None and other.run.file.sha256 == own.sha256:
            message = f"the log of {run.id} is {other.name}, byte for byte: the test was not run"
            related = (Related(other.place("file"), "the same file"),)
            yield Violation("c", UNDERMINES, C3, message, run.place("file"), None, None, related)
            return


def _scores(run: Logged, timed: tuple[Logged, ...], result: Quoted, rerun: float) -> Iterator[Violation]:
    """Yield the first score of a test that is not that of the run which it names."""
    found = compared(run, result.scenario)
    if found is None:
        return
    known = tuple(score for other in timed for score in scores(other, result.scenario))
    for score, of_run, whose in (
        (found.reference, known, "the result"),
        (found.score, scores(run, result.scenario), "its own run"),
    ):
        other = foreign(score, of_run, result.scenario, rerun)
        if other is not None:
            message = f"{run.id} compares {short(score)} as the score of {whose}, which is {short(other)}"
            yield Violation("d", CAVEAT, C3, message, run.place("verdict"), short(score), short(other))
            return
