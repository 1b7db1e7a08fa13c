"""F38, run-span-implausible: Runs of one result that are spread over weeks."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import found
from support.suite_results import document, relative
from support.training_logs import CLAIM, DAY, NAMES, RUNS, of_run, of_runs, shifted


@pytest.mark.parametrize(
    ("days", "expected"),
    [(3, "pass"), (8, ("c", "caveat")), (31, ("b", "undermines")), (61, ("a", "undermines"))],
)
def test_spans_without_a_plan(judged, days, expected):
    patch = of_runs(result_4=shifted("result_4", days * DAY))
    patch["arms"][CLAIM]["plan"] = None
    assert found(judged("suite-training", "F38", CLAIM, patch)) == expected


def test_a_plan_that_lists_every_run_does_not_say_what_changed_in_between(judged):
    result = judged("suite-training", "F38", CLAIM, of_runs(result_4=shifted("result_4", 61 * DAY)))
    assert found(result) == ("d", "caveat")
    assert "the plan lists 5 runs" in result.branch.message
    assert found(judged("suite-training", "F38", CLAIM, of_runs(result_4=shifted("result_4", 3 * DAY)))) == "pass"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Trains in 38 minutes (mean of five runs on five days of two months).", "pass"),
        ("Trains in 38 minutes (five runs, one over each of two months).", ("d", "caveat")),
        ("Trains in 38 minutes; five runs, median.", ("d", "caveat")),
    ],
)
def test_a_plan_beside_words_that_say_on_how_many_days(judged, sentence, expected):
    patch = {**of_runs(result_4=shifted("result_4", 61 * DAY)), "claims": {CLAIM: {"statement": sentence}}}
    assert found(judged("suite-training", "F38", CLAIM, patch)) == expected
    patch["arms"][CLAIM]["plan"] = None
    assert found(judged("suite-training", "F38", CLAIM, patch)) == ("a", "undermines")


def test_long_runs_make_a_long_campaign(judged):
    runs = {
        name: {"window": {"start_ms": 1744012991494 + i * 20 * DAY, "stop_ms": 1744012991494 + (i * 20 + 19) * DAY}}
        for i, name in enumerate(NAMES)
    }
    patch = {"arms": {CLAIM: {"plan": None, "runs": runs}}}
    assert found(judged("suite-training", "F38", CLAIM, patch)) == "pass"


def test_a_finding_about_days_stands_at_the_run_that_lies_apart(logged_training):
    for name, days in (("result_0", -90), ("result_4", 90)):
        lines = {line: {"time_ms": event["time_ms"] + days * DAY} for line, event in RUNS[name]["events"].items()}
        patch = of_run(lines, name)
        patch["arms"][CLAIM]["plan"] = None
        result = logged_training("F38", patch)
        assert found(result) == ("a", "undermines")
        assert result.branch.at.endswith(f"/{name}")
        assert f"{name}.txt" in result.branch.message


@pytest.mark.parametrize(("second", "far"), [("2024-08-12T08:20:00Z", True), ("2025-02-12T09:20:00Z", False)])
def test_runs_half_a_year_apart(judged, second, far):
    runs = document(relative("performance", "2025-02-12T08:12:41Z"), relative("performance-2", second))
    found = judged("suite-inference", "F38", "server", runs)
    assert (found.outcome is Outcome.VIOLATION) is far
