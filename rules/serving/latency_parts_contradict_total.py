"""L03: token times that do not add up to the time of the request."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from math import fsum
from statistics import fmean

from msgspec import Struct

from ...schemas.evidence import Metric, TokenTimes
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.quantities.discrepancy import gap
from ..facts.quantities.numbers import exact
from ..facts.quantities.per_second import seconds
from ..facts.series.raw_numbers import LARGEST, raw
from ..facts.serving.tokens import DEFINITIONS, Requests, expected_total, requests, share_off
from ..language.printed import Span, span
from ..outcome import C3, REFUTES, UNDERMINES, Branch, Inapplicable, Note, Violation
from ..registry import Threshold, rule

PARTS = ("ttft_s", "tpot_s", "output_tokens")


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    request: float = Threshold(0.02, "fraction of a request's time", "judgement")
    share: float = Threshold(0.05, "fraction of the requests", "judgement")
    means: float = Threshold(0.10, "fraction of the mean time", "measured on real serving reports")
    declared: float = Threshold(0.05, "fraction of the mean time, by a declared definition and one length", "judgement")


@rule(
    "L03",
    "latency-parts-contradict-total",
    effect=REFUTES,
    confidence=C3,
    applies="serving and llm and has(token_times)",
    origin="J, MEAS",
    thresholds=Thresholds,
)
def latency_parts_contradict_total(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Time to first token and time per output token that do not give the time of the request.

    ## What it does
    Adds the parts up by the declared definition of time per output token: after the first token, over all tokens, or
    the mean gap between arrivals (which, where several tokens arrive at once, only bounds the total). Per request
    where the columns `ttft_s`, `tpot_s`, `latency_s` and `output_tokens` are given, else from means of requests of
    one length.

    ## Why it misleads
    A time per token over the wrong count of tokens hides the wait for the first one, or the tokens that were not sent.

    ## Branches
    - (a) refutes, C3: by the declared definition more than 5 % of the requests are off by more than rounding and 2 %.
    - (b) undermines, C3: means, or requests without a declared definition: every definition that may be meant is off by
      more than 10 % (a declared one by more than 5 %, as means of requests of one length add up exactly); or a printed
      mean is off by more than 10 % from the mean of the requests that are listed for its load.
    - not applicable: means of requests of different lengths, percentiles, or no definition is declared and one fits
      (which is printed).

    ## Flagged
    On `serving` for claim `latency`:
    ```json
    {"arms": {"server": {"trials": {"t2": null, "t3": null, "t4": null, "t5": null, "t1": {"samples": {
       "ttft_s": [0.18, 0.181, 0.179], "tpot_s": [0.009, 0.009, 0.009], "latency_s": [2.5, 2.51, 2.49],
       "output_tokens": [129, 129, 129]}}}}}}
    ```

    ## Accepted
    On `serving` for claim `latency`, where 0.180 s + 128 x 0.0182 s = 2.51 s.

    ## How to fix
    Say how time per output token is defined, and compute it so.

    ## References
    MLPerf inference rules on time to first token and time per output token.
    """
    side, metric = case.subject(claim), case.metric(claim.measured)
    if side is None:
        yield Inapplicable("the claim names no arm")
        return
    times = _times(side, metric)
    speculation = metric.load.speculation if metric is not None and metric.load is not None else None
    found = requests(case, side)
    if found is not None:
        yield from _per_request(side, found, times.definition if times is not None else None, speculation, thresholds)
        if metric is not None and metric.token_times is not None:
            yield from _beside_requests(side, found, metric, metric.token_times, thresholds)
        return
    if any(name in columns for _, columns in raw(case, side) for name in PARTS):
        yield Inapplicable("the columns of token times per request are not complete")
    if times is not None:
        yield from _from_means(times, thresholds)
    else:
        yield Inapplicable("the token times are not given per request, nor as means")


def _times(side: Side, metric: Metric | None) -> TokenTimes | None:
    if metric is not None and metric.token_times is not None:
        return metric.token_times
    stated = [item.token_times for item in side.arm.performance.values() if item.token_times is not None]
    return stated[0] if len(stated) == 1 else None


