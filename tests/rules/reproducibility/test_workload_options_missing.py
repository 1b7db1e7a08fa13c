"""R06, workload-options-missing: A number without model, data, shape, batch, precision or unit."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import Outcome
from support.patches import both
from support.suite_results import fields, result

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"model": None}, "model"),
        ({"dataset": None}, "data"),
        ({"input_shape": None}, "shape"),
        ({"global_batch": None, "accumulation": None}, "batch"),
        ({"micro_batch": None, "accumulation": None}, "batch"),
        ({"precision": None}, "precision"),
    ],
)
def test_each_option_of_the_workload(judged, options, word):
    result = judged("rate", "R06", "rate", {"arms": {"a": {"options": options}}})
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "model, data, shape, batch, precision, unit")
    assert word in result.branch.message


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"micro_batch": None, "accumulation": None}, "batch per device or accumulation"),
        ({"global_batch": None, "accumulation": None}, "global batch"),
        ({"global_batch": None, "accumulation": None, "micro_batch": None}, "batch"),
    ],
)
def test_the_missing_part_of_the_batch_is_named(judged, options, words):
    result = judged("rate", "R06", "rate", {"arms": {"a": {"options": options}}})
    assert result.branch.message == f"not stated of the workload: {words}"


def test_a_batch_that_follows_from_its_parts(judged):
    patch = {"arms": {"a": {"options": {"global_batch": None}}}}
    assert judged("rate", "R06", "rate", patch).outcome is Outcome.PASS


def test_formats_may_stand_in_the_sentence(judged):
    patch = {
        "arms": {"a": {"options": {"precision": None}}},
        "claims": {"rate": {"statement": "2500 images/s in BF16."}},
    }
    assert judged("rate", "R06", "rate", patch).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("unit", "form", "outcome"), [(None, "absolute", Outcome.NOT_SHOWN), (None, "words", Outcome.PASS)]
)
def test_the_unit(judged, unit, form, outcome):
    patch = {"claims": {"rate": {"unit": unit, "form": form}}}
    assert judged("rate", "R06", "rate", patch).outcome is outcome


def test_a_loss_needs_no_unit(judged):
    patch = {"claims": {"rate": {"quantity": "accuracy", "metric": "loss", "unit": None}}}
    assert judged("training-pair", "R06", "rate", patch).outcome is Outcome.PASS


@pytest.mark.parametrize(("name", "claim"), [("kernel", "gemm"), ("serving", "rate"), ("accuracy", "accuracy")])
def test_kernels_services_and_scores(judged, name, claim):
    assert judged(name, "R06", claim).outcome is Outcome.PASS


def test_the_base_too(judged):
    patch = {"arms": {"plain": {"options": {"dataset": None}}}}
    result = judged("training-pair", "R06", "speedup", patch)
    assert "the base's workload" in result.branch.message


def test_nothing_stated(judged):
    result = judged("rate", "R06", "rate", {"claims": {"rate": {"measured": None}}})
    assert "model, data, shape, batch, precision" in result.branch.message


@pytest.mark.parametrize(
    ("extra", "missing"),
    [
        ({"precision_mode": "amp", "gradient_accumulation_frequency": 1}, ()),
        ({"precision_mode": ""}, ("precision", "batch")),
        ({"d_batch_size": 32}, ("precision",)),
    ],
)
def test_options_that_only_a_log_names(judged, extra, missing):
    options = {"precision": None, "micro_batch": None, "per_device_batch": None, "accumulation": None, "extra": extra}
    result = judged("rate", "R06", "rate", {"arms": {"a": {"options": options}}})
    message = result.branch.message if result.outcome is NOT_SHOWN else ""
    assert tuple(word for word in ("precision", "batch") if word in message) == missing


def test_what_a_benchmark_of_the_suite_fixes_is_stated(inference):
    named = {"arms": {"offline": {"operations": None, "performance": {"rate": {"load": None}}}}}
    named["arms"]["offline"]["options"] = dict.fromkeys(base("suite-inference")["arms"]["offline"]["options"])
    named["arms"]["offline"]["options"]["model"] = "resnet"
    assert inference("R06", named)[0] is PASS
    assert inference("R06", both(named, result("offline", benchmark="my own")))[0] is NOT_SHOWN
    assert inference("R06", both(named, fields(weight_data_types=None, input_data_types=None)))[0] is NOT_SHOWN
