"""The timed loop: what one iteration costs, taken with as little as possible around it.

On the host each iteration is bracketed by readings of `time.perf_counter_ns`. On CUDA an event is recorded after each
step, without synchronising: an iteration lasts from one event to the next, so that whatever holds the device up, host
or data, is inside; the events are read when a chunk is over. Both count a whole iteration, the wait for data included,
and give that wait apart. Losses are kept as they come and read after the chunk.

A chunk ends after a number of iterations or after a time, whichever is first; writing it out lies outside the
measurement. The garbage collector is off within a chunk and runs between chunks.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from ...schemas.collector import collector_paused
from .events import Timer

Row = tuple[int, int, Any]
"""Duration of an iteration and of its wait for data, in nanoseconds, and its loss, not yet read."""

EMPTY_ITERATIONS = 1000


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive iterations."""

    step_time_s: tuple[float, ...]
    data_wait_s: tuple[float, ...]
    losses: tuple[Any, ...]
    span: tuple[float, float] | None = None
    """When it began and ended, in seconds of the monotonic clock that all processes share."""


class Loop(Protocol):
    """A way of timing iterations."""

    chunk_iterations: int
    chunk_ns: int

    def run(self, fetch: Callable[[], Any], step: Callable[[Any], Any], count: int, rows: list[Row]) -> None:
        """Run and time up to `count` iterations.

        Args:
            fetch: returns the next batch.
            step: makes one iteration with it and returns its loss, not yet read.
            count: iterations at most; fewer where the time of a chunk is over.
            rows: receives one row per finished iteration, also where an exception ends the loop.
        """

    def timer(self) -> Timer:
        """Measure the clock: its resolution, and the cost of this loop around an empty step."""


class HostLoop:
    """Times iterations on the host's monotonic clock."""

    chunk_iterations = 1000
    chunk_ns = 1_000_000_000

    def run(self, fetch: Callable[[], Any], step: Callable[[Any], Any], count: int, rows: list[Row]) -> None:
        """Run and time up to `count` iterations."""
        clock, record = time.perf_counter_ns, rows.append
        last = clock() + self.chunk_ns
        for _ in range(count):
            began = clock()
            batch = fetch()
            fetched = clock()
            loss = step(batch)
            ended = clock()
            record((ended - began, fetched - began, loss))
            if ended > last:
                return

    def timer(self) -> Timer:
        """Measure the clock."""
        return Timer(name="time.perf_counter_ns", resolution_s=_resolution_s(), overhead_s=empty_iteration_s(self))


class CudaLoop:
    """Times iterations with CUDA events, without synchronising inside a chunk.

    Args:
        device: the device, as in `cuda:0`.
    """

    chunk_iterations = 1000
    chunk_ns = 10_000_000_000

    def __init__(self, device: str) -> None:
        import torch

        self._cuda: Any = torch.cuda
        self._device = torch.device(device)
        self._made: list[Any] = []

    def run(self, fetch: Callable[[], Any], step: Callable[[Any], Any], count: int, rows: list[Row]) -> None:
        """Run and time up to `count` iterations."""
        clock = time.perf_counter_ns
        with self._cuda.device(self._device):
            stream = self._cuda.current_stream()
            marks = self._events(count + 1)
            partial: list[tuple[int, Any]] = []
            record = partial.append
            self._cuda.synchronize()
            last = clock() + self.chunk_ns
            try:
                marks[0].record(stream)
                for mark in marks[1:]:
                    began = clock()
                    batch = fetch()
                    fetched = clock()
                    loss = step(batch)
                    mark.record(stream)
                    record((fetched - began, loss))
                    if fetched > last:
                        break
            finally:
                self._cuda.synchronize()
                for index, (wait_ns, loss) in enumerate(partial):
                    rows.append((round(marks[index].elapsed_time(marks[index + 1]) * 1e6), wait_ns, loss))

    def _events(self, count: int) -> list[Any]:
        """Return events that are kept from chunk to chunk: a new one costs the device a call when first recorded."""
        while len(self._made) < count:
            self._made.append(self._cuda.Event(enable_timing=True))
        return self._made[:count]

    def timer(self) -> Timer:
        """Measure the clock: two events in a row show its resolution."""
        steps = []
        with self._cuda.device(self._device):
            for _ in range(100):
                first, second = (self._cuda.Event(enable_timing=True) for _ in range(2))
                first.record()
                second.record()
                self._cuda.synchronize()
                steps.append(first.elapsed_time(second) / 1e3)
        resolution_s = min((step for step in steps if step > 0), default=None)
        return Timer(name="cuda_event", resolution_s=resolution_s, overhead_s=empty_iteration_s(self))


def loop_for(device: str) -> Loop:
    """Return the loop for a device."""
    return CudaLoop(device) if device.startswith("cuda") else HostLoop()


def run_chunk(
    loop: Loop,
    fetch: Callable[[], Any],
    step: Callable[[Any], Any],
    count: int,
    rows: list[Row],
    span: list[float] | None = None,
) -> Chunk:
    """Run one chunk of at most `count` iterations with the garbage collector off.

    Args:
        loop: how to time.
        fetch: returns the next batch.
        step: makes one iteration.
        count: iterations at most.
        rows: empty; holds the finished iterations where an exception ends the chunk.
        span: empty; takes when the chunk began and ended, also then.
    """
    span = [] if span is None else span
    with collection_paused():
        span.append(time.monotonic())
        try:
            loop.run(fetch, step, min(count, loop.chunk_iterations), rows)
        finally:
            span.append(time.monotonic())
    return chunk_of(rows, span)


def chunk_of(rows: list[Row], span: Sequence[float]) -> Chunk:
    """Turn rows into columns, in seconds."""
    return Chunk(
        span=(span[0], span[1]) if len(span) == 2 else None,
        step_time_s=tuple(row[0] / 1e9 for row in rows),
        data_wait_s=tuple(row[1] / 1e9 for row in rows),
        losses=tuple(row[2] for row in rows),
    )


@contextmanager
def collection_paused() -> Iterator[None]:
    """Collect garbage, then keep the collector off inside the block."""
    gc.collect()
    with collector_paused():
        yield


def empty_iteration_s(loop: Loop) -> float:
    """Return what a loop costs per iteration around a step that does nothing: the least of five, in seconds."""
    costs = []
    with collection_paused():
        for _ in range(5):
            rows: list[Row] = []
            began = time.perf_counter_ns()
            loop.run(_nothing, _no_step, EMPTY_ITERATIONS, rows)
            costs.append((time.perf_counter_ns() - began) / len(rows))
    return min(costs) / 1e9


def _nothing() -> None:
    return None


def _no_step(_batch: object) -> None:
    return None


def _resolution_s() -> float:
    clock = time.perf_counter_ns
    readings = [clock() for _ in range(10_000)]
    return min(later - sooner for sooner, later in pairwise(readings) if later > sooner) / 1e9
