"""Where the time of a step goes: data, host to device, forward, backward, communication, optimizer, checkpoint, rest.

Marks are set by hooks, from outside: around the calls of the model and around the optimizer's step, on any workload
that shows them, compiled or not; and where a workload names a phase itself (`workloads.phase`). On the host a mark is a
reading of the clock; on CUDA it is an event recorded into the stream, read when the pass is over, so that no step waits
for the device. A pass of its own: the timed trials carry no hooks.

From the end of a forward pass to the next mark counts as backward, the loss included; what follows the optimizer is
other work of the step. Of DistributedDataParallel the exposed communication is told: from the last gradient to the end
of the wait for the others, which is what overlapping with the backward pass did not hide. The phases of an iteration
add up to its whole time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from statistics import fmean
from typing import Any, Protocol

import msgspec
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from ...rules.statistics.intervals import median, rounded
from ..workloads.observed import tensors_in
from ..workloads.phase import observed
from .events import Saved

DATA, H2D, FORWARD, BACKWARD = "data", "h2d", "forward", "backward"
COMMUNICATION, OPTIMIZER, CHECKPOINT, OTHER = "communication", "optimizer", "checkpoint", "other"
NAMES = (DATA, H2D, FORWARD, BACKWARD, COMMUNICATION, OPTIMIZER, CHECKPOINT, OTHER)


class Phases(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds per iteration and phase."""

    iterations: int
    seconds: dict[str, float]
    """Median over the iterations, by phase; of checkpoints, which few iterations hold, the mean."""
    whole_s: float
    """Median of whole iterations, with the marks in them."""
    saved: Saved | None
    """The checkpoints; None where none was saved."""


class Marks(Protocol):
    """Readings of a clock, turned into seconds when all is over."""

    def take(self) -> object:
        """Take a reading."""

    def seconds(self, first: Any, last: Any) -> float:
        """Return the seconds between two readings."""

    def settle(self) -> None:
        """Wait until all readings are in."""


class HostMarks:
    """Readings of the host's monotonic clock."""

    def take(self) -> int:
        """Take a reading."""
        return time.perf_counter_ns()

    def seconds(self, first: int, last: int) -> float:
        """Return the seconds between two readings."""
        return (last - first) / 1e9

    def settle(self) -> None:
        """Wait for nothing."""


class CudaMarks:
    """Events in the current stream of a CUDA device."""

    def __init__(self, device: str) -> None:
        self._device = torch.device(device)

    def take(self) -> Any:
        """Record an event."""
        cuda: Any = torch.cuda
        event = cuda.Event(enable_timing=True)
        event.record(cuda.current_stream(self._device))
        return event

    def seconds(self, first: Any, last: Any) -> float:
        """Return the seconds between two events."""
        return float(first.elapsed_time(last)) / 1e3

    def settle(self) -> None:
        """Wait for the device."""
        torch.cuda.synchronize(self._device)


def marks_for(device: str) -> Marks:
    """Return the clock of a device."""
    return CudaMarks(device) if device.startswith("cuda") else HostMarks()


class Courses:
    """The marks of every iteration: each begins the phase that it names.

    Args:
        marks: the clock.
    """

    def __init__(self, marks: Marks) -> None:
        self._marks, self._thread = marks, threading.get_ident()
        self.courses: list[list[tuple[str, Any]]] = []
        self.written: list[int] = []

    def begin_iteration(self) -> None:
        """Begin an iteration, with its wait for data."""
        self.courses.append([(DATA, self._marks.take())])

    def begin(self, phase: str) -> None:
        """Begin a phase of the iteration."""
        self.courses[-1].append((phase, self._marks.take()))

    def enter(self, name: str) -> str | None:
        """Begin a phase that the workload names, and return the one that it interrupts.

        None in another thread, such as one that loads data ahead: what it does is no part of the step.
        """
        if threading.get_ident() != self._thread or not self.courses:
            return None
        outer = self.courses[-1][-1][0]
        self.begin(name)
        return outer

    def leave(self, outer: str) -> None:
        """Go on with the phase that was interrupted."""
        self.begin(outer)

    def wrote(self, size: int) -> None:
        """Take the bytes of a checkpoint."""
        self.written.append(size)

    def durations(self) -> list[dict[str, float]]:
        """Return the seconds of each phase, by iteration."""
        return [_durations(course, self._marks) for course in self.courses]

    def saved(self) -> Saved | None:
        """Return what checkpoints cost, or None where there was none."""
        spent = [
            self._marks.seconds(first, last)
            for course in self.courses
            for (phase, first), (_, last) in pairwise(course)
            if phase == CHECKPOINT
        ]
        if not spent:
            return None
        size = round(median(self.written)) if self.written else None
        return Saved(count=len(spent), duration_s=rounded(median(spent)), bytes=size)


