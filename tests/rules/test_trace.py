"""`trace`: A run's log as rules read it: the same whether the submission holds the events or a foreign file does."""

import math

import pytest
from dlaudit.rules.case import Case
from dlaudit.rules.trace import Event, Trace, normalised
from support.traces import case_of, of_run, runs


def test_events_come_in_the_order_of_their_lines_and_know_their_places():
    run = runs("suite-training", "retinanet")[0]
    lines = [event.line for event in run.trace.events]
    assert lines == sorted(lines)
    assert run.trace.place(run.trace.events[0]) == f"/arms/retinanet/runs/result_0/events/{lines[0]}"
    assert run.place("file", "name") == "/arms/retinanet/runs/result_0/file/name"


def test_events_of_a_foreign_file_name_it():
    trace = Trace((Event(7, 1.0, "seed", "identity", 3),), (), "results/a/result_0.txt")
    case = Case(case_of("suite-training").submission, traces={("retinanet", "result_0"): trace})
    first = case.runs(case.submission.claims["retinanet"])[0]
    assert first.trace is trace
    assert first.trace.place(trace.events[0]) == "file:results/a/result_0.txt#7"


def test_a_text_that_stands_for_no_finite_number_is_one():
    event = {"9000": {"time_ms": 1, "key": "eval_accuracy", "value": "NaN"}}
    assert math.isnan(runs("suite-training", "retinanet", of_run(**event))[0].trace.evaluations[-1].number)


@pytest.mark.parametrize(
    ("left", "right"),
    [(256, "256"), (256.0, 256), ("true", True), ({"b": 1, "a": "2"}, {"a": 2, "b": 1.0}), ([1, "x"], ["1", "x"])],
)
def test_values_that_mean_the_same_compare_equal(left, right):
    assert normalised(left) == normalised(right)


@pytest.mark.parametrize(("left", "right"), [(2**63, 2**63 + 1), ("1e-5", "1e-6"), ("x", "X"), (None, "none")])
def test_values_that_differ_do_not(left, right):
    assert normalised(left) != normalised(right)
