"""One trial of a workload that runs in this process: built, looked at, timed or trained."""

from __future__ import annotations

import gc
import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ...schemas.errors import UserError
from .. import workloads
from ..study.orders import Entry, Named, Order
from ..workloads.interface import Built, Request
from . import convergence, events, pinning, process_group, throughput, timing
from .chunks import Keep, Losses, Steps
from .ranks import Place

Write = Callable[[events.AnyEvent], None]
PHASE_WARMUP, PHASE_ITERATIONS = 5, 30
ALONE = Place()
PARALLEL = ("data_parallel", "tensor_parallel", "pipeline_parallel", "context_parallel")
"""Options whose product is the number of ranks that do a step together."""


@dataclass(slots=True)
class Progress:
    """What the last event tells, as far as it is known when a trial ends, however that comes."""

    timer: events.Timer | None = None
    crossing: events.Crossing | None = None


def run(
    order: Order,
    source: Named | Entry,
    applied: pinning.Applied,
    write: Write,
    progress: Progress,
    place: Place = ALONE,
) -> None:
    """Run a trial to its end.

    Args:
        order: what to do.
        source: the workload.
        applied: what was set at the start of the process.
        write: takes the events.
        progress: filled as the trial goes on.
        place: of this process among the ranks of the trial.

    Raises:
        UserError: the workload, an option or the device cannot be had.
        Diverged: a loss was not finite.
    """
    _check_device(order.device)
    pinning.set_torch_threads(order.controls)
    pinning.seed_everything(order.seed)
    if place.ranks > 1:
        process_group.join(order.device)
    try:
        _measure(order, source, write, progress, place)
    finally:
        write(events.Controls(records=pinning.records(applied, order.seed)))


def _measure(order: Order, source: Named | Entry, write: Write, progress: Progress, place: Place) -> None:
    workload = workloads.load(source)
    name = source.name if isinstance(source, Named) else source.entry
    request = Request(options=order.options, seed=order.seed, device=order.device, kind=order.kind)
    built = workload.build(request)
    from ..workloads.options import settle

    effective = settle(name, request, built.effective)
    _check_built(name, _options(built, effective, {}))
    check_shared(name, effective, place.ranks)
    loop = timing.loop_for(order.device)
    progress.timer = loop.timer()
    batches = iter(workload.batches())
    steps = Steps(batches, workload.step, loop)
    gc.collect()
    gc.freeze()  # what is built stays: the collections between chunks need not look at it again
    look = _look(steps, built, effective, order, write)
    if order.kind == "accounting":
        keep = Path(order.events.removesuffix(".events.jsonl") + ".trace.json.gz")
        _account(steps, look, lambda: workload.step(next(batches)), built, order.device, write, keep)
    elif order.kind == "phases":
        _phase(steps, look, batches.__next__, workload.step, built, order.device, write)
    elif order.throughput is not None and order.kind == "throughput":
        throughput.run(steps, order.throughput, look, write)
    elif order.convergence is not None:
        training = convergence.Training(steps, order.convergence, built.samples_per_iteration, write)
        training.agree = process_group.agreed if place.ranks > 1 else bool
        try:
            training.run(look, workload.evaluate, lambda: _undisturbed(order.device))
        finally:
            progress.crossing = training.crossing


def _account(
    steps: Steps,
    look: Callable[[Keep], None],
    step: Callable[[], Any],
    built: Built,
    device: str,
    write: Write,
    keep: Path,
) -> None:
    """Count the operations of a step, after two others: what is compiled or chosen at first is then in place."""
    from ..accounting.account import account
    from ..workloads.observed import data_parallel

    look(_drop)
    steps.run_one(_drop, [])
    found = account(step, device, built.model, built.optimizer, keep)
    own_work = built.work_per_iteration / data_parallel(built.model)  # this rank counts its part of the batch alone
    write(events.Accounted(accounting=msgspec.to_builtins(found), operations=found.operations(own_work)))


