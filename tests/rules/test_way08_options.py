"""W0804 to W0807: stacks, composites, evaluations and options under which a program is of no use."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.facts.comparison.options import Same
from dlaudit.rules.facts.comparison.software import compare_stacks
from dlaudit.rules.facts.comparison.wording import same_version, same_words
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from dlaudit.schemas.evidence import Software

# Words and versions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("224 x 224", "224x224", Same.EQUAL),
        ("5-shot", "0-shot", Same.DIFFERENT),
        ("none", "EMA 0.9999", Same.DIFFERENT),
        ("none", "None", Same.EQUAL),
        ("eval.py at 3f9c2ab", "eval.py at 77aa9c2", Same.DIFFERENT),
        ("eval.py at 3f9c2ab", "eval.py at 3f9c2ab17d", Same.UNKNOWN),
        ("lm-eval 0.4", "lm-eval 0.4.2", Same.UNKNOWN),
        ("greedy", "argmax", Same.UNKNOWN),
        ("resize 256, crop 224", "224 x 224", Same.UNKNOWN),
    ],
)
def test_another_wording_is_no_difference(left, right, same):
    assert same_words(left, right) is same_words(right, left) is same


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("2.6.0", "2.6", Same.EQUAL),
        ("2.6.0+cu124", "2.6.0", Same.EQUAL),
        ("2.6.0", "2.6.1", Same.DIFFERENT),
        ("9.1.0", "90100", Same.UNKNOWN),
        ("nightly", "2.6.0", Same.UNKNOWN),
    ],
)
def test_versions_count_as_far_as_both_are_given(left, right, same):
    assert same_version(left, right) is same_version(right, left) is same


@pytest.mark.parametrize(
    ("left", "right", "different", "unknown"),
    [
        ({"driver": "550.54.15"}, {"driver": "550.90.07"}, [], []),
        ({"driver": "550.54.15"}, {"driver": "535.104.05"}, ["driver"], []),
        ({"framework": "torch 2.6.0"}, {"framework": "jax 0.4.30"}, ["framework"], []),
        ({"framework": "torch 2.6.0, cuBLAS 12.4.5"}, {"framework": "PyTorch 2.6"}, [], []),
        ({"framework": "torch 2.6.0"}, {"framework": "Megatron-LM 0.7"}, [], ["framework"]),
        ({"runtime": "CUDA 12.4"}, {"runtime": "ROCm 6.1"}, ["runtime"], []),
        ({"libraries": {"NCCL": "2.21.5"}}, {"libraries": {"NCCL": "2.18.1"}}, ["NCCL"], []),
        ({"libraries": {"NCCL": "2.21.5"}}, {"libraries": {}}, [], ["NCCL"]),
        ({"container": "a/lm:24.05"}, {"container": "b/lm:24.05"}, [], []),
        ({"container": "a/lm:24.05"}, {"container": "a/lm:24.05-py3"}, [], ["container"]),
        ({"container": "a/lm:24.05"}, {"container": "a/lm@sha256:0f3a"}, [], ["container"]),
        ({"container": "a/lm:24.05"}, {"container": "a/lm:23.01"}, ["container"], []),
        ({"container": "a/lm@sha256:0f3a"}, {"container": "a/lm@sha256:0f3ab1"}, [], []),
    ],
)
def test_stacks(left, right, different, unknown):
    found = compare_stacks(Software(**left), Software(**right))
    assert [name for name, _, _ in found.different] == different
    assert list(found.unknown) == unknown


def test_one_container_fixes_all_but_the_driver():
    image = {"container": "a/lm@sha256:0f3a"}
    found = compare_stacks(
        Software(**image, framework="torch 2.6.0", driver="550.1"), Software(**image, framework="x 9", driver="535.1")
    )
    assert [name for name, _, _ in found.different] == ["driver"]


# W0804 ----------------------------------------------------------------------------------------------------------------


def apart(fused=None, plain=None, **claim):
    return {
        "claims": {"speedup": {"quality": {"arm": "plain", "quality": "loss"}, **claim}},
        "arms": {"fused": fused or {}, "plain": plain or {}},
    }


OTHER_DRIVER = {"software": {"driver": "535.104.05"}}


@pytest.mark.parametrize(
    ("purpose", "branch", "effect"),
    [("hardware_throughput", "a", CAVEAT), ("method_speedup", "b", UNDERMINES), ("time_to_accuracy", "b", UNDERMINES)],
)
def test_another_stack_weighs_by_what_is_promised(judged, purpose, branch, effect):
    result = judged("training-pair", "W0804", "speedup", apart(plain=OTHER_DRIVER, purpose=purpose))
    assert (result.branch.branch, result.branch.effect) == (branch, effect)
    assert "550.54.15 against 535.104.05" in result.branch.message


def test_what_the_timed_mode_switches_off(judged):
    patch = {"arms": {"fused": {"measurement": {"switched_off": ["safety filter"]}}}}
    result = judged("training-pair", "W0804", "speedup", patch)
    assert (result.outcome, result.branch.at) == (Outcome.VIOLATION, "/arms/fused/measurement/switched_off")


@pytest.mark.parametrize("side", ["fused", "plain"])
@pytest.mark.parametrize("missing", [None, {"container": None}, {"libraries": {"NCCL": None}}])
def test_an_item_on_one_side_only(judged, side, missing):
    patch = apart(**{side: {"software": missing}})
    result = judged("training-pair", "W0804", "speedup", patch)
    one_container = missing == {"libraries": {"NCCL": None}}
    assert result.outcome is (Outcome.PASS if one_container else Outcome.NOT_SHOWN)


def test_different_devices_are_not_compared(judged):
    patch = apart(plain={**OTHER_DRIVER, "system": "other"})
    patch["systems"] = {"other": {"name": "1x H100", "device": "H100"}}
    assert judged("training-pair", "W0804", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_values_of_one_arm_share_its_stack(judged):
    patch = {"arms": {"fused": {"software": None}}}
    assert judged("training-pair", "W0804", "speedup", patch).outcome is Outcome.PASS


# W0805 ----------------------------------------------------------------------------------------------------------------

WHOLE = {"row": {"row": None, "base_row": None}}


def curve(row=None, table=None, **claim):
    return {
        "claims": {"speedup": {**WHOLE, **claim}},
        "tables": {"nodes": {"rows": {"r8": {"options": row or {}}}, **(table or {})}},
    }


E4M3 = {"precision": {"compute": "e4m3"}}


def test_a_curve_of_two_formats(judged):
    result = judged("strong-scaling", "W0805", "speedup", curve(E4M3))
    assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)
    assert "precision.compute bf16 against e4m3" in result.branch.message


@pytest.mark.parametrize(
    "words",
    [
        {"statement": "The best of both formats scales 6.62x."},
        {"said": [{"topic": "composite", "quote": "the last point is in FP8"}]},
        {"statistic": "best_of"},
    ],
)
def test_called_a_best_of(judged, words):
    result = judged("strong-scaling", "W0805", "speedup", curve(E4M3, **words))
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


@pytest.mark.parametrize(
    "row",
    [
        {"global_batch": 16384},
        {"micro_batch": 64, "accumulation": 2},
        {"model": "ResNet-101"},
        {"learning_rate": 1.0},
        {"overlap": False},
    ],
)
def test_what_tells_the_parts_apart_may_differ(judged, row):
    assert judged("strong-scaling", "W0805", "speedup", curve(row)).outcome is Outcome.PASS


def test_a_set_that_was_measured_whole(judged):
    rows = {
        f"q{n}": {"devices": 8 * n, "nodes": n, "arm": f"n{n}", "values": {"rate": "1000"}, "parameters": 25557032,
                  "options": {**E4M3, "global_batch": 8192}}
        for n in (1, 2)
    }  # fmt: skip
    patch = {"claims": {"speedup": WHOLE}, "tables": {"nodes": {"rows": rows}}}
    assert judged("strong-scaling", "W0805", "speedup", patch).outcome is Outcome.PASS


def test_a_row_of_a_table_is_no_composite(judged):
    patch = curve(E4M3)
    del patch["claims"]
    assert judged("strong-scaling", "W0805", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(("aggregator", "word"), [("total", "total"), ("geometric", "mean")])
def test_an_aggregate_over_the_rows(judged, aggregator, word):
    rows = {"ours": {"options": {"quantisation": "int8", "dataset": "a"}}, "theirs": {"options": {"dataset": "b"}}}
    patch = {
        "claims": {"speedup": {"row": {"table": "systems"}}},
        "tables": {"systems": {"rows": rows, "aggregator": aggregator}},
    }
    result = judged("comparison", "W0805", "speedup", patch)
    assert result.branch.branch == "a"
    assert f"this {word} joins" in result.branch.message


def test_models_are_trained_by_recipes_of_their_own(judged):
    rows = {
        "ours": {"options": {"model": "U-Net", "dataset": "a", "optimizer": "Adam", "dropout": False}},
        "theirs": {"options": {"model": "BERT", "dataset": "b", "optimizer": "AdamW", "dropout": True}},
    }
    patch = {
        "claims": {"speedup": {"row": {"table": "systems"}}},
        "tables": {"systems": {"rows": rows, "aggregator": "geometric"}},
    }
    assert judged("comparison", "W0805", "speedup", patch).outcome is not Outcome.VIOLATION
    rows["theirs"]["options"] |= {"model": "U-Net", "dataset": "a", "input_length": 77}
    result = judged("comparison", "W0805", "speedup", patch)
    assert "optimizer Adam against AdamW" in result.branch.message


@pytest.mark.parametrize(
    ("caption", "levels", "expected"),
    [
        ("New: the fastest setting of 0.9.0 for each model.", ("O3", "O2"), "b"),
        ("Each model at its best.", ("O3", "O2"), "b"),
        ("New: the fastest setting of 0.9.0 for each model.", ("O3", "O3"), None),
        ("New: the default setting of 0.9.0.", ("O3", "O2"), None),  # it may belong to the model
        ("The fastest of 0.9.0, model by model.", (None, "O2"), None),
    ],
)
def test_the_best_setting_of_each_row(judged, caption, levels, expected):
    rows = {
        name: {"options": {"dataset": name, "extra": {"level": level} if level else {}}}
        for name, level in zip(("ours", "theirs"), levels, strict=True)
    }
    patch = {
        "claims": {"speedup": {"row": {"table": "systems"}}},
        "tables": {"systems": {"caption": caption, "rows": rows, "aggregator": "geometric"}},
    }
    result = judged("comparison", "W0805", "speedup", patch)
    assert getattr(result.branch, "branch", None) == expected


def test_a_row_that_is_the_mean_of_the_others(judged):
    rows = {
        "ours": {"options": {"quantisation": "int8", "dataset": "a"}},
        "theirs": {"options": {"dataset": "b"}},
        "mean": {"label": "Geomean", "values": {"rate": "270000"}},
    }
    patch = {
        "claims": {"speedup": {"row": {"table": "systems", "row": "mean"}}},
        "tables": {"systems": {"rows": rows, "aggregator": "geometric"}},
    }
    assert judged("comparison", "W0805", "speedup", patch).branch.branch == "a"


def lent(own=None):
    """A speed-up whose sentence prints the base's accuracy, where the arm that was timed has another precision."""
    score = {"top1": {"metric": "top-1 accuracy", "value": "81.33", "unit": "%", "split": "test"}}
    accuracy = {"statement": "The accuracy is 81.33 %.", "value": "81.33", "unit": "%", "quantity": "accuracy"}
    accuracy |= {
        "form": "absolute",
        "compares": "none",
        "group": "headline",
        "scope": "training_run",
        "mode": "training",
    }
    accuracy["quality"] = {"arm": "theirs", "quality": "top1"}
    speedup = {"group": "headline", "statement": "It is 1.42 times as fast, at an accuracy of 81.33 %."}
    ours = {"options": {"precision": {"compute": "e4m3"}, "global_batch": 4096}, "quality": own}
    return {
        "claims": {"speedup": speedup, "accuracy": accuracy},
        "arms": {"ours": {**ours, "trials": dict.fromkeys(arms_trials("ours"))}, "theirs": {"quality": score}},
    }


