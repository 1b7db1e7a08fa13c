"""F51, summary-differs-from-trace: A printed summary beside a detailed log that says something else."""

import pytest
from support.answers import found
from support.suite_results import performance
from support.training_logs import REFUTED


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ({"samples_per_second": "93945.8"}, "pass"),
        ({"samples_per_second": 93950}, "pass"),
        ({"samples_per_second": "94100"}, REFUTED),
        ({"samples_per_second": None}, "not-applicable"),
        ({"result": "INVALID"}, REFUTED),
        ({"scenario": "Server"}, REFUTED),
        ({"mode": "performanceonly"}, "pass"),
        ({"max_latency_ns": "661842000001"}, "pass"),
        ({"max_latency_ns": "671842000000"}, REFUTED),
        ({"qsl_rng_seed": "6023615788873153749"}, "pass"),
        ({"qsl_rng_seed": "6023615788873153750"}, "pass"),
        ({"qsl_rng_seed": "7023615788873153750"}, REFUTED),
        ({"samples_per_second": "NaN"}, "pass"),
        ({"unheard_of": 1}, "not-applicable"),
    ],
)
def test_figures_of_a_summary(judged, summary, expected):
    assert found(judged("suite-inference", "F51", "offline", performance(summary=summary))) == expected


def test_the_verdict_of_the_summary_is_that_of_the_log(judged):
    assert found(judged("suite-inference", "F51", "offline", performance(verdict={"valid": False}))) == REFUTED
    flag = {"40": {"key": "result_min_duration_met", "value": False, "kind": "stat"}}
    assert found(judged("suite-inference", "F51", "offline", performance(events=flag))) == REFUTED


def test_a_latency_of_samples_is_not_one_of_queries(judged):
    events = {
        "40": {"key": "result_mean_latency_ns", "value": 18744784, "kind": "stat"},
        "41": {"key": "result_mean_query_latency_ns", "value": 27690886, "kind": "stat"},
    }
    of_queries = performance(summary={"mean_latency_ns": "27690886"}, events=events)
    assert found(judged("suite-inference", "F51", "offline", of_queries)) == "pass"
    of_none = performance(summary={"mean_latency_ns": "22690886"}, events=events)
    assert found(judged("suite-inference", "F51", "offline", of_none)) == REFUTED