def measure(
    fetch: Callable[[], Any],
    step: Callable[[Any], Any],
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer | None,
    device: str,
    iterations: int,
) -> Phases:
    """Run iterations under marks.

    Args:
        fetch: returns the next batch.
        step: makes one optimizer step with it.
        model: the module that a step calls.
        optimizer: the optimizer; None where a step has none.
        device: where it runs.
        iterations: how many, at least 1.
    """
    marks = marks_for(device)
    courses = Courses(marks)
    with _hooked(model, optimizer, courses.begin), observed(courses):
        for _ in range(iterations):
            courses.begin_iteration()
            batch = fetch()
            courses.begin(OTHER)
            step(batch)
            courses.begin("")
    marks.settle()
    taken = courses.durations()
    return Phases(
        iterations=iterations,
        seconds={
            name: _centre(name, [one[name] for one in taken]) for name in NAMES if any(one[name] for one in taken)
        },
        whole_s=rounded(median([sum(one.values()) for one in taken])),
        saved=courses.saved(),
    )


def _centre(phase: str, seconds: list[float]) -> float:
    return rounded(fmean(seconds) if phase == CHECKPOINT else median(seconds))


def _durations(course: list[tuple[str, Any]], marks: Marks) -> dict[str, float]:
    """Return the seconds of each phase: every mark begins the phase that it names."""
    found = dict.fromkeys(NAMES, 0.0)
    for (phase, first), (_, last) in pairwise(course):
        found[phase] += marks.seconds(first, last)
    return found


@contextmanager
def _hooked(
    model: torch.nn.Module, optimizer: torch.optim.Optimizer | None, begin: Callable[[str], None]
) -> Iterator[None]:
    def when_ours(phase: str) -> Callable[..., None]:
        return lambda stepped, *_: begin(phase) if stepped is optimizer else None

    hooks = [
        model.register_forward_pre_hook(lambda *_: begin(FORWARD)),
        model.register_forward_hook(lambda *_: begin(BACKWARD if torch.is_grad_enabled() else OTHER)),
        register_optimizer_step_pre_hook(when_ours(OPTIMIZER)),
        register_optimizer_step_post_hook(when_ours(OTHER)),
    ]
    if _exchanges(model):
        hooks.append(model.register_forward_hook(lambda _model, _inputs, output: _mark_exchange(output, begin)))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _exchanges(model: torch.nn.Module) -> bool:
    """Whether the model exchanges its gradients with other ranks during the backward pass."""
    distributed = torch.distributed
    if not (distributed.is_available() and distributed.is_initialized()):
        return False
    return isinstance(getattr(model, "_orig_mod", model), torch.nn.parallel.DistributedDataParallel)


def _mark_exchange(output: object, begin: Callable[[str], None]) -> None:
    """Mark, in the backward pass from this output, the wait for the exchange of gradients.

    What the autograd engine is asked to call at the end of a backward pass it calls in the order of asking. Asked at
    its first gradient, before DistributedDataParallel asks for its own wait, our call is the first; it asks for another
    one, which is the last.
    """
    engine: Any = torch.autograd.Variable._execution_engine
    asked = False

    def ended() -> None:
        begin(COMMUNICATION)
        engine.queue_callback(lambda: begin(OTHER))

    def at_first_gradient(_gradient: torch.Tensor) -> None:
        nonlocal asked
        if not asked:
            asked = True
            engine.queue_callback(ended)

    for tensor in tensors_in(output):
        if tensor.requires_grad:
            tensor.register_hook(at_first_gradient)  # type: ignore[no-untyped-call]
