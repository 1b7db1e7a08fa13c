"""A program of the user's own as a workload: `command: [program, argument, ...]`. No shell reads it.

The program finds its order as a JSON object in the environment variable DLAUDIT_REQUEST: kind, options, seed, device,
ranks, and `throughput` (warmup, iterations) or `convergence` (evaluate_every_samples, max_samples, target,
stop_at_target).
It times its own steps and prints JSON objects to its standard output, one a line:

    {"event": "options", "effective": {...}, "observed": {...}, "work_per_iteration": 64, "work_unit": "samples",
     "samples_per_iteration": 64}                                                     once, first
    {"event": "warmup", "step_time_s": [0.1, ...], "loss": [2.3, ...]}                at most once; loss optional
    {"event": "iterations", "step_time_s": [...], "data_wait_s": [...], "loss": [...], "began_s": 1.5, "ended_s": 2.5}
                                                                             any number; all after the first optional
    {"event": "evaluation", "split": "test", "samples": 4096, "step": 64, "time_s": 1.2, "evaluation_s": 0.1,
     "examples": 360, "metrics": {"accuracy": 0.93}, "correct": 335}
    {"event": "requests", "warmup": false, "requests": {"scheduled_s": [...], "sent_s": [...], "first_content_s": [...],
     "ended_s": [...], "output_tokens": [...], "outcome": ["completed", ...]}}      any number, in place of iterations
    {"event": "timer", "name": "time.perf_counter", "resolution_s": 1e-9, "overhead_s": 1e-7}   optional

`work`, beside the columns of `iterations`, is the work of each step where short batches make it vary. `step_time_s` is
a whole iteration in seconds, the wait for data included. `began_s` and `ended_s` say when these iterations ran, on the
clock of Python's time.monotonic: without them the sensors' readings belong to the whole trial. Requests to a service
may overlap; `requests` in common.schema.json has all their columns, whose times are on that clock, too, and `options`
may tell the `load` and the `objective`. Their rate is the work of the answered ones (output tokens where these are
told and are the unit, else `work_per_iteration`) over the time from when the first was due to the last end. A loss
that is not finite is null and makes the trial diverged. Whatever is no JSON object with the key `event` goes to the
trial's log; an object with it that is not as above fails the trial. So does another number of iterations, or requests,
than asked for, an exit code other than 0, and more time reported than the program lived.

Of several ranks each is a process of the program, with torchrun's variables; each prints the same events about itself,
its work and samples being those of all ranks together. Evaluations count as the first rank prints them.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

import msgspec

from ...schemas.errors import UserError
from ...schemas.requests import Requests, as_columns, problems, window_s
from ..meter.order import RANKS, REQUEST
from ..study.orders import Command, Order
from ..workloads.interface import Request
from ..workloads.options import check_shape, settle
from . import events, own_ranks, pinning
from .chunks import Diverged
from .execute import ALONE, Progress, check_shared
from .ranks import Place

LINE_LIMIT = 1 << 24
"""Bytes of a line beyond which it cannot be an event."""
GRACE_S = 2.0
"""Time that the program has to end after a signal."""
Write = Callable[[events.AnyEvent], None]


class _Options(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="options", forbid_unknown_fields=True):
    effective: dict[str, Any]
    work_per_iteration: int | float
    work_unit: events.WorkUnit
    samples_per_iteration: int = 0
    observed: dict[str, Any] = {}
    pipeline: dict[str, Any] = {}
    splits: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    load: dict[str, Any] = {}
    objective: dict[str, Any] = {}


class _Warmup(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="warmup", forbid_unknown_fields=True):
    step_time_s: tuple[float, ...]
    data_wait_s: tuple[float, ...] = ()
    loss: tuple[float | None, ...] | None = None


class _Iterations(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="iterations", forbid_unknown_fields=True
):
    step_time_s: tuple[float, ...]
    data_wait_s: tuple[float, ...] = ()
    loss: tuple[float | None, ...] | None = None
    work: tuple[float, ...] = ()
    began_s: float | None = None
    ended_s: float | None = None


class _Served(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="requests", forbid_unknown_fields=True):
    requests: Requests
    warmup: bool = False


class _Evaluation(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="evaluation", forbid_unknown_fields=True
):
    split: events.Split
    samples: int
    step: int
    time_s: float
    evaluation_s: float
    examples: int
    metrics: dict[str, float | None]
    correct: int | None = None


class _Timer(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", tag="timer", forbid_unknown_fields=True):
    name: str
    resolution_s: float | None = None
    overhead_s: float | None = None


_Line = _Options | _Warmup | _Iterations | _Served | _Evaluation | _Timer


@dataclass(slots=True)
class _Tally:
    """What a program has printed so far."""

    order: Order
    name: str
    write: Write
    progress: Progress
    options: bool = False
    warmup: int = 0
    iterations: int = 0
    reported_s: float = 0.0
    first: bool = True
    """Whether its rank is the first of the trial: the others need not evaluate."""
    first_s: float = math.inf
    """When the first request was due."""
    last_s: float = -math.inf
    """When the last one ended."""
    lost_at: int | None = None
    """Number of the first step without a finite loss, from 1."""

    def take_value(self, value: Any) -> None:
        """Check one line, decoded, and pass it on."""
        self.take(_line(value))

    def take(self, line: _Line) -> None:
        """Check one line and pass it on."""
        if isinstance(line, _Timer):
            self.progress.timer = events.Timer(**msgspec.structs.asdict(line))
            return
        if isinstance(line, _Options):
            self._take_options(line)
            return
        if not self.options:
            raise UserError("the program printed numbers before its options", "print the options first", "/workload")
        if isinstance(line, _Evaluation):
            self._take_evaluation(line)
        elif isinstance(line, _Served):
            self._take_requests(line)
        else:
            self._take_steps(line)

    def _take_options(self, line: _Options) -> None:
        if self.options:
            raise UserError("the program printed its options twice", "print them once", "/workload")
        order = self.order
        request = Request(options=order.options, seed=order.seed, device=order.device, kind=order.kind)
        check_shape(line.observed, f"{self.name}: observed options")
        effective = settle(self.name, request, line.effective)
        check_shared(self.name, effective, order.ranks)
        self.write(events.Options(**msgspec.structs.asdict(line) | {"effective": effective}))
        self.options = True

    def _take_steps(self, line: _Warmup | _Iterations) -> None:
        count = len(line.step_time_s)
        waits = line.data_wait_s
        work = line.work if isinstance(line, _Iterations) else ()
        if {len(waits), len(work)} - {0, count} or (line.loss is not None and len(line.loss) != count):
            raise UserError("the columns of an event differ in length", "give one value per step", "/workload")
        times = (*line.step_time_s, *waits, *work)
        if not all(math.isfinite(value) and value >= 0 for value in times):
            raise UserError("a time or a work is negative", "print durations in seconds", "/workload")
        self.reported_s += math.fsum(line.step_time_s)
        if line.loss is not None and None in line.loss and self.lost_at is None:
            self.lost_at = self.warmup + self.iterations + line.loss.index(None) + 1
        if isinstance(line, _Warmup):
            if self.warmup or self.iterations:
                raise UserError("warm-up comes once and first", "print it before the iterations", "/workload")
            self.warmup = count
            self.write(events.Warmup(step_time_s=line.step_time_s, data_wait_s=waits, loss=line.loss))
            return
        self.write(events.Iterations(first=self.iterations, **msgspec.structs.asdict(line)))
        self.iterations += count

    def _take_requests(self, line: _Served) -> None:
        wrong = next(problems(line.requests), None)
        if wrong is not None:
            raise UserError(f"{wrong[0]} of the requests: {wrong[1]}", "print what was measured", "/workload")
        span = window_s(line.requests)
        if span is not None:
            self.first_s, self.last_s = min(self.first_s, span[0]), max(self.last_s, span[1])
        count = len(line.requests.outcome)
        first = self.warmup if line.warmup else self.iterations
        told = {name: tuple(column) for name, column in as_columns(line.requests).items()}
        self.write(events.Served(first=first, warmup=line.warmup, requests=told))
        if line.warmup:
            self.warmup += count
        else:
            self.iterations += count

    def _take_evaluation(self, line: _Evaluation) -> None:
        if min(line.time_s, line.evaluation_s, line.samples, line.step, line.examples) < 0:
            raise UserError("an evaluation has a negative number", "correct it", "/workload")
        self.write(events.Evaluation(**msgspec.structs.asdict(line)))
        plan = self.order.convergence
        reached = self.progress.crossing is not None and self.progress.crossing.reached
        if plan is None or reached:
            return
        metrics = {name: value for name, value in line.metrics.items() if value is not None}
        if plan.target.metric not in line.metrics:
            raise UserError(f"an evaluation has no {plan.target.metric}", "print the target's metric", "/workload")
        plan.target.check_scale(metrics, line.correct, line.examples)
        met = plan.target.met(metrics)
        self.progress.crossing = (
            events.Crossing(reached=True, samples=line.samples, step=line.step, time_s=line.time_s)
            if met
            else events.Crossing(reached=False)
        )

    def close(self, lived_s: float) -> None:
        """Hold what was printed against what was asked for."""
        if not self.options:
            raise UserError("the program printed no options", "print an options event", "/workload")
        if self.reported_s > lived_s:
            raise UserError(
                f"the program reported {self.reported_s:.6g} s of steps and lived {lived_s:.6g} s",
                "print durations in seconds, each step once; print what overlaps as requests",
                "/workload",
            )
        if self.last_s - self.first_s > lived_s:
            raise UserError(
                f"the program reported requests over {self.last_s - self.first_s:.6g} s and lived {lived_s:.6g} s",
                "print times in seconds, all on one clock",
                "/workload",
            )
        if self.lost_at is not None:
            raise Diverged(f"the loss of step {self.lost_at} was not finite")
        plan = self.order.throughput
        if self.order.kind == "throughput" and plan is not None:
            if (self.warmup, self.iterations) != (plan.warmup, plan.iterations):
                raise UserError(
                    f"the program made {self.warmup} + {self.iterations} iterations of {plan.warmup} + "
                    f"{plan.iterations} planned",
                    "make as many as DLAUDIT_REQUEST says",
                    "/workload",
                )
        elif self.progress.crossing is None and self.first:
            raise UserError("the program printed no evaluation", "print evaluation events", "/workload")


def run(
    order: Order,
    source: Command,
    applied: pinning.Applied,
    write: Write,
    progress: Progress,
    place: Place = ALONE,
) -> None:
    """Run the program to its end and pass on what it prints.

    Where the program itself starts ranks, such as by torchrun, those other than the first tell theirs in files.

    Raises:
        UserError: the program cannot be started, or did not keep to the contract.
        Diverged: it printed a loss that was not finite.
    """
    name = source.command[0]
    began = time.perf_counter()
    try:
        process = subprocess.Popen(
            source.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env=os.environ | {REQUEST: json.dumps(_request(order)), RANKS: own_ranks.folder_of(order.events)},
        )
    except OSError as error:
        raise UserError(f"{name} cannot be started: {error.strerror}", "name a program", "/workload/command") from None
    tally = _Tally(order, name, write, progress, first=place.rank == 0)
    placed: tuple[events.ControlRecord, ...] | None = None
    assert process.stdout is not None
    try:
        for line in _events(process.stdout):
            if placed is None:
                placed = pinning.placement(applied, process.pid)
            tally.take(line)
        code = process.wait()
    finally:
        _stop(process)
        write(events.Controls(records=pinning.records_of_child(applied, order.seed, placed)))
    if code:
        raise UserError(f"{name} ended with exit code {code}", "see the trial's log", "/workload/command")
    tally.close(time.perf_counter() - began)
    if place.ranks == 1:
        lived_s = time.perf_counter() - began
        own_ranks.gather(order, write, lambda to, of: _Tally(order, name, to, of, first=False), lived_s)


def _request(order: Order) -> dict[str, Any]:
    whole = msgspec.to_builtins(order)
    keys = ("kind", "options", "seed", "device", "ranks", order.kind)
    return {key: whole[key] for key in keys}


def _events(stream: IO[bytes]) -> Iterator[_Line]:
    """Yield the events that a program prints; everything else goes to the log."""
    while line := stream.readline(LINE_LIMIT):
        value = _object(line)
        if value is None:
            sys.stderr.buffer.write(line)
            sys.stderr.buffer.flush()
            continue
        yield _line(value)


def _line(value: Any) -> _Line:
    try:
        line: _Line = msgspec.convert(value, _Line)
    except msgspec.ValidationError as error:
        raise UserError(
            f"the program printed something that is not an event: {error}", "see the contract", "/workload"
        ) from None
    return line


def _object(line: bytes) -> Mapping[str, Any] | None:
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) and "event" in value else None


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdout is not None:
        process.stdout.close()
