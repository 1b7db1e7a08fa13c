"""F50: a headline that the logs behind it do not give."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from statistics import fmean, median

from msgspec import Struct

from ...schemas.runs import RunWindow
from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.discrepancy import gap, told_apart, weighed
from ..facts.quantities.given import given
from ..facts.quantities.likely_cause import likely_cause
from ..facts.quantities.numbers import exact
from ..facts.quantities.per_second import seconds
from ..facts.runs.times import duration_s, is_successful, started_ms
from ..fields import field_of
from ..language.printed import Span, short, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..trace import Logged

MANY = 40
WINDOWS = (3, 5, 10, 20, 40)
"""Numbers of runs that suites ask for: of more, the median window of so many consecutive ones may be handed in."""


def times_s(runs: Sequence[Logged]) -> list[float]:
    """Return the measured times in the order of their starts, infinite for a run that did not succeed."""
    return [time if (time := duration_s(run)) is not None and is_successful(run) else math.inf for run in runs]


def trimmed(times: Sequence[float]) -> float:
    """Return the mean without the fastest and the slowest, without four of each of forty and more; else infinite."""
    dropped = 4 if len(times) >= MANY else 1
    kept = sorted(times)[dropped : len(times) - dropped]
    return fmean(kept) if kept else math.inf


def scores_s(times: Sequence[float], statistic: str, *, whole: bool = False) -> tuple[float, ...]:
    """Return the values that a statistic may have, in seconds, without infinite ones.

    With and without the runs that failed; a trimmed mean also of any window of consecutive runs, but for `whole`: where
    all runs are said to count.
    """
    finite = [time for time in times if math.isfinite(time)]
    found = [value for each in (times, finite) if each for value in _values(each, statistic, whole=whole)]
    return tuple(dict.fromkeys(value for value in found if math.isfinite(value)))


def _values(times: Sequence[float], statistic: str, *, whole: bool) -> Iterator[float]:
    if statistic == "trimmed_mean":
        yield trimmed(times)
        for size in () if whole else WINDOWS:
            yield from (trimmed(times[start : start + size]) for start in range(len(times) - size + 1))
    elif statistic == "mean":
        yield fmean(times)
    elif statistic == "median":
        yield median(times)
    elif statistic in {"min", "best_of"}:
        yield min(times)
    elif statistic == "max":
        yield max(times)
    elif statistic == "total":
        yield sum(times)


ONE_MS = Decimal("0.001")
WORK = ("sample", "quer", "image", "request", "item", "inference", "sentence", "frame")


PRINTED = {
    "tokens/s": ("result_completed_tokens_per_second", "result_tokens_per_second"),
}
"""Keys under which a log prints a rate, by unit: of what was completed before what was scheduled."""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    batch: float = Threshold(0.01, "relative difference", "measured on published inference logs")
    arrival_low: float = Threshold(0.98, "rate x window / queries", "measured on published inference logs")
    arrival_high: float = Threshold(1.25, "rate x window / queries", "measured on published inference logs")


@rule(
    "F50",
    "headline-not-in-trace",
    effect=REFUTES,
    confidence=C3,
    applies="(has(trace) or has(window)) and measured",
    origin="MEAS",
    also=("F07",),
    thresholds=Thresholds,
)
def headline_not_in_trace(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A printed number that start and stop, counts and latencies of the logs contradict.

    ## What it does
    Forms the headline anew. A training time: from the starts and stops of the runs, under the statistic that the claim
    names, with and without failed runs, and for a trimmed mean also of every window of consecutive runs, unless the
    document says that all its logs count. A rate in a unit in which the log prints one: that. A rate of work
    that is there at once: samples over the largest latency, by the log or by its summary alone. A rate of arriving
    queries: rate times window over queries. Queries one at a time: mean latency times queries, which must fit into the
    trace.

    ## Why it misleads
    The number that readers compare is not the one that was measured.

    ## Branches
    - (a) refutes, C3: the training time is none of these beyond its rounding, or a run's time differs from its stop
      minus its start by more than a millisecond; the batch rate is off by more than 1 %; the arrival quotient lies
      outside 0.98 to 1.25; or the latencies do not fit into the trace. A training time that is off by at most 1 %
      is a caveat.
    - not applicable: the claim has no absolute number of these kinds, or the logs do not hold what it follows from.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"value": "36.115"}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, whose 38.115 minutes are the mean of the middle three runs.

    ## How to fix
    State the value that follows from the logs.

    ## References
    Tolerances measured on published logs.
    """
    headline = _headline(claim)
    if headline is None:
        yield Inapplicable("the claim prints no absolute number")
        return
    printed, value, unit, at = headline
    if claim.mode == "training" and field_of("quantity", claim, case) == "time" and seconds(unit) is not None:
        yield from _training(claim, case, printed, value, unit, at)
    elif claim.mode == "inference":
        yield from _inference(claim, case, printed, value, unit, at, thresholds)
    else:
        yield Inapplicable("no time or rate that logs give")


