"""F01: a rate, a time and a number of samples that do not fit together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.evidence import Metric
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.discrepancy import gap
from ..facts.quantities.given import given
from ..facts.quantities.likely_cause import counts_of, likely_cause
from ..facts.quantities.numbers import exact
from ..facts.quantities.per_second import work_per_second
from ..facts.quantities.ratios import positive
from ..facts.series.raw_numbers import Samples, candidates, samples_of
from ..language.printed import Span, short, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule

STEPS_ALONE = 0.01
UNROUNDED = 9
"""Digits of a time from which on a program wrote it, and what it counted beside it."""
AVERAGES = ("mean", "median")
WHOLE = frozenset({"mean", "total"})
MEAN_OF_RATES = Decimal("0.1")
"""How far a mean of rates may lie above work / time: the square of their coefficient of variation, 0.3 at most."""


class Window(Struct, frozen=True):
    """Rate, time and work of one window.

    Attributes:
        rate: work per second.
        time_s: length of the window.
        work: work done in it.
        whole: whether the rate is that of the whole window. A steady rate beside a wall time only bounds the work.
        mean: whether it may be a mean of rates, which lies above work / time.
        at: place of the rate.
        time_at: place of the time.
        unit: unit of the rate.
    """

    rate: Span
    time_s: Span
    work: Span
    whole: bool
    mean: bool
    at: str
    time_at: str
    unit: str


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    tolerance: float = Threshold(0.01, "fraction of the work", "judgement")


@rule(
    "F01",
    "samples-contradict-rate",
    effect=REFUTES,
    confidence=C3,
    applies="has(rate_time_samples)",
    origin="J",
    thresholds=Thresholds,
)
def samples_contradict_rate(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A rate that does not lead from the time to the work of its own window.

    ## What it does
    Multiplies rate and time and compares the product with the work: of a metric with its own window, and of a table row
    with wall time and samples. Wall times may hold more than the rate saw (compiling, evaluation, a checkpoint); the
    rate may then promise more work than was done, by what the arm declares as left out, or by any amount if it is not
    the mean of the whole. It may never promise less. Where the wall time is that of the measured steps alone, or the
    work is theirs, the window holds nothing else, and the rate has to be that of the whole. Where the steps themselves
    are recorded with the work of each, a rate by any average lies between that of the slowest and that of the fastest,
    and one that is said to be a mean or a median among the usual means and medians of the steps and of the trials.

    ## Why it misleads
    One of the three numbers comes from another run.

    ## Branches
    - (a) refutes, C3: rate times time and work are apart by more than 1 % and the declared excluded share; or none of
      the recorded steps, of the claim's arm or of its base, ran at that rate, or no usual mean or median of them did.
    - not applicable: the three numbers of one window are not given in units that are known.

    ## Flagged
    On `serving` for claim `rate`:
    ```json
    {"arms": {"server": {"performance": {"rate": {"work": 1600}}}}}
    ```

    ## Accepted
    On `serving` for claim `rate`: 6.27 per second x 159.44 s = 1000 requests.

    ## How to fix
    Take rate, time and work from one window of one run, or say what lies outside it.

    ## References
    Arithmetic: work is rate times time.
    """
    windows = [*_of_metric(claim, case), *_of_row(claim, case)]
    steps = list(_of_steps(claim, case))
    for found in steps:
        yield from _outside(found, thresholds.tolerance)
    if not windows and not steps:
        yield Inapplicable("rate, time and work of one window are not given together")
    excluded = _excluded_share(case.subject(claim))
    counts = counts_of(case.subject(claim))
    for window in windows:
        product = window.rate * window.time_s
        low = product.low * (1 - max(excluded, MEAN_OF_RATES if window.mean else Decimal(0)))
        low = low if window.whole else Decimal(0)
        allowed = Span(low, product.high).widened(thresholds.tolerance)
        if not allowed.meets(window.work):
            cause = likely_cause(window.work, product, counts)
            done = short((window.work.low + window.work.high) / 2)
            message = f"rate x time is {product} {window.unit}; {done} are stated as done{cause}"
            related = (Related(window.time_at, "time"),)
            yield Violation("a", REFUTES, C3, message, window.at, str(window.work), str(product), related)
        elif gap(product, window.work) > Decimal(str(thresholds.tolerance)) and not excluded:
            yield Inapplicable("the rate is not that of the whole window")


