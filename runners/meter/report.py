"""What a meter reports: its steps as the events of the `command` protocol, once a device need not be waited for."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from .clock import Clock
from .order import Asked, Tell
from .sight import Sight
from .work import Work, WorkUnit


class Step(Struct, frozen=True):
    """One optimizer step."""

    parts: list[tuple[Any, Any]]
    """When its parts began and ended: several where an evaluation lay between."""
    wait_ns: int
    """Its wait for data."""
    micro: list[Work]


class Report:
    """Keeps steps, and tells them.

    Args:
        request: what is asked.
        clock: whose moments the steps have.
        sight: what is seen of the model during the first step.
        stated: options as the spec asks for them and the program states them.
        unit: what a rate counts.
        world: ranks that share the training.
        tell: takes the events.
    """

    def __init__(
        self,
        request: Asked,
        clock: Clock,
        sight: Sight,
        stated: Mapping[str, Any],
        unit: WorkUnit,
        world: int,
        tell: Tell,
    ) -> None:
        self._request, self._clock, self._sight, self._tell = request, clock, sight, tell
        self._stated, self._unit, self._world = stated, unit, world
        self._warmup = request.throughput.warmup if request.throughput is not None else 0
        self._kept: list[Step] = []
        self._taken = 0
        self._told = False
        self._trained_s = 0.0
        self._began_s: float | None = None
        self._ended_s = 0.0

    def begin(self) -> None:
        """Note when the steps that are kept next begin."""
        if self._began_s is None:
            self._began_s = time.monotonic()

    def end(self) -> None:
        """Note that no step runs."""
        self._ended_s = time.monotonic()

    def take(self, step: Step) -> None:
        """Keep a step."""
        self._kept.append(step)
        self._taken += 1
        if self._taken == 1:
            self._sight.close()
        if self._taken == self._warmup:
            self._began_s = time.monotonic()

    def flush(self) -> None:
        """Tell the steps that are kept; before the first ones, what took effect."""
        self._sight.close()
        if not self._kept:
            return
        self._clock.settle()
        warmup, steps = [], self._kept
        if not self._told:
            warmup, steps = steps[: self._warmup], steps[self._warmup :]
            self._tell_options(steps or warmup)
            self._tell("timer", name=self._clock.name)
            if warmup:
                self._tell("warmup", **self._columns(warmup))
        if steps:
            columns = self._columns(steps)
            work = [self._work_of(step) for step in steps]
            if len(set(work)) > 1 and self._request.throughput is not None:
                columns["work"] = [float(one) for one in work]
            began_s = self._began_s if self._began_s is not None else self._ended_s
            self._tell("iterations", **columns, began_s=began_s, ended_s=max(began_s, self._ended_s))
            self._trained_s += math.fsum(columns["step_time_s"])
        self._told, self._kept, self._began_s = True, [], None

    def evaluation(
        self,
        metrics: Mapping[str, float],
        examples: int,
        split: str,
        duration_s: float,
        correct: int | None,
        samples: int,
        step: int,
    ) -> None:
        """Tell an evaluation, after the steps before it."""
        counted = {"correct": correct} if correct is not None else {}
        self._tell(
            "evaluation",
            split=split,
            samples=samples,
            step=step,
            time_s=self._trained_s,
            evaluation_s=duration_s,
            examples=examples,
            metrics={name: value if math.isfinite(value) else None for name, value in metrics.items()},
            **counted,
        )

    def _columns(self, steps: list[Step]) -> dict[str, list[float]]:
        between = self._clock.between_s
        return {
            "step_time_s": [math.fsum(between(*part) for part in step.parts) for step in steps],
            "data_wait_s": [step.wait_ns / 1e9 for step in steps],
        }

    def _work_of(self, step: Step) -> int:
        if self._unit == "tokens":
            return sum(int(one.tokens) if one.tokens is not None else 0 for one in step.micro) * self._world
        return sum(one.samples for one in step.micro) * self._world

    def _tell_options(self, steps: list[Step]) -> None:
        """Tell what took effect; the work of a step is the most usual one, where short batches make it vary."""
        works = [self._work_of(step) for step in steps]
        samples = max(sum(one.samples for one in step.micro) for step in steps) * self._world
        batch = {"global_batch": samples, "accumulation": max(len(step.micro) for step in steps)}
        seen = self._sight.observed(self._request.device)
        observed = seen | batch | {"extra": seen.get("extra", {}) | _padding(steps)}
        effective = self._sight.effective() | batch | {"data_parallel": self._world}
        extra = effective.get("extra", {}) | self._stated.get("extra", {})
        self._tell(
            "options",
            effective=effective | dict(self._stated) | ({"extra": extra} if extra else {}),
            observed=observed,
            work_per_iteration=_usual(works),
            work_unit=self._unit,
            samples_per_iteration=samples,
        )


def _usual(works: list[int]) -> int:
    """Return the most frequent work of a step; the median where all differ, as tokens without padding do."""
    value, count = Counter(works).most_common(1)[0]
    return value if count > 1 or len(works) == 1 else sorted(works)[len(works) // 2]


def _padding(steps: list[Step]) -> dict[str, float]:
    """Return the tokens of a step, and the share of padded ones beside them, where batches have a mask."""
    micro = [one for step in steps for one in step.micro]
    every = sum(one.all_tokens or 0 for one in micro)
    if not every or any(one.tokens is None for one in micro):
        return {}
    counted = sum(int(one.tokens) for one in micro)
    return {"tokens_per_step": counted / len(steps), "padded_share": 1 - counted / every}
