"""One trial of a scenario of inference: LoadGen asks, its trace gives the requests, its logs stay as evidence.

The performance test comes first; where `accuracy` says so and the answers can be held against something, a second test
of the same process asks for every example once. The logs stand beside the events, under LoadGen's own names.
"""

from __future__ import annotations

import gc
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ...schemas.errors import UserError
from ..scenarios import generator, trace
from ..scenarios.endpoint import Endpoint
from ..scenarios.subject import About, InProcess, Subject
from ..study.orders import Entry, Named, Order
from ..workloads import parameters
from ..workloads.interface import Request
from ..workloads.options import settle
from ..workloads.scenario_parameters import LoadGen
from . import events, pinning

NAME = "loadgen"
LOOPS: Mapping[str, dict[str, Any]] = {
    "SingleStream": {"loop": "closed", "concurrency": 1, "arrival": "single stream"},
    "MultiStream": {"loop": "closed", "concurrency": 1, "arrival": "multiple samples, one query after the other"},
    "Server": {"loop": "open", "arrival": "Poisson"},
    "Offline": {"loop": "open", "arrival": "all at once"},
}
Write = Callable[[events.AnyEvent], None]


def run(order: Order, source: Named, applied: pinning.Applied, write: Write) -> None:
    """Run a trial to its end.

    Raises:
        UserError: the subject cannot be had, LoadGen is not installed, or the trial is none that a scenario has.
    """
    asked = parameters.read(source.parameters, LoadGen, NAME)
    plan = order.throughput
    if plan is None or order.kind != "throughput":
        raise UserError("a scenario has only throughput trials", "leave the others out", f"/{order.kind}")
    generator.generator()
    if asked.url is None:
        pinning.set_torch_threads(order.controls)
        pinning.seed_everything(order.seed)
    try:
        subject = _subject(asked, order)
        write(_options(order, asked, subject))
        _warm(subject, plan.warmup, write)
        gc.collect()
        gc.freeze()
        stem = Path(order.events.removesuffix(".events.jsonl"))
        test = generator.run(subject, asked, plan.iterations, order.seed, "performance", stem)
        data = Path(f"{stem}.{generator.PREFIX}trace.json").read_bytes()
        queries = trace.read(data, whole=asked.scenario != "Offline")
        write(events.Served(first=0, requests=requests_of(queries, test)))
        if asked.accuracy and subject.scored:
            _evaluate(subject, asked, order, stem.with_name(f"{stem.name}.accuracy"), write)
    finally:
        write(events.Controls(records=_controls(asked, applied, order.seed)))


def _controls(asked: LoadGen, applied: pinning.Applied, seed: int) -> tuple[events.ControlRecord, ...]:
    """Return what became of the knobs: of a service, into which nobody looks, those of this client."""
    if asked.url is None:
        return pinning.records(applied, seed)
    return pinning.records_of_child(applied, seed, pinning.placement(applied, os.getpid()))


def _subject(asked: LoadGen, order: Order) -> Subject:
    if asked.url is not None:
        bodies = [example.body for example in asked.examples]
        expected = [example.expected for example in asked.examples if example.expected is not None]
        return Endpoint(asked.url, bodies, expected, asked.timeout_s)
    assert asked.workload is not None
    own = ":" in asked.workload
    inner: Named | Entry = (
        Entry(entry=asked.workload, arguments=asked.arguments)
        if own
        else Named(name=asked.workload, parameters=asked.arguments)
    )
    request = Request(options=order.options, seed=order.seed, device=order.device, kind=order.kind)
    return InProcess(inner, asked.train_steps, request)


def _options(order: Order, asked: LoadGen, subject: Subject) -> events.Options:
    about: About = subject.about()
    request = Request(options=order.options, seed=order.seed, device=order.device, kind=order.kind)
    stated = dict(order.options) if asked.url is not None else {}  # of a service nobody here knows better
    effective = settle(NAME, request, {**about.effective, **stated, "extra": _settings(asked, about)})
    bounds = {"latency_s": asked.latency_s, "ttft_s": asked.ttft_s, "tpot_s": asked.tpot_s}
    load = dict(LOOPS[asked.scenario])
    if asked.scenario == "Server":
        load["request_rate"] = asked.target_qps
    return events.Options(
        effective=effective,
        observed={},
        work_per_iteration=asked.samples_per_query if asked.scenario == "MultiStream" else 1,
        work_unit="tokens" if asked.ttft_s is not None else "samples",
        samples_per_iteration=0,
        pipeline=about.pipeline,
        splits=about.splits,
        load={**load, **about.load, "batching": f"up to {asked.batch} samples, as they wait"},
        objective={name: bound for name, bound in bounds.items() if bound is not None},
    )


