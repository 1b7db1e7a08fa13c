"""The steps of a trial in chunks, each chunk handed on before the next one begins."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...schemas.errors import UserError
from . import timing

Losses = tuple[float | None, ...] | None
"""Losses of a chunk, None where not finite; None in place of all where a workload has no loss."""
Keep = Callable[[timing.Chunk, Losses], None]


class Diverged(Exception):
    """A loss was not finite."""


class Steps:
    """Steps of a workload, in order.

    Args:
        batches: the stream of batches.
        step: makes one optimizer step with a batch.
        loop: how to time.
    """

    def __init__(self, batches: Iterator[Any], step: Callable[[Any], Any], loop: timing.Loop) -> None:
        self._fetch: Callable[[], Any] = batches.__next__
        self._step = step
        self._loop = loop
        self.done = 0
        """Steps so far, warm-up included."""

    def run(self, count: int, keep: Keep) -> None:
        """Make exactly `count` steps.

        Args:
            count: steps, timed each.
            keep: takes every chunk, also the finished part of one that an exception ends.

        Raises:
            Diverged: a loss was not finite; its chunk has been kept and nothing ran after it.
            UserError: the batches ended.
        """
        self._run(count, keep, self._fetch)

    def run_one(self, keep: Keep, taken: list[Any]) -> None:
        """Make one step, and leave the batch that it had in `taken`."""

        def fetch() -> Any:
            batch = self._fetch()
            taken.append(batch)
            return batch

        self._run(1, keep, fetch)

    def _run(self, count: int, keep: Keep, fetch: Callable[[], Any]) -> None:
        left = count
        while left:
            rows: list[timing.Row] = []
            span: list[float] = []
            try:
                timing.run_chunk(self._loop, fetch, self._step, left, rows, span)
            except StopIteration:
                self._hand_on(rows, span, keep)
                raise UserError(
                    f"the batches ended after {self.done} steps", "let `batches` go on without end", "/workload"
                ) from None
            except BaseException:
                self._hand_on(rows, span, keep)
                raise
            left -= len(rows)
            losses = self._hand_on(rows, span, keep)
            if losses is not None and None in losses:
                number = self.done - len(losses) + losses.index(None) + 1
                raise Diverged(f"the loss of step {number} was not finite")

    def _hand_on(self, rows: list[timing.Row], span: Sequence[float], keep: Keep) -> Losses:
        if not rows:
            return None
        chunk = timing.chunk_of(rows, span)
        losses = read_losses(chunk.losses)
        self.done += len(rows)
        keep(chunk, losses)
        return losses


def read_losses(losses: Sequence[Any]) -> Losses:
    """Read losses that were kept as tensors."""
    if losses[0] is None:
        return None
    values = (float(loss) for loss in losses)
    return tuple(value if math.isfinite(value) else None for value in values)
