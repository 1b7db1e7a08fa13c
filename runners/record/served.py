"""The numbers of a served arm, from the requests of its trials: rates over the window, and latencies with their tails.

A rate is work over the window, from when the first request was due to the last end: requests overlap, so that no time
of one of them tells it. Requests without an answer stay in the window, count as failed, and meet no objective.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ...rules.statistics.intervals import median, quantile
from ...schemas.requests import Requests, columns, gaps_s, output_tokens, window_s
from .events import Events
from .intervals import of_pooled_percentile, over_logs
from .summary import interval_record, printed

PERCENTILES = (50, 90, 95, 99, 99.9)
TAILS = (90, 99)
"""Percentiles that have an interval of their own."""
ENOUGH = 5
"""Requests that lie beyond a percentile, at least, for it to be told: those of all trials together."""
KEPT_UP = 0.85
"""Share of the offered rate below which a load was not kept up with."""
PARTS = {"latency": "latency_s", "ttft": "ttft_s", "tpot": "tpot_s"}
Trial = tuple[Events, Requests]


def answered(trials: Sequence[Events]) -> list[Trial]:
    """Return the trials with requests of which one was answered at least."""
    return [(one, one.requests) for one in trials if one.requests is not None and one.requests.completed]


def performance(trials: Sequence[Events], planned: int) -> dict[str, Any]:
    """Return the metrics of an arm.

    Args:
        trials: its completed throughput trials.
        planned: requests that were planned at least for all of its trials.
    """
    served = answered(trials)
    if not served or served[0][0].options is None:
        return {}
    options = served[0][0].options
    completed = sum(len(requests.completed) for _, requests in served)
    planned = max(planned, sum(len(requests.outcome) for _, requests in served))
    n = {
        "unit": "request",
        "planned": planned,
        "completed": completed,
        "failed": planned - completed,
        "excluded": 0,
    }
    shared = {"n": n, "trials": len(served)} | ({"load": options.load} if options.load else {})
    latencies = _latencies(served) | _tails(served)
    found = {
        "rate": _rate(served, f"{options.work_unit}/s", [work(*one) for one in served]) | shared,
        **{name: metric | shared for name, metric in latencies.items()},
    }
    if whole := _came_whole(served):
        of_a_token = n | {"completed": completed - whole, "excluded": whole}
        found |= {name: found[name] | {"n": of_a_token} for name in found if name.startswith("tpot")}
    if options.work_unit != "requests":
        counts = [float(len(requests.completed)) for _, requests in served]
        found["request_rate"] = _rate(served, "requests/s", counts) | shared
    if options.objective:
        kept = [float(len(meeting(requests, options.objective))) for _, requests in served]
        found["goodput"] = _rate(served, "requests/s", kept) | shared | {"objective": options.objective}
    return found


def work(events: Events, requests: Requests) -> float:
    """Return the work of a trial's answered requests: their output tokens, or as much for each as the options tell."""
    options = events.options
    assert options is not None
    tokens = output_tokens(requests)
    if options.work_unit == "tokens" and tokens:
        return math.fsum(tokens[row] or 0.0 for row in requests.completed)
    return options.work_per_iteration * len(requests.completed)


def discards(trials: Sequence[Events]) -> dict[str, Any]:
    """Return by what rule some of the answers count in some of the numbers only, in the shape of `measurement`."""
    if not _came_whole(answered(trials)):
        return {}
    return {"discard_rule": "an answer that came in one chunk has no time per output token"}


def _came_whole(trials: Sequence[Trial]) -> int:
    """Return how many answers came in one chunk, where each trial has others, which show a time per token."""
    taken = [len(columns(requests).get("tpot_s", ())) for _, requests in trials]
    return sum(len(requests.completed) for _, requests in trials) - sum(taken) if all(taken) else 0


def rates(trials: Sequence[Trial], done: Sequence[float]) -> list[float]:
    """Return work over the window of each trial."""
    return [amount / _length_s(requests) for (_, requests), amount in zip(trials, done, strict=True)]


def saturated(events: Events) -> bool:
    """Whether a service answered clearly fewer requests a second than an open loop offered: its queue grew."""
    requests = events.requests
    if requests is None or events.options is None or events.options.load.get("loop") != "open":
        return False
    span_s = max(requests.scheduled_s) - min(requests.scheduled_s)
    if span_s <= 0:
        return False
    offered = (len(requests.outcome) - 1) / span_s
    return len(requests.completed) / _length_s(requests) < KEPT_UP * offered


def meeting(requests: Requests, objective: dict[str, float]) -> list[int]:
    """Return the rows of the answered requests that keep every bound of an objective."""
    tokens, asked = output_tokens(requests), requests.input_tokens or requests.tokenizer_input_tokens
    kept = []
    for row in requests.completed:
        due, first, end = requests.scheduled_s[row], None, requests.ended_s[row]
        if requests.first_content_s:
            first = requests.first_content_s[row]
        bound = objective.get("ttft_s")
        if bound is not None:
            grows = objective.get("ttft_s_per_prompt_token", 0.0) * ((asked[row] if asked else None) or 0.0)
            if first is None or first - due > bound + grows:
                continue
        count = tokens[row] if tokens else None
        each = (end - first) / (count - 1) if None not in (end, first) and count and count > 1 else 0.0  # type: ignore[operator]
        if each > objective.get("tpot_s", math.inf) or (end or math.inf) - due > objective.get("latency_s", math.inf):
            continue
        kept.append(row)
    return kept


