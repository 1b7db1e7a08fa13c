"""Runs and their logs as rules read them, and what `has(item)` says of them."""

import math

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.facts.runs.event_kinds import kind_of
from dlaudit.rules.facts.runs.times import duration_s, init_start_ms, is_successful, is_unix, seeds, started_ms, status
from dlaudit.rules.items import ITEMS
from dlaudit.rules.predicate import predicate
from dlaudit.rules.trace import Event, Trace, normalised
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate


def case_of(name, patch=None):
    value = merge_patch(base(name), patch or {})
    assert not validate("submission", value)
    return Case(to_model(value, Submission))


def runs(name, claim, patch=None):
    case = case_of(name, patch)
    return case.runs(case.submission.claims[claim])


def of_run(**events):
    return {"arms": {"retinanet": {"runs": {"result_0": {"events": events}}}}}


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


def test_a_run_tells_when_it_ran_and_how_it_ended():
    run = runs("suite-training", "retinanet")[0]
    (start,), (stop,) = run.trace.of("run_start"), run.trace.of("run_stop")
    assert started_ms(run) == start.time_ms
    assert duration_s(run) == pytest.approx((stop.time_ms - start.time_ms) / 1000)
    assert init_start_ms(run) < started_ms(run)
    assert (status(run), is_successful(run), is_unix(run)) == ("success", True, True)
    assert seeds(run) == ("1822113",)


def test_two_different_starts_give_no_start():
    first = runs("suite-training", "retinanet")[0]
    (start,) = first.trace.of("run_start")
    again = of_run(**{"9000": {"time_ms": start.time_ms + 5000, "key": "run_start"}})
    assert started_ms(runs("suite-training", "retinanet", again)[0]) is None
    equal = of_run(**{"9000": {"time_ms": start.time_ms, "key": "run_start"}})
    assert started_ms(runs("suite-training", "retinanet", equal)[0]) == start.time_ms


def test_a_text_that_stands_for_no_finite_number_is_one():
    event = {"9000": {"time_ms": 1, "key": "eval_accuracy", "value": "NaN"}}
    assert math.isnan(runs("suite-training", "retinanet", of_run(**event))[0].trace.evaluations[-1].number)


def test_options_are_sets_of_comparable_values():
    again = of_run(
        **{"9000": {"key": "global_batch_size", "value": "256.0"}, "9001": {"key": "opt_name", "value": "sgd"}}
    )
    options = runs("suite-training", "retinanet", again)[0].trace.options
    assert options["global_batch_size"] == (256.0,)
    assert options["opt_name"] == ("adam", "sgd")


@pytest.mark.parametrize(
    ("left", "right"),
    [(256, "256"), (256.0, 256), ("true", True), ({"b": 1, "a": "2"}, {"a": 2, "b": 1.0}), ([1, "x"], ["1", "x"])],
)
def test_values_that_mean_the_same_compare_equal(left, right):
    assert normalised(left) == normalised(right)


@pytest.mark.parametrize(("left", "right"), [(2**63, 2**63 + 1), ("1e-5", "1e-6"), ("x", "X"), (None, "none")])
def test_values_that_differ_do_not(left, right):
    assert normalised(left) != normalised(right)


@pytest.mark.parametrize(
    ("key", "started", "counted", "kind"),
    [
        ("global_batch_size", False, False, "option"),
        ("train_samples", False, False, "option"),
        ("train_samples", True, False, "stat"),
        ("learning_rate", True, True, "stat"),
        ("opt_base_learning_rate", True, True, "option"),
        ("seed", False, False, "identity"),
        ("submission_platform", False, False, "identity"),
        ("init_start", False, False, "mark"),
        ("block_start", True, True, "train"),
        ("eval_accuracy", True, True, "eval"),
        ("eval_samples", False, False, "option"),
        ("eval_target", False, False, "option"),
        ("tracked_stats", True, True, "stat"),
    ],
)
def test_kinds(key, started, counted, kind):
    assert kind_of(key, started=started, counted=counted) == kind


HELD = {
    ("suite-training", "retinanet"): {"runs", "trace", "files", "times", "options", "curve", "description", "counted"},
    ("suite-inference", "offline"): {"pair", "trace", "files", "times", "harness_verdict", "window", "counted"},
    ("rate", "rate"): set(),
}


@pytest.mark.parametrize(("name", "claim"), HELD)
def test_items(name, claim):
    case = case_of(name)
    for item in ("trace", "files", "harness_verdict", "window", *HELD[name, claim]):
        assert ITEMS[item](case.submission.claims[claim], case) == (item in HELD[name, claim]), item
    assert predicate("folder")(case.submission.claims[claim], case) == (name != "rate")


def test_modified_tools_are_seen():
    patch = {"arms": {"offline": {"software": {"tool_dirty": None}}}}
    case = case_of("suite-inference", patch)
    assert not ITEMS["tool_state"](case.submission.claims["offline"], case)
    patch["arms"]["offline"]["runs"] = {"performance": {"tool": {"changed_files": ["loadgen/loadgen.cc"]}}}
    case = case_of("suite-inference", patch)
    assert ITEMS["tool_state"](case.submission.claims["offline"], case)