def _per_request(
    side: Side, found: Requests, definition: str | None, speculation: str | None, thresholds: Thresholds
) -> Iterator[Branch]:
    single = speculation == "none"
    at = side.arm.place("trials")
    if definition is not None:
        off = share_off(found, definition, thresholds.request, single)
        if off > thresholds.share:
            message = (
                f"in {off:.0%} of the requests first token and time per token do not give the total ({definition})"
            )
            yield Violation("a", REFUTES, C3, message, at, recomputed=f"{off:.0%} of {len(found.total)} requests")
        return
    fitting = [name for name in DEFINITIONS if share_off(found, name, thresholds.means, single) <= thresholds.share]
    yield from _undeclared(fitting, at)


def _beside_requests(
    side: Side, found: Requests, metric: Metric, times: TokenTimes, thresholds: Thresholds
) -> Iterator[Branch]:
    """Judge the means that are printed beside requests: by their own sum, and by the means of the requests."""
    if times.statistic != "mean":
        return
    if times.constant_length is True and times.definition is not None and times.end_to_end is not None:
        yield from _from_means(times, thresholds)
    unit = seconds(times.unit)
    loads = {
        (metric.load.concurrency, metric.load.request_rate)
        for metric in side.arm.performance.values()
        if metric.load is not None
    }
    stated = metric.n.completed if metric.n is not None and metric.n.unit == "request" else None
    counts = () if stated is None else (stated, stated * max(1, metric.trials or 1))
    if unit is None or len(loads) != 1 or len(found.total) not in counts:
        return
    columns = (found.first, found.each, found.total, found.tokens)
    if any(min(column) < 0 or max(column) > LARGEST for column in columns):
        return
    gaps = [max(tokens - 1, 0) for tokens in found.tokens]
    weighted = fsum(each * n for each, n in zip(found.each, gaps, strict=True)) / (fsum(gaps) or 1)
    listed = {
        "first_token": (fmean(found.first),),
        "per_output_token": (fmean(found.each), weighted),
        "end_to_end": (fmean(found.total),),
    }
    allowed = Decimal(str(thresholds.means))
    for part, means in listed.items():
        printed = getattr(times, part)
        if printed is None or min(means) <= 0:
            continue
        mean_s = span(printed) * Span(unit, unit)
        if all(gap(mean_s, exact(mean)) > allowed for mean in means):
            message = f"the printed mean of {part} is {printed} {times.unit}; the listed requests give {means[0]:.4g} s"
            yield Violation("b", UNDERMINES, C3, message, times.place(part), printed, f"{means[0]:.4g} s")


def _from_means(times: TokenTimes, thresholds: Thresholds) -> Iterator[Branch]:
    if times.statistic not in {None, "mean"} or times.constant_length is not True or times.end_to_end is None:
        yield Inapplicable("only means of requests of one length add up")
        return
    names = DEFINITIONS if times.definition is None else (times.definition,)
    expected = {name: found for name in names if (found := expected_total(times, name)) is not None}
    if not expected:
        yield Inapplicable("a part of the token times is missing")
        return
    stated = span(times.end_to_end)
    allowed = Decimal(str(thresholds.means if times.definition is None else thresholds.declared))
    fitting = [name for name, found in expected.items() if gap(stated, found) <= allowed]
    if times.definition is not None and fitting:
        return
    if fitting:
        yield from _undeclared(fitting, times.at)
        return
    if len(expected) < len(names):
        yield Inapplicable("a part of the token times is missing")
        return
    nearest = min(expected.values(), key=lambda found: gap(stated, found))
    how = "by no definition of time per output token" if times.definition is None else f"({times.definition})"
    message = f"the parts give {nearest} {times.unit} {how}; {stated} is stated"
    yield Violation("b", UNDERMINES, C3, message, times.place("end_to_end"), times.end_to_end, str(nearest))


def _undeclared(fitting: list[str], at: str) -> Iterator[Branch]:
    if fitting:
        message = f"time per output token is not defined; what fits: {', '.join(fitting)}"
        yield Note(message)
        yield Inapplicable(message)
    else:
        yield Violation("b", UNDERMINES, C3, "the parts give the total by no definition of time per output token", at)
