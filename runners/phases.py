"""Where the time of a training step goes: data, forward, backward, optimizer, and what lies between.

Marks are set by hooks, from outside: around the calls of the model and around the optimizer's step, on any workload
that shows them, compiled or not. On the host a mark is a reading of the clock; on CUDA it is an event recorded into the
stream, read when the pass is over, so that no step waits for the device. A pass of its own: the timed trials carry no
hooks.

From the end of a forward pass to the next mark counts as backward, the loss included; what follows the optimizer is
other work of the step. The phases of an iteration add up to its whole time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, Protocol

import msgspec
import torch
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from ..rules.statistics.intervals import median, rounded

DATA, FORWARD, BACKWARD, OPTIMIZER, OTHER = "data", "forward", "backward", "optimizer", "other"
NAMES = (DATA, FORWARD, BACKWARD, OPTIMIZER, OTHER)


class Phases(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds per iteration and phase."""

    iterations: int
    seconds: dict[str, float]
    """Median over the iterations, by phase."""
    whole_s: float
    """Median of whole iterations, with the marks in them."""


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
    courses: list[list[tuple[str, Any]]] = []
    with _hooked(model, optimizer, lambda phase: courses[-1].append((phase, marks.take()))):
        for _ in range(iterations):
            courses.append([(DATA, marks.take())])
            batch = fetch()
            courses[-1].append((OTHER, marks.take()))
            step(batch)
            courses[-1].append(("", marks.take()))
    marks.settle()
    taken = [_durations(course, marks) for course in courses]
    return Phases(
        iterations=iterations,
        seconds={
            name: rounded(median([one[name] for one in taken])) for name in NAMES if any(one[name] for one in taken)
        },
        whole_s=rounded(median([sum(one.values()) for one in taken])),
    )


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
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()
