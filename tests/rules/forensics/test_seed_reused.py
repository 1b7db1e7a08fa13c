"""F55, seed-reused: Two training runs of one result under one set of seeds."""

from support.answers import found
from support.training_logs import CLAIM, NAMES, RUNS, events, of_runs


def test_rank_seeds_and_failed_runs_share_nothing(judged):
    ranks = {
        name: {"events": {str(300 + i): {"key": "seed", "value": 100 * index + i} for i in range(4)}}
        for index, name in enumerate(NAMES)
    }
    assert found(judged("suite-training", "F55", CLAIM, of_runs(**ranks))) == "pass"
    failed = events("result_1", **{"6": {"value": 1822113}, "90": {"value": "aborted"}})
    failed["arms"][CLAIM]["runs"]["result_1"]["status"] = "aborted"
    assert found(judged("suite-training", "F55", CLAIM, failed)) == "pass"


def test_one_rank_in_common_is_no_shared_set(judged):
    patch = events("result_1", **{"300": {"key": "seed", "value": 1822113}})
    assert found(judged("suite-training", "F55", CLAIM, patch)) == "pass"


def test_trials_without_logs_are_asked_for_their_seeds(judged):
    patch = {"arms": {CLAIM: {"runs": None, "trials": {"result_1": {"seed": 1822113}}}}}
    assert found(judged("suite-training", "F55", CLAIM, patch)) == ("a", "undermines")
    words = {"topic": "scope_narrower", "quote": "A study of determinism: all runs use one seed."}
    said = {**patch, "claims": {CLAIM: {"said": [words]}}}
    assert found(judged("suite-training", "F55", CLAIM, {**patch, "disclosures": [words]})) == ("a", "undermines")
    assert found(judged("suite-training", "F55", CLAIM, said)) == "not-applicable"
    assert found(judged("suite-training", "F55", CLAIM, events("result_1", **{"6": None}))) == "not-applicable"


def test_a_seed_of_0_may_stand_for_one_that_each_run_draws(judged):
    zero = {name: {"events": {"6": {"value": 0}}} for name in NAMES}
    assert found(judged("suite-training", "F55", CLAIM, of_runs(**zero))) == "not-shown"
    held = {line: {"value": event["value"]} for line, event in RUNS["result_0"]["events"].items() if is_result(event)}
    lines = [line for line, event in RUNS["result_1"]["events"].items() if is_result(event)]
    same = {"events": {"6": {"value": 0}, **dict(zip(lines, held.values(), strict=False))}}
    assert found(judged("suite-training", "F55", CLAIM, of_runs(**zero | {"result_1": same}))) == ("a", "undermines")


def is_result(event):
    return event["key"] == "eval_accuracy"