def arms_trials(name):
    return base("comparison")["arms"][name].get("trials", {})


def test_a_speedup_with_the_quality_of_its_base(judged):
    result = judged("comparison", "W0805", "speedup", lent())
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)
    own = {"top1": {"metric": "top-1 accuracy", "value": "81.33", "unit": "%", "split": "test"}}
    assert judged("comparison", "W0805", "speedup", lent(own)).outcome is not Outcome.VIOLATION


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("Our decoder at a glance: 133200 tokens/s,", "and a loss of 3.02.", Outcome.VIOLATION),
        ("Our decoder: 133200 tokens/s.", "The loss is 3.02.", Outcome.NOT_APPLICABLE),
        ("Our decoder: 133200 tokens/s of ours,", "and a loss of 3.02 of theirs.", Outcome.NOT_APPLICABLE),
    ],
)
def test_a_sentence_that_is_cut_into_two_claims(judged, first, second, outcome):
    both = {"group": "headline", "form": "absolute", "compares": "none", "base": None, "row": None, "comparator": None}
    both |= {"scope": "training_run", "mode": "training"}
    loss = {"statement": second, "value": "3.02", "unit": "nat", "quantity": "accuracy", **both}
    loss = {key: value for key, value in loss.items() if value is not None}
    loss["quality"] = {"arm": "theirs", "quality": "loss"}
    patch = {"claims": {"speedup": {"statement": first, **both}, "loss": loss}}
    patch["arms"] = {
        "ours": {"label": "ours", "options": {"precision": {"compute": "e4m3"}}},
        "theirs": {"label": "theirs"},
    }
    assert judged("comparison", "W0805", "speedup", patch).outcome is outcome


