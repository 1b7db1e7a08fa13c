"""The first epoch apart from those after it: in it caches fill, kernels are chosen and data come from the disk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...rules.statistics.intervals import median
from .events import Events
from .summary import over_trials


def performance(trials: Sequence[Events]) -> dict[str, Any]:
    """Return the time of the first epoch and of those after it, apart: caches fill and kernels are chosen in the first.

    Args:
        trials: completed trials; those that made two whole epochs or more count.
    """
    firsts, others = [], []
    for events in trials:
        steps = _steps_an_epoch(events)
        times = [*events.warmup.get("step_time_s", ()), *events.columns.get("step_time_s", ())]
        if not steps or len(times) < 2 * steps or any(value is None for value in times):
            continue
        sums = [math.fsum(value or 0.0 for value in times[at : at + steps]) for at in range(0, len(times), steps)]
        firsts.append(sums[0])
        others.append(median(sums[1 : len(times) // steps]))
    if not firsts:
        return {}
    return {
        "first_epoch_time": over_trials("time", "s", firsts, len(firsts)),
        "steady_epoch_time": over_trials("time", "s", others, len(others)),
    }


def _steps_an_epoch(events: Events) -> int:
    """Return how many steps see the training split once; 0 where its size is not told."""
    if events.options is None or events.options.samples_per_iteration < 1:
        return 0
    examples = events.options.splits.get("train", {}).get("examples") or 0
    return math.ceil(examples / events.options.samples_per_iteration)
