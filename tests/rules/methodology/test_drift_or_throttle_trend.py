"""M07, drift-or-throttle-trend."""

import math

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import strength
from support.series import honest, noisy, rate


def drifting(row, change):
    return [x * (1 + change * k / len(row)) for k, x in enumerate(row)]


@pytest.mark.parametrize(("change", "word"), [(0.1, "slower"), (-0.1, "faster")])
def test_a_drift_undermines_either_way(judged, change, word):
    found = judged("rate", "M07", "rate", rate([drifting(row, change) for row in honest()]))
    assert strength(found) == ("a", UNDERMINES)
    assert word in found.branch.message


def test_a_drift_that_is_no_line_is_seen(judged):
    rows = [[x * (1.1 - 0.1 * math.exp(-k / 12)) for k, x in enumerate(noisy(seed, noise=0.02))] for seed in range(5)]
    assert judged("rate", "M07", "rate", rate(rows)).outcome is Outcome.VIOLATION


def test_a_small_drift_and_a_short_series_are_left(judged):
    assert judged("rate", "M07", "rate", rate([drifting(row, 0.015) for row in honest()])).outcome is Outcome.PASS
    short = [drifting(row, 0.3) for row in honest(n=29)]
    assert judged("rate", "M07", "rate", rate(short)).outcome is Outcome.NOT_APPLICABLE


def test_one_drifting_trial_is_a_caveat(judged):
    rows = [drifting(noisy(9), 0.1), *honest(4)]
    assert strength(judged("rate", "M07", "rate", rate(rows))) == ("b", CAVEAT)
