"""Reports as they are really written: half of a table, a quality without its split, a release instead of an image."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from support.reports import ACCURACY, ASKED, EFFICIENCY, MISSING, RATE, SPEED, TIMED, outcome, report

# What relates several device counts --------------------------------------------------------------------------------


def table(*varies, **rows):
    return {
        "tables": {
            "points": {
                "columns": {"rate": {"quantity": "rate", "unit": "images/s"}},
                "varies": list(varies),
                "rows": rows,
            }
        }
    }


@pytest.mark.parametrize("code", ["W0101", "W1101"])
def test_an_efficiency_relates_its_point_to_a_base_that_nobody_states(code):
    assert outcome(report(code, EFFICIENCY)) == MISSING


@pytest.mark.parametrize("varies", ["devices", "nodes"])
def test_a_table_that_varies_in_size_relates_its_rows_though_not_all_state_it(varies):
    parts = table(varies, small={"label": "small"}, large={"devices": 256})
    assert outcome(report("W0101", RATE | {"row": {"table": "points", "row": "large"}}, **parts)) == MISSING


@pytest.mark.parametrize("varies", ["devices", "model"])
def test_one_row_or_another_quantity_relates_nothing(varies):
    rows = {"only": {"devices": 256}} if varies == "devices" else {"a": {"devices": 256}, "b": {}}
    result = report("W0101", RATE | {"row": {"table": "points"}}, **table(varies, **rows))
    assert result.outcome is Outcome.NOT_APPLICABLE


# Quality that is there, and of which something is not said -----------------------------------------------------------


def judged_arm(**changes):
    arm = {"options": {"model": "net-a"}, "quality": {"accuracy": ACCURACY | changes}}
    return {"timed": TIMED, "judged": arm}


def test_a_stated_quality_of_the_model_asks_what_it_stands_for():
    result = report("W0101", EFFICIENCY, judged_arm(split="test"))
    assert outcome(result) == ASKED
    assert "which target" in result.branch.message
    assert result.branch.related[0].at == "/arms/judged/quality/accuracy"


@pytest.mark.parametrize(
    "arms",
    [
        judged_arm(split="train"),
        judged_arm() | {"judged": {"options": {"model": "net-b"}, "quality": {"accuracy": ACCURACY}}},
        judged_arm() | {"judged": {"quality": {"accuracy": ACCURACY}}},
        {"timed": TIMED, "judged": judged_arm()["judged"] | {"target": {
            "metric": "accuracy", "value": "77.0", "direction": "higher"}}},
    ],
    ids=["training data", "another model", "an unknown model", "a target that it misses"],
)  # fmt: skip
def test_what_cannot_be_the_convergence_of_the_point_is_none(arms):
    assert outcome(report("W0101", EFFICIENCY, arms)) == MISSING


UNUSED = {"policy": "final", "evaluations": 1, "split_used_for": ["nothing"]}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, ASKED),
        ({"split": "train"}, MISSING),
        ({"metric": "test accuracy"}, (Outcome.PASS, None)),
        ({"metric": "accuracy with test-time augmentation"}, ASKED),
        ({"metric": "test accuracy", "split": "train"}, MISSING),
        ({"split": "official_val"}, (Outcome.PASS, None)),
        ({"split": "validation"}, MISSING),
        ({"split": "validation", "metric": "loss"}, MISSING),
        ({"split": "validation", "metric": "loss", "selection": UNUSED}, (Outcome.PASS, None)),
        ({"split": "validation", "metric": "perplexity", "selection": UNUSED}, (Outcome.PASS, None)),
        ({"split": "validation", "metric": "loss", "selection": {"split_used_for": ["checkpoint"]}}, MISSING),
        ({"split": "validation", "selection": UNUSED}, MISSING),
        ({"split": "train", "metric": "loss", "selection": UNUSED}, MISSING),
    ],
)
def test_the_split_of_a_quality_is_asked_for(change, expected):
    assert outcome(report("W0201", RATE, judged_arm(**change))) == expected


def test_a_report_without_any_value_of_quality_shows_none():
    arms = {"timed": TIMED, "judged": {"quality": {"accuracy": {"metric": "accuracy"}}}}
    assert outcome(report("W0201", RATE, arms)) == MISSING


TARGET = {"metric": "accuracy", "value": "76.0", "direction": "higher", "declared_before": True}
TRAINED = RATE | {
    "statement": "76 % in 2 hours.",
    "value": "2",
    "unit": "h",
    "quantity": "time",
    "scope": "training_run",
    "purpose": "time_to_accuracy",
    "target": TARGET,
}


@pytest.mark.parametrize(
    ("quality", "final", "expected"),
    [
        ({"accuracy": ACCURACY}, {}, ASKED),
        ({}, {"accuracy": "76.1"}, ASKED),
        ({"accuracy": ACCURACY | {"value": "75.9"}}, {}, MISSING),
        ({"accuracy": ACCURACY}, {"accuracy": "75.9"}, MISSING),
        ({"accuracy": ACCURACY | {"split": "train"}}, {}, MISSING),
        ({}, {}, MISSING),
    ],
)
def test_a_stated_value_that_meets_the_target_asks_for_the_log(quality, final, expected):
    run = {"kind": "convergence", "outcome": "completed", "crossing": {"reached": True}, "final": final}
    arms = {"timed": {"quality": quality, "trials": {"run": run}}}
    assert outcome(report("W0103", TRAINED, arms)) == expected


# Sizes, formats, stages ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "systems", "expected"),
    [
        ("the old engine", 1, ASKED),
        ("a CPU", 1, MISSING),
        ("the old engine on V100", 1, MISSING),
        ("the old engine", 2, MISSING),
        ("the old engine", 0, MISSING),
    ],
)
def test_one_machine_for_two_programs_leaves_its_size_to_ask(name, systems, expected):
    claim = RATE | {"form": "ratio", "unit": "x", "compares": "other_system", "comparator": {"name": name}}
    parts = {"systems": {f"s{i}": {"name": "a machine"} for i in range(systems)}}
    assert outcome(report("W0404", claim, **parts)) == expected


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("against the bf16 peak; fp8 rows use the fp8 peak", Outcome.PASS),
        ("against the bf16 peak, fp8 columns against the fp8 peak", Outcome.PASS),
        ("in bf16 and fp8 against the bf16 peak", Outcome.NOT_SHOWN),
    ],
)
def test_what_is_said_of_the_rows_of_another_format_is_not_said_of_this_one(method, expected):
    claim = RATE | {"quantity": "mfu", "unit": "%", "value": "41", "statement": "It uses 41 % of the peak."}
    assert report("W0702", claim, {"timed": TIMED | {"operations": {"method": method}}}).outcome is expected


def staged(*phases):
    return {"timed": TIMED | {"measurement": {"excluded_phases": list(phases), "scope": "training_run"}}}


HOURS = RATE | {"statement": "5000 images per second over the training.", "scope": "training_run"}


@pytest.mark.parametrize("name", ["stage 1", "step 2", "the warm-up stage", "pretraining"])
def test_a_training_without_one_of_its_stages_is_no_whole_training(name):
    result = report("W0502", HOURS, staged(name))
    assert (result.branch.branch, result.branch.effect) == ("d", UNDERMINES)
    assert name in result.branch.message


@pytest.mark.parametrize("words", ["In stage 2 it reaches 5000 images/s.", "Fine-tuning runs at 5000 images/s."])
def test_a_stage_that_the_sentence_names_is_a_caveat(words):
    result = report("W0502", HOURS | {"statement": words}, staged("stage 1"))
    assert (result.branch.branch, result.branch.effect) == ("e", CAVEAT)


@pytest.mark.parametrize("name", ["warm-up", "evaluation", "checkpoint", "compilation", "logging"])
def test_what_is_no_stage_of_the_training_is_none(name):
    assert report("W0502", HOURS, staged(name)).outcome is not Outcome.VIOLATION


# Performance and quality of one model --------------------------------------------------------------------------------


def evaluated(input_shape, words):
    arm = {
        "options": {"model": "net-a", "input_shape": input_shape},
        "performance": SPEED,
        "quality": {"accuracy": ACCURACY | {"evaluation_input": words}},
    }
    return {"timed": arm}


BOTH = RATE | {"mode": "inference", "quality": {"arm": "timed", "quality": "accuracy"}}


@pytest.mark.parametrize("shape", [[3, 224, 224], [224, 224]])
@pytest.mark.parametrize("words", ["256x256, dense", "256 x 256.", "256"])
def test_a_model_timed_at_one_size_and_judged_at_another(shape, words):
    result = report("W0801", BOTH, evaluated(shape, words))
    assert (result.branch.branch, result.branch.effect) == ("a", REFUTES)


def test_both_sizes_in_the_sentence_are_a_caveat():
    claim = BOTH | {"statement": "5000 images/s at 224x224; 76.1 % at 256x256."}
    assert report("W0801", claim, evaluated([3, 224, 224], "256x256")).branch.branch == "e"


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (BOTH, "224x224"),
        (BOTH, "resized to 256x256, centre crop 224x224"),
        (BOTH, "10 crops"),
        (BOTH | {"mode": "training"}, "256x256"),
    ],
    ids=["one size", "a crop of the size", "no size", "training"],
)
def test_no_other_size_is_known(claim, words):
    assert report("W0801", claim, evaluated([3, 224, 224], words)).outcome is not Outcome.VIOLATION


def stacks(timed, *judged, model="net-a"):
    arms = {"timed": TIMED | {"software": {"container": timed}}}
    for number, container in enumerate(judged):
        software = {"software": {"container": container}} if container else {}
        arms[f"judged{number}"] = {"options": {"model": model}, "quality": {"accuracy": ACCURACY}, **software}
    return arms


@pytest.mark.parametrize(
    ("arms", "expected"),
    [
        (stacks("21.03", "20.12"), Outcome.VIOLATION),
        (stacks("img:21.03", "img:20.12"), Outcome.VIOLATION),
        (stacks("21.03", "21.03"), Outcome.PASS),
        (stacks("21.03", "20.12", "21.03"), Outcome.PASS),
        (stacks("21.03", "21.03-py3"), Outcome.NOT_SHOWN),
        (stacks("21.03", "latest"), Outcome.NOT_SHOWN),
        (stacks("21.03", ""), Outcome.NOT_SHOWN),
        (stacks("21.03", "20.12", model="net-b"), Outcome.NOT_APPLICABLE),
        (stacks("21.03"), Outcome.NOT_APPLICABLE),
    ],
)
def test_the_quality_of_the_timed_model_elsewhere_in_the_report(arms, expected):
    result = report("W0804", RATE | {"purpose": "method_speedup"}, arms)
    assert result.outcome is expected
    if expected is Outcome.VIOLATION:
        assert result.branch.effect is CAVEAT