def _settings(asked: LoadGen, about: About) -> dict[str, Any]:
    """Return the settings of the scenario as options, beside what the subject told."""
    own = {"scenario": asked.scenario, "percentile": asked.share * 100, "min_duration_s": asked.min_duration_s}
    limits = {"batch": asked.batch, "workers": asked.workers}
    return {**about.effective.get("extra", {}), **own, **limits}


def _warm(subject: Subject, count: int, write: Write) -> None:
    """Have some examples answered one after the other, before anything is timed."""
    began, ended, outcomes = [], [], []
    for index in range(count):
        began.append(time.monotonic())
        outcomes += [answer.outcome for answer in subject.answer([index % subject.examples], _unseen)]
        ended.append(time.monotonic())
    if count:
        columns: dict[str, list[Any]] = {"scheduled_s": began, "sent_s": began, "ended_s": ended, "outcome": outcomes}
        write(events.Served(first=0, warmup=True, requests={name: tuple(items) for name, items in columns.items()}))


def _unseen(_position: int) -> None:
    return None


def requests_of(queries: tuple[trace.Query, ...], test: generator.Test) -> dict[str, tuple[Any, ...]]:
    """Return the requests in columns: times by LoadGen's clock, moved onto the one of `time.monotonic`.

    The query that reached this process soonest tells by how much; what it took on its way is some microseconds.
    """
    answered = [[test.samples[number] for number in query.order] for query in queries]
    pairs = list(zip(queries, answered, strict=True))
    offset = min((samples[0].issued_s - query.sent_s for query, samples in pairs), default=0.0)
    firsts = [_first(samples, query.sent_s + offset, query.ended_s + offset) for query, samples in pairs]
    columns: dict[str, list[Any]] = {
        "scheduled_s": [query.due_s + offset for query in queries],
        "sent_s": [query.sent_s + offset for query in queries],
        "ended_s": [query.ended_s + offset for query in queries],
        "outcome": [_outcome(samples) for samples in answered],
    }
    if any(first is not None for first in firsts):
        columns["first_content_s"] = firsts
    for name in ("input_tokens", "output_tokens"):
        counts = [_summed(samples, name) for samples in answered]
        if any(count is not None for count in counts):
            columns[name] = counts
    if all(len(query.samples) == 1 for query in queries):
        columns["prompt"] = [query.samples[0] for query in queries]
    return {name: tuple(items) for name, items in columns.items()}


def _first(samples: list[generator.Taken], sent_s: float, ended_s: float) -> float | None:
    """Return when the first token of a query was there; None where a sample of it has none."""
    times = [sample.first_s for sample in samples if sample.first_s is not None]
    return min(max(sent_s, *times), ended_s) if times and len(times) == len(samples) else None


def _outcome(samples: list[generator.Taken]) -> str:
    outcomes = [sample.answer.outcome for sample in samples if sample.answer is not None]
    return next((outcome for outcome in outcomes if outcome != "completed"), "completed")


def _summed(samples: list[generator.Taken], name: str) -> int | None:
    counts = [getattr(sample.answer, name) for sample in samples if sample.answer is not None]
    return None if None in counts else sum(counts)


def _evaluate(subject: Subject, asked: LoadGen, order: Order, stem: Path, write: Write) -> None:
    """Ask for every example once, and evaluate what LoadGen wrote down of the answers."""
    began = time.perf_counter()
    generator.run(subject, asked, 1, order.seed, "accuracy", stem)
    records = json.loads(Path(f"{stem}.{generator.PREFIX}accuracy.json").read_bytes())
    answers = {record["qsl_idx"]: bytes.fromhex(record["data"]) for record in records}
    found = subject.score(answers)
    write(
        events.Evaluation(
            split=found.split,
            samples=0,
            step=0,
            time_s=0.0,
            evaluation_s=time.perf_counter() - began,
            examples=found.examples,
            metrics={name: float(value) for name, value in found.metrics.items()},
            correct=found.correct,
        )
    )
