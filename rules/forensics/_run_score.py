"""The number that follows from the logged times of training runs, under each way in which it may have been formed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import fmean, median

from ..facts.runs.times import duration_s, is_successful
from ..trace import Logged

MANY = 40
WINDOWS = (3, 5, 10, 20, 40)
"""Numbers of runs that suites ask for: of more, the median window of so many consecutive ones may be handed in."""


def times_s(runs: Sequence[Logged]) -> list[float]:
    """Return the measured times in the order of their starts, infinite for a run that did not succeed."""
    return [time if (time := duration_s(run)) is not None and is_successful(run) else math.inf for run in runs]


def trimmed(times: Sequence[float]) -> float:
    """Return the mean without the fastest and the slowest, without four of each of forty and more; else infinite."""
    dropped = 4 if len(times) >= MANY else 1
    kept = sorted(times)[dropped : len(times) - dropped]
    return fmean(kept) if kept else math.inf


def scores_s(times: Sequence[float], statistic: str, *, whole: bool = False) -> tuple[float, ...]:
    """Return the values that a statistic may have, in seconds, without infinite ones.

    With and without the runs that failed; a trimmed mean also of any window of consecutive runs, but for `whole`: where
    all runs are said to count.
    """
    finite = [time for time in times if math.isfinite(time)]
    found = [value for each in (times, finite) if each for value in _values(each, statistic, whole=whole)]
    return tuple(dict.fromkeys(value for value in found if math.isfinite(value)))


def _values(times: Sequence[float], statistic: str, *, whole: bool) -> Iterator[float]:
    if statistic == "trimmed_mean":
        yield trimmed(times)
        for size in () if whole else WINDOWS:
            yield from (trimmed(times[start : start + size]) for start in range(len(times) - size + 1))
    elif statistic == "mean":
        yield fmean(times)
    elif statistic == "median":
        yield median(times)
    elif statistic in {"min", "best_of"}:
        yield min(times)
    elif statistic == "max":
        yield max(times)
    elif statistic == "total":
        yield sum(times)
