"""The decision between two arms: better, worse, equivalent within a margin, or not to be told from these trials.

Values stand one for each trial on a scale on which differences count and more is better: logarithms of rates for a
ratio, plain values for a quality. Finite ones are compared by Welch's t, of scipy. Where trials repeat one measurement,
a value that lies far off is the machine's, and means follow it: from ten trials a side on such values are compared by
ranks (Mann and Whitney's test, of scipy, with the shift of Hodges and Lehmann), whatever the values look like. Where a
run never reached its target its value is -inf, and ranks are compared exactly. Several comparisons share the error of
"better" and "worse" by Holm's procedure. Equivalence is two one-sided tests (Schuirmann 1987), of statsmodels or by the
interval of the shift, each at alpha: to hold for all of several metrics at once it needs no correction, since every one
of them has to pass.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .means import Bounds, deviation
from .multiplicity import holm_levels
from .planning import trials_per_arm
from .ranks import rank_sum_p, shift

if TYPE_CHECKING:
    from scipy.stats._mannwhitneyu import MannwhitneyuResult
    from scipy.stats._result_classes import TtestResult

Outcome = Literal["better", "worse", "equivalent", "cannot tell"]
LEAST = 3
LEAST_FOR_RANKS = 10
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two arms side by side."""

    new: Sequence[float]
    old: Sequence[float]
    margin: float
    """Difference that does not matter, at least 0, on the scale of the values."""
    repeats: bool = False
    """Whether the trials of an arm repeat one measurement: what lies far off is then the machine's."""

    @property
    def ranked(self) -> bool:
        """Whether ranks are compared, which the number of trials alone decides."""
        return self.repeats and min(len(self.new), len(self.old)) >= LEAST_FOR_RANKS


@dataclass(frozen=True, slots=True)
class Decision:
    """What can be said of new against old."""

    outcome: Outcome
    difference: float | None
    """Mean of new less mean of old, or the shift; None where a trial has no finite value or an arm fewer than three."""
    bounds: Bounds | None
    """Interval of the difference, at the level that Holm's procedure gives the contrast."""
    p: float
    """Two-sided p of no difference; 1 where it cannot be computed."""
    confidence: float = 0.95
    """Level of the bounds."""
    within: Bounds | None = None
    """Interval of the difference at 1 - 2 alpha, which equivalence holds against the margin."""


def decide(contrasts: Sequence[Contrast], alpha: float = 0.05) -> tuple[Decision, ...]:
    """Decide a family of contrasts, with error `alpha` of "better" or "worse" over all of them.

    Raises:
        ValueError: a NaN among the values.
    """
    ps = [_p(contrast) for contrast in contrasts]
    levels = holm_levels(ps, alpha)
    return tuple(_decide(*each, alpha) for each in zip(contrasts, ps, levels, strict=True))


def _decide(contrast: Contrast, p: float, level: float, alpha: float) -> Decision:
    new, old = contrast.new, contrast.old
    if min(len(new), len(old)) < LEAST:
        return Decision("cannot tell", None, None, p)
    if not _finite(contrast):
        return Decision(_by_rank(contrast, p, level), None, None, p)
    if contrast.ranked:
        return _by_shift(contrast, p, level, alpha)
    difference = math.fsum(new) / len(new) - math.fsum(old) / len(old)
    welch = _welch(contrast)
    low, high = map(float, welch.confidence_interval(1 - level))
    within = tuple(map(float, welch.confidence_interval(1 - 2 * alpha))) if alpha < HALF else (difference, difference)
    outcome = _by_bounds((low, high), _equivalent(contrast, difference, alpha))
    return Decision(outcome, difference, (low, high), p, 1 - level, (within[0], within[1]))


def _by_shift(contrast: Contrast, p: float, level: float, alpha: float) -> Decision:
    found = shift(contrast.new, contrast.old, 1 - level)
    within = shift(contrast.new, contrast.old, max(1 - 2 * alpha, 0.0)).bounds
    inside = -contrast.margin <= within[0] and within[1] <= contrast.margin
    outcome = _by_bounds(found.bounds, inside)
    return Decision(outcome, found.value, found.bounds, p, 1 - level, within)


def trials_needed(contrast: Contrast, alpha: float = 0.05) -> int | None:
    """Return how many trials an arm would find a difference as large as the margin four times in five.

    None where a run never reached its target, where the margin is 0, and beyond 10,000.
    """
    new, old, margin = contrast.new, contrast.old, contrast.margin
    if min(len(new), len(old)) < LEAST:
        return LEAST
    if not _finite(contrast) or margin <= 0:
        return None
    if contrast.ranked:
        return trials_per_arm(shift(new, old).deviation, margin, alpha)
    return trials_per_arm(math.sqrt((deviation(new) ** 2 + deviation(old) ** 2) / 2), margin, alpha)


def _by_bounds(bounds: Bounds, equivalent: bool) -> Outcome:
    if equivalent:
        return "equivalent"
    if bounds[0] > 0:
        return "better"
    return "worse" if bounds[1] < 0 else "cannot tell"


def _by_rank(contrast: Contrast, p: float, level: float) -> Outcome:
    if p >= level:
        return "cannot tell"
    wins = sum((left > right) - (left < right) for left in contrast.new for right in contrast.old)
    return "better" if wins > 0 else "worse"


def _finite(contrast: Contrast) -> bool:
    return all(math.isfinite(value) for value in (*contrast.new, *contrast.old))


def _p(contrast: Contrast) -> float:
    if min(len(contrast.new), len(contrast.old)) < LEAST:
        return 1.0
    if _finite(contrast):
        p = float((_mann_whitney(contrast) if contrast.ranked else _welch(contrast)).pvalue)
        return 1.0 if math.isnan(p) else p  # all values are one
    exact = rank_sum_p(contrast.new, contrast.old)
    return 1.0 if exact is None else exact


def _welch(contrast: Contrast) -> TtestResult:
    """Return Welch's t test; where neither arm varies its interval is a point, and p is 0, or NaN if all are equal."""
    from scipy.stats import ttest_ind

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # no variance
        return ttest_ind(*_from_first(contrast), equal_var=False)


def _mann_whitney(contrast: Contrast) -> MannwhitneyuResult:
    from scipy.stats import mannwhitneyu

    return mannwhitneyu(contrast.new, contrast.old, method="asymptotic")


def _equivalent(contrast: Contrast, difference: float, alpha: float) -> bool:
    """Return whether both one-sided tests reject a difference beyond the margin."""
    from statsmodels.stats.weightstats import ttost_ind

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # no variance
        p = ttost_ind(*_from_first(contrast), -contrast.margin, contrast.margin, usevar="unequal")[0]
    return bool(abs(difference) <= contrast.margin if math.isnan(p) else p <= alpha)


def _from_first(contrast: Contrast) -> tuple[list[float], list[float]]:
    """Return both arms less one of their values: a mean of equal values is then exactly that value."""
    origin = contrast.old[0]
    return [value - origin for value in contrast.new], [value - origin for value in contrast.old]
