"""A throughput trial: warm-up, kept apart, then the planned iterations, each of them timed."""

from __future__ import annotations

from collections.abc import Callable

from ..study.orders import Throughput
from . import events, timing
from .chunks import Keep, Losses, Steps

Write = Callable[[events.AnyEvent], None]
Look = Callable[[Keep], None]
"""Makes one step while the live objects are looked at, and writes what was seen."""


def run(steps: Steps, plan: Throughput, look: Look, write: Write) -> None:
    """Run the trial.

    The live objects are looked at during the first warm-up iteration, or, where there is none, during a step after the
    measurement: never within it.

    Args:
        steps: makes the steps.
        plan: how many.
        look: makes the step that is looked at.
        write: takes the events.

    Raises:
        Diverged: a loss was not finite.
    """
    if plan.warmup:
        _warm_up(steps, plan.warmup, look, write)
    first = 0

    def keep(chunk: timing.Chunk, losses: Losses) -> None:
        nonlocal first
        began_s, ended_s = chunk.span or (None, None)
        write(
            events.Iterations(
                first=first,
                step_time_s=chunk.step_time_s,
                data_wait_s=chunk.data_wait_s,
                loss=losses,
                began_s=began_s,
                ended_s=ended_s,
            )
        )
        first += len(chunk.step_time_s)

    steps.run(plan.iterations, keep)
    if not plan.warmup:
        look(lambda _chunk, _losses: None)


def _warm_up(steps: Steps, count: int, look: Look, write: Write) -> None:
    chunks: list[tuple[timing.Chunk, Losses]] = []
    try:
        look(lambda chunk, losses: chunks.append((chunk, losses)))
        steps.run(count - 1, lambda chunk, losses: chunks.append((chunk, losses)))
    finally:
        if chunks:
            losses = [loss for _, some in chunks for loss in some or ()]
            write(
                events.Warmup(
                    step_time_s=tuple(time_s for chunk, _ in chunks for time_s in chunk.step_time_s),
                    data_wait_s=tuple(wait_s for chunk, _ in chunks for wait_s in chunk.data_wait_s),
                    loss=tuple(losses) if losses else None,
                )
            )
