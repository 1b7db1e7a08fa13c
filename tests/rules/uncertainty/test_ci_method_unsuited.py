"""S02, ci-method-unsuited: An interval whose method fails on such values, or whose width no usual method gives."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import answer, outcome_and_effect
from support.serving import served

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("method", "outcome"),
    [
        ("mean +- 1.96 standard errors (normal)", VIOLATION),
        ("mean of the logs +- 1.96 standard errors (normal)", VIOLATION),
        ("t on logs of the times", PASS),
        ("log-normal", PASS),
        ("Student's t, normal theory", PASS),
    ],
)
def test_a_normal_interval_of_five_runs(judged, method, outcome):
    patch = {"arms": {"trained": {"performance": {"time": {"interval": {"method": method}}}}}}
    result = judged("time-to-accuracy", "S02", "time", patch)
    assert (result.outcome is VIOLATION) is (outcome is VIOLATION)


def test_a_ratio_over_pooled_iterations(judged):
    interval = {"method": "bootstrap over all iterations", "varies": "iterations"}
    patch = {"claims": {"speedup": {"interval": interval}}}
    assert outcome_and_effect(judged("serving-comparison", "S02", "speedup", patch)) == (VIOLATION, CAVEAT)


def test_the_ranks_of_all_requests_suit_a_percentile(judged):
    interval = {"low": "2.80", "high": "2.92", "level": 0.95, "method": "order statistics", "varies": "requests"}
    metric = {"statistic": "percentile", "value": "2.86", "column": "latency_s", "interval": interval}
    claims = {"latency": {"statistic": "percentile", "value": "2.86"}}
    assert judged("serving", "S02", "latency", served(claims, latency=metric)).outcome is not VIOLATION
    metric["interval"] = {**interval, "method": "1.96 standard errors of the mean of all requests"}
    assert judged("serving", "S02", "latency", served(claims, latency=metric)).outcome is VIOLATION


def tail(method, varies="requests", statistic="percentile"):
    interval = {"low": "2.85", "high": "2.86", "level": 0.95, "method": method, "varies": varies}
    performance = {"latency": {"statistic": statistic, "value": "2.857", "interval": interval, "column": None}}
    claim = {"statistic": statistic, "value": "2.857", "statement": "The 99th percentile is 2.857 s."}
    return {"claims": {"latency": claim}, "arms": {"server": {"trials": NONE, "performance": performance}}}


NONE = dict.fromkeys(base("serving")["arms"]["server"]["trials"])
OF_MEAN = "value plus and minus 1.96 standard deviations over the root of n"


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (tail(OF_MEAN), ("a", CAVEAT)),
        (tail("standard error of all requests, normal"), ("a", CAVEAT)),
        (tail("ranks of the order statistics, normal with 1.96"), NOT_APPLICABLE),
        (tail("bootstrap of the 99th percentile"), NOT_APPLICABLE),
        (tail("normal, 1.96 standard errors of the density estimate"), NOT_APPLICABLE),
        (tail("t over five trials", "trials"), NOT_APPLICABLE),
        (tail(OF_MEAN, statistic="mean"), NOT_APPLICABLE),
    ],
)
def test_the_error_of_a_mean_is_none_of_a_percentile(judged, patch, expected):
    assert answer(judged("serving", "S02", "latency", patch)) == expected
