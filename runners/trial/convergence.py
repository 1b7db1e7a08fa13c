"""A convergence trial: training with evaluations on held-out data every so many samples, up to a target or an end.

Training and evaluation are timed apart. The curve stands against training samples; the k-th evaluation comes after the
first step at which k times the interval has been seen, and the last one after the last step.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import get_args

from ...schemas.errors import UserError
from ..study.orders import Convergence
from ..workloads.interface import Evaluation
from . import events, timing
from .chunks import Keep, Losses, Steps

Write = Callable[[events.AnyEvent], None]
Look = Callable[[Keep], None]


class Training:
    """A model on its way to the target.

    Args:
        steps: makes the steps.
        plan: how far and how often.
        batch: training samples per step.
        write: takes the events.

    Raises:
        UserError: one step is more than the planned samples.
    """

    def __init__(self, steps: Steps, plan: Convergence, batch: int, write: Write) -> None:
        self._steps, self._plan, self._batch, self._write = steps, plan, batch, write
        self._last_step = plan.max_samples // batch
        if not self._last_step:
            raise UserError(
                f"a global batch of {batch} exceeds max_samples", "raise max_samples", "/convergence/max_samples"
            )
        self._done, self._time_s = 0, 0.0
        self.crossing = events.Crossing(reached=False)
        self.agree: Callable[[bool], bool] = bool
        """What all ranks take for true: whether the target is met, where they would end at different steps."""

    def run(
        self,
        look: Look,
        evaluate: Callable[[], Evaluation],
        undisturbed: Callable[[], AbstractContextManager[None]],
    ) -> None:
        """Train.

        Args:
            look: makes the first step, while the live objects are looked at.
            evaluate: evaluates on held-out data.
            undisturbed: gives the state of the random generators back after its block.

        Raises:
            Diverged: a loss was not finite.
            UserError: the evaluation lacks the target's metric.
        """
        look(self._keep)
        number = 1
        while True:
            goal = min(math.ceil(number * self._plan.evaluate_every_samples / self._batch), self._last_step)
            self._steps.run(max(0, goal - self._done), self._keep)
            with undisturbed():
                began = time.perf_counter()
                evaluation = evaluate()
                duration_s = time.perf_counter() - began
            self._record(evaluation, duration_s)
            over = self.crossing.reached and self._plan.stop_at_target
            if over or self._done >= self._last_step:
                return
            number = self._done * self._batch // self._plan.evaluate_every_samples + 1

    def _keep(self, chunk: timing.Chunk, losses: Losses) -> None:
        began_s, ended_s = chunk.span or (None, None)
        self._write(
            events.Iterations(
                first=self._done,
                step_time_s=chunk.step_time_s,
                data_wait_s=chunk.data_wait_s,
                loss=losses,
                began_s=began_s,
                ended_s=ended_s,
            )
        )
        self._done += len(chunk.step_time_s)
        self._time_s += math.fsum(chunk.step_time_s)

    def _record(self, evaluation: Evaluation, duration_s: float) -> None:
        target, samples = self._plan.target, self._done * self._batch
        metrics = {name: float(value) for name, value in evaluation.metrics.items()}
        if target.metric not in metrics:
            raise UserError(
                f"the evaluation has no {target.metric}; it has {', '.join(metrics) or 'nothing'}",
                "name one of its metrics",
                "/convergence/target/metric",
            )
        target.check_scale(metrics, evaluation.correct, evaluation.examples)
        if evaluation.split not in get_args(events.Split):
            raise UserError(
                f"an evaluation on {evaluation.split} says nothing about unseen data",
                f"evaluate on one of {', '.join(get_args(events.Split))}",
                "/workload",
            )
        self._write(
            events.Evaluation(
                split=evaluation.split,
                samples=samples,
                step=self._done,
                time_s=self._time_s,
                evaluation_s=duration_s,
                examples=evaluation.examples,
                metrics={name: value if math.isfinite(value) else None for name, value in metrics.items()},
                correct=evaluation.correct,
            )
        )
        if self.agree(target.met(metrics)) and not self.crossing.reached:
            self.crossing = events.Crossing(reached=True, samples=samples, step=self._done, time_s=self._time_s)
