"""A metric that is logged under another spelling than the report's."""

from __future__ import annotations

import pytest
from dlaudit.rules.metric_names import of_one_name
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.evidence import Arm
from dlaudit.schemas.model import to_model


def arm(logged, target=None, **quality):
    trial = {
        "kind": "convergence",
        "outcome": "completed",
        "evaluations": [{"split": "test", "metrics": dict.fromkeys(logged, 0.7)}],
        "final": dict.fromkeys(logged, "0.7"),
    }
    stated = {key: {"metric": metric, "value": "0.7"} for key, metric in quality.items()}
    goal = {"target": {"metric": target, "value": "0.6", "direction": "higher"}} if target else {}
    return to_model({"trials": {"s1": trial}, "quality": stated, **goal}, Arm)


def names(given):
    trial = given.trials["s1"]
    assert set(trial.final) == set(trial.evaluations[0].metrics)
    return sorted(trial.final)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (arm(["auc"], "AUC"), ["AUC"]),
        (arm(["top1_accuracy"], "Top-1 accuracy"), ["Top-1 accuracy"]),
        (arm(["top1"], "top-1 accuracy", top1="top-1 accuracy"), ["top-1 accuracy"]),
        (arm(["top1", "top5"], "top-1 accuracy", top1="top-1 accuracy"), ["top-1 accuracy", "top5"]),
        (arm(["top1"], "top-1 accuracy"), ["top1"]),  # nothing says that they are one
        (arm(["auc", "AUC"], "AUC"), ["AUC", "auc"]),  # both are logged
        (arm(["w_e_r", "wer"], "WER"), ["w_e_r", "wer"]),  # either may be it
        (arm(["auc"], "AUC", test="auc"), ["auc"]),  # a declared name stays
        (arm(["loss"], "accuracy", loss="perplexity", other="loss"), ["loss"]),
        (arm(["Loss"], "accuracy", loss="perplexity", other="loss"), ["Loss"]),
    ],
)
def test_a_logged_name_is_read_as_the_declared_one(given, found):
    assert names(of_one_name(given)) == found


def test_an_arm_without_other_names_is_the_same_arm():
    given = arm(["AUC"], "AUC")
    assert of_one_name(given) is given


def test_the_log_of_another_spelling_shows_whether_the_target_was_reached(judged):
    def patch(value):
        trials = {
            name: {
                "crossing": None,
                "final": None,
                "evaluations": [{"split": "test", "samples": 5e6, "time_s": 10.0, "metrics": {"Test-Accuracy": value}}],
            }
            for name in ("s1", "s2", "s3", "s4", "s5")
        }
        target = {"metric": "test accuracy", "value": "0.94", "direction": "higher", "declared_before": True}
        return {"claims": {"time": {"target": target}}, "arms": {"trained": {"target": target, "trials": trials}}}

    assert judged("time-to-accuracy", "W0103", "time", patch(0.951)).outcome is Outcome.PASS
    assert judged("time-to-accuracy", "W0103", "time", patch(0.912)).outcome is Outcome.VIOLATION