def _length_s(requests: Requests) -> float:
    span = window_s(requests)
    assert span is not None
    return max(span[1] - span[0], 1e-9)


def _rate(trials: Sequence[Trial], unit: str, done: Sequence[float]) -> dict[str, Any]:
    whole, wall_s = math.fsum(done), math.fsum(_length_s(requests) for _, requests in trials)
    value: dict[str, Any] = {
        "quantity": "rate",
        "value": printed(whole / wall_s),
        "unit": unit,
        "statistic": "mean",
        "scope": "serving_window",
        "work": whole,
        "wall_s": wall_s,
    }
    each = rates(trials, done)
    if min(each) > 0 and (found := over_logs(each)) is not None:
        value["interval"] = interval_record(found, "t on logs of the trials' rates")
    return value


def _latencies(trials: Sequence[Trial]) -> dict[str, Any]:
    """Return the median of each latency, with its tail, and the 99th percentile where enough requests lie beyond it."""
    series = [columns(requests) for _, requests in trials]
    taken = {name: [list(one[key]) for one in series if key in one] for name, key in PARTS.items()}
    taken["gap"] = [found for _, requests in trials if (found := gaps_s(requests))]
    taken["ttft_any_chunk"] = [found for _, requests in trials if (found := _any_chunk(requests))]
    taken["ttft_from_sent"] = [found for _, requests in trials if (found := _from_sent(requests))]
    metrics = {}
    for name, values in taken.items():
        if len(values) == len(trials):
            metrics[name] = _latency(values, PARTS.get(name))
    return metrics


def _latency(values: Sequence[Sequence[float]], column: str | None) -> dict[str, Any]:
    together = [value for one in values for value in one]
    told = [percent for percent in PERCENTILES if percent == 50 or len(together) * (1 - percent / 100) >= ENOUGH]
    percentiles = {f"{percent:g}": printed(quantile(together, percent / 100)) for percent in told}
    value: dict[str, Any] = {
        "quantity": "latency",
        "value": percentiles["50"],
        "unit": "s",
        "statistic": "median",
        "scope": "request",
        "summary": {
            "mean": printed(math.fsum(together) / len(together)),
            "percentiles": percentiles,
            "max": printed(max(together)),
        },
    }
    if column is not None:
        value["column"] = column
    medians = [median(one) for one in values]
    if min(medians) > 0 and (found := over_logs(medians)) is not None:
        value["interval"] = interval_record(found, "t on logs of the trials' medians")
    return value


def _tails(trials: Sequence[Trial]) -> dict[str, Any]:
    """Return the slow percentiles of each latency with an interval that the trials give, where the requests suffice."""
    metrics = {}
    for name, column in PARTS.items():
        series = [list(taken) for _, requests in trials if (taken := columns(requests).get(column))]
        together = [value for one in series for value in one]
        for percent in TAILS:
            if len(series) < len(trials) or len(together) * (1 - percent / 100) < ENOUGH:
                continue
            value = printed(quantile(together, percent / 100))
            metric = {
                "quantity": "latency",
                "value": value,
                "unit": "s",
                "statistic": "percentile",
                "scope": "request",
                "column": column,
                "summary": {"percentiles": {f"{percent:g}": value}},
            }
            if (found := of_pooled_percentile(series, percent)) is not None:
                metric["interval"] = interval_record(found, "Woodruff's, t over the trials' shares below it")
            metrics[f"{name}_p{percent:g}"] = metric
    return metrics


def quality(trials: Mapping[int, Events]) -> dict[str, Any]:
    """Return the quality of what was served, by metric: the median over the trials, each of which asked its own server.

    Args:
        trials: by seed, each with an evaluation at least.
    """
    told = {seed: events.evaluations[-1] for seed, events in trials.items()}
    outputs = [events.outputs for events in trials.values() if events.outputs is not None]
    last = next(iter(told.values()))
    found = {}
    for metric in last.metrics:
        values = {seed: value for seed, one in told.items() if (value := one.metrics.get(metric)) is not None}
        if not values:
            continue
        quality: dict[str, Any] = {
            "metric": metric,
            "value": printed(median(list(values.values()))),
            "direction": "higher",
            "split": last.split,
            "examples": last.examples,
            "counted": last.correct is not None,
            "averaging": "median over trials",
            "seeds": {str(seed): printed(value) for seed, value in values.items()},
        }
        if outputs:
            quality["output_length"] = {
                "generated": printed(median([one.generated for one in outputs])),
                "reference": printed(median([one.reference for one in outputs])),
            }
        found[metric] = quality
    return found


def _any_chunk(requests: Requests) -> list[float]:
    return _since(requests, requests.first_chunk_s, requests.scheduled_s)


def _from_sent(requests: Requests) -> list[float]:
    return _since(requests, requests.first_content_s, requests.sent_s)


def _since(requests: Requests, times: Sequence[float | None], since: Sequence[float | None]) -> list[float]:
    pairs = [(times[row], since[row]) for row in requests.completed] if times else []
    known = [end - began for end, began in pairs if end is not None and began is not None]
    return known if len(known) == len(pairs) else []
