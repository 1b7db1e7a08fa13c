"""S04: a difference that its own trials do not support."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Interval
from ...schemas.submission import Claim, Test
from ..case import Case, Side
from ..facts.comparison.claimed_gain import denies_difference
from ..facts.comparison.difference import Difference, difference
from ..facts.document.words import words_in
from ..facts.quantities.numbers import PERCENT
from ..facts.quantities.ratios import printed, readings
from ..language.printed import Span, short, span
from ..outcome import C2, REFUTES, Branch, Inapplicable, Note, NotShown, Related, Violation
from ..registry import Threshold, rule

ITEM = "interval that excludes no difference"
PROVIDE = """\
throughput: {warmup: 5, iterations: 50, trials: 10}    # more trials, the arms' trials interleaved
"""
PROVIDE_INTERVAL = """\
claims:
  speedup:
    interval: {low: "1.38", high: "1.47", level: 0.95, method: "Welch's t on logarithms of the trials"}
"""
STEADY = frozenset({"memory", "count"})
"""What shapes, code and data set: it repeats from run to run, and is seldom given per trial."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    alpha: float = Threshold(
        0.05, "two-sided error over all comparisons of the document (Holm)", "Hoefler and Belli 2015, rule 7"
    )
    steady: float = Threshold(1.05, "ratio of memory or of counts from which one number a side is enough", "judgement")