def _headline(claim: Claim) -> tuple[str, Span, str, str] | None:
    """Return the printed number of a claim, its interval, unit and place."""
    if claim.form != "absolute" or claim.value is None or claim.unit is None:
        return None
    return claim.value, span(claim.value, claim.qualifier, claim.digits), claim.unit, claim.place("value")


def _training(claim: Claim, case: Case, printed: str, value: Span, unit: str, at: str) -> Iterator[Branch]:
    runs = [run for run in case.runs(claim) if run.role == "training" and run.trace.events]
    factor = seconds(unit)
    assert factor is not None
    yield from _single(claim, case, runs)
    statistic = str(field_of("statistic", claim, case))
    ordered = sorted(runs, key=lambda run: started_ms(run) or 0.0)
    if not ordered or any(duration_s(run) is None for run in ordered):
        yield Inapplicable("a run's start or stop is not logged once")
        return
    whole = _all_count(claim, case, len(ordered))
    scores = scores_s(times_s(ordered), statistic, whole=whole)
    if statistic == "mean" and field_of("suite", claim, case) == "training":
        scores += scores_s(times_s(ordered), "trimmed_mean", whole=whole)
    spans = [Span(Decimal(repr(score)) - ONE_MS, Decimal(repr(score)) + ONE_MS) for score in scores]
    claimed = value * exact(float(factor))
    if not spans:
        yield Inapplicable(f"no {statistic} follows from the runs")
        return
    nearest = min(spans, key=lambda each: gap(claimed, each))
    if gap(claimed, nearest) > 0:
        distance = gap(claimed, nearest)
        recomputed = Decimal(repr(scores[spans.index(nearest)])) / factor
        cause = likely_cause(claimed, nearest) if nearest.low > 0 else ""
        shown = told_apart(value, Span(recomputed, recomputed))[1]
        message = f"{printed} {unit} are claimed; {len(ordered)} logs give {shown} {unit}{cause}"
        related = tuple(
            Related(run.trace.place(event), run.name) for run in ordered[:3] for event in run.trace.of("run_stop")
        )
        effect = weighed(REFUTES, distance)
        yield Violation("a", effect, C3, message, at, f"{printed} {unit}", f"{shown} {unit}", related)


def _all_count(claim: Claim, case: Case, logs: int) -> bool:
    """Whether the document says that its number is one of all runs whose logs there are."""
    metric = case.metric(claim.measured)
    planned = metric.n.planned if metric is not None and metric.n is not None else None
    return logs in {planned, metric.trials if metric is not None else None}


def _single(claim: Claim, case: Case, runs: list[Logged]) -> Iterator[Violation]:
    """Hold the time of each run that the document states against the run's own log."""
    side = case.subject(claim)
    if side is None or field_of("suite", claim, case) != "training":
        return
    for run in runs:
        trial, time = side.arm.trials.get(run.id), duration_s(run)
        if trial is None or trial.wall_s is None or time is None:
            continue
        logged = Span(Decimal(repr(time)) - ONE_MS, Decimal(repr(time)) + ONE_MS)
        stated = given(trial.wall_s)
        if not stated.meets(logged):
            message = f"{trial.wall_s:g} s are stated for {run.name}; its stop is {time:.3f} s after its start"
            related = tuple(
                Related(run.trace.place(event), event.key) for event in run.trace.of("run_start", "run_stop")
            )
            effect = weighed(REFUTES, gap(stated, logged))
            at, shown = trial.place("wall_s"), (f"{trial.wall_s:g} s", f"{time:.3f} s")
            yield Violation("a", effect, C3, message, at, *shown, related)


