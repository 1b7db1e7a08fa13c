"""W0306, evaluation-split-reused-for-tuning."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.patches import both

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def selection(uses, policy="final", others=None, **claim):
    quality = {"accuracy": {"selection": {"policy": policy, "split_used_for": uses}}} | (others or {})
    return {"claims": {"accuracy": claim}, "arms": {"trained": {"quality": quality}}}


def second(split, uses):
    block = {"metric": "accuracy", "value": "94.1", "unit": "%", "split": split}
    return {"second": block | ({"selection": {"split_used_for": uses}} if uses else {})}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (selection(["nothing"]), PASS),
        (selection(["checkpoint"]), VIOLATION),
        (selection(["hyperparameters", "nothing"]), VIOLATION),
        (selection(["early_stop"]), VIOLATION),
        (selection(["successive_records"]), VIOLATION),
        (selection(None), NOT_SHOWN),
        (selection(None, "best_on_test"), VIOLATION),
        (selection(["checkpoint"], others=second("held_out", ["nothing"])), PASS),
        (selection(["checkpoint"], others=second("held_out", ["checkpoint"])), VIOLATION),
        (selection(["checkpoint"], others=second("held_out", None)), NOT_SHOWN),
        (selection(["checkpoint"], others=second("test", ["nothing"])), VIOLATION),
        (selection(["checkpoint"], others=second("train", ["nothing"])), VIOLATION),
        ({"arms": {"trained": {"quality": {"accuracy": {"split": "train"}}}}}, NOT_APPLICABLE),
        ({"arms": {"trained": {"quality": None}}}, NOT_SHOWN),
    ],
)
def test_a_split_that_chose(judged, patch, outcome):
    result = judged("accuracy", "W0306", "accuracy", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert result.branch.effect is CAVEAT


def test_a_rule_set_may_define_the_target_on_the_official_validation_set(judged):
    quality = {"accuracy": {"split": "official_val", "selection": {"split_used_for": ["checkpoint"]}}}
    patch = {"claims": {"accuracy": {"suite": "training"}}, "arms": {"trained": {"quality": quality}}}
    result = judged("accuracy", "W0306", "accuracy", patch)
    assert (result.outcome, "rule set" in result.notes[0]) == (PASS, True)
    patch["claims"]["accuracy"]["suite"] = "none"
    assert judged("accuracy", "W0306", "accuracy", patch).outcome is VIOLATION


def test_a_run_that_stops_at_its_declared_target_is_what_the_time_says(judged):
    stop = {"policy": "first_crossing", "split_used_for": ["early_stop"]}
    patch = {"arms": {"trained": {"quality": {"accuracy": {"selection": stop}}}}}
    assert judged("time-to-accuracy", "W0306", "time", patch).outcome is PASS
    undeclared = both(patch, {"claims": {"time": {"target": {"declared_before": False}}}})
    assert judged("time-to-accuracy", "W0306", "time", undeclared).outcome is VIOLATION
    stop["split_used_for"] = ["early_stop", "hyperparameters"]
    assert judged("time-to-accuracy", "W0306", "time", patch).outcome is VIOLATION
