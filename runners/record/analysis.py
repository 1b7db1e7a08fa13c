"""What the raw step times of trials show of themselves, as flags: nothing is discarded for them, and nothing is judged.

Every detector is the one that the rules judge with, and errs in at most 5 % of honest trials; an arm is flagged where
its trials together leave no room for chance. Each reads at most the first 2,000 values (a drift: at most 1,000 of each
tenth), so that a trial costs some ten milliseconds whatever its length.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from ...rules.facts.comparison.arm_decision import of_the_arm
from ...rules.facts.series import modes
from ...rules.facts.series.dependence import Dependence, dependence
from ...rules.facts.series.drift import ALPHA, CHANGE, Drift, drift
from ...rules.facts.series.raw_numbers import LARGEST, SMALLEST
from ...rules.facts.series.steady_start import SteadyStart, steady_start
from ...rules.statistics.change_points import LONGEST
from ...rules.statistics.intervals import rounded
from .events import Column, Events

Flag = Literal["warmup_retained", "autocorrelated", "drift", "multimodal"]
FLAGS: tuple[Flag, ...] = ("warmup_retained", "autocorrelated", "drift", "multimodal")
COLUMN = "step_time_s"
MATERIAL_TIME = 2.0
"""Autocorrelation time above which dependence is flagged: an interval over iterations is then 1.4 times too narrow."""


def usable(events: Events) -> tuple[float, ...]:
    """Return the kept step times of a trial; empty where one is no duration, for what is left would be a choice."""
    column: Column = events.columns.get(COLUMN, [])
    values = tuple(value for value in column if value is not None and SMALLEST < value < LARGEST)
    return values if len(values) == len(column) else ()


def of_trial(values: Sequence[float]) -> dict[str, Any]:
    """Return the analysis of one trial's kept step times, as `series_analysis` in common.schema.json.

    Args:
        values: at least one, positive and finite, in the order of the run.
    """
    head, depends, trend = steady_start(values), dependence(values), drift(values)
    p = modes.modes_p(values)
    found: dict[str, Any] = {"column": COLUMN, "values": len(values), "read": min(len(values), LONGEST)}
    if head is not None:
        found |= {"warmup_end": head.head, "head_excess": rounded(max(0.0, head.excess)) if head.head else None}
    if depends is not None:
        found |= {
            "autocorrelation": rounded(depends.first),
            "autocorrelation_time": rounded(depends.tau),
            "effective_n": rounded(depends.n / depends.tau),
        }
    if trend is not None:
        found |= {"drift": rounded(trend.change), "drift_p": rounded(trend.p)}
    found |= {"modes_p": rounded(p) if p is not None else None, "flags": list(_flags(head, depends, trend, p))}
    return {key: value for key, value in found.items() if value is not None}


def _flags(
    head: SteadyStart | None, depends: Dependence | None, trend: Drift | None, p: float | None
) -> Iterator[Flag]:
    if head is not None and head.head:
        yield "warmup_retained"
    if depends is not None and depends.shown and depends.tau > MATERIAL_TIME:
        yield "autocorrelated"
    if trend is not None and trend.p < ALPHA and abs(trend.change) > CHANGE:
        yield "drift"
    if p is not None and p < modes.ALPHA:
        yield "multimodal"


def of_arm(trials: Mapping[str, Mapping[str, Any]], values: Sequence[Sequence[float]]) -> dict[str, Any] | None:
    """Return the analysis of an arm, as `arm_analysis` in common.schema.json; None where no trial has one.

    Args:
        trials: the analyses of its completed trials, by id.
        values: their step times, in the same order.
    """
    if not trials:
        return None
    counts = {flag: sum(flag in one["flags"] for one in trials.values()) for flag in FLAGS}
    raised = [flag for flag in FLAGS if counts[flag] and _more_than_chance(counts[flag], len(trials))]
    found: dict[str, Any] = {"trials": len(trials), "flagged": {flag: n for flag, n in counts.items() if n}}
    if all("modes_p" not in one for one in trials.values()):
        together = modes.pooled_modes_p(values)
        if together is not None:
            found["modes_p"] = rounded(together)
            raised += ["multimodal"] if together < modes.ALPHA else []
    return found | {"flags": raised}


def _more_than_chance(shown: int, trials: int) -> bool:
    return shown == trials or of_the_arm(shown, trials)
