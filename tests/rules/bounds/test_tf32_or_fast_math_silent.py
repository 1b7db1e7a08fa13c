"""P10, tf32-or-fast-math-silent: A result called FP32 while the framework was allowed to compute in less."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import answer, outcome_and_effect

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
CALLED = "41300 tokens/s in FP32"


def flags(compute="fp32", device="A100", words="41300 tokens/s", observed=None, **precision):
    bare = {"device": device, "device_variant": None, "device_memory_gib": None, "design_power_w": None}
    options = {"precision": {"compute": compute, **precision}}
    seen = {"precision": observed} if observed else None
    return {
        "claims": {"rate": {"statement": words}},
        "systems": {"node": bare},
        "arms": {"fused": {"label": None, "options": options, "observed": seen}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (flags(tf32=True, words=CALLED), VIOLATION),
        (flags(tf32=True), PASS),
        (flags(fast_math=True, words=CALLED), VIOLATION),
        (flags(reduced_reduction=True, tf32=False, words=CALLED), VIOLATION),
        (flags(observed={"tf32": True}), VIOLATION),
        (flags(tf32=False, observed={"tf32": True}), VIOLATION),
        (flags(tf32=False), PASS),
        (flags(), NOT_SHOWN),
        (flags(device="V100"), PASS),  # no such units
        (flags(device="V100", tf32=True), PASS),
        (flags(device="Z9", tf32=True, words=CALLED), VIOLATION),
        (flags(device="Z9"), PASS),
        (flags("bf16", tf32=True), NOT_APPLICABLE),
        (flags("tf32", tf32=True), NOT_APPLICABLE),
        (flags(tf32=True, words="41300 tokens/s with TF32"), NOT_APPLICABLE),
        (flags(fast_math=True, tf32=False, words="41300 tokens/s, compiled with -ffast-math"), PASS),
        (flags(None), NOT_APPLICABLE),
    ],
)
def test_silent_shortcuts(judged, patch, outcome):
    result = judged("training-pair", "P10", "rate", patch)
    assert outcome_and_effect(result) == (outcome, UNDERMINES if outcome is VIOLATION else None), result


def test_a_processor_has_no_tf32(judged):
    patch = flags(device="EPYC 7763", tf32=True)
    patch["systems"]["node"]["device_kind"] = "processor"
    assert judged("training-pair", "P10", "rate", patch).outcome is PASS


def reference(**fields):
    options = {"precision": {"compute": "fp32", **fields.pop("precision", {})}}
    return {
        "claims": {"speedup": {"statement": "int8 is 1.9 times as fast.", "base": {"definition": "the same in fp32"}}},
        "arms": {"bf16": {"options": options, **fields}},
    }


FORCED = {"environment": {"variables": {"TORCH_ALLOW_TF32_CUBLAS_OVERRIDE": "1"}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (reference(precision={"tf32": False}), NOT_APPLICABLE),
        (reference(precision={"tf32": True}), ("a", UNDERMINES)),
        (reference(precision={"tf32": False}, observed={"precision": {"tf32": True}}), ("a", UNDERMINES)),
        (reference(precision={"tf32": False}, observed={"precision": {"compute": "tf32"}}), ("a", UNDERMINES)),
        (reference(precision={"tf32": None}, **FORCED), ("a", UNDERMINES)),
        (reference(precision={"tf32": None}), NOT_SHOWN),
    ],
)
def test_a_quantised_model_has_a_reference_too(judged, patch, expected):
    assert answer(judged("quantised", "P10", "speedup", patch)) == expected


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("With fused attention one GPU processes 41300 tokens per second.", PASS),  # the options say both
        ("In FP32 one GPU processes 41300 tokens per second.", VIOLATION),
        ("In FP32 with TF32 products one GPU processes 41300 tokens per second.", NOT_APPLICABLE),
    ],
)
def test_options_that_say_of_the_flag_are_not_silent(judged, statement, outcome):
    open_options = {"arms": {"fused": {"options": {"precision": {"compute": "fp32", "tf32": True}}}}}
    patch = open_options | {"claims": {"rate": {"statement": statement}}}
    assert judged("training-pair", "P10", "rate", patch).outcome is outcome


@pytest.mark.parametrize(
    ("precision", "definition", "expected"),
    [
        ({"compute": "fp32", "tf32": True}, "the same program in FP32", ("a", UNDERMINES)),
        ({"compute": "fp32", "tf32": True}, "the same program in FP32, TF32 off", ("a", UNDERMINES)),
        ({"compute": "fp32", "tf32": True}, "the same program in TF32", NOT_APPLICABLE),
        ({"compute": "fp32", "tf32": False}, "the same program in FP32", NOT_APPLICABLE),
    ],
)
def test_the_reference_of_a_ratio_is_called_fp32(judged, precision, definition, expected):
    patch = {
        "claims": {"speedup": {"base": {"definition": definition}}},
        "arms": {"plain": {"options": {"precision": precision}}},
    }
    assert answer(judged("training-pair", "P10", "speedup", patch)) == expected
