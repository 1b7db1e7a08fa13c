"""F32, options-differ-between-runs: One result out of runs that did not run the same thing."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import found
from support.descriptions import ARM, arm
from support.training_logs import CLAIM, NAMES, RUNS, events, of_runs

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("line", "value", "expected"),
    [
        ("12", 512, ("a", "refutes")),
        ("13", "lamb", ("a", "refutes")),
        ("7", "ssd", ("a", "refutes")),
        ("9", "open", ("c", "caveat")),  # a label of the result, no option of the run
        ("11", "2xExample Server 8xH100", ("a", "refutes")),
        ("11", "1xExample Server 8xA100", ("a", "refutes")),
        ("11", "1xSUBMISSION_PLATFORM_PLACEHOLDER", ("c", "caveat")),
        ("14", 0.00027, ("b", "undermines")),
        ("16", 3, ("b", "undermines")),
        ("18", 2, ("b", "undermines")),
        ("12", "256.0", "pass"),
        ("14", 0.00013500000361, "pass"),
        ("6", 5, "pass"),
        ("19", 1170302, "pass"),  # rounded
        ("19", 585150, ("a", "refutes")),
        ("20", 12000, ("a", "refutes")),
        ("90", "aborted", "pass"),
    ],
)
def test_options_that_differ(judged, line, value, expected):
    assert found(judged("suite-training", "F32", CLAIM, events("result_1", **{line: {"value": value}}))) == expected


def test_a_counter_of_what_was_consumed_is_no_size_of_a_set(judged):
    late = {"101": {"key": "train_samples", "value": 9, "time_ms": RUNS["result_1"]["events"]["90"]["time_ms"]}}
    assert found(judged("suite-training", "F32", CLAIM, events("result_1", **late))) == "pass"
    unstarted = {"19": {"value": 9}, "23": {"key": "run_begin", "kind": "mark"}}
    assert found(judged("suite-training", "F32", CLAIM, events("result_1", **unstarted))) == "pass"


def test_an_unknown_option_is_a_caveat_and_a_missing_one_not_shown(judged):
    odd = {"101": {"key": "frobnication", "value": 1, "kind": "option"}}
    every = of_runs(**{name: {"events": odd} for name in NAMES})
    assert found(judged("suite-training", "F32", CLAIM, every)) == "pass"
    every["arms"][CLAIM]["runs"]["result_1"]["events"] = {"101": {"key": "frobnication", "value": 2, "kind": "option"}}
    assert found(judged("suite-training", "F32", CLAIM, every)) == ("c", "caveat")
    said = {
        **every,
        "disclosures": [{"topic": "option_sets_differ", "quote": "frobnication was drawn at random for every run"}],
    }
    assert found(judged("suite-training", "F32", CLAIM, said)) == "pass"
    assert found(judged("suite-training", "F32", CLAIM, events("result_1", **odd))) == "not-shown"


def test_a_disclosure_excuses_no_other_batch_and_what_stands_beside_the_number_does(judged):
    words = {"topic": "option_sets_differ", "quote": "One of the runs has a global_batch_size of 512."}
    patch = events("result_1", **{"12": {"value": 512}})
    assert found(judged("suite-training", "F32", CLAIM, {**patch, "disclosures": [words]})) == ("a", "refutes")
    assert found(judged("suite-training", "F32", CLAIM, {**patch, "claims": {CLAIM: {"said": [words]}}})) == "pass"


@pytest.mark.parametrize(("count", "expected"), [(2048, "pass"), (1024, ("c", "caveat"))])
def test_performance_and_accuracy_run_hold_the_same_samples(judged, count, expected):
    runs = {"performance": {"events": {"8": {"value": count}}}}
    result = judged("suite-inference", "F32", "offline", {"arms": {"offline": {"runs": runs}}})
    assert found(result) == expected
    words = {"topic": "option_sets_differ", "quote": "effective_performance_sample_count is 1024 for performance"}
    told = {"arms": {"offline": {"runs": runs}}, "disclosures": [words]}
    assert found(judged("suite-inference", "F32", "offline", told)) == "pass"


@pytest.mark.parametrize("key", ["data_shard", "checkpoint_index", "data_file", "consumed_path", "run_name"])
def test_what_differs_by_nature_is_no_option(judged, key):
    runs = {
        name: {"events": {"101": {"key": key, "value": index, "kind": "option"}}} for index, name in enumerate(NAMES)
    }
    assert found(judged("suite-training", "F32", CLAIM, of_runs(**runs))) == "pass"


def test_a_rate_logged_at_each_step_may_have_fewer_values_in_a_shorter_run(judged):
    rates = {str(200 + step): {"key": "opt_learning_rate", "value": step / 7, "step": step} for step in range(6)}
    runs = {name: {"events": dict(list(rates.items())[: 3 + index % 3])} for index, name in enumerate(NAMES)}
    assert found(judged("suite-training", "F32", CLAIM, of_runs(**runs))) == "pass"


def test_what_a_run_logs_after_its_start_it_does_log(judged):
    after = {"19": None, "900": {"time_ms": 1744012950000, "key": "train_samples", "value": 1170301}}
    late = arm(runs={"result_1": {"events": after}})
    assert judged("suite-training", "F32", ARM, late).outcome is PASS
    never = arm(runs={"result_1": {"events": {"19": None}}})
    assert judged("suite-training", "F32", ARM, never).outcome is NOT_SHOWN


def test_ids_seeds_and_readings_are_no_options(judged):
    ids = ("0e0ca682-2340-42cb-aead-dc8df8fd8480", "de8b00ca-bc90-4eff-b6dc-59b415332b5a")
    for key, values in (
        ("opt_learning_rate_peak", [f"DEFERRED: {each}" for each in ids]),
        ("current_lr", [1.14923, 1.15006]),
        ("max_steps", [500, 1000]),
    ):
        added = {name: {"events": {"300": {"key": key, "value": values[name == "result_1"]}}} for name in NAMES}
        expected = ("c", "caveat") if key == "max_steps" else "pass"
        assert found(judged("suite-training", "F32", CLAIM, of_runs(**added))) == expected
    seeds = {name: {"events": {"300": {"key": "sgd", "value": RUNS[name]["events"]["6"]["value"]}}} for name in NAMES}
    assert found(judged("suite-training", "F32", CLAIM, of_runs(**seeds))) == "pass"