class Steps(Struct, frozen=True):
    """A rate beside the recorded steps that it names, all with the same work.

    Attributes:
        arm: id of the arm.
        rate: work per second.
        work: work of a step.
        fastest_s: shortest step.
        slowest_s: longest step.
        count: number of steps.
        at: place of the rate.
        steps_at: place of the steps.
        unit: what is counted.
        middle: least and greatest of the usual means and medians of the steps, where the rate is said to be one.
    """

    arm: str
    rate: Span
    work: float
    fastest_s: float
    slowest_s: float
    count: int
    at: str
    steps_at: str
    unit: str
    middle: tuple[float, float] | None = None


def _of_steps(claim: Claim, case: Case) -> Iterator[Steps]:
    """Yield the rates of the claim's arm and of its base that name their steps."""
    for side, ref in ((case.subject(claim), claim.measured), (case.base(claim), claim.base)):
        metric = case.metric(ref)
        found = _steps(case, side, metric) if side is not None and metric is not None else None
        if found is not None:
            yield found


def _steps(case: Case, side: Side, metric: Metric) -> Steps | None:
    """Return a rate with the steps that it names; None where some are missing or left out, or a window is stated.

    A rate of one device may be printed beside the work of a step on all of them, or on one: which, nobody says.
    """
    unit = work_per_second(metric.unit)
    if unit is None or unit.per_device or metric.quantity != "rate" or metric.value is None:
        return None
    excluded = metric.n is not None and metric.n.excluded
    if metric.column != "step_time_s" or not metric.work_per_iteration or excluded or metric.wall_s is not None:
        return None
    raw = samples_of(case, side, metric)
    if raw is None or not raw.complete:
        return None
    rate = positive(span(metric.value, digits=metric.digits)).times(unit.factor)
    ends, at = (raw.pooled[0], raw.pooled[-1]), metric.place("value")
    count, middle = len(raw.pooled), _middle(raw, metric)
    return Steps(side.id, rate, metric.work_per_iteration, *ends, count, at, raw.at, unit.word, middle)


def _middle(raw: Samples, metric: Metric) -> tuple[float, float] | None:
    """Return the least and the greatest of the usual means and medians of all steps; None of some steps only."""
    n = metric.n
    if metric.statistic not in AVERAGES or (metric.trials is not None and len(raw.trials) < metric.trials):
        return None
    if n is not None and n.unit == "iteration" and (n.completed or 0) > len(raw.pooled):
        return None
    series = [raw] if raw.cut is None else [raw, raw.cut]
    usual = [value for item in series for name in AVERAGES for pair in candidates(item, name) for value in pair]
    return min(usual), max(usual)


def _outside(found: Steps, tolerance: float) -> Iterator[Violation]:
    """Yield a rate at which no step ran: by any way to average them, it lies between the slowest and the fastest."""
    low, high = found.work / found.slowest_s, found.work / found.fastest_s
    allowed = Span(exact(low).low, exact(high).high).widened(tolerance)
    least, most = found.middle or (found.fastest_s, found.slowest_s)
    usual = Span(exact(found.work / most).low, exact(found.work / least).high)
    if found.rate.high < allowed.low:
        end, given_by = f"the slowest of its {found.count} steps did {low:.6g}", allowed
    elif found.rate.low > allowed.high:
        end, given_by = f"the fastest of its {found.count} steps did {high:.6g}", allowed
    elif not usual.widened(tolerance).meets(found.rate):
        end, given_by = f"the mean or median of its {found.count} steps gives {usual}", usual
    else:
        return
    message = f"the rate of {found.arm} is {found.rate} {found.unit}/s; {end}"
    related = (Related(found.steps_at, f"{found.count} steps of {found.work:g} {found.unit}"),)
    yield Violation("a", REFUTES, C3, message, found.at, str(found.rate), str(given_by), related)


