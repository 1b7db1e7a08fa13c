"""F41, evaluation-not-finite: A completed run with an evaluation that gives no number."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome
from support.answers import answer, found, nothing
from support.quality import RUNS
from support.training_logs import EVENTS, of_run

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


def log(*values, outcome="completed", metric="accuracy", split="test", **trial):
    items = [
        {"split": split, "samples": 1000 * i, "step": i, "time_s": float(i), "metrics": {metric: value}}
        for i, value in enumerate(values)
    ]
    trials = {**RUNS, "s1": {"evaluations": items, "outcome": outcome, "crossing": None, "final": None, **trial}}
    return {"arms": {"trained": {"trials": trials}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (log(0.1, 0.5, 0.95), PASS),
        (log(0.1, 0.5, None), ("a", REFUTES)),
        (log(0.1, None, 0.95), ("b", UNDERMINES)),
        (log(None, 0.5, 0.95), PASS),  # before the first step
        (log(0.1, None, 0.95, crossing={"reached": True, "samples": 1000}), ("a", REFUTES)),
        (log(0.1, 0.5, None, outcome="diverged"), NOT_APPLICABLE),
        (log(0.1, 0.5, None, metric="loss"), NOT_APPLICABLE),
        (log(0.1, 0.5, None, split="train"), NOT_APPLICABLE),
    ],
)
def test_evaluations_are_numbers(judged, patch, expected):
    assert answer(judged("time-to-accuracy", "F41", "time", patch)) == expected


def both(losses, name="loss"):
    patch = log(0.1, 0.5, 0.93, 0.95)
    for item, loss in zip(patch["arms"]["trained"]["trials"]["s1"]["evaluations"], losses, strict=True):
        item["metrics"][name] = loss
    return patch


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (both((2.3, 1.1, None, 0.2)), ("b", UNDERMINES)),
        (both((2.3, 1.1, 0.3, None)), ("b", UNDERMINES)),
        (both((2.3, 1.1, 0.3, 0.2)), PASS),
        (both((2.3, None, 0.3, None)), PASS),  # computed at every second evaluation
        (both((2.3, 1.1, None, 0.2), "calibration error"), PASS),  # may be left out
        (
            both((2.3, 1.1, None, 0.2))
            | {
                "disclosures": [
                    {"topic": "infrastructure_failures", "quote": "The loss of step 2 is NaN: it overflows in FP16."}
                ]
            },
            PASS,
        ),
    ],
)
def test_a_loss_beside_the_claims_metric_stays_a_number(judged, patch, expected):
    assert answer(judged("time-to-accuracy", "F41", "time", patch)) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("It is faster than the other one.", ("b", UNDERMINES)),
        ("It is faster than the other one, which diverges.", PASS),
    ],
)
def test_evaluations_of_what_a_claim_is_set_against_are_numbers(judged, statement, expected):
    patch = log(0.1, 0.5, 0.95)
    patch["arms"]["other"] = {
        "trials": {"s1": {**log(0.1, None, 0.93)["arms"]["trained"]["trials"]["s1"], "kind": "convergence"}}
    }
    patch["claims"] = {"time": {"statement": statement, "base": {"arm": "other", "definition": "the other one"}}}
    assert answer(judged("time-to-accuracy", "F41", "time", patch)) == expected


def evaluated(*values, status="success"):
    """The last line of logged evaluations of one run, in place of the number that is there."""
    events = base("suite-training")["arms"]["retinanet"]["runs"]["result_1"]["events"]
    lines = [line for line, event in events.items() if event["key"] == "eval_accuracy"]
    changed = {line: {"value": value} for line, value in zip(lines[-len(values) :], values, strict=True)}
    return {"arms": {"retinanet": {"runs": {"result_1": {"status": status, "events": changed}}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (evaluated("nan"), ("a", REFUTES)),
        (evaluated("nan", 0.3401), ("b", UNDERMINES)),
        (evaluated("nan", status="aborted"), None),
        (evaluated(0.3401), None),
    ],
)
def test_evaluations_of_a_log_are_numbers(judged, patch, expected):
    result = judged("suite-training", "F41", "retinanet", patch)
    assert answer(result) == expected or (expected is None and result.outcome is not Outcome.VIOLATION)


def test_an_evaluation_without_the_metric_leaves_the_rest_unjudged(judged):
    trials = base("time-to-accuracy")["arms"]["trained"]["trials"]
    first = [{**item, "metrics": {"loss": 0.2}} for item in trials["s1"]["evaluations"]]
    patch = {"arms": {"trained": {"trials": {"s1": {"evaluations": first}}}}}
    assert answer(judged("time-to-accuracy", "F41", "time", patch)) is NOT_APPLICABLE


def test_words_that_every_evaluation_holds_are_no_text_among_numbers(logged_training):
    evaluations = [line for line, event in EVENTS.items() if event["key"] == "eval_accuracy"]
    assert nothing(logged_training("F41", of_run({line: {"value": "see above"} for line in evaluations})))


def test_a_loss_in_the_log_of_a_run_that_met_another_metric_is_a_caveat(logged_training):
    losses = {
        "201": {"time_ms": 1744013200000, "key": "eval_loss", "value": 0.8, "kind": "eval", "epoch": 1},
        "202": {"time_ms": 1744013900000, "key": "eval_loss", "value": "nan", "kind": "eval", "epoch": 6},
    }
    target = {"metric": "eval_accuracy", "value": "0.34", "direction": "higher"}
    patch = of_run(losses) | {"claims": {"retinanet": {"target": target, "metric": "eval_accuracy"}}}
    assert found(logged_training("F41", patch)) == ("d", "caveat")
