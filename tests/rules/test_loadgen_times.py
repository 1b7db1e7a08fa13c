"""Stamps in logs of LoadGen: F17 (h), and when its runs ran for F37 and F38."""

import pytest
from dlaudit.rules.facts.suite.loadgen_times import began_s, impossible, span_ms
from dlaudit.rules.outcome import CAVEAT, Outcome
from dlaudit.rules.trace import Event, Logged, Trace
from dlaudit.schemas.runs import Run

DATED = [
    (0.01, "loadgen_build_date_utc", "2025-01-20T09:32:07.418829"),
    (0.03, "test_datetime", "2025-02-12T08:12:41Z"),
    (0.05, "effective_scenario", "Offline"),
    (601_000.0, "power_begin", "02-12-2025 08:12:42.710"),
    (601_000.0, "power_end", "02-12-2025 08:22:42.768"),
    (601_001.0, "result_query_count", 1),
]


def run(changes=(), removed=()):
    lines = [line for line in DATED if line[1] not in removed]
    for key, time, value in changes:
        lines = [(time if time is not None else t, k, value if k == key else v) if k == key else (t, k, v)
                 for t, k, v in lines]  # fmt: skip
    events = tuple(Event(number, *line[:2], "mark", line[2]) for number, line in enumerate(lines, 1))
    return Logged("performance", Run(at="/arms/a/runs/performance", role="performance"), Trace(events, (), "log", ""))


def test_stamps_that_agree():
    assert list(impossible(run())) == []
    assert list(impossible(run(removed={key for _, key, _ in DATED}))) == []
    assert span_ms(run()) == (1739347961000.0, 1739347961000.0 + 601_001)
    assert began_s(run([("test_datetime", None, "yesterday")])) is None


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([("loadgen_build_date_utc", -50_000.0, "2025-01-20T09:32:07")], "before its own start"),
        ([("result_query_count", 0.004, 1)], "before its run was set up"),
        ([("test_datetime", None, "2025-01-17T08:12:41Z")], "before its load generator was built"),
        ([("power_end", None, "02-12-2025 08:10:00.000")], "before they begin"),
        (
            [("power_begin", None, "02-15-2025 08:12:42.710"), ("power_end", None, "02-15-2025 08:22:42.768")],
            "3.0 days",
        ),
    ],
)
def test_stamps_that_contradict_each_other(changes, words):
    assert any(words in odd.message for odd in impossible(run(changes)))


@pytest.mark.parametrize(
    "changes",
    [
        # local time nine hours before and fourteen after UTC
        [("power_begin", None, "02-11-2025 23:12:42.710"), ("power_end", None, "02-11-2025 23:22:42.768")],
        [("power_begin", None, "02-12-2025 22:12:42.710"), ("power_end", None, "02-12-2025 22:22:42.768")],
        # summer time ends within the run
        [("power_begin", None, "02-12-2025 08:55:00.000"), ("power_end", None, "02-12-2025 08:05:00.000")],
        # a clock of another machine, some hours behind that of the run
        [("loadgen_build_date_utc", None, "2025-02-12T20:00:00")],
        [("power_begin", None, "not a stamp")],
        [("loadgen_build_date_utc", None, None)],
    ],
)
def test_zones_summer_time_and_what_is_no_stamp(changes):
    assert list(impossible(run(changes))) == []


def relative(name, began, events=(), **fields):
    """Return a run of the base with a log that counts from its start, of ten minutes."""
    lines = {
        "1": {"time_ms": 0.01, "key": "test_datetime", "value": began, "kind": "mark"},
        "2": {"time_ms": 600000.0, "key": "num_errors", "value": 0, "kind": "stat"},
        **dict(events),
    }
    lines |= {str(line): None for line in range(3, 25)}
    other = {"host": None, "exclusive": None, "clock": {"kind": "relative"}, "window": None}
    return {name: {"role": "performance", "events": lines} | other | fields}


def document(*runs):
    found = {name: entry for each in runs for name, entry in each.items()}
    return {
        "publication": None,
        "arms": {"server": {"runs": {"accuracy": None, "TEST01": None, "TEST04": None, **found}}},
    }


@pytest.mark.parametrize(
    ("second", "outcome"), [("2025-02-12T08:20:00Z", Outcome.NOT_SHOWN), ("2025-02-12T08:30:00Z", None)]
)
def test_two_runs_of_one_system_at_one_time(judged, second, outcome):
    runs = document(relative("performance", "2025-02-12T08:12:41Z"), relative("performance-2", second))
    found = judged("suite-inference", "F37", "server", runs)
    assert (found.outcome is Outcome.NOT_SHOWN) is (outcome is Outcome.NOT_SHOWN)
    assert found.outcome is not Outcome.VIOLATION


@pytest.mark.parametrize(("second", "far"), [("2024-08-12T08:20:00Z", True), ("2025-02-12T09:20:00Z", False)])
def test_runs_half_a_year_apart(judged, second, far):
    runs = document(relative("performance", "2025-02-12T08:12:41Z"), relative("performance-2", second))
    found = judged("suite-inference", "F38", "server", runs)
    assert (found.outcome is Outcome.VIOLATION) is far


def test_runs_after_their_round(judged):
    runs = document(relative("performance", "2025-06-11T08:12:41Z"))
    found = judged("suite-inference", "F17", "server", runs)
    assert (found.outcome, found.branch.effect) == (Outcome.VIOLATION, CAVEAT)
    assert found.branch.at.endswith("/runs/performance")
    runs = document(relative("performance", "2025-02-11T08:12:41Z"))
    assert judged("suite-inference", "F17", "server", runs).outcome is not Outcome.VIOLATION
