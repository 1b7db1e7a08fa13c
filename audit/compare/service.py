"""What two measured services must have alike to be compared, and their rates trial by trial, from their requests.

A rate is the work of the answered requests over the window of a trial. Lengths that were drawn differ from study to
study: they are of two kinds where their distributions are certainly two (Kolmogorov and Smirnov), or do not overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from ...rules.case import Case, Side
from ...rules.facts.comparison.arms import PerTrial, timed
from ...runners.record.served import meeting
from ...schemas.evidence import Load, Metric
from ...schemas.requests import Numbers, Requests, output_tokens, window_s
from .differing import Differing, fields, shown

CERTAIN = 0.001
"""Error with which lengths of one distribution are taken for two."""
COUNTED = 0.02
"""Share by which loads differ that are counted in each of two runs."""
OFFERED = ("loop", "arrival", "tokens_counted", "request_rate", "concurrency", "duplicate_prompts")
OF_SERVER = ("batching", "prefix_cache", "speculation", "tokenizer", "client")
OF_OBJECTIVE = ("ttft_s", "ttft_s_per_prompt_token", "tpot_s", "latency_s")


def load_of(old: Side, new: Side) -> tuple[Differing, ...]:
    """Return what differs in what two services were asked: the load, and the lengths of prompts and answers."""
    left, right = _load(old), _load(new)
    if left is None or right is None:
        return ()
    offered = [item for item in fields(left, right, OFFERED) if not _counted(left, right, item.what)]
    return (*offered, *_lengths(old, new, left, right))


def conditions_of(old: Side, new: Side) -> tuple[Differing, ...]:
    """Return what else differs between two services: their own ways, and the share of requests that they answered."""
    left, right = _load(old), _load(new)
    if left is None or right is None:
        return ()
    counts = [side.arm.performance["rate"].n if "rate" in side.arm.performance else None for side in (old, new)]
    answered = [f"{n.completed} of {n.planned}" if n is not None else "" for n in counts]
    told = all(n is not None and n.failed is not None for n in counts) and any(
        n is not None and n.failed for n in counts
    )
    apart = told and answered[0] != answered[1]
    return (*fields(left, right, OF_SERVER), *([Differing("requests answered", *answered)] if apart else []))


def objectives(old: Metric, new: Metric) -> tuple[Differing, ...]:
    """Return the bounds that differ between what two metrics ask of every request."""
    one, other = old.objective, new.objective
    pairs = [(name, getattr(one, name, None), getattr(other, name, None)) for name in OF_OBJECTIVE]
    named = [(name, shown("none" if a is None else a), shown("none" if b is None else b)) for name, a, b in pairs]
    return tuple(Differing(name, a, b) for name, a, b in named if a != b)


def served_values(_case: Case, side: Side, metric: Metric, _whole_runs: bool) -> PerTrial | None:
    """Return a rate over the window of every completed trial; None where one has no requests, or none answered."""
    requests, names = dict(side.requests()), timed(side)
    if metric.quantity != "rate" or not names or any(name not in requests for name in names):
        return None
    trials = [requests[name] for name in names]
    spans = [window_s(one) for one in trials]
    work = _work(metric, trials)
    if work is None or any(span is None or span[1] <= span[0] for span in spans):
        return None
    values = tuple(work(one) / (span[1] - span[0]) for one, span in zip(trials, spans, strict=True) if span is not None)
    return PerTrial(values, True, side.arm.place("trials"), names)


def _work(metric: Metric, trials: Sequence[Requests]) -> Callable[[Requests], float] | None:
    """Return how much of a metric's work a trial did: its tokens, or as much for each request as all of them did."""
    if metric.objective is not None:
        bounds = {name: bound for name in OF_OBJECTIVE if (bound := getattr(metric.objective, name)) is not None}
        return lambda requests: float(len(meeting(requests, bounds)))
    if metric.unit == "tokens/s" and all(output_tokens(requests) for requests in trials):
        return lambda requests: sum(_of_answered(requests, output_tokens(requests)))
    answered = sum(len(requests.completed) for requests in trials)
    each = 1.0 if metric.unit == "requests/s" else (metric.work or 0.0) / answered if answered else 0.0
    return (lambda requests: each * len(requests.completed)) if each else None


def _load(side: Side) -> Load | None:
    return next((metric.load for metric in side.arm.performance.values() if metric.load is not None), None)


def _counted(left: Load, right: Load, name: str) -> bool:
    """Whether two numbers differ by no more than counting them again does, or are a result of the load."""
    if name not in ("request_rate", "concurrency", "duplicate_prompts"):
        return False
    closed = "closed" in (left.loop, right.loop)
    if name == "request_rate" and closed:
        return True
    if name == "concurrency" and not closed and left.request_rate is not None and right.request_rate is not None:
        return True
    one, other = getattr(left, name), getattr(right, name)
    return bool(abs(one - other) <= COUNTED * (1.0 if name == "duplicate_prompts" else max(abs(one), abs(other))))


def _lengths(old: Side, new: Side, left: Load, right: Load) -> Iterator[Differing]:
    both = [[requests for _, requests in side.requests()] for side in (old, new)]
    for name, column in (("prompt_length", _asked), ("output_length", _wanted)):
        one, other = ([*chain.from_iterable(column(requests) for requests in trials)] for trials in both)
        if one and other:
            if _apart(one, other):
                yield Differing(name, _told(one), _told(other))
        else:
            yield from fields(left, right, (name,))
    one, other = ([*chain.from_iterable(_came(requests) for requests in trials)] for trials in both)
    if one and other and _apart(one, other):
        yield Differing("output_tokens", _told(one), _told(other))


def _asked(requests: Requests) -> list[float]:
    return _known(requests.input_tokens or requests.tokenizer_input_tokens)


def _wanted(requests: Requests) -> list[float]:
    return _known(requests.asked_output_tokens)


def _came(requests: Requests) -> list[float]:
    return _of_answered(requests, output_tokens(requests))


def _of_answered(requests: Requests, column: Numbers) -> list[float]:
    return _known([column[row] for row in requests.completed] if column else [])


def _known(column: Sequence[float | None]) -> list[float]:
    return [value for value in column if value is not None]


def _apart(one: Sequence[float], other: Sequence[float]) -> bool:
    if max(one) < min(other) or max(other) < min(one):
        return True
    from scipy.stats import ks_2samp

    return bool(ks_2samp(one, other).pvalue < CERTAIN)


def _told(lengths: Sequence[float]) -> str:
    least, most = min(lengths), max(lengths)
    mean = sum(lengths) / len(lengths)
    return f"{least:g} tokens" if least == most else f"{mean:.4g} tokens on average, {least:g} to {most:g}"