@rule(
    "S04",
    "difference-not-supported",
    effect=REFUTES,
    confidence=C2,
    applies="comparison and (form in {ratio, rank} or has(test)) and has(trials)",
    origin="HB15.7, S4, SIM",
    also=("S05",),
    thresholds=Thresholds,
)
def difference_not_supported(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A ratio or rank that the trials of its own arms do not support.

    ## What it does
    Takes one number per trial and arm (the median of its iterations, or the time at the target of a training run) and
    forms the 95 % interval of the ratio by Welch's t on logarithms. Several comparisons in one document share the error
    by Holm's procedure; a finding against a claim needs Bonferroni's wider interval. Where trials are listed without
    numbers, an interval that is printed with the claim, or a test over runs, is taken instead.

    Memory and counts repeat from run to run: where they differ by 5 % or more, or the count is derived, no trials are
    asked for. Samples until a target are an outcome of chance, and are.

    ## Why it misleads
    Two runs of one system differ. A difference inside that scatter will not come back on the reader's machine.

    ## Branches
    - (a) refutes, C2: the interval of the ratio lies wholly below the claimed ratio, under every reading of it.
    - not shown: the stated test does not reject that there is no difference; the interval contains 1, or lies on the
      other side of it; or three trials an arm are listed and neither their numbers nor an interval nor a test are
      given. Required (interval that excludes no difference) of comparisons that claim a ratio or a rank, from the
      reviewer profile on.
    - not applicable: fewer than 3 trials in an arm, numbers of some trials only, memory or a count that needs no
      trials, or the claim is that there is no difference.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"value": "1.72", "interval": null}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`, whose five trials an arm give 1.43.

    ## How to fix
    Run more trials, interleaved, or restate the claim with its interval.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rule 7; Welch (1947); Holm (1979).
    """
    if _test_denies(claim, thresholds.alpha):
        assert claim.test is not None
        message = f"the stated test gives p = {claim.test.p}, which does not show the difference that is claimed"
        yield NotShown(message, claim.test.at, ITEM, PROVIDE)
        return
    if claim.form not in {"ratio", "rank"}:
        yield Inapplicable("neither a ratio nor a rank is claimed")
        return
    if claim.quantity == "accuracy":
        yield Inapplicable("qualities are compared by other rules")
        return
    found = difference(case, claim, thresholds.alpha)
    if found is None:
        yield from _without_trials(claim, case, thresholds)
        return
    claimed = readings(claim, found.pair.subject.more_is_better)
    if any(reading.low <= 1 <= reading.high for reading in claimed) and claim.qualifier is None:
        yield Inapplicable("the claim is of no difference")
        return
    subject, base = found.pair.subject, found.pair.base
    related = (Related(subject.at, "trials of the subject"), Related(base.at, "trials of its base"))
    interval = f"{short(found.interval.lower)} to {short(found.interval.upper)}"
    if claimed and found.varies and all(reading.low > found.strict.upper for reading in claimed):
        message = f"{printed(claim)} is claimed; the trials give {interval} ({found.level:.1%} interval)"
        yield Violation("a", REFUTES, C2, message, claim.place("value"), claim.value, interval, related)
    if not _supported(found, claimed):
        message = f"the trials give a ratio of {interval} ({found.level:.1%} interval), which does not show a gain"
        message += "; the claim prints no interval that says so" if claim.interval is None else ""
        yield NotShown(message, claim.at, ITEM, PROVIDE, related)


def _test_denies(claim: Claim, alpha: float) -> bool:
    """Whether a difference is claimed beside a test of it that finds none."""
    test = claim.test
    if test is None or test.p is None or claim.form in {"parity", "words"} or _small(test, alpha):
        return False
    return not (denies_difference(claim) or words_in(claim.statement, test.name).has("none_shown", "test_of_shape"))


def _supported(found: Difference, claimed: tuple[Span, ...]) -> bool:
    """Whether the interval lies on a side of 1 that the claim may mean; for a rank, above it."""
    above = not claimed or any(reading.high > 1 for reading in claimed)
    below = any(reading.low < 1 for reading in claimed)
    return (above and found.interval.lower > 1) or (below and found.interval.upper < 1)


def _without_trials(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    steady = _steady(claim, thresholds.steady)
    if min(_listed(case.subject(claim), claim), _listed(case.base(claim), claim)) < 3:
        yield Inapplicable("fewer than 3 trials in an arm")
    elif claim.interval is None and steady:
        yield Inapplicable(steady)
    elif claim.interval is None and _test_shows(claim, thresholds.alpha):
        assert claim.test is not None
        yield Note(f"the stated test gives p = {claim.test.p}; the trials' numbers are not given")
    elif claim.interval is None:
        message = "neither the numbers of both arms' trials, nor an interval of the ratio, nor a test is given"
        yield NotShown(message, claim.at, ITEM, PROVIDE_INTERVAL)
    else:
        yield from _stated_interval(claim, claim.interval)
        arms = [side.arm for side in (case.subject(claim), case.base(claim)) if side is not None]
        if any(trial.samples or trial.medians for arm in arms for trial in arm.trials.values()):
            yield Inapplicable("the trials' numbers are incomplete, or not linked to the metric by its column")


def _steady(claim: Claim, least: float) -> str:
    """Say why a ratio needs no trials, or nothing: a derived count, or memory and counts that differ by enough.

    Samples until a target are an outcome of chance, and no such count.
    """
    if claim.quantity not in STEADY or claim.target is not None or claim.crossing_samples is not None:
        return ""
    if claim.quantity == "count" and claim.basis == "derived":
        return "the count is derived, and has no scatter"
    clear = readings(claim, more_is_better=False)
    if clear and all(reading.low >= least or reading.high * Decimal(str(least)) <= 1 for reading in clear):
        return f"{claim.quantity} repeats from run to run, and one number a side tells such a difference"
    return ""


def _test_shows(claim: Claim, alpha: float) -> bool:
    """Whether a stated test over runs or trials rejects that there is no difference."""
    test = claim.test
    if test is None or test.p is None or test.values in {"iteration", "request"}:
        return False
    return _small(test, alpha) and not words_in(test.name).has("test_of_shape", "equivalence")


def _small(test: Test, alpha: float) -> bool:
    """Whether a stated p lies below a level; "p < 0.05" lies below 0.05."""
    p = float(test.p or "nan")
    return p < alpha or (p == alpha and test.p_qualifier == "less_than")


def _stated_interval(claim: Claim, interval: Interval) -> Iterator[Branch]:
    none = 0 if claim.unit in PERCENT else 1
    if span(interval.low).low <= none <= span(interval.high).high:
        message = f"the stated interval {interval.low} to {interval.high} contains no difference"
        yield NotShown(message, interval.at, ITEM, PROVIDE)


def _listed(side: Side | None, claim: Claim) -> int:
    """Return the completed trials that an arm lists, of the kind that the claim is about."""
    if side is None:
        return 0
    kind = "convergence" if claim.scope == "training_run" else "throughput"
    return sum(trial.kind == kind and trial.outcome == "completed" for trial in side.arm.trials.values())
