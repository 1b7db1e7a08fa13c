"""F25, declared-option-contradicted."""

import pytest
from dlaudit.rules.outcome import C1, CAVEAT, REFUTES, UNDERMINES, Outcome
from support.answers import answer

NOT_APPLICABLE = Outcome.NOT_APPLICABLE


def seen(observed, **arm):
    return {"arms": {"a": {"observed": observed, **arm}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (seen({"precision": {"compute": "bfloat16"}}), NOT_APPLICABLE),  # agrees, and the rest was not seen
        (seen({"precision": {"compute": "fp32"}}), ("a", REFUTES)),
        (seen({"precision": {"compute": "unverifiable"}}), NOT_APPLICABLE),
        (seen({"precision": {"compute": "bf16, fp32"}}), NOT_APPLICABLE),
        (seen({"global_batch": 128}), ("a", REFUTES)),
        (seen({"global_batch": 64}, options={"data_parallel": 4}), NOT_APPLICABLE),  # of one of four processes
        (seen({"optimizer": "adamw"}), ("a", REFUTES)),
        (seen({"optimizer": "SGD with Nesterov momentum"}), NOT_APPLICABLE),
        (seen({"model": "resnet-101"}), ("a", REFUTES)),
        (seen({"model": "resnet50_v1.5"}), NOT_APPLICABLE),
        (seen({"input_shape": [224, 224, 3]}), NOT_APPLICABLE),
        (seen({"input_shape": [3, 192, 192]}), ("a", REFUTES)),
        (seen({"dataset": "synthetic"}, options={"dataset": "ImageNet"}), ("a", REFUTES)),
        (seen({"dataset": "ILSVRC 2012"}, options={"dataset": "ImageNet"}), NOT_APPLICABLE),
        (seen({"accumulation": 4}), ("b", UNDERMINES)),
        (seen({"learning_rate": 0.05}, options={"learning_rate": 0.1}), NOT_APPLICABLE),  # under way to its peak
        (seen({"learning_rate": 0.4}, options={"learning_rate": 0.1}), ("b", UNDERMINES)),
        (seen({"compile": True}, options={"compile": False}), ("b", UNDERMINES)),
        (seen({"name": "y"}, options={"name": "x"}), ("c", CAVEAT)),
        (seen({"precision": {"tf32": False}}, options={"precision": {"tf32": True}}), NOT_APPLICABLE),
        (seen({"precision": {"tf32": True}}, options={"precision": {"tf32": False}}), ("a", REFUTES)),
        (seen({"precision": {"compute": "tf32"}}, options={"precision": {"compute": "fp32"}}), NOT_APPLICABLE),
        (seen({"extra": {"amp": False}}, options={"precision": {"compute": "fp16"}}), ("d", CAVEAT)),
        (seen({"extra": {"amp": True}}, options={"precision": {"compute": "fp16"}}), NOT_APPLICABLE),
        (seen({"extra": {"amp": False}}, options={"precision": {"compute": "fp16", "weights": "fp16"}}),
         NOT_APPLICABLE),
        (seen({"devices": 4}, devices=8), ("b", UNDERMINES)),
    ],
)  # fmt: skip
def test_what_was_declared_and_what_was_seen(judged, patch, expected):
    assert answer(judged("rate", "F25", "rate", patch)) == expected


def test_a_number_within_one_percent_is_a_caveat(judged):
    assert answer(judged("rate", "F25", "rate", seen({"global_batch": 255}))) == ("a", CAVEAT)
    assert answer(judged("rate", "F25", "rate", seen({"global_batch": 250}))) == ("a", REFUTES)


def test_an_option_that_the_claim_is_about_decides(judged):
    patch = seen({"compile": True}, options={"compile": False})
    patch["claims"] = {"rate": {"treatment": ["compile"]}}
    assert answer(judged("rate", "F25", "rate", patch)) == ("a", REFUTES)


def test_the_switch_of_mixed_precision_is_a_guess(judged):
    result = judged("rate", "F25", "rate", seen({"extra": {"amp": False}}))
    assert (answer(result), result.branch.confidence) == (("d", CAVEAT), C1)
    assert result.branch.at == "/arms/a/observed/extra/amp"


def test_the_format_of_a_column_is_a_declaration(judged):
    patch = seen({"extra": {"amp": "off"}}, options={"precision": None})
    patch["tables"] = {
        "t": {
            "columns": {"fp16": {"quantity": "rate", "unit": "images/s", "format": "fp16"}},
            "rows": {"a": {"arm": "a", "values": {"fp16": "2500"}}},
        }
    }
    patch["claims"] = {"rate": {"row": {"table": "t", "row": "a"}}}
    assert answer(judged("rate", "F25", "rate", patch)) == ("d", CAVEAT)
    patch["arms"]["a"]["observed"] = {"precision": {"compute": "fp32"}}
    assert answer(judged("rate", "F25", "rate", patch)) == ("a", REFUTES)


def test_trials_that_ran_something_else_are_counted(judged):
    trials = {"t1": {"observed": {"precision": {"compute": "fp32"}}}, "t2": {"observed": {"global_batch": 256}}}
    result = judged("rate", "F25", "rate", {"arms": {"a": {"trials": trials}}})
    assert answer(result) == ("a", REFUTES)
    assert "1 of 2 runs" in result.branch.message


def test_a_power_limit_that_was_not_in_force(judged):
    control = {"power_limit": {"requested": 400, "applied": 400, "found": 300, "verified": "contradicted"}}
    patch = {
        "arms": {"a": {"environment": {"power_limit_w": 400, "controls": control}, "observed": {"global_batch": 256}}}
    }
    assert answer(judged("rate", "F25", "rate", patch)) == ("b", UNDERMINES)
    control["power_limit"] |= {"found": 400, "verified": "verified"}
    assert answer(judged("rate", "F25", "rate", patch)) is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        ("129 tokens each", "129", NOT_APPLICABLE),
        ("129 tokens each", "131", NOT_APPLICABLE),
        ("500 tokens each", "268", ("b", UNDERMINES)),
        ("at most 500 tokens", "268", NOT_APPLICABLE),  # a maximum is no length
        ("128-512 tokens", "268", NOT_APPLICABLE),
        ("about 500 tokens", "268", NOT_APPLICABLE),
    ],
)
def test_a_fixed_output_length(judged, text, tokens, expected):
    metric = {"load": {"output_length": text}, "token_times": {"output_tokens": tokens}}
    patch = {"arms": {"server": {"performance": {"latency": metric}}}}
    assert answer(judged("serving", "F25", "latency", patch)) == expected
