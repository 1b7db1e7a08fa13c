"""What the clock of a time to the target leaves out, measured in the same runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...rules.statistics.intervals import median, rounded
from .events import Events


def exclusions(trials: Sequence[Events]) -> dict[str, Any]:
    """Return the exclusions of convergence trials, in the shape of `measurement`.

    A time to the target sums iterations. Outside it are the evaluations, and everything from the start of the worker to
    its end that is neither an iteration nor an evaluation: building the model, reading the data, writing the record.

    Args:
        trials: what the events of each convergence trial say.

    Returns:
        medians over the trials that ended; empty where none did.
    """
    ended = [one for one in trials if one.ended is not None and one.evaluations]
    if not ended:
        return {}
    evaluating = [sum(evaluation.evaluation_s for evaluation in one.evaluations) for one in ended]
    started = [
        max(0.0, one.ended.wall_s - one.evaluations[-1].time_s - spent)
        for one, spent in zip(ended, evaluating, strict=True)
        if one.ended is not None
    ]
    return {
        "exclusions": {"evaluation": _per_run(median(evaluating)), "init": _per_run(median(started))},
        "exclusions_complete": True,
    }


def _per_run(duration_s: float) -> dict[str, Any]:
    return {"recurs": "per_run", "duration_s": rounded(duration_s), "stated": True}
