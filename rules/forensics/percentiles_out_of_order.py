"""F10: percentiles that fall where they must rise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...schemas.evidence import Metric, Summary
from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.discrepancy import gap, told_apart, weighed
from ..facts.quantities.likely_cause import repair
from ..facts.quantities.stated_metrics import stated_metrics
from ..language.printed import Span, span
from ..outcome import C3, REFUTES, Branch, Inapplicable, Related, Violation
from ..registry import rule
from ..trace import Logged

JUDGED = frozenset({"performance"})
RANKS = ("50.00", "90.00", "95.00", "97.00", "99.00", "99.90")
COMPLETE = {0, 50, 90, 99, 100}


@rule(
    "F10",
    "percentiles-out-of-order",
    effect=REFUTES,
    confidence=C3,
    applies="has(percentiles) or has(summary)",
    origin="S4",
)
def percentiles_out_of_order(claim: Claim, case: Case) -> Iterator[Branch]:
    """Percentiles of one population that are not in order, or a mean above the maximum.

    ## What it does
    Sorts the printed percentiles of one metric, with minimum, median and maximum as the 0th, 50th and 100th, and checks
    that they never fall: of the claim's own metric, of the latencies of which it promises a percentile, and of those
    that the summaries of its runs print. Rates may be listed either way: their 99th percentile is often meant as the
    slow end.

    ## Why it misleads
    Percentiles of different runs, or of different metrics, stand in one row.

    ## Branches
    - (a) refutes, C3: a higher percentile is below a lower one, beyond rounding, or the mean is above the maximum;
      a caveat where it is by at most 1 %.
    - not applicable: what is given is in order, and not all of mean, minimum, maximum and the 50th, 90th and 99th
      percentile are.

    ## Flagged
    On `serving` for claim `latency`:
    ```json
    {"arms": {"server": {"performance": {"latency": {"summary": {"percentiles": {"90": "2.95"}}}}}}}
    ```

    ## Accepted
    On `serving` for claim `latency`: 2.500, 2.699 and 2.857 s, between 2.071 and 3.066 s.

    ## How to fix
    Take all percentiles from one set of requests.

    ## References
    A quantile function does not fall.
    """
    stated = [metric for _, metric in stated_metrics(claim, case)]
    stated += [metric for metric in _promised(claim, case) if metric not in stated]
    for metric in stated:
        yield from _judged(metric)
    printed = list(_printed(claim, case))
    if not any(_told(metric) for metric in stated):
        yield from printed
    if not stated:
        yield Inapplicable("fewer than two percentiles of one population are given")


def _told(metric: Metric) -> bool:
    """Whether the percentiles of a metric fall: the summary that they were read from need not be named again."""
    return metric.summary is not None and bool(ladder := _ladder(metric.summary)) and bool(list(_falls(ladder)))


def _printed(claim: Claim, case: Case) -> Iterator[Violation]:
    """Yield the runs in whose summaries a percentile of the latency falls."""
    for run in case.runs(claim):
        if run.role not in JUDGED:
            continue
        ladder, names = _latencies(run)
        falls = list(_falls(ladder)) if len(ladder) > 1 else []
        if falls:
            (low, below), (high, above) = falls[0]
            upper, lower = told_apart(above, below)
            message = f"the {high:g}th percentile of {run.name}, {upper} ns, is below the {low:g}th, {lower} ns"
            related = (Related(run.place("summary", names[low]), f"the {low:g}th percentile"),)
            effect = weighed(REFUTES, max(gap(left[1], right[1]) for left, right in falls))
            at = run.place("summary", names[high])
            yield Violation("a", effect, C3, f"{message}{_cause(ladder)}", at, str(above), related=related)


def _latencies(run: Logged) -> tuple[list[tuple[float, Span]], dict[float, str]]:
    """Return the percentiles of the latency of a run's queries by rank, and what its summary calls them."""
    names = {float(rank): f"{rank}_percentile_latency_ns" for rank in RANKS}
    names |= {0.0: "min_latency_ns", 100.0: "max_latency_ns"}
    printed = {rank: str(run.run.summary[name]) for rank, name in names.items() if name in run.run.summary}
    return [(rank, span(text)) for rank, text in sorted(printed.items()) if text.isdigit()], names


