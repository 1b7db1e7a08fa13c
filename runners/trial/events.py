"""The events of a trial: one JSON object a line, written by the worker while it runs and read by the study afterwards.

A file without `Ended` belongs to a process that was killed: the trial is lost. Such a file may end within a line, which
the reader leaves out.

Numbers: times are seconds. `step_time_s` is a whole iteration, from asking for the batch to the end of the optimizer
step; `data_wait_s` is the part of it that was spent blocked on the batch. `loss` has null where the loss was not finite
and is absent where a workload has none.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal

import msgspec

from ...schemas.errors import UserError

Outcome = Literal["completed", "diverged", "failed"]
Verified = Literal["verified", "contradicted", "unverifiable", "not_permitted", "not_requested"]
Restored = Literal["restored", "reset", "not_changed", "failed", "unverifiable"]
WorkUnit = Literal["samples", "tokens", "requests", "operations", "bytes"]
Split = Literal["validation", "official_val", "test", "held_out"]
"""Splits that a model is not trained on."""
Scalar = str | int | float | bool
DISCONNECTED = "Disconnected"
"""Type of an error that only says that another rank is gone."""
INTERRUPTED = "Interrupted"
"""Type of the error of a process that was asked to end."""


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="event", tag=str.lower):
    """One line of the file; the key `event` says which."""


class Started(Event, frozen=True, kw_only=True):
    """The process lives."""

    pid: int
    boot_id: str | None
    """Boot of the machine, where the platform tells it."""
    unix_ns: str


class Clock(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far a rank's wall clock lies from rank 0's."""

    offset_s: float | None = None
    """Rank 0's minus this one's; None where it could not be asked."""
    uncertainty_s: float | None = None
    evidence: str


class Placed(Event, frozen=True, kw_only=True):
    """Where this rank runs; absent where a trial has one."""

    rank: int
    ranks: int
    local_rank: int
    host: str
    device: str
    processors: int | None = None
    """Logical processors that it may use."""
    variables: dict[str, str] = {}
    """Settings of what exchanges: NCCL, Gloo, torch.distributed."""
    clock: Clock


class ControlRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One knob: what was asked, set and found, whether the earlier state was put back, and how that is known."""

    knob: str
    requested: Scalar | None = None
    applied: Scalar | None = None
    found: Scalar | None = None
    verified: Verified
    restored: Restored | None = None
    evidence: str
    measured: dict[str, float] = {}
    """The numbers behind the evidence, by name with unit."""


class Controls(Event, frozen=True, kw_only=True):
    """The knobs, looked at after the measurement, when every thread of the process exists."""

    records: tuple[ControlRecord, ...]


class Options(Event, frozen=True, kw_only=True):
    """What took effect, and what was seen on the live objects during one step."""

    effective: dict[str, Any]
    observed: dict[str, Any]
    work_per_iteration: int | float
    work_unit: WorkUnit
    samples_per_iteration: int
    """Training samples per optimizer step; 0 for a kernel."""
    pipeline: dict[str, Any] = {}
    """Where the inputs come from, as `pipeline` in common.schema.json."""
    splits: dict[str, Any] = {}
    """Splits by name, as `split` in common.schema.json."""
    operations: dict[str, Any] = {}
    """Counted operations, as `operations` in common.schema.json."""
    load: dict[str, Any] = {}
    """Of a service: the load that was offered, as `load` in common.schema.json."""
    objective: dict[str, Any] = {}
    """Of a service: what every request is to keep, as `objective` in common.schema.json."""


class Warmup(Event, frozen=True, kw_only=True):
    """The iterations before the measured ones, kept apart."""

    step_time_s: tuple[float, ...]
    data_wait_s: tuple[float, ...] = ()
    loss: tuple[float | None, ...] | None = None


class Iterations(Event, frozen=True, kw_only=True):
    """A chunk of consecutive measured iterations."""

    first: int
    """Number of the chunk's first iteration, from 0."""
    step_time_s: tuple[float, ...]
    data_wait_s: tuple[float, ...] = ()
    """Empty where a program of the user's own does not tell."""
    loss: tuple[float | None, ...] | None = None
    work: tuple[float, ...] = ()
    """Work of each iteration, where it varies; empty where all have that of the options."""
    began_s: float | None = None
    """When the chunk began, on the monotonic clock that all processes share (CLOCK_MONOTONIC)."""
    ended_s: float | None = None


class Served(Event, frozen=True, kw_only=True):
    """Requests to a service, in the order in which they were due."""

    first: int
    """Number of the chunk's first request, from 0; those of the warm-up count by themselves."""
    warmup: bool = False
    requests: dict[str, tuple[Any, ...]]
    """Columns of one length, as `requests` in common.schema.json."""


