"""M08, autocorrelation-ignored."""

import math
import random

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import strength
from support.series import noisy, rate


def smooth(seed, n=200):
    """Times that depend on the one before them, by half."""
    source, state, values = random.Random(seed), 0.0, []
    for _ in range(n):
        state = 0.5 * state + source.gauss(0, 1)
        values.append(0.1024 * math.exp(0.01 * state))
    return values


def over(varies, low="2495", high="2505"):
    return {"interval": {"low": low, "high": high, "level": 0.95, "varies": varies}}


def test_dependent_iterations_need_a_wider_interval(judged):
    rows = [smooth(seed) for seed in range(4)]
    assert strength(judged("rate", "M08", "rate", rate(rows, over("iterations")))) == ("a", UNDERMINES)
    assert strength(judged("rate", "M08", "rate", rate(rows[:1], over("iterations")))) == ("b", CAVEAT)
    wide = judged("rate", "M08", "rate", rate(rows, over("iterations", "2400", "2600")))
    assert wide.outcome is Outcome.PASS


def wandering(seed, n=60, by=0.85):
    source, state, values = random.Random(seed), 0.0, []
    for _ in range(n):
        state = by * state + math.sqrt(1 - by * by) * source.gauss(0, 1)
        values.append(0.1024 * math.exp(0.02 * state))
    return values


def test_a_series_too_dependent_for_blocks_widens_the_interval_by_its_autocorrelation_time(judged):
    rows = [wandering(seed) for seed in range(5)]  # as independent values, 300 of them, +- 0.23 %
    narrow = judged("rate", "M08", "rate", rate(rows, over("iterations", "2494", "2506")))
    assert strength(narrow) == ("a", UNDERMINES)
    wide = judged("rate", "M08", "rate", rate(rows, over("iterations", "2480", "2520")))
    assert wide.outcome is Outcome.PASS
    independent = [noisy(seed, noise=0.02) for seed in range(5)]
    found = judged("rate", "M08", "rate", rate(independent, over("iterations", "2494", "2506")))
    assert found.outcome is Outcome.PASS


@pytest.mark.parametrize("varies", ["trials", "seeds", None])
def test_an_interval_over_trials_ignores_no_dependence(judged, varies):
    rows = [smooth(seed) for seed in range(4)]
    assert judged("rate", "M08", "rate", rate(rows, over(varies))).outcome is Outcome.NOT_APPLICABLE
