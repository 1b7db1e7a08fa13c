"""W0203, W0204, W0301, W0303, W0305, W0306: what was chosen on which data, and with how much effort."""

import pytest
from dlaudit.rules.outcome import C1, CAVEAT, UNDERMINES, Outcome

PASS, VIOLATION, NOT_SHOWN, OUTSIDE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
RUNS = {f"s{i}": None for i in range(1, 6)}


def both(left, right):
    merged = dict(left)
    for key, value in right.items():
        nested = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = both(merged[key], value) if nested else value
    return merged


# W0203 ---------------------------------------------------------------------------------------------------------------


def log(*values, split="test"):
    return [
        {"split": split, "samples": 1000 * i, "epoch": i, "metrics": {"accuracy": value}}
        for i, value in enumerate(values, start=1)
    ]


def one_run(value, evaluations, **quality):
    """A document with a single run and a stated value."""
    stated = {"value": value, "seeds": None, "n": None, "interval": None, "checkpoint": None, "selection": None}
    claim = {"accuracy": {"value": value, "interval": None, "statistic": None}}
    if quality.get("selection") is not None:
        quality["selection"] = {"policy": None, "evaluations": None, "split_used_for": None} | quality["selection"]
    runs = RUNS | {"s1": {"evaluations": evaluations, "final": None}}
    return {"claims": claim, "arms": {"trained": {"quality": {"accuracy": stated | quality}, "trials": runs}}}


