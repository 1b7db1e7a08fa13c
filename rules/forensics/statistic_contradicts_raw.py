"""F07: a statistic that its own raw numbers do not give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric, Summary, Trial
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.discrepancy import decides, gap, told_apart, weighed
from ..facts.quantities.half_widths import deviations
from ..facts.quantities.ladder import percentage
from ..facts.quantities.likely_cause import counts_of, likely_cause
from ..facts.quantities.numbers import exact
from ..facts.quantities.per_second import work_per_second
from ..facts.quantities.performance import transform
from ..facts.quantities.recomputed import STATISTICS, percent_of, recomputed
from ..facts.series.raw_numbers import Samples, samples_of, samples_with_failed, without_ends
from ..language.printed import Span, short, span
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Effect, Inapplicable, NotShown, Related, Violation
from ..registry import rule

PROVIDE = """\
arms:
  fast:
    trials:
      t1: {kind: throughput, outcome: completed, samples: {step_time_s: [0.1021, 0.1024, 0.1022]}}
"""
EACH = frozenset({"iteration", "request"})
"""Units of which each has a raw number."""
MOST_PERCENT = 100
MOST_READ, MOST_DECIMALS = 200, 17
OF_DEVIATION = 0.01
"""Of a deviation, which rounding and the way to pool trials move, only a difference above 1 % tells."""


class Stated(Struct, frozen=True):
    """A printed statistic, with the place where it stands."""

    at: str
    printed: str
    span: Span
    statistic: str
    percent: float | None = None


@rule(
    "F07",
    "statistic-contradicts-raw",
    effect=REFUTES,
    confidence=C3,
    applies="has(raw)",
    origin="J",
    also=("F01",),
)
def statistic_contradicts_raw(claim: Claim, case: Case) -> Iterator[Branch]:
    """A printed statistic that the raw numbers it is linked to do not give.

    ## What it does
    Recomputes a metric's value from the column that it names, by the statistic that it states, in its unit, and the
    claim's own number where it is printed beside it in the same unit. Every usual way counts: over all iterations, over
    the trials' means or medians, the mean of rates or the rate of the mean time, any of the nine definitions of a
    quantile, with and without the declared warm-up; for a mean rate also the work of a stated window over its time.
    Where runs or requests are said to have failed, their raw numbers count or not: as many as failed may be left out,
    and those of trials that did not complete taken in. The mean, extremes, percentiles and standard deviation that are
    printed beside the value are recomputed alike, and a median that a trial states of a column from the trial's own raw
    numbers.

    ## Why it misleads
    A number that does not come out of its own data was taken from somewhere else.

    ## Branches
    - (a) refutes, C3: no usual way gives the printed digits; a caveat where they are off by at most 1 % and that
      changes neither who wins nor how a coarser headline is rounded.
    - (b, instead of a) undermines, C3: the same, while fewer raw numbers are there than the number is said to rest on.
    - (c) undermines, C3: a trial's stated median is not that of its raw numbers; a caveat where it is off by 1 %.
    - (d) refutes, C3: no usual way gives a mean, extreme or percentile that is printed beside the value; undermines, of
      a standard deviation; a caveat where it is off by at most 1 %.
    - not shown: the metric names a column of raw numbers, and no trial of the arm has it.
    - not applicable: the metric names no column, unit or statistic that can be recomputed, units were excluded from it,
      or raw numbers are missing.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"performance": {"rate": {"value": "2710"}}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`, whose iterations have the median 102.46 ms.

    ## How to fix
    Recompute the statistic, or link the raw numbers that it came from.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), rules 5 and 8.
    """
    sides = [(case.subject(claim), case.metric(claim.measured))]
    if claim.form in {"ratio", "efficiency"}:
        sides.append((case.base(claim), case.metric(claim.base)))
    for side, metric in sides:
        found = samples_of(case, side, metric) if side is not None and metric is not None else None
        if side is not None and metric is not None and found is None and metric.column is not None:
            missing = _missing(side, metric.column)
            if missing:
                message = f"`{metric.column}`, which the number is said to come from, {missing}"
                yield NotShown(message, metric.place("column"), provide=PROVIDE)
                continue
        if side is None or metric is None or found is None:
            yield Inapplicable("the number names no raw numbers that can be used")
            continue
        yield from _of_trials(case, side, found)
        own, printed = _of_metric(metric), _of_claim(claim, metric) if metric is sides[0][1] else None
        numbers = [stated for stated in (own, printed) if stated is not None] if own is not None else []
        yield from _judged(claim, case, (side, metric, found), numbers)
        yield from _of_summary(case, side, metric, found)


def _missing(side: Side, column: str) -> str:
    """Return how a column is missing that a number names: of the arm's raw numbers as a whole, or among them."""
    trials = side.arm.trials.values()
    if side.study is None and not any(trial.samples for trial in trials if trial.kind == side.timed_kind):
        return "was not handed in"
    kinds = {trial.kind for trial in trials}
    held = {name for kind in kinds for _, _, columns in side.raw(kind) for name in columns}
    return "is a column of no trial" if held and column not in held else ""


def _of_trials(case: Case, side: Side, found: Samples) -> Iterator[Branch]:
    """Yield the medians that trials state and their own raw numbers, with or without warm-up, do not give."""
    series = [found] if found.cut is None else [found, found.cut]
    off: list[tuple[Decimal, Trial, str, Span]] = []
    for name in found.trials:
        trial = side.arm.trials[name]
        stated = trial.medians.get(found.column)
        lengths = [len(item.values[item.trials.index(name)]) for item in series]
        if stated is None or (trial.iterations_planned or 0) > max(lengths):
            continue
        ranges = [_middle(item.values[item.trials.index(name)]) for item in series]
        if not any(span(stated).meets(each) for each in ranges):
            distance, nearest = min(((gap(span(stated), each), each) for each in ranges), key=lambda item: item[0])
            off.append((distance, trial, stated, nearest))
    if off:
        distance, trial, stated, nearest = max(off, key=lambda item: item[0])
        shown, values = _shown(span(stated), nearest)
        message = f"the median of a trial is stated as {stated}; its raw numbers give {shown}"
        message += f" ({len(off)} of {len(found.trials)} trials)" if len(off) > 1 else ""
        related = (Related(found.at, f"raw numbers of {found.column}"),)
        at, effect = trial.place("medians", found.column), weighed(UNDERMINES, distance)
        yield Violation("c", effect, C3, message, at, stated, values, related)


def _of_summary(case: Case, side: Side, metric: Metric, found: Samples) -> Iterator[Branch]:
    """Yield what is printed beside the value, of the same raw numbers, and is given by none of the usual ways."""
    if metric.summary is None or (metric.n is not None and metric.n.excluded) or _fewer(found, metric):
        return
    off: list[tuple[Decimal, Stated, Span]] = []
    for stated in _beside(metric, metric.summary):
        values = _ways(case, side, metric, found, stated)
        if values and not any(stated.span.meets(value) for value in values):
            off.append(min(((gap(stated.span, x), stated, x) for x in values), key=lambda item: item[0]))
    if off:
        distance, stated, nearest = max(off, key=lambda item: item[0])
        more = f" (and {len(off) - 1} more beside it)" if len(off) > 1 else ""
        effect = weighed(UNDERMINES if stated.statistic == "sd" else REFUTES, distance)
        yield _violation(stated, nearest, found, effect, "d", more)


def _beside(metric: Metric, summary: Summary) -> Iterator[Stated]:
    for name in ("mean", "median", "min", "max", "sd"):
        text = getattr(summary, name)
        if text is not None and (name, text) != (metric.statistic, metric.value):
            yield Stated(summary.place(name), text, span(text), name)
    for key, text in summary.percentiles.items():
        rank = percentage(key)
        if rank is not None and text != metric.value:
            yield Stated(summary.place("percentiles", key), text, span(text), "percentile", rank)


def _ways(case: Case, side: Side, metric: Metric, found: Samples, stated: Stated) -> list[Span]:
    """Return what a printed statistic may be; failed requests may count as infinite, which shifts every rank."""
    if stated.statistic == "sd":
        how, unit = transform(metric), work_per_second(metric.unit)
        if how is None or not how.unit_known or (unit is not None and unit.per_device):
            return []
        return [exact(x).widened(OF_DEVIATION) for x in deviations(found, how)]
    ranks = {stated.percent}
    n = metric.n
    if stated.percent is not None and n is not None and n.failed and n.completed:
        shifted = stated.percent * (n.completed + n.failed) / n.completed
        ranks |= {shifted} if shifted < MOST_PERCENT else set()
    slack = _rounding(found)
    values = [value for rank in ranks for value in _possible(case, side, metric, found, stated.statistic, rank)]
    return [value.widened(slack) for value in values]


def _possible(
    case: Case, side: Side, metric: Metric, found: Samples, statistic: str, percent: float | None
) -> list[Span]:
    """Return what a statistic may be by the raw numbers, with and without those of what failed."""
    values = recomputed(found, side, metric, statistic, percent)
    every = samples_with_failed(case, side, found.column)
    if every is not None:
        values += recomputed(every, side, metric, statistic, percent)
    failed = _failed_among(found, metric)
    if failed:
        ends = (recomputed(kept, side, metric, statistic, percent) for kept in without_ends(found, failed))
        both = zip(*ends, strict=True)
        values += [Span(min(one.low, other.low), max(one.high, other.high)) for one, other in both]
    return values


def _failed_among(found: Samples, metric: Metric) -> int:
    """Return how many of the raw numbers, as many as failed, may not count: a number of requests, or one a trial."""
    n = metric.n
    if n is None or not n.failed or (n.unit not in EACH and any(len(values) > 1 for values in found.values)):
        return 0
    more = n.failed if n.completed is None else len(found.pooled) - n.completed
    return max(0, min(n.failed, more, len(found.pooled) - 1))


def _rounding(found: Samples) -> float:
    """Return half a unit of the raw numbers' last decimal, as a share: they may have been rounded after the summary."""
    first = found.pooled[:MOST_READ]
    decimals = max(len(repr(value).partition(".")[2]) if "e" not in repr(value) else MOST_DECIMALS for value in first)
    return 0.5 * 10.0**-decimals / found.pooled[0]


def _middle(ascending: Sequence[float]) -> Span:
    """Return the interval between the two middle values."""
    n = len(ascending)
    return Span(exact(ascending[(n - 1) // 2]).low, exact(ascending[n // 2]).high)


def _of_metric(metric: Metric) -> Stated | None:
    if metric.value is None or metric.statistic not in STATISTICS:
        return None
    at, printed = metric.place("value"), span(metric.value, digits=metric.digits)
    return Stated(at, metric.value, printed, metric.statistic, percent_of(metric))


def _of_claim(claim: Claim, metric: Metric) -> Stated | None:
    """Return the claim's own number, where it is the metric's in the same unit and statistic but other digits."""
    same = claim.unit == metric.unit and claim.statistic in {None, "unspecified", metric.statistic}
    if claim.form != "absolute" or claim.value in {None, metric.value} or not same or metric.statistic == "percentile":
        return None
    if claim.value is None or metric.statistic not in STATISTICS:
        return None
    printed = span(claim.value, claim.qualifier, claim.digits)
    return Stated(claim.place("value"), claim.value, printed, metric.statistic)


def _judged(claim: Claim, case: Case, source: tuple[Side, Metric, Samples], numbers: list[Stated]) -> Iterator[Branch]:
    side, metric, found = source
    if not numbers or (metric.n is not None and metric.n.excluded):
        yield Inapplicable("the statistic is not stated or not one that can be recomputed, or units were excluded")
        return
    missing = _fewer(found, metric)
    for stated in numbers:
        values = _possible(case, side, metric, found, stated.statistic, stated.percent)
        values += _of_window(metric, stated) if values else []
        if values and not any(stated.span.meets(value) for value in values):
            distance, nearest = min(((gap(stated.span, value), value) for value in values), key=lambda item: item[0])
            decisive = decides(claim, case, stated.span, nearest, metric.unit)
            effect = weighed(UNDERMINES if missing else REFUTES, distance, decisive)
            cause = likely_cause(stated.span, nearest, counts_of(side))
            yield _violation(stated, nearest, found, effect, "b" if missing else "a", cause)
        elif not values or missing:
            yield Inapplicable("raw numbers are missing, or the unit or percentile is not known")


def _of_window(metric: Metric, stated: Stated) -> list[Span]:
    """Return the mean rate of a window with more in it than the recorded steps, such as evaluations: work over time."""
    unit = work_per_second(metric.unit)
    whole = metric.quantity == "rate" and stated.statistic in {"mean", "total"}
    if not whole or unit is None or unit.per_device or not metric.work or not metric.wall_s:
        return []
    return [exact(metric.work / metric.wall_s / float(unit.factor))]


def _fewer(found: Samples, metric: Metric) -> bool:
    if not found.complete or (metric.trials is not None and len(found.trials) < metric.trials):
        return True
    n = metric.n.completed if metric.n is not None and metric.n.unit in EACH else None
    return n is not None and len(found.pooled) < n


def _violation(stated: Stated, nearest: Span, found: Samples, effect: Effect, branch: str, cause: str) -> Violation:
    name = f"{stated.percent:g}th percentile" if stated.percent is not None else stated.statistic
    shown, values = _shown(stated.span, nearest)
    message = f"the {name} is stated as {stated.printed}; the raw numbers give {shown}{cause}"
    related = (Related(found.at, f"{len(found.pooled)} raw numbers of {found.column}"),)
    return Violation(branch, effect, C3, message, stated.at, stated.printed, values, related)


def _shown(stated: Span, nearest: Span) -> tuple[str, str]:
    """Return what the raw numbers give, for a message and as an interval, in digits that differ from what is stated."""
    values = told_apart(stated, nearest)[1]
    return (short(nearest.low) if values == str(nearest) else values), values