def _inference(
    claim: Claim, case: Case, printed: str, value: Span, unit: str, at: str, thresholds: Thresholds
) -> Iterator[Branch]:
    runs = [run for run in case.runs(claim) if run.role == "performance" and run.run.window is not None]
    found = [(run, _scenario(claim, run)) for run in runs]
    judged = [
        result for run, scenario in found if (result := _by_window(run, scenario, value, unit, thresholds)) is not None
    ]
    if not judged:
        yield Inapplicable("no log holds the counts and times that the number follows from")
        return
    if any(words == "" for words, _, _ in judged):
        return
    words, recomputed, place = judged[0]
    message = f"{printed} {unit} are claimed; {words}"
    yield Violation("a", REFUTES, C3, message, at, f"{printed} {unit}", recomputed, (Related(place, recomputed),))


def _scenario(claim: Claim, run: Logged) -> str:
    stated = claim.suite_result.scenario if claim.suite_result is not None else None
    logged = next((event.value for event in run.trace.of("effective_scenario")), None)
    return str(stated or run.run.summary.get("scenario") or logged or "").casefold().replace(" ", "")


def _by_window(
    run: Logged, scenario: str, value: Span, unit: str, thresholds: Thresholds
) -> tuple[str, str, str] | None:
    """Return words, recomputed value and place: no words where the headline holds, None where nothing tells."""
    window = run.run.window
    assert window is not None
    rate = unit.casefold().startswith(WORK) and unit.casefold().endswith(("/s", "per second", "per s"))
    work, latency = window.work, window.largest_latency_s
    if scenario == "offline" and rate and work and latency and math.isfinite(work / latency):
        batch = exact(work / latency)
        holds = value.meets(batch.widened(thresholds.batch))
        words = f"{work:,.0f} samples in {latency:.6g} s are {short(batch.low)} a second"
        return ("" if holds else words), f"{short(batch.low)}/s", window.at
    if scenario == "server" and rate and window.work and (window.trace_s or window.wall_s):
        return _arrival(window, value, thresholds)
    if scenario == "singlestream":
        return _one_at_a_time(run, window)
    return _printed(run, value, unit, thresholds) if scenario in {"offline", "server"} else None


def _printed(run: Logged, value: Span, unit: str, thresholds: Thresholds) -> tuple[str, str, str] | None:
    """Hold a rate against the one that the log prints in the same unit."""
    keys = PRINTED.get("".join(unit.casefold().split()), ())
    events = [event for event in run.trace.of(*keys) if event.number is not None]
    if len({event.number for event in events}) != 1 or events[0].number is None:
        return None
    rate = exact(events[0].number)
    holds = value.meets(rate.widened(thresholds.batch))
    return (
        ("" if holds else f"{run.name} logs {short(rate.low)}"),
        f"{short(rate.low)} {unit}",
        run.trace.place(events[0]),
    )


def _arrival(window: RunWindow, value: Span, thresholds: Thresholds) -> tuple[str, str, str]:
    assert window.work is not None
    allowed = Span(Decimal(str(thresholds.arrival_low)), Decimal(str(thresholds.arrival_high)))
    lengths = [length for length in (window.trace_s, window.wall_s) if length]
    quotients = [value * exact(length / window.work) for length in lengths]
    words = (
        f"in {lengths[0]:.6g} s that would be {short((value * exact(lengths[0])).low)} of {window.work:,.0f} queries"
    )
    rate = f"{short(window.work / lengths[0])}/s"
    return ("" if any(quotient.meets(allowed) for quotient in quotients) else words), rate, window.at


def _one_at_a_time(run: Logged, window: RunWindow) -> tuple[str, str, str] | None:
    means = [event.number for event in run.trace.of("result_mean_latency_ns") if event.number is not None]
    printed = run.run.summary.get("mean_latency_ns")
    mean = means[0] if means else float(printed) if isinstance(printed, int | float) else None
    if mean is None or not window.work or not window.trace_s:
        return None
    total = mean * 1e-9 * window.work
    holds = total <= 1.01 * window.trace_s + 0.05
    words = f"{window.work:,.0f} queries of {mean * 1e-6:.6g} ms take {total:.6g} s, the trace {window.trace_s:.6g} s"
    return ("" if holds else words), f"{total:.6g} s", window.at
