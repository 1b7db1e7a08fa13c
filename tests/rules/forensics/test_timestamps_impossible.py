"""F17, timestamps-impossible."""

import pytest
from dlaudit.rules.case import Study
from dlaudit.rules.outcome import C1, CAVEAT, REFUTES, UNDERMINES, Outcome
from dlaudit.schemas.manifest import Predicate
from dlaudit.schemas.model import to_model
from support.answers import answer, found, nothing
from support.suite_results import document, relative
from support.training_logs import CLAIM, EVENTS, HOUR, RUNS, START, each_run, of_run

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE
GPU = "GPU-8d1f04c2a911"


def ran(*spans, devices=(GPU,), boot=None, **arm):
    trials = {
        f"t{i}": {
            "started": f"2026-02-03T10:{start:02}:00Z",
            "ended": f"2026-02-03T10:{end:02}:00Z",
            "device_ids": list(devices),
            "boot_id": boot,
        }
        for i, (start, end) in enumerate(spans, 1)
    }
    rest = {f"t{i}": None for i in range(len(spans) + 1, 6)}
    return {
        "systems": {"node": {"released": "2020-11-16"}},
        "arms": {"a": {"software": {"released": "2025-01-29"}, "trials": {**trials, **rest}, **arm}},
    }


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (ran((0, 5), (5, 9)), PASS),
        (ran((0, 5), (4, 9)), ("a", REFUTES)),
        (ran((0, 30), (2, 3), (20, 25)), ("a", REFUTES)),
        (ran((5, 4)), ("a", REFUTES)),
        (ran((0, 5), (4, 9), devices=("0",)), PASS),  # an index is no identity
        (ran((0, 5), (4, 9), devices=("0",), boot="5f1c2d3e-1"), ("a", REFUTES)),
        (ran((0, 5), (4, 9), devices=("cpu",), boot="5f1c2d3e-1"), PASS),
        (ran((0, 5), (4, 9), devices=("00000000:3B:00.0",)), PASS),  # every machine has that slot
        (ran((0, 5), (4, 9), devices=("MIG-3f1e04c2a911",)), PASS),
        (ran((0, 5), (4, 9), environment={"partitioning": "7 slices"}), NOT_APPLICABLE),
        (ran((0, 5), (5, 9), devices=()), NOT_APPLICABLE),
    ],
)
def test_runs_of_one_device_follow_each_other(judged, patch, expected):
    assert answer(judged("rate", "F17", "rate", patch)) == expected