def test_parts_without_options(judged):
    rows = {name: {"arm": None} for name in ("ours", "theirs")}
    patch = {
        "claims": {"speedup": {"row": {"table": "systems"}}},
        "tables": {"systems": {"rows": rows, "aggregator": "arithmetic"}},
    }
    assert judged("comparison", "W0805", "speedup", patch).outcome is Outcome.NOT_SHOWN


# W0806 ----------------------------------------------------------------------------------------------------------------


def quality(ours=None, theirs=None, **claim):
    about = {"quantity": "accuracy", "metric": "loss", "base": {"metric": None}, "measured": None}
    return {
        "claims": {"speedup": {**about, **claim}},
        "arms": {"ours": {"quality": {"loss": ours or {}}}, "theirs": {"quality": {"loss": theirs or {}}}},
    }


@pytest.mark.parametrize(
    "ours",
    [
        {"weight_averaging": "exponential, 0.9999"},
        {"split": "validation"},
        {"examples": 1000},
        {"metric": "loss", "split": "train"},
    ],
)
def test_another_evaluation(judged, ours):
    result = judged("comparison", "W0806", "speedup", quality(ours))
    assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [("prompts", "5-shot", "0-shot"), ("evaluation_input", "288 x 288", "224 x 224"),
     ("test_time_augmentation", "10 crops", "none"), ("harness", "lm-eval 0.4.2", "lm-eval 0.3.0")],
)  # fmt: skip
def test_texts_whose_numbers_differ(judged, key, one, other):
    result = judged("comparison", "W0806", "speedup", quality({key: one}, {key: other}))
    assert result.branch.branch == "a"
    assert f"{one} against {other}" in result.branch.message


