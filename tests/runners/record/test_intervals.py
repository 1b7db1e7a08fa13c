"""The intervals that a manifest states: those of scipy.stats, and those that `lint` recomputes."""

import math
import random
from statistics import NormalDist

import pytest
from dlaudit.rules.statistics.intervals import log_t_interval, median_interval, quantile
from dlaudit.runners.record.intervals import of_median, of_pooled_percentile, over_logs
from scipy.stats import ttest_1samp

DRAWS = [[draw.lognormvariate(3, 0.2) for _ in range(3 + seed)] for seed in range(9) for draw in [random.Random(seed)]]


@pytest.mark.parametrize("values", DRAWS, ids=len)
def test_lint_recomputes_what_run_writes(values):
    ours, written = log_t_interval(values), over_logs(values)
    assert (written.lower, written.upper) == pytest.approx((ours.lower, ours.upper), rel=1e-12)
    assert (written.confidence, written.method) == (ours.confidence, ours.method)
    assert of_median(values) == median_interval(values)


@pytest.mark.parametrize("values", DRAWS, ids=len)
def test_the_interval_is_that_of_scipy(values):
    found = ttest_1samp([math.log(value) for value in values], 0).confidence_interval(0.95)
    written = over_logs(values)
    assert (written.lower, written.upper) == pytest.approx((math.exp(found.low), math.exp(found.high)), rel=1e-12)


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


def latencies(source, trials, each, between):
    shifts = [source.gauss(0, between) for _ in range(trials)]
    return [[math.exp(shift + source.gauss(0, 0.5)) for _ in range(each)] for shift in shifts]


def test_a_percentile_of_all_requests_lies_inside_its_interval_though_one_trial_makes_it():
    source = random.Random(1)
    trials = [*latencies(source, 4, 100, 0), [9 * value for value in latencies(source, 1, 100, 0)[0]]]
    at = quantile([value for trial in trials for value in trial], 0.99)
    found = of_pooled_percentile(trials, 99)
    assert found.lower < at < found.upper
    assert of_pooled_percentile(trials[:2], 99) is None


@pytest.mark.parametrize("between", [0, 0.1])
@pytest.mark.parametrize("percent", [90, 99])
def test_the_interval_of_a_percentile_holds_it_as_often_as_it_says(percent, between):
    source, truth = random.Random(2), math.exp(math.sqrt(0.25 + between**2) * NormalDist().inv_cdf(percent / 100))
    found = [of_pooled_percentile(latencies(source, 5, 110, between), percent) for _ in range(200)]
    assert sum(each.lower <= truth <= each.upper for each in found) >= 180


def test_equal_requests_have_an_interval_without_width():
    found = of_pooled_percentile([[0.1] * 50] * 3, 99.9)
    assert found.lower == found.upper == pytest.approx(0.1)