def clocked(*rows):
    evaluations = [
        {"split": "test", "step": step, "metrics": {"accuracy": 0.9}, **({"time_s": time_s} if time_s else {})}
        for step, time_s in rows
    ]
    trial = {"kind": "convergence", "outcome": "completed", "evaluations": evaluations}
    return {"arms": {"a": {"trials": {**{f"t{i}": None for i in range(1, 6)}, "c1": trial}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (clocked((1, 34.5), (2, 551.2), (3, 1068.1)), NOT_APPLICABLE),
        (clocked((1, 34.5), (2, 551.2), (3, 1068.1), (4, 2551.2), (5, 2101.9)), ("c", UNDERMINES)),
        (clocked((1, 500), (2, 1000), (3, 1500), (4, 600), (5, 2500)), ("c", UNDERMINES)),  # back at once
        (clocked((1, 500), (2, 1000), (3, 600), (4, 1100), (5, 3000), (6, 1600)), ("c", UNDERMINES)),
        (clocked((1, 610.2), (2, 1221.0), (3, 1832.1), (4, 655.4), (5, 1266.0)), ("d", CAVEAT)),  # a new process
        (clocked((1, 720), (2, 840), (3, 960), (4, 1080), (5, 740), (6, 860)), ("d", CAVEAT)),  # it loads for long
        (clocked((1, 610), (2, 1221), (3, 702), (4, 1310), (5, 655), (6, 1266)), ("d", CAVEAT)),
        (clocked((3, 1068.1), (1, 34.5), (2, 551.2)), NOT_APPLICABLE),  # not in the order of the run
        (clocked((1, 34.5), (2, 551.2), (2, 500.0)), NOT_APPLICABLE),  # the same step, evaluated again
        (clocked((1, 1000.0), (2, 998.0)), NOT_APPLICABLE),
        (clocked((1, 34.5), (2, None), (3, 0.5)), ("d", CAVEAT)),
    ],
)
def test_the_clock_of_a_run_goes_forward(judged, patch, expected):
    assert answer(judged("rate", "F17", "rate", patch)) == expected


def test_a_run_is_not_older_than_its_device_or_software(judged):
    for change in ({"systems": {"node": {"released": "2026-06-01"}}},):
        result = judged("rate", "F17", "rate", {**ran((0, 5)), **change})
        assert (answer(result), result.branch.confidence) == (("b", CAVEAT), C1)
    late = ran((0, 5))
    late["arms"]["a"]["software"]["released"] = "2026-02-04"
    assert answer(judged("rate", "F17", "rate", late)) == ("b", CAVEAT)


def test_no_run_is_longer_than_its_study(judged):
    record = {
        "dlaudit": "study/1",
        "tool": {"name": "dlaudit", "version": "1"},
        "libraries": {},
        "study": {
            **dict.fromkeys(("id", "title", "spec"), "s"),
            "started": "2026-02-03T10:00:00Z",
            "ended": "2026-02-03T10:20:00Z",
            "spec_sha256": "0" * 64,
            "complete": True,
        },
        "plan": [],
        "systems": {},
        "arms": {"a": {"trials": {"t1": {"kind": "throughput", "outcome": "completed",
                                          "started": "2026-02-03T10:00:00Z", "ended": "2026-02-03T10:40:00Z"}}}},
    }  # fmt: skip
    study = Study("s", to_model(record, Predicate, "s:"), "trusted")
    patch = {
        "manifests": {"s": {"path": "m.json", "sha256": "0" * 64}},
        "claims": {"rate": {"measured": {"manifest": "s", "arm": "a", "metric": None}}},
    }
    assert answer(judged("rate", "F17", "rate", patch, studies={"s": study})) == ("a", REFUTES)


def line_of(name, key):
    return next(line for line, event in RUNS[name]["events"].items() if event["key"] == key)


@pytest.mark.parametrize(
    ("early_ms", "accused"), [(900, None), (1_100, "caveat"), (4_900, "caveat"), (90_000, "undermines")]
)
def test_an_evaluation_does_not_end_before_it_begins(logged_training, early_ms, accused):
    result = logged_training("F17", of_run({"56": {"time_ms": EVENTS["52"]["time_ms"] - early_ms}}))
    assert nothing(result) is (accused is None)
    if accused:
        assert found(result) == ("e", accused)
        assert "eval_stop" in result.branch.message
        assert result.branch.at.endswith("/events/56")


def test_any_mark_counts_and_marks_of_several_processes_are_not_paired(logged_training):
    stages = {
        "120": {"key": "staging_start", "time_ms": START},
        "121": {"key": "staging_stop", "time_ms": START - 5_000},
    }
    assert found(logged_training("F17", of_run(stages))) == ("e", "undermines")
    ranks = {"119": {"key": "staging_start", "time_ms": START - 9_000}, **stages}
    assert nothing(logged_training("F17", of_run(ranks)))
    assert nothing(logged_training("F17", of_run({"121": stages["121"]})))


def test_an_initialisation_that_ends_after_the_start(logged_training):
    late = logged_training("F17", of_run({"22": {"time_ms": START + 300_000}}))
    assert found(late) == ("f", "caveat")
    assert nothing(logged_training("F17", of_run({"22": {"time_ms": START + 4_000}})))
    after = {"22": None, "26": {"key": "init_stop", "time_ms": START + 300_000}}
    assert nothing(logged_training("F17", of_run(after)))


def test_a_log_in_seconds_among_logs_in_milliseconds(logged_training):
    seconds = {line: {"time_ms": event["time_ms"] // 1000} for line, event in EVENTS.items()}
    result = logged_training("F17", of_run(seconds))
    assert found(result) == ("e", "undermines")
    assert "in seconds" in result.branch.message
    since_boot = {line: {"time_ms": event["time_ms"] - START + 1_500_000} for line, event in EVENTS.items()}
    assert nothing(logged_training("F17", of_run(since_boot, clock={"kind": None})))


def test_logs_that_all_count_seconds_are_not_told_apart(logged_training):
    assert nothing(logged_training("F17", each_run(lambda name, line, event: {"time_ms": event["time_ms"] // 1000})))


@pytest.mark.parametrize(("round_name", "noticed"), [("v5.0", False), ("v4.1", True), ("v9.9", False)])
def test_what_was_run_after_its_round_was_published_is_a_rerun(logged_training, round_name, noticed):
    """The logs are of April 2025: v4.1 came out in November 2024, v5.0 in June 2025."""
    handed = {"publication": None, "folder": {"name": "training_results"}}
    patch = {**handed, "claims": {CLAIM: {"suite_result": {"round": round_name}}}}
    assert (found(logged_training("F17", patch)) == ("g", "caveat")) is noticed


def test_one_run_after_the_round_among_those_before_it_was_put_there(logged_training):
    year_ms = 365 * 86_400_000
    before = each_run(lambda name, line, event: {"time_ms": event["time_ms"] - (year_ms if name != "result_0" else 0)})
    patch = {"publication": None, "folder": {"name": "training_results"}, **before}
    patch["claims"] = {CLAIM: {"suite_result": {"round": "v4.1"}}}
    result = logged_training("F17", patch)
    assert found(result) == ("g", "undermines")
    assert (result.branch.claimed, result.branch.recomputed) == (None, None)
    assert result.branch.at.endswith("/runs/result_0/events/" + line_of("result_0", "run_start"))
    arm = patch["arms"][CLAIM] | {"trials": None}
    for name in RUNS.keys() - {"result_0"}:
        arm["runs"][name] = {"events": {line: {"time_ms": None} for line in EVENTS}, "window": None}
    untimed = logged_training("F17", {**patch, "arms": {CLAIM: arm}})
    assert found(untimed) == ("g", "undermines")
    assert untimed.branch.message.startswith(f"1 of {len(RUNS)} runs")


@pytest.mark.parametrize("left", ["init_start", None])
def test_a_run_after_its_round_is_named_where_its_log_says_that_it_began(logged_training, left):
    window = {"start_ms": START, "stop_ms": START + HOUR}
    lines = {line: None for line, event in EVENTS.items() if event["key"] in {"run_start", "init_start"} - {left}}
    patch = {"publication": None, "folder": {"name": "training_results"}, **of_run(lines, window=window)}
    patch["arms"][CLAIM]["runs"] |= dict.fromkeys(name for name in RUNS if name != "result_1")
    patch["claims"] = {CLAIM: {"suite_result": {"round": "v4.1"}}}
    result = logged_training("F17", patch)
    assert found(result) == ("g", "caveat")
    place = "/runs/result_1" + (f"/events/{line_of('result_1', left)}" if left else "")
    assert result.branch.at.endswith(place)


def test_a_published_number_may_rest_on_later_runs_of_an_old_round(logged_training):
    assert nothing(logged_training("F17", {"claims": {CLAIM: {"suite_result": {"round": "v4.1"}}}}))


def stamped(wall_s, date="2026-09-01"):
    trial = {"started": "2026-02-03T10:00:00Z", "ended": "2026-02-03T10:05:00Z", "wall_s": wall_s}
    return {"publication": {"date": date}, "arms": {"a": {"trials": {"t1": trial}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (stamped(299.0), NOT_APPLICABLE),
        (stamped(377.0), ("a", REFUTES)),
        (stamped(299.0, "2026-01-20"), ("b", CAVEAT)),
        (stamped(299.0, "2026-02-02"), NOT_APPLICABLE),  # within a day or two of time zones
    ],
)
def test_stamps_wall_time_and_publication(judged, patch, expected):
    assert answer(judged("rate", "F17", "rate", patch)) == expected


def test_runs_after_their_round(judged):
    runs = document(relative("performance", "2025-06-11T08:12:41Z"))
    found = judged("suite-inference", "F17", "server", runs)
    assert (found.outcome, found.branch.effect) == (Outcome.VIOLATION, CAVEAT)
    assert found.branch.at.endswith("/runs/performance")
    runs = document(relative("performance", "2025-02-11T08:12:41Z"))
    assert judged("suite-inference", "F17", "server", runs).outcome is not Outcome.VIOLATION
