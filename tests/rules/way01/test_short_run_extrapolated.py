"""W0102, short-run-extrapolated: The time of a whole training, computed from the speed of a few steps."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.patches import both
from support.quality import RUNS


def derived(**claim):
    return {"claims": {"time": {"basis": "derived", "measured": {"arm": "timed", "metric": "rate"}, **claim}}}


def test_an_extrapolation_prints_steps_times_step_time(judged):
    result = judged("time-to-accuracy", "W0102", "time", derived())
    assert (result.branch.effect, result.branch.claimed) == (CAVEAT, "85.0 s")
    low, high = (float(end) for end in result.branch.recomputed.removesuffix(" s").split(" to "))
    assert 0.9 * 1344 * 0.0521 < low <= high < 1.1 * 1440 * 0.0521


def test_a_rate_is_enough_to_call_a_time_extrapolated(judged):
    patch = both(derived(), {"claims": {"time": {"basis": None}}})
    assert judged("time-to-accuracy", "W0102", "time", patch).branch.branch == "a"


@pytest.mark.parametrize(
    ("claim", "required"),
    [
        ({"basis": "projected", "purpose": "hardware_throughput"}, False),
        ({"basis": "projected", "purpose": None}, True),
        ({"basis": "derived", "purpose": "hardware_throughput"}, True),
        ({"basis": "projected", "purpose": "time_to_accuracy"}, True),
        (
            {
                "basis": "projected",
                "purpose": "hardware_throughput",
                "target": {"metric": "accuracy", "value": "0.99", "direction": "higher"},
            },
            True,
        ),
    ],
)
def test_a_stated_projection_of_stated_work_needs_no_run_to_a_target(judged, claim, required):
    runs = {"target": None, "quality": None, "trials": RUNS}
    patch = both({"claims": {"time": {"target": None, "criterion": None}}}, derived(**claim))
    patch["arms"] = {"trained": runs, "timed": {"target": None}}
    result = judged("time-to-accuracy", "W0102", "time", patch)
    assert result.outcome is Outcome.NOT_SHOWN
    assert bool(result.branch.item) is required


def test_a_time_beyond_the_end_of_every_run_was_not_measured(judged):
    late = {"claims": {"time": {"value": "250.0", "target": {"value": "0.96"}}}}
    assert judged("time-to-accuracy", "W0102", "time", late).outcome is Outcome.NOT_SHOWN
    reached = {"claims": {"time": {"value": "250.0"}}}
    assert judged("time-to-accuracy", "W0102", "time", reached).outcome is Outcome.PASS


def test_timed_steps_alone_show_no_training(judged):
    steps = {"t1": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": [0.05] * 30}}}
    patch = {"arms": {"trained": {"trials": RUNS | steps, "quality": None}}}
    assert judged("time-to-accuracy", "W0102", "time", patch).outcome is Outcome.NOT_SHOWN


def test_a_training_that_was_not_completed_is_said_to_be_one(judged):
    claim = {"measured": {"metric": None}, "value": None, "unit": None, "form": "words"}
    aborted = {"a": {"kind": "convergence", "outcome": "failed", "reason": "run_stop says aborted"}}
    lost = {"b": {"kind": "convergence", "outcome": "lost"}}

    def message(trials):
        arm = {"trials": RUNS | trials, "quality": None, "performance": None}
        result = judged("time-to-accuracy", "W0102", "time", {"claims": {"time": claim}, "arms": {"trained": arm}})
        return result.branch.message

    assert message(aborted) == "the training run was not completed: run_stop says aborted"
    ends = "none of 2 training runs was completed: run_stop says aborted; it is listed as lost"
    assert message(aborted | lost) == ends


def test_an_extrapolation_without_any_run_is_not_shown(judged):
    patch = both(derived(), {"arms": {"trained": {"trials": RUNS, "quality": None}}})
    result = judged("time-to-accuracy", "W0102", "time", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "steps to target of a run that reached it")


def test_planned_steps_are_not_steps_to_target(judged):
    patch = both(derived(), {"arms": {"trained": {"trials": RUNS, "quality": None, "options": {"epochs": 40}}}})
    assert judged("time-to-accuracy", "W0102", "time", patch).outcome is Outcome.NOT_SHOWN


def test_a_cited_reference_gives_the_steps(judged):
    cited = {"crossing_samples": 1376256, "reference": {"citation": "Example et al., 2025"}}
    patch = both(derived(**cited), {"arms": {"trained": {"trials": RUNS, "quality": None}}})
    result = judged("time-to-accuracy", "W0102", "time", patch)
    assert (result.outcome, result.branch.branch) == (Outcome.VIOLATION, "a")


def test_a_time_without_any_source_is_not_shown(judged):
    patch = {"claims": {"time": {"measured": None, "quality": None}}}
    assert judged("time-to-accuracy", "W0102", "time", patch).outcome is Outcome.NOT_SHOWN


def test_the_cost_of_a_step_is_no_training(judged):
    patch = {"claims": {"rate": {"quantity": "cost", "unit": "$"}}}
    assert judged("time-to-accuracy", "W0102", "rate", patch).outcome is Outcome.NOT_APPLICABLE


def test_a_throughput_claim_beside_a_convergence_run_is_outside(judged):
    assert judged("time-to-accuracy", "W0102", "rate").outcome is Outcome.NOT_APPLICABLE


def test_as_long_a_training_as_before_took_place_where_it_reached_a_quality(judged):
    silent = {"arms": {"trained": {"target": None, "trials": None, "performance": None}}}
    parity = {"claims": {"time": {"form": "parity", "target": None, "basis": None, "measured": {"metric": None}}}}
    assert judged("time-to-accuracy", "W0102", "time", both(silent, parity)).outcome is Outcome.PASS
    untold = both(silent, parity, {"claims": {"time": {"quality": None}}, "arms": {"trained": {"quality": None}}})
    assert judged("time-to-accuracy", "W0102", "time", untold).outcome is Outcome.NOT_SHOWN
