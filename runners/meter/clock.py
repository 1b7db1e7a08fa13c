"""Moments of a training loop, and the time between them: on the host's clock, or on the stream of a CUDA device.

On CUDA a moment is an event recorded on the stream, without waiting; the time between two is read when the loop waits
for the device anyway, or at its end. On a host it is a reading of `time.perf_counter_ns`.
"""

from __future__ import annotations

import time
from typing import Any, Protocol


class Clock(Protocol):
    """A way of marking moments."""

    name: str

    def now(self) -> Any:
        """Mark a moment."""

    def settle(self) -> None:
        """Wait until all marked moments have come."""

    def between_s(self, first: Any, second: Any) -> float:
        """Return the time between two moments that have come, in seconds."""


class HostClock:
    """The host's monotonic clock."""

    name = "time.perf_counter_ns"

    def now(self) -> int:
        """Mark a moment."""
        return time.perf_counter_ns()

    def settle(self) -> None:
        """Have nothing to wait for."""

    def between_s(self, first: int, second: int) -> float:
        """Return the time between two moments, in seconds."""
        return (second - first) / 1e9


class CudaClock:
    """Events on the current stream of a CUDA device.

    Args:
        device: such as `cuda:0`.
    """

    name = "cuda_event"

    def __init__(self, device: str) -> None:
        import torch

        self._cuda: Any = torch.cuda
        self._device = torch.device(device)

    def now(self) -> Any:
        """Record an event."""
        event = self._cuda.Event(enable_timing=True)
        event.record(self._cuda.current_stream(self._device))
        return event

    def settle(self) -> None:
        """Wait for the device."""
        self._cuda.synchronize(self._device)

    def between_s(self, first: Any, second: Any) -> float:
        """Return the time between two events, in seconds."""
        return float(first.elapsed_time(second)) / 1e3


def clock_for(device: str) -> Clock:
    """Return the clock of a device."""
    return CudaClock(device) if device.startswith("cuda") else HostClock()
