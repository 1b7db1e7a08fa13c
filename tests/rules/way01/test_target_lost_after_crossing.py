"""W0106, target-lost-after-crossing: A run meets its target once and falls short of it afterwards."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.quality import RUNS

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def log(*values, split="test", **fields):
    return [
        {"split": split, "samples": 1000 * i, "time_s": 10.0 * i, "metrics": {"accuracy": value}, **fields}
        for i, value in enumerate(values, start=1)
    ]


def trained(*curves, statement="The network is trained to 94 % test accuracy in 85.0 s.", **arm):
    runs = RUNS | {f"s{i}": {"evaluations": log(*values)} for i, values in enumerate(curves, start=1)}
    return {"claims": {"time": {"statement": statement}}, "arms": {"trained": {"quality": None, "trials": runs, **arm}}}


REACHES = "The network reaches 94 % test accuracy in 85.0 s."


@pytest.mark.parametrize(
    ("curves", "statement", "branch", "effect"),
    [
        ([(0.9402, 0.9391, 0.9388)], REACHES, "a", CAVEAT),
        ([(0.9402, 0.9391, 0.9410)], REACHES, "a", CAVEAT),
        ([(0.9402, 0.9391, 0.9388)], "trained to 94 %", "b", UNDERMINES),
        ([(0.9402, 0.9391, 0.9388)], "a model with 0.94 accuracy", "b", UNDERMINES),
        ([(0.9402, 0.9391, 0.9388)], "final accuracy 93.9 %, after 94 % was reached", "b", UNDERMINES),
        ([(0.9402, 0.9391, 0.9388)], "the final accuracy is 93.88 %", "a", CAVEAT),
        ([(0.9402, 0.9391, 0.9410)], "trained to 94 %", "a", CAVEAT),
        ([(0.9402, 0.9391, 0.9388)] + [(0.941, 0.942, 0.943)] * 4, "trained to 94 %", "a", CAVEAT),
        ([(0.9402, 0.9391, 0.9388)] * 3 + [(0.941, 0.942, 0.943)] * 2, "trained to 94 %", "b", UNDERMINES),
    ],
)
def test_a_lost_target(judged, curves, statement, branch, effect):
    result = judged("time-to-accuracy", "W0106", "time", trained(*curves, statement=statement))
    assert result.outcome is VIOLATION
    assert (result.branch.branch, result.branch.effect) == (branch, effect)


def test_the_message_counts_and_gives_the_last_value(judged):
    result = judged("time-to-accuracy", "W0106", "time", trained((0.9402, 0.9391, 0.941, 0.9390, 0.9388)))
    assert "misses it in 3 of 4 evaluations, 2 in a row, and ends at 0.9388" in result.branch.message
    assert result.branch.at == "/arms/trained/trials/s1"


def test_first_crossing_rule_sets_get_a_caveat_at_most(judged):
    patch = trained((0.9402, 0.9391, 0.9388))
    patch["claims"]["time"]["criterion"] = "first_crossing"
    assert judged("time-to-accuracy", "W0106", "time", patch).branch.effect is CAVEAT


@pytest.mark.parametrize("policy", ["predeclared", "best_on_validation"])
def test_a_checkpoint_chosen_before_or_elsewhere_meets_the_target(judged, policy):
    quality = {"accuracy": {"value": "0.9405", "selection": {"policy": policy}}}
    patch = trained((0.9405, 0.9391, 0.9388))
    patch["arms"]["trained"]["quality"] = quality
    assert judged("time-to-accuracy", "W0106", "time", patch).branch.effect is CAVEAT
    quality["accuracy"]["value"] = "0.9388"
    assert judged("time-to-accuracy", "W0106", "time", patch).branch.effect is UNDERMINES


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        ((0.93, 0.9402), NOT_SHOWN),
        ((0.93, 0.9402, 0.9404), NOT_SHOWN),
        ((0.93, 0.9402, 0.9404, 0.941), PASS),
        ((0.9402, 0.94, 0.9400), PASS),
        ((0.91, 0.92, 0.93), NOT_APPLICABLE),
        ((0.9402, 0.94, 0.94, None), PASS),
        ((None, None), NOT_APPLICABLE),
    ],
)
def test_what_follows_the_crossing(judged, values, outcome):
    assert judged("time-to-accuracy", "W0106", "time", trained(values)).outcome is outcome


def test_printed_digits_are_read_in_favour_of_the_run(judged):
    """93.5 may be 93.54; a target of 93.54 is not missed by it."""
    patch = trained((94.0, 93.5, 93.5))
    patch["claims"]["time"]["target"] = {"value": "93.54"}
    assert judged("time-to-accuracy", "W0106", "time", patch).outcome is PASS


def test_a_sampled_evaluation_has_its_standard_error(judged):
    """100 of 10000 images: a standard error of 2.4 %."""
    patch = trained((0.9402, 0.93, 0.93))
    patch["arms"]["trained"]["trials"]["s1"]["evaluations"] = log(0.95, 0.93, 0.93, examples=100)
    assert judged("time-to-accuracy", "W0106", "time", patch).outcome is PASS
    patch["arms"]["trained"]["trials"]["s1"]["evaluations"] = log(0.95, 0.93, 0.93, examples=10000)
    assert judged("time-to-accuracy", "W0106", "time", patch).outcome is VIOLATION
