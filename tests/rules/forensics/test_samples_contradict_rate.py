"""F01, samples-contradict-rate: A rate that does not lead from the time to the work of its own window."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import answer

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({}, PASS),
        ({"work": 1600}, VIOLATION),
        ({"work": 600}, VIOLATION),
        ({"work": 600, "statistic": "median"}, NOT_APPLICABLE),
        ({"work": 940}, NOT_APPLICABLE),  # a mean of rates that vary
        ({"work": 943, "statistic": "total"}, VIOLATION),
        ({"work": 1600, "statistic": "median"}, VIOLATION),
        ({"work": 1600, "unit": "requests/s/GPU"}, VIOLATION),
        ({"work": 60000, "unit": "requests/min"}, VIOLATION),
        ({"unit": "things"}, NOT_APPLICABLE),
        ({"work": None}, NOT_APPLICABLE),
    ],
)
def test_rate_time_and_work(judged, changes, outcome):
    patch = {"arms": {"server": {"performance": {"rate": changes}}}}
    result = judged("serving", "F01", "rate", patch)
    assert result.outcome is outcome


def test_a_steady_rate_beside_a_wall_time_with_more_in_it(judged):
    def patch(samples, rate="100"):
        return {
            "claims": {"rate": {"row": {"table": "t", "row": "r"}}},
            "tables": {
                "t": {
                    "columns": {"rate": {"quantity": "rate", "unit": "images/s"}},
                    "rows": {"r": {"wall_s": 1003.2, "samples": samples, "values": {"rate": rate}}},
                }
            },
        }

    assert judged("rate", "F01", "rate", patch(90_123)).outcome is NOT_APPLICABLE
    assert judged("rate", "F01", "rate", patch(100_321)).outcome is PASS
    assert judged("rate", "F01", "rate", patch(123_456)).outcome is VIOLATION


@pytest.mark.parametrize(
    ("value", "steps", "outcome"),
    [
        ("455", [0.28, 0.281, 0.282, 0.283], PASS),
        ("431", [0.28, 0.281, 0.282, 0.283], VIOLATION),  # the slowest step did 452
        ("480", [0.28, 0.281, 0.282, 0.283], VIOLATION),
        ("431", [0.28, 0.281, 0.282, 0.3], VIOLATION),  # one of them was as slow, but not their median
        ("431", [0.28, 0.281, 0.282, 0.283, None], PASS),  # another trial holds no steps
    ],
)
def test_a_rate_at_which_no_step_of_the_base_ran(judged, value, steps, outcome):
    rate = {"quantity": "rate", "value": value, "unit": "samples/s", "statistic": "median", "digits": None}
    rate |= {"column": "step_time_s", "work_per_iteration": 128, "n": None, "interval": None}
    trials = {"t1": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": steps}}}
    patch = {
        "claims": {"speedup": {"base": {"arm": "base", "metric": "rate", "definition": "the same in FP32"}}},
        "arms": {"base": {"devices": 8, "performance": {"rate": rate}, "trials": trials}},
    }
    if None in steps:
        steps.pop()
        trials["t2"] = {"kind": "throughput", "outcome": "completed"}  # a trial without its steps
    assert judged("training-pair", "F01", "speedup", patch).outcome is outcome


def test_a_window_that_holds_its_steps_alone_gives_its_rate_whatever_the_statistic(judged):
    """A median of steps is no rate of a window with pauses; of one that holds nothing else it is."""
    steps = {"step_time_s": [0.1] * 20}
    trial = {"kind": "throughput", "outcome": "completed", "samples": steps, "iterations_planned": 20}
    trials = {f"t{number}": trial for number in range(1, 6)}
    metric = {"value": "2300", "digits": None, "statistic": "median", "work_per_iteration": 256, "wall_s": 10.0}
    arm = {"performance": {"rate": {**metric, "work": 25600, "interval": None, "n": None}}, "trials": trials}
    result = judged("rate", "F01", "rate", {"arms": {"a": arm}})
    assert answer(result) == ("a", REFUTES)
    arm["performance"]["rate"] |= {"wall_s": 12.0, "work": 25000}
    assert judged("rate", "F01", "rate", {"arms": {"a": arm}}).outcome is not Outcome.VIOLATION


@pytest.mark.parametrize(("left_out_s", "expected"), [(2.0, PASS), (0.1, ("a", REFUTES))])
def test_a_mean_rate_may_promise_what_the_arm_leaves_out(judged, left_out_s, expected):
    """2560 images/s make 30,720 in 12 s; 25,600 were done in the ten that are not left out."""
    metric = {"value": "2560", "digits": None, "statistic": "mean", "column": None, "wall_s": 12.0, "work": 25600}
    left_out = {"compile": {"recurs": "per_run", "duration_s": left_out_s, "stated": True}}
    arm = {
        "performance": {"rate": {**metric, "interval": None}},
        "measurement": {"wall_s": 12.0, "exclusions": left_out},
    }
    assert answer(judged("rate", "F01", "rate", {"arms": {"a": arm}})) == expected


def rated(value, **metric):
    return {
        "claims": {"rate": {"value": value}},
        "arms": {"a": {"performance": {"rate": {"value": value, "digits": 4, **metric}}}},
    }


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (rated("2500"), PASS),
        (rated("2550"), ("a", REFUTES)),  # steps run as fast, but not their middle
        (rated("2550", statistic="max"), PASS),
        (rated("2550", statistic="trimmed_mean"), PASS),
        (rated("2550", n={"planned": 600, "completed": 600}), PASS),  # a part of the steps is handed in
        (rated("2550", n={"planned": 70, "excluded": 10}), NOT_APPLICABLE),
    ],
)
def test_a_mean_or_median_rate_is_one_of_its_steps(judged, patch, expected):
    assert answer(judged("rate", "F01", "rate", patch)) == expected
