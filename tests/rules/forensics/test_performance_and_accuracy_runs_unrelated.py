"""F47, performance-and-accuracy-runs-unrelated."""

import pytest
from dlaudit.rules.bases import base
from support.answers import found
from support.suite_results import performance
from support.training_logs import CLAIM, REFUTED, UNDERMINED

INFERENCE = base("suite-inference")["arms"]["offline"]["runs"]


def accuracy(**fields):
    return {"arms": {"offline": {"runs": {"accuracy": fields}}}}


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("", "pass"),
        ("?? build/\n", "pass"),
        (" M loadgen.cc\n?? build/", "caveat"),
        ("M  loadgen.cc", "caveat"),
        (None, "pass"),
        (" M ", "pass"),
    ],
)
def test_a_harness_that_was_changed(judged, status, expected):
    event = {"time_ms": 1744020000001, "key": "loadgen_git_status_message", "value": status}
    patch = {"arms": {"offline": {"runs": {"performance": {"events": {"900": event}}}}}}
    answer = found(judged("suite-inference", "F47", "offline", patch))
    assert answer == (expected if expected == "pass" else ("d", "caveat"))


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (performance(tool={"mode": "accuracy"}), REFUTED),
        (accuracy(events={"5": {"value": "PerformanceOnly"}}), REFUTED),
        (accuracy(tool={"commit": "0a1b2c3d4e"}), ("c", "caveat")),
        (accuracy(tool={"commit": "7f54d0a"}), "pass"),
        (accuracy(tool={"release": "4.1"}), "not-shown"),
        (accuracy(tool={"release": None}), "not-shown"),
        (accuracy(tool={"commit": None}), "not-shown"),
        (accuracy(events={"3": {"value": "OfflineAdapter"}}), "pass"),
        ({"arms": {"offline": {"runs": {"accuracy": None}}}}, "not-shown"),
        ({"arms": {"offline": {"runs": {"accuracy": None, "performance": None}}}}, "not-shown"),
    ],
)
def test_performance_and_accuracy_logs(judged, patch, expected):
    assert found(judged("suite-inference", "F47", "offline", patch)) == expected


@pytest.mark.parametrize("key", ["qsl_reported_total_count", "model_sha256", "system_name"])
def test_size_model_and_system_of_both_logs(judged, key):
    def sizes(one, other):
        runs = {
            role: {"events": {"40": {"key": key, "value": value, "kind": "mark"}}}
            for role, value in (("performance", one), ("accuracy", other))
        }
        return {"arms": {"offline": {"runs": runs}}}

    assert found(judged("suite-inference", "F47", "offline", sizes(50000, "50000"))) == "pass"
    assert found(judged("suite-inference", "F47", "offline", sizes(50000, 500))) == UNDERMINED
    held_in_part = "pass" if key == "qsl_reported_total_count" else UNDERMINED
    assert found(judged("suite-inference", "F47", "offline", sizes(1024, 50000))) == held_in_part


@pytest.mark.parametrize(
    ("host", "days", "nodes", "expected"),
    [
        ("node-18", 28, 1, "not-shown"),
        ("node-17", 28, 1, "pass"),
        ("node-18", 1, 1, "pass"),  # a container may draw its name
        ("node-18", 28, 4, "pass"),  # a host of the cluster
        (None, 28, 1, "pass"),
    ],
)
def test_two_hosts_weeks_apart(judged, host, days, nodes, expected):
    later = {
        line: {"time_ms": event["time_ms"] + days * 86_400_000}
        for line, event in INFERENCE["accuracy"]["events"].items()
    }
    patch = {**accuracy(host=host, events=later), "systems": {"server": {"nodes": nodes}}}
    result = judged("suite-inference", "F47", "offline", patch)
    assert found(result) == expected
    if expected == "not-shown":
        assert "28 days apart" in result.branch.message


def test_what_is_required_names_the_item(judged):
    result = judged("suite-inference", "F47", "offline", accuracy(tool=None))
    assert result.branch.item == "tool release of both runs"
    assert found(judged("suite-training", "F47", CLAIM)) == "not-applicable"
