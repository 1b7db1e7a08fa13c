"""F24, crossing-contradicts-log: A time or work to target that is not where the logged evaluations cross it."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import answer, effect

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def to_target(value, unit="s", **more):
    statement = f"Loss 3.30 is reached after {value} {unit}."
    claim = {"quantity": "time", "scope": "training_run", "value": value, "digits": None, "unit": unit}
    return {"claims": {"rate": {**claim, "statement": statement, "purpose": "time_to_accuracy", **more}}}


@pytest.mark.parametrize(
    ("value", "unit", "outcome"),
    [
        ("1986", "s", PASS),
        ("33.1", "min", PASS),
        ("1500", "s", PASS),  # between the evaluation before and the crossing
        ("2020", "s", PASS),  # with the declared compile time
        ("890", "s", VIOLATION),
        ("2400", "s", VIOLATION),
        ("890", "parsecs", NOT_APPLICABLE),
    ],
)
def test_time_to_target(judged, value, unit, outcome):
    result = judged("training-pair", "F24", "rate", to_target(value, unit))
    assert (result.outcome, effect(result)) == (outcome, REFUTES if outcome is VIOLATION else None)


def test_samples_to_target(judged):
    assert judged("training-pair", "F24", "rate", to_target("1986", crossing_samples=80000)).outcome is PASS
    assert judged("training-pair", "F24", "rate", to_target("1986", crossing_samples=30000)).outcome is VIOLATION


def test_a_target_that_is_never_met_is_another_rule(judged):
    patch = {**to_target("890"), "arms": {"fused": {"target": {"value": "1.0"}}}}
    assert judged("training-pair", "F24", "rate", patch).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("crossing", "found"),
    [({"samples": 1277952, "step": 1248}, True), ({"samples": 1376256, "step": 1344}, False)],
)
def test_a_crossing_is_held_against_its_own_evaluation(judged, crossing, found):
    evaluations = [
        {"split": "test", "samples": 1277952, "step": 1248, "time_s": 78.6, "metrics": {"accuracy": 0.92}},
        {"split": "test", "samples": 1376256, "step": 1344, "time_s": 84.4, "metrics": {"accuracy": 0.945}},
    ]
    trial = {"evaluations": evaluations, "crossing": {"reached": True, "time_s": 84.4, **crossing}}
    result = judged("time-to-accuracy", "F24", "time", {"arms": {"trained": {"trials": {"s1": trial}}}})
    assert (result.outcome is VIOLATION and "records its crossing" in result.branch.message) is found


def test_a_run_without_a_log_counts_as_infinitely_slow_in_a_median(judged):
    gone = {"kind": "convergence", "outcome": "not_run", "reason": "the study ended", "evaluations": None,
            "crossing": {"reached": False, "samples": None, "step": None, "time_s": None}, "final": None}  # fmt: skip
    patch = {"arms": {"trained": {"trials": {"s2": gone}}}, "claims": {"time": {"value": "85.0"}}}
    before = judged("time-to-accuracy", "F24", "time", patch)
    assert before.outcome is not VIOLATION
    patch["claims"]["time"]["value"] = "20.0"
    assert answer(judged("time-to-accuracy", "F24", "time", patch)) == ("a", REFUTES)
