"""Whether a difference between two arms may be the machine's: what their trials lost to others is held against it.

A trial is disturbed where it lost more than the margin to others. An answer that was found with disturbed trials stands
where the undisturbed ones alone give it, too; where these are too few on a side it stands only if both sides lost
alike, to within the margin. Otherwise these trials cannot tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from ...rules.case import Side
from ...rules.facts.comparison.disturbance import lost
from ...rules.statistics.two_arms import LEAST, Contrast, Decision, decide

LEAST_SHARE = 0.02
"""Below it no trial counts as disturbed, whatever the margin."""


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
    shares: tuple[Sequence[float | None], Sequence[float | None]],
    margin: float,
    alpha: float,
) -> tuple[Decision, Load | None]:
    """Hold a decision against what the trials lost to others.

    Args:
        contrast: the two sides.
        decision: what was decided from all trials.
        shares: what the trials of old and of new lost, in the order of their values; None where not known.
        margin: share above which a trial counts as disturbed.
        alpha: error of the decision.

    Returns:
        the decision, withdrawn where the machine may explain it, and the load; None where it is not known of all trials
        or none is disturbed.
    """
    old = [share for share in shares[0] if share is not None]
    new = [share for share in shares[1] if share is not None]
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
        quiet = decide([Contrast(calm[1], calm[0], contrast.margin)], alpha)[0]
    alike = abs(fmean(old) - fmean(new)) <= limit
    stands = quiet.outcome == decision.outcome if quiet is not None else alike
    explains = decision.outcome != "cannot tell" and not stands
    load = Load(tuple(old), tuple(new), disturbed, quiet, (len(calm[0]), len(calm[1])), explains)
    return (replace(decision, outcome="cannot tell") if explains else decision), load


def shares_of(side: Side, trials: Sequence[str]) -> list[float | None]:
    """Return what trials of an arm lost to others, in their order; None where a record does not tell."""
    known: Mapping[str, float] = {
        name: found.share for name in trials if (found := lost(side.arm.trials[name])) is not None
    }
    return [known.get(name) for name in trials]


def _sides(
    contrast: Contrast, old: Sequence[float], new: Sequence[float]
) -> tuple[tuple[Sequence[float], Sequence[float]], ...]:
    return (contrast.old, old), (contrast.new, new)
