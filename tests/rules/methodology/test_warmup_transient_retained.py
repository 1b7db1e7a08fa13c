"""M02, warmup-transient-retained: A series of times that still begins slow after its warm-up was cut."""

import math

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import strength
from support.series import honest, noisy, rate, slow


def test_a_kept_head_that_moves_the_stated_mean_undermines(judged):
    rows = [slow(row) for row in honest()]
    found = judged("rate", "M02", "rate", rate(rows, {"value": "2428", "digits": None, "statistic": "mean"}))
    assert strength(found) == ("a", UNDERMINES)
    assert "5 of 5 trials" in found.branch.message
    assert len(found.branch.related) == 4


def test_a_kept_head_that_leaves_the_stated_median_is_a_caveat(judged):
    rows = [slow(row) for row in honest()]
    assert strength(judged("rate", "M02", "rate", rate(rows, {"value": "2500", "digits": 2}))) == ("b", CAVEAT)


@pytest.mark.parametrize(("scope", "expected"), [("request", CAVEAT), ("step", UNDERMINES)])
def test_a_queue_within_the_stated_interval_of_requests_is_a_caveat(judged, scope, expected):
    rows = [slow(row) for row in honest()]
    stated = {"value": "2428", "digits": None, "statistic": "mean", "scope": scope}
    stated["interval"] = {"low": "2300", "high": "2600", "level": 0.95}
    assert strength(judged("rate", "M02", "rate", rate(rows, stated)))[1] is expected


def test_one_slow_trial_of_five_is_a_caveat_and_its_place_is_named(judged):
    rows = [slow(noisy(0)), *honest()[1:]]
    found = judged("rate", "M02", "rate", rate(rows, {"value": "2428", "statistic": "mean"}))
    assert strength(found) == ("b", CAVEAT)
    assert found.branch.at == "/arms/a/trials/t1/samples"


@pytest.mark.parametrize(
    "row",
    [noisy(1, n=14), [0.1] * 60, ([0.1] * 5 + [0.2]) * 10],
    ids=["short", "constant", "coarse"],
)
def test_a_series_that_cannot_tell_its_beginning_is_not_judged(judged, row):
    assert judged("rate", "M02", "rate", rate([row] * 2)).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize("head", [1, 2, 3])
def test_a_head_of_a_few_values_is_seen(judged, head):
    found = judged("rate", "M02", "rate", rate([slow(row, head, 2.5) for row in honest()]))
    assert found.outcome is Outcome.VIOLATION
    assert ("the first value is" if head == 1 else f"the first {head} values are") in found.branch.message


def test_a_pause_in_the_middle_is_no_head(judged):
    rows = [[*row[:20], 0.4, *row[20:]] for row in honest()]
    assert judged("rate", "M02", "rate", rate(rows)).outcome is Outcome.PASS


def decaying(row, head, factor=1.5):
    return [x * (1 + (factor - 1) * math.exp(-4 * k / head)) if k < head else x for k, x in enumerate(row)]


@pytest.mark.parametrize("head", [20, 40])
def test_a_head_beyond_the_window_is_one_where_it_decays(judged, head):
    rows = [decaying(row, head) for row in honest()]
    found = judged("rate", "M02", "rate", rate(rows, {"value": "2250", "digits": 3, "statistic": "mean"}))
    assert strength(found) == ("a", UNDERMINES)
    late = [[*row[:20], *(1.3 * x for x in row[20:40]), *row[40:]] for row in honest()]
    assert judged("rate", "M02", "rate", rate(late)).outcome is not Outcome.VIOLATION
    line = [drifting(row, -0.3) for row in honest()]
    assert judged("rate", "M02", "rate", rate(line)).outcome is not Outcome.VIOLATION


def test_a_fast_head_or_a_late_change_is_no_warm_up(judged):
    for change in (lambda row: slow(row, 6, 0.8), lambda row: row[:30] + slow(row[30:], 30, 1.3)):
        rows = [change(row) for row in honest()]
        assert judged("rate", "M02", "rate", rate(rows)).outcome is not Outcome.VIOLATION


def drifting(row, change):
    return [x * (1 + change * k / len(row)) for k, x in enumerate(row)]
