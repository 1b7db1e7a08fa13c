"""Whether a difference between two arms may be the machine's: what their trials lost to others is held against it.

A trial is disturbed where it lost more than the margin to others. An answer that was found with disturbed trials stands
where the undisturbed ones alone give it, too; where these are too few on a side it stands only if both sides lost
alike, to within the margin. Where they lost more than half of their time, a share no longer says how much more: a
difference then stands only if it is certainly larger than the margin, on top of the ratio of what others left of the
machine to both sides. Otherwise these trials cannot tell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from ...rules.case import Side
from ...rules.facts.comparison.disturbance import Lost, lost
from ...rules.statistics.two_arms import LEAST, Contrast, Decision, decide

LEAST_SHARE = 0.02
"""Below it no trial counts as disturbed, whatever the margin."""
HEAVY = 0.5
"""Above it a trial's loss is a bound more than a measurement: waiting and work of others overlap."""


Losses = tuple[Sequence[Lost | None], Sequence[Lost | None]]


@dataclass(frozen=True, slots=True)
class Load:
    """What the trials of a metric's two sides lost to others."""

    old: tuple[float, ...]
    """Shares of the trials' time, in the order of the values; empty where one is not known."""
    new: tuple[float, ...]
    disturbed: tuple[int, int]
    """Trials of old and of new that lost more than the margin."""
    quiet: Decision | None
    """Decision from the undisturbed trials alone, where some are disturbed and three a side are not."""
    kept: tuple[int, int]
    """Undisturbed trials of old and of new."""
    explains: bool
    """Whether the answer was withdrawn, because the difference may be the machine's."""


def weigh(
    contrast: Contrast,
    decision: Decision,
    losses: Losses,
    margin: float,
    alpha: float,
) -> tuple[Decision, Load | None]:
    """Hold a decision against what the trials lost to others.

    Args:
        contrast: the two sides.
        decision: what was decided from all trials.
        losses: what the trials of old and of new lost, in the order of their values; None where not known.
        margin: share above which a trial counts as disturbed.
        alpha: error of the decision.

    Returns:
        the decision, withdrawn where the machine may explain it, and the load; None where it is not known of all trials
        or none is disturbed.
    """
    known = [[loss for loss in side if loss is not None] for side in losses]
    old, new = ([loss.share for loss in side] for side in known)
    if (len(old), len(new)) != (len(contrast.old), len(contrast.new)):
        return decision, None
    limit = max(margin, LEAST_SHARE)
    calm = [
        [value for value, share in zip(*side, strict=True) if share <= limit] for side in _sides(contrast, old, new)
    ]
    disturbed = len(old) - len(calm[0]), len(new) - len(calm[1])
    if not any(disturbed):
        return decision, None
    quiet = None
    if min(map(len, calm)) >= LEAST:
        quiet = decide([Contrast(calm[1], calm[0], contrast.margin, contrast.repeats)], alpha)[0]
    alike = abs(fmean(old) - fmean(new)) <= limit
    if max(fmean(old), fmean(new)) > HEAVY and decision.outcome in ("better", "worse"):
        alike = alike and _is_beyond(decision, contrast.margin + _explained(*known))
    stands = quiet.outcome == decision.outcome if quiet is not None else alike
    explains = decision.outcome != "cannot tell" and not stands
    load = Load(tuple(old), tuple(new), disturbed, quiet, (len(calm[0]), len(calm[1])), explains)
    return (replace(decision, outcome="cannot tell") if explains else decision), load


def _is_beyond(decision: Decision, margin: float) -> bool:
    return decision.bounds is not None and (decision.bounds[0] > margin or decision.bounds[1] < -margin)


def _explained(old: Sequence[Lost], new: Sequence[Lost]) -> float:
    """Return the logarithm of the ratio of what others left to both sides, the larger over the smaller."""
    least, most = sorted(fmean(loss.left for loss in side) for side in (old, new))
    return math.log(most / least) if least > 0 else math.inf


def losses_of(side: Side, trials: Sequence[str]) -> list[Lost | None]:
    """Return what trials of an arm lost to others, in their order; None where a record does not tell."""
    return [lost(side.arm.trials[name]) for name in trials]


def _sides(
    contrast: Contrast, old: Sequence[float], new: Sequence[float]
) -> tuple[tuple[Sequence[float], Sequence[float]], ...]:
    return (contrast.old, old), (contrast.new, new)