UP_AND_DOWN = log(0.90, 0.93, 0.9461, 0.9449)


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (one_run("94.61", UP_AND_DOWN), VIOLATION),
        (one_run("94.6", UP_AND_DOWN), VIOLATION),
        (one_run("94.49", UP_AND_DOWN), PASS),
        (one_run("94.5", UP_AND_DOWN), PASS),
        (one_run("95", UP_AND_DOWN), VIOLATION),
        (one_run("97", UP_AND_DOWN), OUTSIDE),
        (one_run("94", log(0.90, 0.9442, 0.9431)), PASS),
        (one_run("94.61", UP_AND_DOWN, selection={"policy": "final"}), VIOLATION),
        (one_run("94.61", UP_AND_DOWN, selection={"policy": "predeclared"}), PASS),
        (one_run("94.61", UP_AND_DOWN, selection={"policy": "best_on_validation"}), NOT_SHOWN),
        (one_run("94.49", UP_AND_DOWN, selection={"policy": "best_on_validation"}), PASS),
        (one_run("94.61", UP_AND_DOWN, selection={"policy": "best_on_test"}), VIOLATION),
        (one_run("94.49", log(0.9449), selection={"policy": "best_on_test"}), VIOLATION),
        (one_run("94.49", log(0.9449), selection={"policy": "best_on_test", "evaluations": 1}), PASS),
        (one_run("94.61", UP_AND_DOWN, checkpoint="epoch 3"), PASS),
        (one_run("94.61", UP_AND_DOWN, checkpoint="best"), VIOLATION),
        (one_run("94.61", UP_AND_DOWN, split="train"), OUTSIDE),
        (one_run("94.61", UP_AND_DOWN, direction=None), OUTSIDE),
        (one_run("0.9461", UP_AND_DOWN, unit="fraction"), VIOLATION),
        (one_run("94.61", log(0.90, 0.93, None, 0.9449)), OUTSIDE),
    ],
)
def test_the_best_of_many_looks(judged, patch, outcome):
    if "unit" in str(patch) and patch["arms"]["trained"]["quality"]["accuracy"].get("unit") == "fraction":
        patch["claims"]["accuracy"]["unit"] = "fraction"
    result = judged("accuracy", "W0203", "accuracy", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert result.branch.effect is UNDERMINES


def test_a_validation_split_that_chose_the_checkpoint(judged):
    """The validation split is best after three epochs, and so, by luck, is the test split."""
    patch = one_run("94.61", UP_AND_DOWN + log(0.91, 0.935, 0.95, 0.948, split="validation"))
    assert judged("accuracy", "W0203", "accuracy", patch).outcome is PASS
    patch = one_run("94.61", UP_AND_DOWN + log(0.91, 0.955, 0.95, 0.948, split="validation"))
    assert judged("accuracy", "W0203", "accuracy", patch).outcome is VIOLATION


@pytest.mark.parametrize(
    ("evaluations", "selection", "outcome"),
    [
        (1, {"evaluations": 1}, PASS),
        (1, {"evaluations": 90}, NOT_SHOWN),
        (1, None, NOT_SHOWN),
        (1, {"policy": "final"}, PASS),
        (0, {"policy": "final"}, NOT_SHOWN),
    ],
)
def test_one_test_evaluation(judged, evaluations, selection, outcome):
    patch = one_run("94.61", log(0.9461)[:evaluations] + log(0.99, 0.995, split="train"), selection=selection)
    result = judged("accuracy", "W0203", "accuracy", patch)
    assert result.outcome is outcome
    if selection == {"evaluations": 90}:
        assert "there were 90" in result.branch.message


def test_the_first_crossing_is_no_choice(judged):
    """The first evaluation above the target is the best one, too: the run was stopped later, at its plan."""
    patch = one_run("94.61", UP_AND_DOWN)
    patch["arms"]["trained"]["target"] = {"metric": "accuracy", "value": "0.945", "direction": "higher"}
    assert judged("accuracy", "W0203", "accuracy", patch).outcome is PASS


def test_best_values_of_several_runs(judged):
    """The mean over runs of the best evaluation, against that of the last."""
    for value, outcome in (("94.59", VIOLATION), ("94.50", PASS), ("94.71", VIOLATION), ("94.56", OUTSIDE)):
        patch = {
            "claims": {"accuracy": {"value": value}},
            "arms": {"trained": {"quality": {"accuracy": {"value": value}}}},
        }
        assert judged("accuracy", "W0203", "accuracy", patch).outcome is outcome, value


def test_a_validation_split_that_nobody_evaluated_chose_nothing(judged):
    """The mean of the best evaluations of five runs is no accident; with validation data it may be one."""
    selection = {"policy": "best_on_validation"}
    quality = {"value": "94.59", "checkpoint": "best", "selection": selection}
    patch = {"claims": {"accuracy": {"value": "94.59"}}, "arms": {"trained": {"quality": {"accuracy": quality}}}}
    assert judged("accuracy", "W0203", "accuracy", patch).outcome is VIOLATION
    run = {"kind": "convergence", "outcome": "completed", "evaluations": log(0.9, split="validation")}
    patch["arms"]["trained"]["trials"] = {"v": run}
    assert judged("accuracy", "W0203", "accuracy", patch).outcome is PASS


def test_a_single_last_value_is_no_mean_of_last_values(judged):
    """The median of five runs is stated: one of them ends, by luck, where the median of the best evaluations lies."""
    runs = ((0.93, 0.940, 0.939), (0.93, 0.943, 0.942), (0.94, 0.945, 0.944), (0.94, 0.947, 0.945), (0.94, 0.951, 0.95))
    trials = {f"s{i}": {"evaluations": log(*values), "final": None} for i, values in enumerate(runs, start=1)}
    stated = {"value": "94.5", "averaging": "median over seeds", "checkpoint": "best", "seeds": None}
    patch = {"claims": {"accuracy": {"value": "94.50", "statistic": "median"}}}
    patch["arms"] = {"trained": {"quality": {"accuracy": stated}, "trials": trials}}
    assert judged("accuracy", "W0203", "accuracy", patch).outcome is VIOLATION


def test_a_lower_loss_is_the_better_one(judged):
    losses = [{"split": "test", "samples": i, "metrics": {"loss": v}} for i, v in enumerate((3.5, 3.21, 3.30))]
    claim = {"quantity": "accuracy", "form": "absolute", "value": "3.21", "unit": "nat", "metric": "loss", "base": None}
    quality = {"loss": {"value": "3.21", "seeds": None, "selection": None, "checkpoint": None}}
    runs = RUNS | {"s1": {"evaluations": losses, "crossing": None}}
    arm = {"quality": quality, "trials": runs, "target": None}
    patch = {"claims": {"speedup": {**claim, "treatment": None}}, "arms": {"fused": arm}}
    assert judged("training-pair", "W0203", "speedup", patch).outcome is VIOLATION
    quality["loss"]["value"] = claim["value"] = "3.30"
    patch["claims"]["speedup"]["value"] = "3.30"
    assert judged("training-pair", "W0203", "speedup", patch).outcome is PASS


def test_a_time_is_judged_by_the_quality_beside_it(judged):
    assert judged("time-to-accuracy", "W0203", "time").outcome is PASS
    patch = {"arms": {"trained": {"quality": {"accuracy": {"value": "0.9452"}}}}}
    assert judged("time-to-accuracy", "W0203", "time", patch).outcome is VIOLATION
    no_quality = {"claims": {"time": {"quality": None}}, "arms": {"trained": {"quality": None}}}
    assert judged("time-to-accuracy", "W0203", "time", no_quality).outcome is OUTSIDE


# W0204 ---------------------------------------------------------------------------------------------------------------


def inputs(evaluation, training, **claim):
    quality = {"evaluation_input": evaluation, "training_input": training}
    return {"claims": {"accuracy": claim}, "arms": {"trained": {"quality": {"accuracy": quality}}}}


@pytest.mark.parametrize(
    ("evaluation", "training", "outcome"),
    [
        ("288 x 288", "224 x 224", VIOLATION),
        ("224x224", "224 x 224", PASS),
        ("224", "224 x 224", PASS),
        ("center crop 224 of 256", "random crop 224", PASS),
        ("3 x 288 x 288", "3 x 224 x 224", VIOLATION),
        ("center crop", "random crop", PASS),
        (None, "224", OUTSIDE),
        ("224", None, OUTSIDE),
    ],
)
def test_other_inputs_at_evaluation(judged, evaluation, training, outcome):
    assert judged("accuracy", "W0204", "accuracy", inputs(evaluation, training)).outcome is outcome


def test_inputs_that_are_said_are_no_flaw(judged):
    patch = inputs("288 x 288", "224 x 224", statement="94.50 % at 288 px.")
    assert judged("accuracy", "W0204", "accuracy", patch).outcome is PASS
    patch = inputs("288 x 288", "224 x 224")
    patch["disclosures"] = [{"topic": "evaluation_options_differ", "quote": "Evaluated at a larger size."}]
    assert judged("accuracy", "W0204", "accuracy", patch).outcome is PASS


@pytest.mark.parametrize(
    ("patch", "words"),
    [
        ({"arms": {"trained": {"quality": None}}}, "number of examples of the quality is"),
        ({"arms": {"trained": {"quality": None}}, "disclosures": None}, "number of examples and checkpoint of"),
        (
            {
                "arms": {"trained": {"quality": {"accuracy": {"checkpoint": None, "selection": None}}}},
                "disclosures": None,
            },
            "checkpoint of the quality is",
        ),
    ],
)
def test_an_open_definition_is_not_shown(judged, patch, words):
    result = judged("accuracy", "W0204", "accuracy", patch)
    assert (result.outcome, words in result.branch.message) == (NOT_SHOWN, True)


def test_an_inference_arm_names_its_checkpoint_by_its_weights(judged):
    patch = {
        "claims": {"accuracy": {"mode": "inference"}},
        "arms": {"trained": {"options": {"weights": "sha256:9f31"}}},
        "disclosures": None,
    }
    patch["arms"]["trained"]["quality"] = {"accuracy": {"checkpoint": None, "selection": None}}
    assert judged("accuracy", "W0204", "accuracy", patch).outcome is PASS


@pytest.mark.parametrize(
    ("quality", "words", "outcome"),
    [
        ({}, "", NOT_SHOWN),
        ({"harness": "lm-evaluation-harness 0.4.5"}, "", OUTSIDE),
        ({"prompts": "5 shots"}, "", OUTSIDE),
        ({}, " (5-shot)", OUTSIDE),
    ],
)
def test_a_benchmark_in_words_needs_the_words(judged, quality, words, outcome):
    stated = {"metric": "MMLU accuracy", "harness": None, "prompts": None, "evaluation_input": None} | quality
    patch = {"claims": {"accuracy": {"statement": f"MMLU is 94.50 %{words}."}}}
    patch["arms"] = {"trained": {"quality": {"accuracy": stated}}}
    result = judged("accuracy", "W0204", "accuracy", patch)
    assert result.outcome is outcome
    if outcome is NOT_SHOWN:
        assert "harness or prompts" in result.branch.message


# W0301 ---------------------------------------------------------------------------------------------------------------


def search(**block):
    gone = dict.fromkeys(("trials", "device_hours", "method", "space", "defaults_changed"))
    return {"arms": {"trained": {"search": gone | block}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (search(trials=24, device_hours=0.8), PASS),
        (search(device_hours=0.8), PASS),
        (search(trials=0, recipe="the published recipe"), PASS),
        (search(recipe="the published recipe"), PASS),
        (search(recipe="the published recipe", defaults_changed=True), NOT_SHOWN),
        (search(recipe="the published recipe", defaults_changed=True, trials=12, device_hours=1), PASS),
        (search(recipe="the published recipe", method="grid", tuned_options=["compile"]), NOT_SHOWN),
        (search(method="grid", space="peak rate"), NOT_SHOWN),
        (search(), NOT_SHOWN),
    ],
)
def test_tuning_effort(judged, patch, outcome):
    result = judged("time-to-accuracy", "W0301", "time", patch)
    assert result.outcome is outcome
    if outcome is NOT_SHOWN:
        assert result.branch.item == "tuning effort"


def test_trials_without_their_cost(judged):
    result = judged("time-to-accuracy", "W0301", "time", search(trials=24))
    assert (result.outcome, result.branch.item) == (NOT_SHOWN, "")
    assert "24 tuning trials" in result.branch.message


def test_tuning_in_words_is_printed(judged):
    patch = search() | {"disclosures": [{"topic": "tuning_effort", "quote": "Tuned by hand over a week."}]}
    result = judged("time-to-accuracy", "W0301", "time", patch)
    assert (result.outcome, "over a week" in result.notes[0]) == (PASS, True)


def test_both_sides_of_a_comparison_are_asked(judged):
    patch = {"arms": {"theirs": {"search": None}}}
    result = judged("comparison", "W0301", "speedup", patch)
    assert (result.outcome, result.branch.at) == (NOT_SHOWN, "/arms/theirs")
    assert judged("rate", "W0301", "rate").outcome is OUTSIDE


# W0303 ---------------------------------------------------------------------------------------------------------------


def effort(ours, theirs, **claim):
    gone = dict.fromkeys(("trials", "device_hours", "method", "recipe", "defaults_changed"))
    arms = {"ours": {"search": gone | ours}, "theirs": {"search": gone | theirs if theirs is not None else None}}
    return {"arms": arms, "claims": {"speedup": claim}}


RECIPE = {"recipe": "the published recipe"}


@pytest.mark.parametrize(
    ("ours", "theirs", "outcome"),
    [
        ({"trials": 40}, {"trials": 0}, VIOLATION),
        ({"trials": 40}, {"trials": 0, "method": "none"}, VIOLATION),
        ({"trials": 0}, {"trials": 40}, PASS),
        ({"trials": 40}, {"trials": 20}, PASS),
        ({"trials": 40}, {"trials": 30}, PASS),
        ({"trials": 40}, {"trials": 0, **RECIPE}, PASS),
        ({"trials": 40}, RECIPE, PASS),
        (RECIPE, {"trials": 0}, PASS),
        ({"trials": 40}, {"trials": 0, **RECIPE, "defaults_changed": True}, VIOLATION),
        ({"trials": 40}, {}, NOT_SHOWN),
        ({"trials": 40}, {"device_hours": 12}, NOT_SHOWN),
        ({}, {"trials": 40}, NOT_SHOWN),
        ({}, {}, NOT_SHOWN),
        ({"trials": 40, "device_hours": 0}, {"trials": 0, "device_hours": 10}, PASS),
        ({"trials": 40}, None, NOT_SHOWN),
    ],
)
def test_unequal_budgets(judged, ours, theirs, outcome):
    result = judged("comparison", "W0303", "speedup", effort(ours, theirs))
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert (result.branch.effect, result.branch.confidence) == (UNDERMINES, C1)
        assert "40 tuning trials for the claim's side, 0 tuning trials" in result.branch.message


def variants(ours, theirs, **claim):
    return effort(ours, theirs, compares="own_variants", **claim)


@pytest.mark.parametrize(
    ("ours", "theirs", "claim", "outcome"),
    [
        ({"trials": 9, "tuned_options": ["compile"]}, {"trials": 0, "defaults_stated": True}, {}, VIOLATION),
        ({"trials": 9, "tuned_options": ["compile"]}, {"trials": 0}, {}, OUTSIDE),
        ({"trials": 9, "tuned_options": ["compile"]}, {"trials": 9, "defaults_stated": True}, {}, PASS),
        ({"trials": 0}, {"trials": 0, "defaults_stated": True}, {}, OUTSIDE),
        (
            {"trials": 9, "tuned_options": ["compile"]},
            {"trials": 0, "defaults_stated": True},
            {"treatment": ["compile"]},
            OUTSIDE,
        ),
    ],
)
def test_one_of_two_own_variants_was_tuned(judged, ours, theirs, claim, outcome):
    result = judged("comparison", "W0305", "speedup", variants(ours, theirs, **claim))
    assert result.outcome is outcome


def test_less_than_half_the_tuning_is_a_caveat(judged):
    result = judged("comparison", "W0303", "speedup", effort({"trials": 40}, {"trials": 15}))
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_a_number_quoted_from_its_makers_was_tuned_by_them(judged):
    patch = effort({"trials": 40}, {"trials": 0}, comparator={"source": "published"})
    assert judged("comparison", "W0303", "speedup", patch).outcome is PASS


def test_what_was_tuned_may_be_the_point(judged):
    patch = effort({"trials": 40, "tuned_options": ["bucketing"]}, {"trials": 0}, treatment=["bucketing", "framework"])
    assert judged("comparison", "W0303", "speedup", patch).outcome is OUTSIDE


# W0305 ---------------------------------------------------------------------------------------------------------------

SET = {"tuned_options": ["compile"]}


@pytest.mark.parametrize(
    ("ours", "theirs", "outcome"),
    [
        (SET, {"defaults_stated": True}, VIOLATION),
        (SET, {"defaults_stated": True, "trials": 0}, VIOLATION),
        (SET, {"defaults_stated": True, **SET}, PASS),
        (SET, {"trials": 12}, PASS),
        (SET, {"defaults_stated": False}, NOT_SHOWN),
        (SET, {}, NOT_SHOWN),
        (SET, None, NOT_SHOWN),
        ({"trials": 12}, {"defaults_stated": True}, VIOLATION),
        ({"trials": 12}, {"defaults_stated": True, "trials": 0}, OUTSIDE),
        ({"trials": 0}, {"defaults_stated": True}, OUTSIDE),
        ({}, SET, OUTSIDE),
    ],
)
def test_options_against_defaults(judged, ours, theirs, outcome):
    result = judged("comparison", "W0305", "speedup", effort(ours, theirs))
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert (result.branch.effect, result.branch.confidence) == (UNDERMINES, C1)


def test_options_against_defaults_and_said_so(judged):
    said = [{"topic": "tuning_effort", "quote": "OtherLM at its defaults"}]
    result = judged("comparison", "W0305", "speedup", effort(SET, {"defaults_stated": True}, said=said))
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_the_tuned_option_may_be_the_treatment(judged):
    patch = effort(SET, {"defaults_stated": True}, treatment=["compile"])
    assert judged("comparison", "W0305", "speedup", patch).outcome is OUTSIDE


@pytest.mark.parametrize(
    ("own", "source", "outcome"),
    [
        ("233500", "rerun", OUTSIDE),
        ("255000", "rerun", OUTSIDE),
        ("260000", "rerun", VIOLATION),
        ("260000", "published", OUTSIDE),
        ("200000", "rerun", OUTSIDE),
        ("26000000", "rerun", NOT_SHOWN),
        ("0", "rerun", OUTSIDE),
        (None, "rerun", OUTSIDE),
    ],
)
def test_the_others_own_published_value(judged, own, source, outcome):
    patch = {"claims": {"speedup": {"comparator": {"own_value": own, "source": source}}}}
    result = judged("comparison", "W0305", "speedup", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert "publishes 260000 for itself; measured here it gets 233500" in result.branch.message


def test_a_shorter_own_time_is_the_better_one(judged):
    metric = {"quantity": "time", "unit": "s", "value": "120", "column": None, "work_per_iteration": None}
    arms = {"theirs": {"performance": {"rate": {**metric, "digits": None}}}}
    claim = {"quantity": "time", "base": {"value": "120", "unit": "s"}, "comparator": {"own_value": "100"}}
    patch = {"arms": arms, "claims": {"speedup": claim}}
    assert judged("comparison", "W0305", "speedup", patch).outcome is VIOLATION
    patch["claims"]["speedup"] = claim | {"comparator": {"own_value": "115"}}
    assert judged("comparison", "W0305", "speedup", patch).outcome is OUTSIDE


def test_unknown_options_are_not_shown(judged):
    patch = {"arms": {"theirs": {"options": None, "search": None}}}
    patch["claims"] = {"speedup": {"comparator": {"configuration": None}}}
    assert judged("comparison", "W0305", "speedup", patch).outcome is NOT_SHOWN
    assert judged("training-pair", "W0305", "speedup").outcome is OUTSIDE


# W0306 ---------------------------------------------------------------------------------------------------------------


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
        ({"arms": {"trained": {"quality": {"accuracy": {"split": "train"}}}}}, OUTSIDE),
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


def test_the_best_on_test_speaks_for_the_reuse_of_its_split(judged):
    """W0203 is the more specific of the two."""
    from dlaudit.rules.book import by_code

    assert "W0306" in by_code("W0203").also
    assert "W0305" in by_code("W0303").also
    assert "W1002" in by_code("W1003").also