class Overhead(Event, frozen=True, kw_only=True):
    """What the load generator adds by itself, as `client_overhead` in common.schema.json."""

    overhead: dict[str, float]


class Outputs(Event, frozen=True, kw_only=True):
    """Lengths of the outputs on held-out data beside those of the reference, in tokens: means over the examples."""

    generated: float
    reference: float


class Scored(Event, frozen=True, kw_only=True):
    """What a harness measured of the model that is served."""

    qualities: dict[str, dict[str, Any]]
    """By id, each as `quality` in common.schema.json."""


class ServedWork(Event, frozen=True, kw_only=True):
    """What a service computed and moved in prefill and decode, as `served_work` in common.schema.json."""

    work: dict[str, Any]


class Evaluation(Event, frozen=True, kw_only=True):
    """The model on held-out data."""

    split: Split
    samples: int
    """Training samples seen so far."""
    step: int
    """Optimizer steps so far."""
    time_s: float
    """Training time so far: the sum of the iterations, evaluations not included."""
    evaluation_s: float
    """Duration of this evaluation."""
    examples: int
    metrics: dict[str, float | None]
    correct: int | None = None


class TrialError(msgspec.Struct, frozen=True, kw_only=True):
    """Why a trial did not complete; the trial's log has the traceback."""

    type: str
    message: str


class Timer(msgspec.Struct, frozen=True, kw_only=True):
    """The clock of a trial."""

    name: str
    resolution_s: float | None
    """Smallest step seen between two readings."""
    overhead_s: float | None
    """Cost of the timing harness per iteration, measured around an empty step in this process."""


class Crossing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first evaluation that met the target."""

    reached: bool
    samples: int | None = None
    step: int | None = None
    time_s: float | None = None
    """Training time: the steps alone."""
    wall_time_s: float | None = None
    """From the first step to the end of this evaluation, evaluations and pauses between included."""


class Ended(Event, frozen=True, kw_only=True):
    """The last line."""

    outcome: Outcome
    error: TrialError | None = msgspec.field(default_factory=lambda: None)
    timer: Timer | None = msgspec.field(default_factory=lambda: None)
    wall_s: float
    """From the start of the worker to this line."""
    unix_ns: str | None = None
    """When it ended, on the wall clock of its node."""
    peak_memory_bytes: int | None = msgspec.field(default_factory=lambda: None)
    crossing: Crossing | None = None


class Accounted(Event, frozen=True, kw_only=True):
    """What one step computes, as `accounting` in common.schema.json describes it."""

    accounting: dict[str, Any]
    operations: dict[str, Any]
    """The same as `operations` of an arm; without shares where too little is covered."""


class Saved(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What checkpoints cost in a pass over the phases."""

    count: int
    """Checkpoints in the pass."""
    duration_s: float
    """Median of one."""
    bytes: int | None = None
    """Median of their sizes; None where the workload does not tell."""


class Phased(Event, frozen=True, kw_only=True):
    """Where the time of a step goes."""

    iterations: int
    seconds: dict[str, float]
    """Median seconds per iteration, by phase; of checkpoints the mean."""
    whole_s: float
    """Median of whole iterations, with the marks in them."""
    saved: Saved | None = None


AnyEvent = (
    Started
    | Placed
    | Controls
    | Options
    | Warmup
    | Iterations
    | Served
    | Overhead
    | Outputs
    | Scored
    | ServedWork
    | Evaluation
    | Accounted
    | Phased
    | Ended
)


class EventWriter:
    """Writes events to a file of its own; each line is one write, so that a signal never leaves half of one.

    Raises:
        UserError: the file exists or cannot be made.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
        except FileExistsError:
            raise UserError("the events file exists already", "remove it, or name another", str(path)) from None
        except OSError as error:
            raise UserError(f"the events file cannot be made: {error.strerror}", "name another", str(path)) from None

    def write(self, event: AnyEvent) -> None:
        """Append one line."""
        data = memoryview(msgspec.json.encode(event) + b"\n")
        while data:
            data = data[os.write(self._file, data) :]

    def close(self) -> None:
        """Bring everything to the disk and close the file."""
        os.fsync(self._file)
        os.close(self._file)


def read(path: Path) -> tuple[AnyEvent, ...]:
    """Read the events of a trial.

    Raises:
        UserError: the file cannot be read, or a complete line of it is no event.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise UserError(f"the events cannot be read: {error.strerror}", "name an events file", str(path)) from None
    decoder = msgspec.json.Decoder(AnyEvent)
    found: list[AnyEvent] = []
    for number, line in enumerate(lines[:-1], 1):  # what follows the last line feed was cut off by the end of a process
        try:
            found.append(decoder.decode(line))
        except msgspec.DecodeError as error:
            raise UserError(f"no event: {error}", "the file was changed or damaged", f"{path}:{number}") from None
    return tuple(found)
