"""F37, runs-overlap-in-time: Two runs at the same time on hardware that has room for one."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import Outcome
from support.answers import found, nothing
from support.suite_results import document, relative
from support.training_logs import CLAIM, HOUR, NAMES, RUNS, at_once, of_runs, shifted

VIOLATION, NOT_APPLICABLE = Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def times_of(run):
    return {line: event["time_ms"] for line, event in RUNS[run]["events"].items()}


def overlapping(**fields):
    return of_runs(result_1=shifted("result_1", -HOUR // 2, **fields))


def test_runs_of_one_exclusive_host_do_not_overlap(judged):
    assert found(judged("suite-training", "F37", CLAIM, overlapping())) == ("a", "refutes")


def test_a_run_does_not_initialise_while_another_is_measured_on_one_exclusive_host(judged):
    times, before = times_of("result_1"), times_of("result_0")
    shift = before["90"] - times["23"] + 1_000
    begins = before["90"] - 40_000
    early = shifted("result_1", shift, init={"start_ms": begins, "stop_ms": times["23"] + shift})
    assert found(judged("suite-training", "F37", CLAIM, of_runs(result_1=early))) == ("b", "undermines")
    early["init"]["start_ms"] = before["90"] - 4_000
    assert found(judged("suite-training", "F37", CLAIM, of_runs(result_1=early))) == "pass"
    elsewhere = early | {"host": "node-18", "init": {"start_ms": begins, "stop_ms": times["23"] + shift}}
    assert found(judged("suite-training", "F37", CLAIM, of_runs(result_1=elsewhere))) == "pass"


def test_runs_on_separate_hosts_or_devices_may_overlap(judged):
    assert found(judged("suite-training", "F37", CLAIM, overlapping(host="node-18"))) == "pass"
    shared = {name: {"exclusive": False, "device_ids": [f"{name}-{i}" for i in range(4)]} for name in NAMES}
    patch = overlapping()
    for name, fields in shared.items():
        patch["arms"][CLAIM]["runs"].setdefault(name, {}).update(fields)
    assert found(judged("suite-training", "F37", CLAIM, patch)) == "pass"
    patch["arms"][CLAIM]["runs"]["result_1"]["device_ids"] = ["result_0-0", "x"]
    assert found(judged("suite-training", "F37", CLAIM, patch)) == ("a", "refutes")


def test_a_shared_host_that_nobody_had_alone_is_judged_by_its_devices(judged):
    patch = overlapping()
    for name in NAMES:
        patch["arms"][CLAIM]["runs"].setdefault(name, {}).update({"exclusive": False})
    assert found(judged("suite-training", "F37", CLAIM, patch)) == ("a", "refutes")
    patch["arms"][CLAIM] |= {"devices": 4}
    patch["arms"][CLAIM]["options"] = {"devices": 4}
    assert found(judged("suite-training", "F37", CLAIM, patch)) == "not-shown"


def test_parallel_runs_without_identity_are_not_shown(judged):
    patch = overlapping()
    for name in NAMES:
        patch["arms"][CLAIM]["runs"].setdefault(name, {}).update({"host": None, "exclusive": None})
    result = judged("suite-training", "F37", CLAIM, patch)
    assert found(result) == "not-shown"
    assert result.branch.item == ""
    site = {"systems": {"server": {"site_devices": 8}}, **patch}
    assert found(judged("suite-training", "F37", CLAIM, site)) == ("a", "refutes")
    wide = {"systems": {"server": {"site_devices": 16}}, **patch}
    assert found(judged("suite-training", "F37", CLAIM, wide)) == "not-shown"


def test_an_overlap_of_four_seconds_is_one_of_clocks(judged):
    gap = times_of("result_1")["23"] - times_of("result_0")["90"]
    init = {"start_ms": times_of("result_0")["90"] - 4_000, "stop_ms": times_of("result_0")["90"] - 4_000}
    four = of_runs(result_1=shifted("result_1", -gap - 4_000, init=init))
    assert found(judged("suite-training", "F37", CLAIM, four)) == "pass"
    late = of_runs(result_1=shifted("result_1", -gap - 6_000))
    assert found(judged("suite-training", "F37", CLAIM, late)) == ("a", "refutes")


def test_runs_of_two_results_do_not_share_a_host_at_one_time(judged):
    window = base("suite-inference")["arms"]["offline"]["runs"]["performance"]["window"]
    other = {key: window[key] + 1_000 for key in ("start_ms", "stop_ms")}
    patch = {"arms": {"server": {"runs": {"performance": {"window": other}}}}}
    assert found(judged("suite-inference", "F37", "offline", patch)) == ("a", "refutes")
    assert found(judged("suite-inference", "F37", "offline")) != ("a", "refutes")


@pytest.mark.parametrize(
    ("started", "devices", "outcome"),
    [
        ("2026-02-03T10:04:00Z", ["GPU-8d1f04c2a911"], VIOLATION),
        ("2026-02-03T10:04:57Z", ["GPU-8d1f04c2a911"], NOT_APPLICABLE),  # clocks may be apart
        ("2026-02-03T10:04:00Z", ["GPU-77aa04c2a911"], NOT_APPLICABLE),
        ("2026-02-03T10:04:00Z", ["0"], NOT_APPLICABLE),  # an index is no identity
    ],
)
def test_trials_that_began_before_the_one_before_had_left_its_device(judged, started, devices, outcome):
    other = {"started": started, "ended": "2026-02-03T10:09:00Z", "device_ids": devices}
    first = {"started": "2026-02-03T10:00:00Z", "ended": "2026-02-03T10:05:00Z", "device_ids": ["GPU-8d1f04c2a911"]}
    trial = {"kind": "throughput", "outcome": "completed"}
    patch = {"arms": {"fused": {"trials": {"t1": {**trial, **first}}}, "plain": {"trials": {"t1": {**trial, **other}}}}}
    assert judged("training-pair", "F37", "speedup", patch).outcome is outcome


@pytest.mark.parametrize(
    ("second", "outcome"), [("2025-02-12T08:20:00Z", Outcome.NOT_SHOWN), ("2025-02-12T08:30:00Z", None)]
)
def test_two_runs_of_one_system_at_one_time(judged, second, outcome):
    runs = document(relative("performance", "2025-02-12T08:12:41Z"), relative("performance-2", second))
    found = judged("suite-inference", "F37", "server", runs)
    assert (found.outcome is Outcome.NOT_SHOWN) is (outcome is Outcome.NOT_SHOWN)
    assert found.outcome is not Outcome.VIOLATION


def no_host(patch):
    for run in patch["arms"][CLAIM]["runs"].values():
        run |= {"host": None, "exclusive": None}
    return patch


def test_instances_of_a_throughput_overlap_by_design(logged_training):
    assert nothing(logged_training("F37", no_host(at_once())))
    together = no_host(at_once())
    together["arms"][CLAIM]["folder"] = "results/box/retinanet"
    assert logged_training("F37", together).outcome is Outcome.NOT_SHOWN
