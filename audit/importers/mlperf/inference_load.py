"""What a scenario of LoadGen says of a run's load, its requests and its latencies: the generator's own definitions."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from ..draft import Origin
from ..drafting import stated
from .inference_run import Logs, work_of

if TYPE_CHECKING:
    from ..fields import (
        LatencyBoundFields,
        LoadFields,
        MetricFields,
        RepetitionsFields,
        SummaryFields,
        TokenTimesFields,
    )

ARRIVALS: dict[str, LoadFields] = {
    "offline": {"arrival": "all at once", "loop": "open"},
    "server": {"arrival": "Poisson", "loop": "open"},
    "interactive": {"arrival": "Poisson", "loop": "open"},
    "singlestream": {"arrival": "one after the other", "loop": "closed", "concurrency": 1},
    "multistream": {"arrival": "one query after the other", "loop": "closed"},
}
PERCENTILES = ("50.00", "90.00", "95.00", "97.00", "99.00", "99.90")
BOUNDED = frozenset({"server", "interactive"})


def requests_of(logs: Logs) -> RepetitionsFields:
    """Return how many requests were answered, and that none failed where the generator counts no error."""
    work = work_of(logs)
    errors = logs.figures.errors if logs.figures is not None else None
    failed: RepetitionsFields = {"failed": 0} if errors == 0 else {}
    if work is None or work < 1 or not work.is_integer() or work > 2**53:
        return {"unit": "request", **failed} if failed else {}
    return {"unit": "request", "completed": int(work), **failed}


def load_of(scenario: str, work: str | None) -> LoadFields:
    """Return the load of a scenario; a rate of tokens counts those that were generated."""
    found: LoadFields = {**ARRIVALS.get(scenario.casefold(), {})}
    if work == "tokens":
        found["tokens_counted"] = "output"
    return found


def tokens_of(logs: Logs, scenario: str, work: str | None) -> float | None:
    """Return the tokens that the answered requests of a run were given: rate of tokens over rate of requests."""
    count = work_of(logs)
    if work != "tokens" or count is None or logs.figures is None:
        return None
    of_all = ("tokens_per_second", "samples_per_second")
    names = of_all if scenario.casefold() == "offline" else tuple(f"completed_{name}" for name in of_all)
    tokens, requests = (logs.figures.number(name) for name in names)
    return round(tokens / requests * count) if tokens and requests and tokens > 0 < requests else None


def latency_of(logs: Logs, scenario: str) -> MetricFields:
    """Return the latencies of single queries as the summary prints them; offline, all come in one query."""
    figures = logs.figures
    if figures is None or scenario.casefold() == "offline":
        return {}
    percentiles = _percentiles(logs, "latency_ns")
    headline = "90" if scenario.casefold() == "singlestream" else "99"
    if headline not in percentiles:
        return {}
    texts = (figures.text(f"{name}_latency_ns") for name in ("mean", "min", "max"))
    mean, least, most = (text if text is not None and text.isdigit() else None for text in texts)
    summary: SummaryFields = {"percentiles": percentiles, "mean": mean, "min": least, "max": most}
    value = percentiles[headline]
    return {"quantity": "latency", "value": value, "unit": "ns", "statistic": "percentile", "summary": stated(summary)}


def latency_origins(logs: Logs, name: str = "latency_ns") -> dict[tuple[str, ...], Origin]:
    """Return where the summary of a run prints a latency, by the steps to it within the summary of a metric."""
    figures, file = logs.figures, logs.summary
    if figures is None or file is None:
        return {}
    keys: dict[tuple[str, ...], str] = {(part,): f"{part}_{name}" for part in ("mean", "min", "max")}
    keys |= {("percentiles", f"{float(rank):g}"): f"{rank}_percentile_{name}" for rank in PERCENTILES}
    return {steps: Origin(file.name, figures.lines[key]) for steps, key in keys.items() if key in figures.lines}


def bound_of(logs: Logs, scenario: str) -> LatencyBoundFields:
    """Return the latency that a service promises: of whole queries, or of the first token."""
    bound = logs.number("effective_target_latency_ns", "target_latency_ns")
    first = logs.number("effective_ttft_latency", "ttft_latency_ns")
    found = first or bound
    if scenario.casefold() not in BOUNDED or found is None or not 0 < found < 1e15:
        return {}
    part: LatencyBoundFields = {"part": "first_token"} if first else {}
    return {"value": _ms(found), "unit": "ms", "percentile": "99", **part}


def token_times_of(logs: Logs) -> TokenTimesFields:
    """Return the 99th percentiles of the time to the first token and per further token."""
    figures = logs.figures
    first = figures.number("99.00_percentile_first_token_latency_ns") if figures is not None else None
    following = figures.number("99.00_percentile_time_to_output_token_ns") if figures is not None else None
    if first is None or following is None or not 0 < first < 1e15 or not 0 < following < 1e15:
        return {}
    return {"unit": "ms", "first_token": _ms(first), "per_output_token": _ms(following), "statistic": "percentile"}


TOKENS = {"ttft": "first_token_latency_ns", "tpot": "time_to_output_token_ns"}
"""Latencies of the parts of an answer, as a metric and as the summary names them behind the rank."""


def parts_of(logs: Logs) -> dict[str, MetricFields]:
    """Return the percentiles of the time to the first token and per further token as the summary prints them."""
    found: dict[str, MetricFields] = {}
    for metric, name in TOKENS.items() if logs.figures is not None else ():
        percentiles = _percentiles(logs, name)
        if "99" in percentiles:
            found[metric] = {"quantity": "latency", "value": percentiles["99"], "unit": "ns", "statistic": "percentile"}
            found[metric]["summary"] = {"percentiles": percentiles}
    return found


def _percentiles(logs: Logs, name: str) -> dict[str, str]:
    """Return the percentiles that a summary prints of a latency, by rank."""
    figures = logs.figures
    held = {f"{float(rank):g}": f"{rank}_percentile_{name}" for rank in PERCENTILES}
    found = {rank: figures.text(key) for rank, key in held.items()} if figures is not None else {}
    return {rank: text for rank, text in found.items() if text is not None and text.isdigit()}


def _ms(nanoseconds: float) -> str:
    return f"{Decimal(int(nanoseconds)) / 10**6:f}"
