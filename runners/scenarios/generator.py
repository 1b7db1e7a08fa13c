"""LoadGen, the load generator of MLPerf Inference, around a subject: one test, with its logs.

Queries wait in one queue. Each of `workers` threads takes what waits, up to `batch` samples, has it answered, and tells
the generator: one thread that batches serves a model in this process, many threads of one sample each a service.
"""

from __future__ import annotations

import queue
import threading
import time
from array import array
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ...schemas.errors import UserError
from ..workloads.scenario_parameters import LoadGen
from .subject import Answer, Subject

Mode = Literal["performance", "accuracy"]
PREFIX = "mlperf_log_"


@dataclass(slots=True)
class Taken:
    """What was seen of one sample by this process, on the clock of `time.monotonic`."""

    example: int
    issued_s: float
    first_s: float | None = None
    answer: Answer | None = None


@dataclass(slots=True)
class Test:
    """What a test left, apart from its logs."""

    samples: list[Taken] = field(default_factory=list)
    """In the order in which they were issued."""
    error: BaseException | None = None
    """What a thread that answers raised."""


def generator() -> Any:
    """Return LoadGen.

    Raises:
        UserError: it is not installed.
    """
    try:
        import mlperf_loadgen
    except ModuleNotFoundError:
        todo = "pip install '.[loadgen]' in the checkout of dlaudit"
        raise UserError("LoadGen is not installed here", todo, "/workload") from None
    return mlperf_loadgen


def run(subject: Subject, asked: LoadGen, queries: int, seed: int, mode: Mode, stem: Path) -> Test:
    """Run one test to its end.

    Args:
        subject: what answers.
        asked: the scenario with its settings.
        queries: least number of queries; in the offline scenario of samples.
        seed: of the order of the samples and of the arrivals.
        mode: performance, or accuracy over every example.
        stem: the logs are called this with a dot and LoadGen's own names.
    """
    lg = generator()
    test = Test()
    tokens = asked.ttft_s is not None
    serving = _Serving(lg, subject, asked, test, tokens=tokens)
    log = lg.LogSettings()
    log.enable_trace = mode == "performance"
    log.log_output = lg.LogOutputSettings()
    log.log_output.outdir, log.log_output.prefix = str(stem.parent), f"{stem.name}.{PREFIX}"
    log.log_output.copy_summary_to_stdout = False
    kept = min(subject.examples, asked.loaded_examples or subject.examples)
    system = lg.ConstructSUT(serving.issue, lambda: None)
    library = lg.ConstructQSL(subject.examples, kept, lambda _numbers: None, lambda _numbers: None)
    serving.begin()
    try:
        lg.StartTestWithLogSettings(system, library, settings(lg, asked, queries, seed, mode), log, "")
    finally:
        serving.end()
        lg.DestroyQSL(library)
        lg.DestroySUT(system)
    if test.error is not None:
        raise test.error
    return test


def settings(lg: Any, asked: LoadGen, queries: int, seed: int, mode: Mode) -> Any:
    """Return the settings of a test as LoadGen has them."""
    found = lg.TestSettings()
    found.scenario = getattr(lg.TestScenario, asked.scenario)
    found.mode = lg.TestMode.PerformanceOnly if mode == "performance" else lg.TestMode.AccuracyOnly
    found.min_query_count, found.min_duration_ms = queries, round(asked.min_duration_s * 1e3)
    found.qsl_rng_seed = found.sample_index_rng_seed = found.schedule_rng_seed = seed
    found.single_stream_expected_latency_ns = found.multi_stream_expected_latency_ns = round(1e9 / asked.target_qps)
    found.single_stream_target_latency_percentile = asked.share
    found.multi_stream_target_latency_percentile = asked.share
    found.multi_stream_samples_per_query = asked.samples_per_query
    found.offline_expected_qps = found.server_target_qps = asked.target_qps
    found.server_target_latency_percentile = asked.share
    found.server_coalesce_queries = False
    if asked.latency_s is not None:
        found.server_target_latency_ns = round(asked.latency_s * 1e9)
    if asked.ttft_s is not None and asked.tpot_s is not None:
        found.use_token_latencies = True
        found.ttft_latency, found.tpot_latency = round(asked.ttft_s * 1e9), round(asked.tpot_s * 1e9)
    return found


class _Serving:
    """The threads that answer."""

    def __init__(self, lg: Any, subject: Subject, asked: LoadGen, test: Test, *, tokens: bool) -> None:
        self._lg, self._subject, self._batch, self._test, self._tokens = lg, subject, asked.batch, test, tokens
        self._waiting: queue.SimpleQueue[tuple[int, Taken] | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(asked.workers)]

    def begin(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Stop the threads, once each has answered what it took."""
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def issue(self, samples: Any) -> None:
        """Take one query; called by LoadGen, which goes on at once."""
        issued_s = time.monotonic()
        for sample in samples:
            taken = Taken(sample.index, issued_s)
            self._test.samples.append(taken)
            self._waiting.put((sample.id, taken))

    def _serve(self) -> None:
        while (one := self._waiting.get()) is not None:
            batch = [one]
            with suppress(queue.Empty):
                while len(batch) < self._batch:
                    more = self._waiting.get_nowait()
                    if more is None:
                        self._waiting.put(None)  # the end is for another thread, too
                        break
                    batch.append(more)
            self._answer(batch)

    def _answer(self, batch: list[tuple[int, Taken]]) -> None:
        """Answer a batch and tell the generator; after an error with nothing, so that the test ends."""
        taken = [one for _, one in batch]
        try:
            answers = self._subject.answer([one.example for one in taken], self._first(batch))
        except Exception as error:
            self._test.error = self._test.error or error
            answers = [Answer(data=b"", outcome="failed")] * len(batch)
        for one, answer in zip(taken, answers, strict=True):
            one.answer = answer
        self._complete([(number, answer) for (number, _), answer in zip(batch, answers, strict=True)], taken)

    def _first(self, batch: list[tuple[int, Taken]]) -> Callable[[int], None]:
        def first(position: int) -> None:
            number, taken = batch[position]
            taken.first_s = time.monotonic()
            if self._tokens:
                self._lg.FirstTokenComplete([self._lg.QuerySampleResponse(number, 0, 0)])

        return first

    def _complete(self, answers: list[tuple[int, Answer]], taken: list[Taken]) -> None:
        unbegun = [number for (number, _), one in zip(answers, taken, strict=True) if one.first_s is None]
        if self._tokens and unbegun:  # LoadGen has no word for a request without a token
            self._lg.FirstTokenComplete([self._lg.QuerySampleResponse(number, 0, 0) for number in unbegun])
        kept = [array("B", answer.data) for _, answer in answers]  # LoadGen reads them while it is told
        responses = []
        for (number, answer), data in zip(answers, kept, strict=True):
            address, length = data.buffer_info()
            counted = [answer.output_tokens or 1] if self._tokens else []
            responses.append(self._lg.QuerySampleResponse(number, address if length else 0, length, *counted))
        self._lg.QuerySamplesComplete(responses)