def _of_metric(claim: Claim, case: Case) -> Iterator[Window]:
    side, metric = case.subject(claim), case.metric(claim.measured)
    if side is None or metric is None or metric.value is None or metric.wall_s is None or metric.work is None:
        return
    unit = work_per_second(metric.unit)
    factor = _factor(metric.unit, side.devices)
    if unit is None or factor is None or metric.quantity != "rate":
        return
    rate = positive(span(metric.value, digits=metric.digits)).times(factor)
    work = _work(metric, metric.work, metric.wall_s)
    steps_only = _of_steps_alone(case, side, metric, (metric.wall_s, metric.work))
    whole = metric.statistic in WHOLE or steps_only
    mean = metric.statistic == "mean" and not steps_only
    yield Window(rate, given(metric.wall_s), work, whole, mean, metric.at, metric.place("wall_s"), unit.word)


def _work(metric: Metric, work: float, wall_s: float) -> Span:
    """Return the work of a window: exact where it is the stated n, or stands beside a time that no person rounded."""
    counted = metric.n is not None and metric.n.completed == work
    fine = len(Decimal(repr(float(wall_s))).normalize().as_tuple().digits) >= UNROUNDED
    return exact(work) if counted or fine else given(work)


def _of_row(claim: Claim, case: Case) -> Iterator[Window]:
    table, row = case.table(claim), case.row(claim)
    if table is None or row is None or row.wall_s is None or row.samples is None:
        return
    for name, text in row.values.items():
        column = table.columns.get(name)
        unit = work_per_second(column.unit) if column is not None else None
        if column is None or unit is None or column.quantity != "rate" or unit.word in {"token", "tokens"}:
            continue
        factor = _factor(column.unit, row.devices)
        if factor is not None:
            whole = column.statistic in WHOLE and column.scope in {"training_run", "pipeline", "epoch"}
            rate = positive(span(text)).times(factor)
            at, time_at = row.place("values", name), row.place("wall_s")
            mean, side = column.statistic == "mean", case.own(row.arm) if row.arm is not None else None
            of_arm = _metric_of(side, column.quantity, column.unit, text) if side is not None else None
            if side is not None and of_arm is not None and (column.statistic in {"mean", "median"}):
                whole = whole or _of_steps_alone(case, side, of_arm, (row.wall_s, None))
            yield Window(rate, given(row.wall_s), given(row.samples), whole, mean, at, time_at, unit.word)


def _metric_of(side: Side, quantity: str, unit: str, value: str) -> Metric | None:
    """Return the metric of an arm that a cell prints."""
    metrics = side.arm.performance.values()
    found = [item for item in metrics if (item.quantity, item.unit, item.value) == (quantity, unit, value)]
    return found[0] if len(found) == 1 else None


def _of_steps_alone(case: Case, side: Side, metric: Metric, window: tuple[float, float | None]) -> bool:
    """Whether a window holds the measured steps and nothing else: by its length, or by its work.

    The steps are those that are there, and none was excluded.
    """
    raw = samples_of(case, side, metric)
    excluded = metric.n is not None and metric.n.excluded
    if raw is None or not raw.complete or excluded or raw.column != "step_time_s" or not metric.work_per_iteration:
        return False
    wall_s, work = window
    total, done = math.fsum(raw.pooled), len(raw.pooled) * metric.work_per_iteration
    if _skewed(raw, metric):
        return False
    return abs(wall_s / total - 1) <= STEPS_ALONE or (work is not None and abs(work / done - 1) <= STEPS_ALONE / 10)


def _skewed(raw: Samples, metric: Metric) -> bool:
    """Whether the typical step is so much shorter than the mean one that a typical rate is not that of the whole."""
    if metric.statistic == "mean":
        return False
    middle = raw.pooled[len(raw.pooled) // 2]
    return abs(math.fsum(raw.pooled) / len(raw.pooled) / middle - 1) > STEPS_ALONE


def _factor(unit: str, devices: int | None) -> Decimal | None:
    """Return the work per second in one of a unit, over all devices; None where their number is not known."""
    found = work_per_second(unit)
    if found is None or (found.per_device and devices is None):
        return None
    return found.factor * (devices or 1 if found.per_device else 1)


def _excluded_share(side: Side | None) -> Decimal:
    """Return the declared share of the wall time that the clock leaves out, at most all of it."""
    measurement = side.arm.measurement if side is not None else None
    if measurement is None or not measurement.wall_s:
        return Decimal(0)
    seconds = sum(item.duration_s or 0 for item in measurement.exclusions.values())
    return min(Decimal(1), Decimal(repr(seconds)) / Decimal(repr(measurement.wall_s)))