@pytest.mark.parametrize(
    "patch",
    [
        quality({"examples": 5000}),
        quality({"examples": 1984}),
        quality(
            {"split": "validation"},
            said=[{"topic": "evaluation_options_differ", "quote": "theirs on the test split"}],
        ),
    ],
)
def test_a_larger_split_a_last_batch_and_what_is_said_are_caveats(judged, patch):
    result = judged("comparison", "W0806", "speedup", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def beside_a_speedup(sentence, **ours):
    """A speed-up whose sentence prints two accuracies."""
    values = {"ours": "0.6611", "theirs": "0.6632"}
    score = {"metric": "MMLU accuracy", "split": "test", "examples": 14042, "prompts": "5 shots"}
    arms = {name: {"quality": {"mmlu": {**score, "value": value}}} for name, value in values.items()}
    arms["ours"]["quality"]["mmlu"] |= ours
    claim = {"statement": sentence, "quality": {"arm": "ours", "quality": "mmlu"}}
    return {"arms": arms, "claims": {"speedup": claim}}


@pytest.mark.parametrize(
    ("sentence", "prompts", "outcome"),
    [
        ("1.42 times as fast, with an accuracy of 0.6611 against 0.6632.", "8 shots", Outcome.VIOLATION),
        ("1.42 times as fast, with an accuracy of 66.11 % against 66.32 %.", "8 shots", Outcome.VIOLATION),
        ("1.42 times as fast, with an accuracy of 0.6611 against 0.6632.", "5 shots", Outcome.PASS),
        ("1.42 times as fast, with an accuracy of 0.6611.", "8 shots", Outcome.NOT_APPLICABLE),
        ("1.42 times as fast.", "8 shots", Outcome.NOT_APPLICABLE),
    ],
)
def test_qualities_that_a_speedups_sentence_compares(judged, sentence, prompts, outcome):
    result = judged("comparison", "W0806", "speedup", beside_a_speedup(sentence, prompts=prompts))
    assert result.outcome is outcome, result


def test_both_sides_evaluated_alike_besides(judged):
    patch = quality({"weight_averaging": "exponential, 0.9999"})
    again = {"metric": "loss", "value": "3.06", "split": "test", "examples": 2000, "weight_averaging": "none"}
    patch["arms"]["ours"]["quality"]["plain"] = again
    patch["claims"]["speedup"]["quality"] = {"arm": "ours", "quality": "loss"}
    assert judged("comparison", "W0806", "speedup", patch).branch.branch == "b"


@pytest.mark.parametrize(
    "patch",
    [
        quality({"harness": "eval.py at 3f9c2ab"}),
        quality({"prompts": "greedy"}, {"prompts": "argmax"}),
        quality({"split": None}),
        quality({"split": "official_val"}),
        quality(base={"arm": None, "value": "3.06"}),
    ],
)
def test_options_of_one_side_only_and_other_words(judged, patch):
    assert judged("comparison", "W0806", "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_evaluations_of_the_runs_stand_in_for_a_stated_quality(judged):
    patch = quality()
    patch["arms"]["theirs"]["quality"] = None
    assert judged("comparison", "W0806", "speedup", patch).outcome is Outcome.NOT_SHOWN
    patch["arms"]["ours"]["quality"] = None
    patch["claims"]["speedup"]["quality"] = None
    patch["claims"]["speedup"]["measured"] = {"arm": "ours", "metric": None}
    assert judged("comparison", "W0806", "speedup", patch).outcome is Outcome.PASS


# W0807 ----------------------------------------------------------------------------------------------------------------


def serving(*names, observed=(), options=None, **claim):
    server = {"options": {"neutralised": list(names), **(options or {})}}
    if observed:
        server["observed"] = {"neutralised": list(observed)}
    return {"arms": {"server": server}, "claims": {"rate": claim}}


SCORED = {
    "quality": {"arm": "server", "quality": "em"},
}
SCORE = {"em": {"metric": "exact match", "value": "0.71", "split": "test"}}


@pytest.mark.parametrize("name", ["random_weights", "ignored_end_of_sequence", "dropped_tokens"])
def test_a_declared_option_is_a_caveat(judged, name):
    result = judged("serving", "W0807", "rate", serving(name))
    assert (result.branch.branch, result.branch.effect) == ("a", CAVEAT)
    assert result.branch.at == "/arms/server/options/neutralised"


def test_beside_a_quality_it_undermines(judged):
    patch = serving("ignored_end_of_sequence", **SCORED)
    patch["arms"]["server"]["quality"] = SCORE
    result = judged("serving", "W0807", "rate", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", UNDERMINES)


def test_a_quality_of_the_same_arm_shows_what_dropped_tokens_cost(judged):
    patch = {
        "arms": {"fused": {"options": {"neutralised": ["dropped_tokens"], "routing_mode": "top-2"}}},
    }
    assert judged("training-pair", "W0807", "speedup", patch).branch.branch == "a"
    patch["claims"] = {"speedup": {"quality": {"arm": "plain", "quality": "loss"}}}
    assert judged("training-pair", "W0807", "speedup", patch).branch.branch == "b"


def test_observed_and_not_declared(judged):
    result = judged("serving", "W0807", "rate", serving("none", observed=["random_weights"]))
    assert (result.branch.branch, result.branch.effect, result.branch.recomputed) == ("b", UNDERMINES, "random weights")


@pytest.mark.parametrize("names", [["fixed_output_length"], ["fixed_output_length", "ignored_end_of_sequence"]])
def test_a_fixed_output_length_measures_capacity(judged, names):
    result = judged("serving", "W0807", "rate", serving(*names, observed=["fixed_output_length"]))
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)


@pytest.mark.parametrize(
    ("length", "outcome"),
    [
        ("mean 224, p99 655; ended by the model's end of sequence, limit 2048", Outcome.VIOLATION),
        ("mean 224, p99 655, each as long as in the trace, end of sequence ignored", Outcome.PASS),
        ("129 tokens each; not ended by an end of sequence", Outcome.PASS),
        ("129 tokens each", Outcome.PASS),
    ],
)
def test_outputs_that_the_model_ended_had_no_fixed_length(judged, length, outcome):
    patch = serving("fixed_output_length", "ignored_end_of_sequence")
    patch["arms"]["server"]["performance"] = {"rate": {"load": {"output_length": length}}}
    assert judged("serving", "W0807", "rate", patch).outcome is outcome


@pytest.mark.parametrize("names", [["none"], ["random_tokens"]])
def test_nothing_and_tokens_of_dense_products(judged, names):
    assert judged("serving", "W0807", "rate", serving(*names)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "options", [{"routing_mode": "top-2"}, {"expert_parallel": 8}, {"model": "Mixtral 8x7B"}, {"model": "MoE 8B"}]
)
def test_random_tokens_where_experts_are_chosen_by_them(judged, options):
    assert judged("serving", "W0807", "rate", serving("random_tokens", options=options)).branch.branch == "a"


def test_a_server_that_does_not_say(judged):
    assert judged("serving", "W0807", "rate", serving()).outcome is Outcome.NOT_SHOWN


@pytest.mark.parametrize(("rate", "outcome"), [(0, Outcome.VIOLATION), (0.1, Outcome.NOT_APPLICABLE)])
def test_a_declared_learning_rate_of_zero(judged, rate, outcome):
    patch = {"arms": {"a": {"options": {"learning_rate": rate}}}}
    assert judged("rate", "W0807", "rate", patch).outcome is outcome


def test_the_rate_of_a_moment_and_initial_weights_accuse_nobody(judged):
    patch = {"arms": {"a": {"observed": {"learning_rate": 0}, "options": {"neutralised": ["random_weights"]}}}}
    assert judged("rate", "W0807", "rate", patch).outcome is Outcome.PASS


def test_experts_without_options(judged):
    patch = {"arms": {"a": {"options": None, "label": "a mixture of experts"}}}
    assert judged("rate", "W0807", "rate", patch).outcome is Outcome.NOT_SHOWN
    patch["arms"]["a"]["label"] = "ResNet"
    assert judged("rate", "W0807", "rate", patch).outcome is Outcome.NOT_APPLICABLE


# W0807: traffic with forced lengths -----------------------------------------------------------------------------------

FORCED = ["ignored_end_of_sequence", "fixed_output_length"]


def forced(length, neutralised=FORCED, quality=True, **claim):
    load = {"output_length": length}
    made = {"purpose": "serving_objective", "statement": "It serves 6.27 requests/s.", **claim}
    if quality:
        made["quality"] = {"arm": "server", "quality": "exact"}
    exact = {"metric": "exact match", "value": "0.71", "split": "test"}
    return {
        "claims": {"rate": made},
        "disclosures": [],
        "arms": {
            "server": {
                "options": {"neutralised": neutralised},
                "quality": {"exact": exact},
                "performance": {"rate": {"load": load}, "latency": {"load": load}},
            }
        },
    }


@pytest.mark.parametrize(
    ("patch", "violated"),
    [
        (forced("mean 224, p99 655, from the trace"), True),
        (forced("129 tokens each"), False),  # a capacity test
        (forced("mean 224, p99 655", ["fixed_output_length"]), False),
        (forced("mean 224, p99 655", quality=False), False),
        (forced("mean 224, p99 655", purpose="hardware_throughput"), False),
        (forced("mean 224, p99 655", statement="It serves 6.27 requests/s; lengths are fixed by the trace."), False),
        (
            forced(
                "mean 224, p99 655",
                said=[{"topic": "quality_neutralised", "quote": "The end of sequence is ignored while timing."}],
            ),
            False,
        ),
    ],
)
def test_a_service_with_a_quality_stops_where_the_model_does(judged, patch, violated):
    result = judged("serving", "W0807", "rate", patch)
    assert (result.outcome is Outcome.VIOLATION) is violated, result
    if violated:
        assert (result.branch.branch, result.branch.effect) == ("c", CAVEAT)
