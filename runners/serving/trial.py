"""One trial of `serving`: a server, the load generator's own overhead, the load, and the quality of what was served."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec

from ...rules.statistics.intervals import median, quantile
from ...schemas.errors import UserError
from ...schemas.requests import Requests, as_columns
from ..study.orders import Named, Order
from ..trial import events, pinning
from ..trial.execute import Progress
from ..workloads import parameters
from ..workloads.interface import Request
from ..workloads.options import settle
from . import harness, load, process, quality

NAME = "serving"
OVERHEAD_REQUESTS = 40
READINGS = 1000
CEILINGS_S = 120.0
"""Time in which the small server has to measure its ceilings."""
OVERHEAD_RATE = 50.0
"""Requests per second at which the overhead is measured, at least."""
Write = Callable[[events.AnyEvent], None]


def run(order: Order, source: Named, applied: pinning.Applied, write: Write, progress: Progress) -> None:
    """Run a trial to its end.

    Raises:
        UserError: the server does not start or answer, or a parameter is wrong.
    """
    try:
        import aiohttp  # noqa: F401
    except ModuleNotFoundError:
        todo = "pip install '.[serving]' in the checkout of dlaudit"
        raise UserError("aiohttp is not installed here", todo, "/workload") from None
    if order.throughput is None:
        todo = "leave `convergence`, `accounting` and `phases` out"
        raise UserError("a service can be neither trained nor profiled", todo, "/workload")
    asked = parameters.read(source.parameters, parameters.Serving, NAME)
    if asked.lm_eval is not None:
        harness.program(asked.lm_eval)  # before the load, which takes long
    try:
        with ExitStack() as stack:
            overhead = _overhead(asked, order.seed)
            url = asked.url or stack.enter_context(process.started("server", msgspec.to_builtins(asked)))
            _measure(order, asked, url, overhead, write, progress)
    finally:
        placed = pinning.placement(applied, os.getpid())  # the server is a child and inherits it
        write(events.Controls(records=pinning.records_of_child(applied, order.seed, placed)))


def _measure(
    order: Order, asked: parameters.Serving, url: str, overhead: dict[str, float], write: Write, progress: Progress
) -> None:
    from . import client

    assert order.throughput is not None
    warmup, count = order.throughput.warmup, order.throughput.iterations
    planned = load.plan(asked, warmup + count, order.seed)
    facts = process.fetched(url, "/v1/models") if asked.url is None else {}
    to = _endpoint(asked, url)
    closed = asked.concurrency if asked.arrival == "closed" else None
    counter = _counter(asked)
    clock = "CLOCK_MONOTONIC of the client"
    progress.timer = events.Timer(name=clock, resolution_s=1e-9, overhead_s=_reading_s())
    write(_options(order, asked, planned[warmup:], facts))
    write(events.Overhead(overhead=overhead))
    answers = client.run(to, planned, closed)
    if all(answer.outcome == "failed" for answer in answers):
        raise UserError(f"no request of {len(answers)} was answered by {url}", "see its log", "/workload")
    if warmup:
        _tell(client.table(planned[:warmup], answers[:warmup], counter), write, warmup=True)
    _tell(client.table(planned[warmup:], answers[warmup:], counter), write, warmup=False)
    if asked.roofline and asked.url is None:
        write(events.ServedWork(work=process.fetched(url, "/work", CEILINGS_S)))  # type: ignore[arg-type]
    for event in quality.measured(asked, to):
        write(event)
    if asked.lm_eval is not None and order.trial == f"{order.arm}-t1":
        for scored in harness.measured(asked, to, Path(order.events.removesuffix(".events.jsonl"))):
            write(scored)


def _tell(requests: Requests, write: Write, *, warmup: bool) -> None:
    columns = {name: tuple(column) for name, column in as_columns(requests).items()}
    write(events.Served(first=0, warmup=warmup, requests=columns))


def _endpoint(asked: parameters.Serving, url: str) -> Any:
    from .client import Endpoint

    key = os.environ.get(asked.key_variable) if asked.key_variable else None
    if asked.key_variable and key is None:
        raise UserError(f"{asked.key_variable} is not set", "set it to the server's key", "/workload/key_variable")
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    return Endpoint(url=url, model=asked.model, api=asked.api, timeout_s=asked.timeout_s, headers=headers)


def _counter(asked: parameters.Serving) -> Callable[[str], int] | None:
    """Return what counts the tokens of a text at the client; None where nothing does."""
    if asked.tokenizer == "words" or (asked.url is None and asked.tokenizer is None):
        return lambda text: len(text.split())
    if asked.tokenizer is None:
        return None
    try:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(asked.tokenizer)
    except (ImportError, OSError, ValueError) as error:
        todo = "install transformers, or name another"
        raise UserError(f"the tokenizer cannot be loaded: {error}", todo, "/workload/tokenizer") from None
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False))


def _overhead(asked: parameters.Serving, seed: int) -> dict[str, float]:
    """Return what the client adds, from its stamps beside those of a server that answers at once."""
    from . import client

    rate = max(OVERHEAD_RATE, asked.rate)
    bare = parameters.Serving(rate=rate, arrival="constant", prompt_tokens=8, output_tokens=8)
    planned = load.plan(bare, OVERHEAD_REQUESTS, seed)
    with process.started("scripted", {}) as url:
        to = client.Endpoint(url=url, model=NAME, api=asked.api, timeout_s=10.0)
        table = client.table(planned, client.run(to, planned, None), None)
        stamps = process.fetched(url, "/stamps")
    assert isinstance(stamps, dict)
    added, gaps = [], []
    for row in table.completed:
        received, *written = stamps[str(row)]
        first, sent = table.first_content_s[row], table.sent_s[row]
        assert first is not None
        assert sent is not None
        added.append(max(0.0, (first - sent) - (written[0] - received)))
        seen, own = table.content_s[row], len(written) - 1
        gaps.append(abs((seen[-1] - seen[0]) - (written[-1] - written[0])) / own)
    late = [(sent or 0.0) - due for sent, due in zip(table.sent_s, table.scheduled_s, strict=True)]
    if not added:
        raise UserError("the load generator cannot reach a server on this machine", "see the trial's log", "/workload")
    return {
        "requests": len(added),
        "ttft_s": round(median(added), 7),
        "ttft_p99_s": round(quantile(added, 0.99), 7),
        "gap_s": round(median(gaps), 7),
        "late_s": round(median(late), 7),
        "late_p99_s": round(quantile(late, 0.99), 7),
    }


def _reading_s() -> float:
    """Return what it takes to read the clock."""
    began = time.monotonic()
    for _ in range(READINGS):
        time.monotonic()
    return (time.monotonic() - began) / READINGS


def _options(order: Order, asked: parameters.Serving, planned: list[load.Planned], facts: Any) -> events.Options:
    request = Request(options=order.options, seed=order.seed, device=order.device, kind=order.kind)
    stated = dict(order.options) if asked.url is not None else {}  # of another's server nobody here knows better
    return events.Options(
        effective=settle(NAME, request, _effective(asked, planned, facts) | stated),
        observed={},
        work_per_iteration=asked.output_tokens,
        work_unit="tokens",
        samples_per_iteration=0,
        load=load.record(asked, planned) | _server(asked),
        objective=load.objective(asked),
    )


def _effective(asked: parameters.Serving, planned: list[load.Planned], facts: dict[str, Any]) -> dict[str, Any]:
    value: dict[str, Any] = {
        "model": asked.model,
        "dataset": f"random words, {len({one.number for one in planned})} different prompts of {len(planned)}",
        "input_length": asked.prompt_tokens,
        "decoding": f"greedy, {asked.output_tokens} tokens",
        "neutralised": ["fixed_output_length", "ignored_end_of_sequence"],
        "extra": {"api": asked.api},
    }
    if asked.url is None:
        kinds = {"none": "none", "int8": "int8 weights", "int4": "int4 weights"}
        value |= {
            "model": f"decoder-d{asked.width}-l{asked.layers}-h{asked.heads}",
            "weights": f"trained for {asked.train_steps} steps, sha256:{facts.get('weights', '')}",
            "quantisation": kinds[asked.quantisation],
            "precision": {"compute": "fp32", "accumulate": "fp32", "weights": "fp32"},
            "sparsity": "none",
            "attention": "exact",
            "cache_format": "fp32",
            "tensor_parallel": 1,
            "devices": 1,
        }
        value["extra"] |= {"batch": asked.batch, "length": asked.length}
    return value


def _server(asked: parameters.Serving) -> dict[str, Any]:
    """Return what is known of the server's own ways."""
    if asked.url is not None:
        told = {"batching": asked.batching, "prefix_cache": asked.prefix_cache, "speculation": asked.speculation}
        told["tokenizer"] = "the server's" + (f"; {asked.tokenizer} at the client" if asked.tokenizer else "")
        return {name: value for name, value in told.items() if value is not None}
    ways = {"batching": f"continuous, {asked.batch} slots", "prefix_cache": False, "speculation": "none"}
    return ways | {"tokenizer": "a word is a token, by the server and at the client"}
