"""The fact `suite.loadgen_times`."""

import pytest
from dlaudit.rules.facts.suite.loadgen_times import began_s, impossible, span_ms
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
