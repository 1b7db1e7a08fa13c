"""F56, fields-contradict-words."""

import pytest
from dlaudit.audit.verdict import judged_as
from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.case import Case
from dlaudit.rules.completion.complete import completed
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from dlaudit.rules.required import requirements
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from support.answers import answer

PASS = Outcome.PASS
WRONG, WEAK = ("a", UNDERMINES), ("b", CAVEAT)


def fields(claim, **given):
    return {"claims": {claim: given}}


def of(judged, name, claim, **given):
    return answer(judged(name, "F56", claim, fields(claim, **given)))


@pytest.mark.parametrize("quantity", ["count", "memory", "cost", "accuracy"])
def test_nothing_but_a_rate_or_time_is_faster(judged, quantity):
    assert of(judged, "training-pair", "speedup", quantity=quantity) == WRONG


@pytest.mark.parametrize("quantity", ["rate", "time", "latency"])
def test_rates_and_times_are_faster(judged, quantity):
    assert of(judged, "training-pair", "speedup", quantity=quantity) == PASS


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Training is 100x faster.", WRONG),
        ("Training is not measured here; the batch is 100.", PASS),
        ("100 samples a step, which makes it 100x faster.", PASS),
    ],
)
def test_the_degree_of_a_comparison_is_no_absolute_number(judged, statement, expected):
    given = {"statement": statement, "value": "100", "unit": None, "quantity": "rate", "measured": None}
    assert of(judged, "rate", "rate", **given) == expected


@pytest.mark.parametrize(
    ("quantity", "unit", "expected"),
    [
        ("rate", "samples/s", PASS),
        ("rate", "s", WRONG),
        ("time", "samples/s", WRONG),
        ("time", "h", PASS),
        ("memory", "tokens/s", WRONG),
        ("energy", "images/J", PASS),
        ("energy", "kWh", PASS),
        ("flops", "PFLOPs", PASS),
        ("cost", "USD", PASS),
        ("cost", "GPU-hours", PASS),
        ("time", "ms/step", PASS),
        ("rate", "furlongs", PASS),
    ],
)
def test_a_unit_fits_its_quantity(judged, quantity, unit, expected):
    given = {"statement": "It is 2500 of them.", "quantity": quantity, "unit": unit}
    assert of(judged, "rate", "rate", **given) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("End-to-end training of the model takes 3.2 hours.", WRONG),
        ("The kernel shortens end-to-end training.", PASS),
        ("One A100 trains at this rate.", PASS),
    ],
)
def test_a_whole_training_is_no_kernel(judged, statement, expected):
    given = {"statement": statement, "scope": "kernel", "value": "3.2", "unit": "h", "quantity": "time"}
    assert of(judged, "rate", "rate", **given) == expected


@pytest.mark.parametrize("purpose", ["hardware_throughput", "kernel_benchmark", "leaderboard"])
def test_a_time_to_an_accuracy_is_no_speed_of_a_machine(judged, purpose):
    assert of(judged, "time-to-accuracy", "time", purpose=purpose) == WRONG


def test_a_time_to_an_accuracy_may_be_called_one(judged):
    assert of(judged, "time-to-accuracy", "time", purpose="time_to_accuracy") == PASS


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Training is twice as fast with fused attention.", WRONG),
        ("Fused attention doubles the speed of training.", WRONG),
        ("Training is half again as fast, 1.43x, with fused attention.", PASS),
        ("With fused attention it trains faster on twice as many tokens, 1.43x.", PASS),
    ],
)
def test_spelled_values(judged, statement, expected):
    assert of(judged, "training-pair", "speedup", statement=statement) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("The mean rate is 2500 images per second.", WRONG),
        ("The median rate, with a mean of 2510, is 2500 images per second.", PASS),
        ("The rate is 2500 images per second.", PASS),
    ],
)
def test_the_statistic_is_that_of_the_sentence(judged, statement, expected):
    assert of(judged, "rate", "rate", statement=statement) == expected


@pytest.mark.parametrize(("label", "expected"), [("strong", PASS), ("weak", WEAK)])
def test_the_scaling_label_is_that_of_the_sentence(judged, label, expected):
    assert of(judged, "strong-scaling", "speedup", label=label) == expected


@pytest.mark.parametrize(
    ("metric", "statement", "expected"),
    [
        ("accuracy", "ResNet-9 reaches 94.50 % test accuracy.", PASS),
        ("accuracy", "ResNet-9 reaches a perplexity of 94.50.", WEAK),
        ("accuracy", "ResNet-9 reaches an accuracy of 94.50 % at a loss of 0.3.", PASS),
    ],
)
def test_a_metric_of_another_kind(judged, metric, statement, expected):
    assert of(judged, "accuracy", "accuracy", metric=metric, statement=statement) == expected


@pytest.mark.parametrize(("split", "expected"), [("test", PASS), ("validation", WEAK), ("training", WEAK)])
def test_the_split_of_the_sentence_is_that_of_the_number(judged, split, expected):
    statement = f"ResNet-9 reaches an accuracy of 94.50 % on the {split} set."
    assert of(judged, "accuracy", "accuracy", statement=statement) == expected


def judged_by(value):
    found = judge(Case(to_model(value, Submission)), book())
    return {result.code: result for result in found if result.claim and result.outcome is not Outcome.NOT_APPLICABLE}


def test_rules_that_the_words_make_apply_judge_the_claim():
    value = merge_patch(base("training-pair"), fields("speedup", quantity="count"))
    value["claims"] = {"speedup": value["claims"]["speedup"]}
    otherwise, stated = judged_by(value), judged_by(merge_patch(value, fields("speedup", quantity="rate")))
    assert set(stated) <= set(otherwise)


def test_what_they_ask_quotes_the_words():
    given = {"statement": "Training is 100x faster.", "value": "100", "unit": "x", "quantity": "count"}
    base_asked = judged_by(merge_patch(base("rate"), fields("rate", **given)))["S13"].branch
    assert any(
        item.note.endswith('is read from the statement: "Training is 100x faster."') for item in base_asked.related
    )


def test_what_is_required_of_the_words_is_required():
    patch = fields("speedup", quantity="count", form="absolute", interval=None)
    case = completed(Case(to_model(merge_patch(base("training-pair"), patch), Submission)))
    claim = case.submission.claims["speedup"]
    assert requirements("S13", claim, case)
    assert "by its words as form ratio, quantity rate" in judged_as(claim, case)


@pytest.mark.parametrize(
    ("statement", "scope"),
    [
        ("With BraidNet the 410M model trains 3.1x faster.", "training_run"),
        ("Pre-training of the 7B model is 3.1x faster.", "training_run"),
        ("Each epoch is 3.1x shorter.", "training_run"),
        ("The server answers requests 3.1x faster.", "request"),
        ("Inference of Llama-7B is 3.1x faster.", "request"),
        ("In training, the matrix product is 3.1x faster.", None),
        ("Our GEMM kernel is 3.1x faster in training.", None),
        ("A layer of the network trains 3.1x faster.", None),
        ("The forward pass of training is 3.1x faster.", None),
    ],
)
@pytest.mark.parametrize("part", ["kernel", "layer"])
def test_what_is_said_of_a_model_is_not_said_of_its_part(judged, statement, scope, part):
    given = {"statement": statement, "scope": part, "value": "3.1"}
    result = judged("training-pair", "F56", "speedup", {"claims": {"speedup": given}})
    said = getattr(result.branch, "recomputed", None)
    assert said == (scope and scope.replace("_", " ")), result
