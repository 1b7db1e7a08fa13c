"""Q08: a score that is not the mean which the suite prescribes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.numbers import exact
from ..facts.quantities.per_second import seconds
from ..facts.suite.result import quoted, required_runs
from ..facts.suite.runs import dropped, is_weak, made, times_s
from ..facts.suite.words import apart, main_words
from ..language.printed import Span, short, span
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Inapplicable, Note, NotShown, Violation
from ..registry import Threshold, rule
from ..statistics.intervals import median

PROVIDE = """\
claims:
  score:
    factor: {value: "1.0213", numerator: "5120", denominator: "5013", uncorrected: "27.43"}
"""

OTHERS = {"min": "fastest", "best_of": "fastest", "max": "slowest", "median": "median"}
"""Statistics that are no score, by what a message calls them."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    tolerance: float = Threshold(0.001, "share", "stamps of logs: up to a second in runs of minutes")


@rule(
    "Q08",
    "score-not-as-prescribed",
    effect=REFUTES,
    confidence=C3,
    applies="suite_training",
    origin="POL",
    also=("F50",),
    thresholds=Thresholds,
)
def score_not_as_prescribed(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A score that does not follow from the logged times by the rule of the suite.

    ## What it does
    Takes the time of every logged run from its start to its stop, leaves out the fastest and the slowest (four each of
    forty or more; a run without success is the slowest), multiplies the mean of the rest by the factor of the score,
    and compares the result with the claimed time. Without logs it reads which statistic the claim, or its metric, says
    that the time is. A finding names the statistic that the claim fits instead. A claimed
    time above the prescribed one, without a factor, is only asked about: a correction makes a score slower.

    ## Why it misleads
    The best of ten runs is not a score. Compared with the means of others, it always wins.

    ## Branches
    - (a) refutes, C3: the claimed time is below the prescribed mean; or above it although the factor is stated.
    - (b) undermines, C3: no logs, and the time that stands as the result is stated to be that of the fastest, slowest
      or median of several runs, which the sentence does not say.
    - pass with note: the sentence says so.
    - not shown: the claimed time is above the prescribed mean, and whether a factor applies is not stated.
    - not applicable: fewer or more logged times than the round asks for, a log without start or stop, another quantity
      than a time, or a result that is scored by throughput.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"value": "38.054"}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, the mean of the middle three of five runs.

    ## How to fix
    Print the mean that the suite prescribes.

    ## References
    MLPerf Training rules, section on run results.
    """
    result, unit = quoted(claim), seconds(claim.unit)
    required = required_runs(result)
    times = times_s(claim, case)
    if required is None:
        yield result.no_figure("the number of runs")
    elif claim.value is None or claim.form != "absolute" or claim.quantity != "time" or unit is None:
        yield Inapplicable("the claim is no time")
    elif not times and not is_weak(claim, case) and (other := _other_statistic(claim, case)) is not None:
        words = (item for text in main_words(claim) for item in apart(text, "suite.extreme", "suite.of_the_round"))
        if (said := next(words, None)) is not None:
            yield Note(f'the time is that of the {other} of several runs, as "{said.text}" says; no score is')
        else:
            message = f"the result is stated to be the {other} of the runs; the score is a mean without the extremes"
            yield Violation("b", UNDERMINES, C3, message, claim.place("statistic"), other, "trimmed mean")
    elif times is None or len(times) != required or is_weak(claim, case):
        yield Inapplicable("the times that make up the score are not those of the logs")
    else:
        yield from _judge(claim, times, unit, thresholds.tolerance)


def _other_statistic(claim: Claim, case: Case) -> str | None:
    """Return the statistic of several runs that a claim or its metric states, where it is no mean."""
    metric, found = case.metric(claim.measured), made(claim, case)
    stated = {claim.statistic, metric.statistic if metric is not None else None} - {None, "unspecified"}
    known = {OTHERS.get(name or "") for name in stated}
    other = known.pop() if len(known) == 1 else None
    return other if found is not None and found.counted > 1 else None


def _judge(claim: Claim, times: Sequence[float], unit: Decimal, tolerance: float) -> Iterator[Branch]:
    prescribed = score_s(times)
    if prescribed is None:
        yield Inapplicable("more runs failed than the score leaves out")
        return
    factor = span(claim.factor.value) if claim.factor is not None else exact(1.0)
    wanted = (_in(prescribed, unit) * factor).widened(tolerance)
    claimed = span(claim.value or "0", claim.qualifier, claim.digits)
    if claimed.meets(wanted):
        return
    name = next((name for name, value in _statistics(times) if claimed.meets(_in(value, unit))), None)
    middle = float(wanted.low + wanted.high) / 2
    message = f"the prescribed mean of {len(times)} runs is {short(middle)} {claim.unit}, not {claim.value}"
    if claimed.low > wanted.high and claim.factor is None and name is None:
        yield NotShown(f"{message}; whether a factor applies is not stated", claim.place("value"), provide=PROVIDE)
        return
    if name is not None:
        message += f", which is {name}"
    yield Violation("a", REFUTES, C3, message, claim.place("value"), claim.value, short(middle))


def _in(value_s: float, unit: Decimal) -> Span:
    return exact(value_s / float(unit))


def score_s(times: Sequence[float]) -> float | None:
    """Return the mean of the runs without the fastest and slowest; None where a run without success remains."""
    out = dropped(len(times))
    kept = sorted(times)[out : len(times) - out]
    if not kept or not all(math.isfinite(time) for time in kept):
        return None
    return math.fsum(kept) / len(kept)


def _statistics(times: Sequence[float]) -> Iterator[tuple[str, float]]:
    """Yield other statistics of the same runs, by what a message calls them."""
    finite = [time for time in times if math.isfinite(time)]
    if len(finite) == len(times):
        yield "the mean of all runs", math.fsum(finite) / len(finite)
        yield "the median", median(finite)
        yield "the slowest run", max(finite)
    if finite:
        yield "the fastest run", min(finite)
    if len(finite) > 1:
        yield "the mean without the slowest run", math.fsum(sorted(finite)[:-1]) / (len(finite) - 1)