def _promised(claim: Claim, case: Case) -> list[Metric]:
    """Return the latencies of the claim's arm, where the claim promises a percentile of them."""
    side = case.subject(claim) if claim.latency_bound is not None else None
    return [metric for metric in side.arm.performance.values() if metric.quantity == "latency"] if side else []


def _judged(metric: Metric) -> Iterator[Branch]:
    summary = metric.summary
    ladder = _ladder(summary) if summary is not None else []
    if summary is None or len(ladder) < 2:
        yield Inapplicable("fewer than two percentiles of one population are given")
        return
    falls = list(_falls(ladder))
    if falls and not (metric.quantity == "rate" and _falls_throughout(metric, ladder)):
        (low, below), (high, above) = falls[0]
        upper, lower = told_apart(above, below)
        message = f"the {high:g}th percentile, {upper}, is below the {low:g}th, {lower}{_cause(ladder)}"
        places = dict(_places(summary))
        related = (Related(places[low], f"the {low:g}th percentile"),)
        effect = weighed(REFUTES, max(gap(left[1], right[1]) for left, right in falls))
        yield Violation("a", effect, C3, message, places[high], str(above), related=related)
    mean, most = summary.mean, summary.max
    if mean is not None and most is not None and span(mean).low > span(most).high:
        message = f"the mean, {mean}, is above the maximum, {most}"
        effect = weighed(REFUTES, gap(span(mean), span(most)))
        yield Violation("a", effect, C3, message, summary.place("mean"), mean)
    elif mean is None or not {percent for percent, _ in ladder} >= COMPLETE:
        yield Inapplicable("not all of mean, extremes, 50th, 90th and 99th percentile are given")


def _ladder(summary: Summary) -> list[tuple[float, Span]]:
    """Return the percentiles with extremes and median, by rank; the name of each is its percentage."""
    named = {0.0: summary.min, 50.0: summary.median, 100.0: summary.max}
    found = [(percent, span(text)) for percent, text in named.items() if text is not None]
    found += [(percent, span(summary.percentiles[key])) for percent, key in _keys(summary)]
    return sorted(found, key=lambda item: item[0])


def _keys(summary: Summary) -> Iterator[tuple[float, str]]:
    for key in summary.percentiles:
        try:
            percent = float(key.casefold().removeprefix("p"))
        except ValueError:
            continue
        if 0 <= percent <= 100:
            yield percent, key


def _places(summary: Summary) -> Iterator[tuple[float, str]]:
    named = {0.0: "min", 50.0: "median", 100.0: "max"}
    yield from ((percent, summary.place(name)) for percent, name in named.items() if getattr(summary, name) is not None)
    yield from ((percent, summary.place("percentiles", key)) for percent, key in _keys(summary))


def _falls(ladder: list[tuple[float, Span]]) -> Iterator[tuple[tuple[float, Span], tuple[float, Span]]]:
    """Yield pairs of percentiles of which the higher one lies below the lower one, whatever the rounding."""
    highest = ladder[0]
    for item in ladder[1:]:
        if item[0] > highest[0] and item[1].high < highest[1].low:
            yield highest, item
        if item[1].low > highest[1].low:
            highest = item


def _cause(ladder: list[tuple[float, Span]]) -> str:
    """Return the slip that would explain the fall; a percentile that is given twice counts once."""
    percents = dict.fromkeys(percent for percent, _ in ladder)
    named = {f"the {percent:g}th": value for percent, value in ladder}

    def rises(values: Mapping[str, Span]) -> bool:
        return not list(_falls([(percent, values[f"the {percent:g}th"]) for percent in percents]))

    return repair(named, rises)


def _falls_throughout(metric: Metric, ladder: list[tuple[float, Span]]) -> bool:
    """Whether a rate's percentiles are listed from the fast end to the slow one, extremes aside."""
    inner = [(100 - percent, value) for percent, value in reversed(ladder) if percent not in {0, 50, 100}]
    return len(inner) < 2 or not list(_falls(inner))
