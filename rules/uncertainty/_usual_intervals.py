"""How wide an interval is by every usual way to form it from raw values, as a share of its middle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean

from ...schemas.evidence import Interval
from ..facts.quantities.intervals import over_trials, within_trials
from ..facts.series.kept_series import Timed
from ..statistics.autocorrelation import geyer_tau
from ..statistics.blocks import block_medians, independent_blocks
from ..statistics.change_points import LONGEST
from ..statistics.intervals import log_t_interval, log_welch_ratio, median, median_interval
from ..statistics.means import deviation, mean_bounds
from ..statistics.proportions import normal_quantile

LEAST = 3
LEAST_WITHIN = 6


def usual_widths(arm: Timed, interval: Interval) -> tuple[float, ...]:
    """Return the usual widths of an interval over trials, or within the only trial; none where it is neither.

    Widths are relative, so that those of times and of rates are the same up to second order.
    """
    level = interval.level or 0.95
    if not 0 < level < 1:
        return ()
    if over_trials(interval) and len(arm.series) >= LEAST:
        by_trial = [tuple(centre(item.values) for item in arm.series) for centre in (median, fmean)]
        return tuple(width for values in by_trial for width in _over_trials(values, level))
    if within_trials(interval, len(arm.series)) and len(arm.series) == 1:
        return _within(arm.series[0].values, level)
    return ()


def _over_trials(values: Sequence[float], level: float) -> list[float]:
    low, high = mean_bounds(values, level)
    found = [(high - low) / fmean(values), 2 * _normal_half(values, level)]
    logs = log_t_interval(values, level)
    return [*found, *([_relative(logs.lower, logs.upper)] if logs is not None else [])]


def _normal_half(values: Sequence[float], level: float) -> float:
    return normal_quantile((1 + level) / 2) * deviation(values) / math.sqrt(len(values)) / fmean(values)


def _within(values: Sequence[float], level: float) -> tuple[float, ...]:
    """Return the widths of median ranks, t on the mean, and both over blocks."""
    head = values[:LONGEST]
    if len(head) < LEAST_WITHIN or len(head) < len(values):
        return ()
    low, high = mean_bounds(head, level)
    found = [(high - low) / fmean(head)]
    ranks = median_interval(head, level)
    found += [_relative(ranks.lower, ranks.upper)] if ranks is not None else []
    blocks = independent_blocks(head, geyer_tau(head))
    if blocks is not None:
        low, high = mean_bounds(blocks, level)
        found += [(high - low) / fmean(blocks)]
        ranks = median_interval(block_medians(head, 10), level)
        found += [_relative(ranks.lower, ranks.upper)] if ranks is not None else []
    return tuple(found)


def usual_ratio_widths(numerator: Sequence[float], denominator: Sequence[float], level: float) -> tuple[float, ...]:
    """Return the widths of the log-Welch interval of a ratio, and of the one at the normal quantile."""
    if not 0 < level < 1:
        return ()
    found = log_welch_ratio(numerator, denominator, level)
    half = math.hypot(_normal_half(numerator, level), _normal_half(denominator, level))
    return (*((_relative(found.lower, found.upper),) if found is not None else ()), 2 * half)


def _relative(low: float, high: float) -> float:
    return 2 * (high - low) / (high + low)