def _phase(
    steps: Steps,
    look: Callable[[Keep], None],
    fetch: Callable[[], Any],
    step: Callable[[Any], Any],
    built: Built,
    device: str,
    write: Write,
) -> None:
    """Tell where the time of a step goes, after a warm-up."""
    from . import phases

    if built.model is None:
        raise UserError(
            "the workload gives no access to its model, so its phases cannot be timed", "leave `phases` out", "/phases"
        )
    look(_drop)
    steps.run(PHASE_WARMUP, _drop)
    found = phases.measure(fetch, step, built.model, built.optimizer, device, PHASE_ITERATIONS)
    write(events.Phased(iterations=found.iterations, seconds=found.seconds, whole_s=found.whole_s, saved=found.saved))


def _drop(_chunk: timing.Chunk, _losses: Losses) -> None:
    return None


def _look(steps: Steps, built: Built, effective: dict[str, Any], order: Order, write: Write) -> Callable[[Keep], None]:
    """Return what makes one step under observation; the options event goes before that step's own."""
    import torch

    from ..workloads import observed

    seed = torch.initial_seed()

    def look(keep: Keep) -> None:
        taken: list[Any] = []
        kept: list[tuple[timing.Chunk, Losses]] = []
        seen = observed.Sightings()
        try:
            with observed.watch(built, seen):
                steps.run_one(lambda chunk, losses: kept.append((chunk, losses)), taken)
        finally:
            if kept:
                found = observed.observed_options(built, seen, taken[0], order.device) | {"seed": seed}
                write(_options(built, effective, found))
                keep(*kept[0])

    return look


def check_shared(name: str, effective: dict[str, Any], ranks: int) -> None:
    """Make sure that the ranks of a trial do its steps together, as its options say.

    Raises:
        UserError: the options tell of another number of ranks.
    """
    if ranks == 1:
        return
    sizes = [value for key in PARALLEL if isinstance(value := effective.get(key), int)]
    if math.prod(sizes) != ranks:
        raise UserError(
            f"{name} was started with {ranks} ranks, and its options say that {math.prod(sizes)} share a step",
            f"share the work, and say so in the effective options: {', '.join(PARALLEL)}",
            "/workload",
        )


def _check_built(name: str, options: events.Options) -> None:
    """Refuse what a user's own `build` returned where it would not be read back.

    Raises:
        UserError: a value has the wrong type.
    """
    try:
        msgspec.convert(msgspec.to_builtins(options), events.Options)
    except (msgspec.ValidationError, TypeError) as error:
        raise UserError(
            f"{name}: what `build` returned is not a Built: {error}", "correct the value", "/workload"
        ) from None


def _options(built: Built, effective: dict[str, Any], found: dict[str, Any]) -> events.Options:
    return events.Options(
        effective=effective,
        observed=found,
        work_per_iteration=built.work_per_iteration,
        work_unit=built.work_unit,
        samples_per_iteration=built.samples_per_iteration,
        pipeline=built.pipeline,
        splits=built.splits,
        operations=built.operations,
    )


def _check_device(device: str) -> None:
    try:
        import torch
    except ModuleNotFoundError:
        todo = "pip install '.[run]' in the checkout of dlaudit"
        raise UserError("torch is not installed here", todo, "/workload") from None
    if device == "cpu":
        return
    found = re.fullmatch(r"cuda:([0-9]{1,3})", device)
    if found is None:
        raise UserError(f"there is no device {device}", "name cpu, or cuda:0 and so on", "/device")
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if int(found[1]) >= count:
        raise UserError(f"there is no device {device}: torch sees {count} CUDA devices", "name another", "/device")


@contextmanager
def _undisturbed(device: str) -> Iterator[None]:
    """Give the state of torch's generators back after an evaluation: a data loader alone draws a number."""
    import torch

    devices = [torch.device(device)] if device.startswith("cuda") else []
    with torch.random.fork_rng(devices=devices):
        yield
