"""The intervals that a manifest states: those of scipy.stats, and those that `lint` recomputes."""

import math
import random

import pytest
from dlaudit.rules.statistics.intervals import log_t_interval, median_interval
from dlaudit.runners.record.intervals import of_median, over_logs

DRAWS = [[random.Random(seed).lognormvariate(3, 0.2) for _ in range(3 + seed)] for seed in range(9)]


@pytest.mark.parametrize("values", DRAWS, ids=len)
def test_lint_recomputes_what_run_writes(values):
    ours, written = log_t_interval(values), over_logs(values)
    assert (written.lower, written.upper) == pytest.approx((ours.lower, ours.upper), rel=1e-12)
    assert (written.confidence, written.method) == (ours.confidence, ours.method)
    assert of_median(values) == median_interval(values)


def test_runs_that_never_arrived_stand_at_the_end():
    never = [math.inf] * 3
    assert of_median([3.0, 1.0, 2.0, *never]).upper == math.inf
    assert of_median([*never, *never]) == median_interval([*never, *never])


def test_values_that_do_not_vary_have_a_point():
    written = over_logs([0.1] * 4)
    assert (written.lower, written.upper) == (0.1, 0.1)


def test_too_few_values_have_none():
    assert over_logs([1.0, 2.0]) is None
    assert of_median([1.0, 2.0, 3.0, 4.0, 5.0]) is None
