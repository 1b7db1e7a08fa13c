"""P07 to P11: what a result may be called, and what its number format cost."""

import pytest
from dlaudit.rules.facts.device.labels import Touched, too_high
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)
NO_WORDS = {"statement": "It sustains 1.20 PFLOP/s."}


def verdict(result):
    return result.outcome, getattr(result.branch, "effect", None)


@pytest.mark.parametrize(
    ("names", "found", "least"),
    [
        (("bf16",), ("bf16", "fp32"), None),
        (("fp32",), ("bf16", "fp32"), "bf16"),
        (("bf16",), ("bf16", "e4m3"), "e4m3"),
        (("bf16", "e4m3"), ("bf16", "e4m3"), None),
        (("bf16", "fp8"), ("bf16", "e4m3"), None),
        (("fp16",), ("bf16",), None),  # incomparable: another rule's
        (("fp32",), ("fp16", "bf16"), "bf16"),
        (("fp32", "fp16"), ("fp16", "bf16"), "bf16"),
        (("fp8",), ("e4m3", "bf16"), None),
        (("tf32",), ("fp32",), None),
        (("fp64",), ("fp32",), "fp32"),
    ],
)
def test_a_label_is_held_against_every_lowest_format(names, found, least):
    result = too_high(names, tuple(Touched(name, "") for name in found))
    assert (result.name if result is not None else None) == least


def run(compute="bf16", fractions=None, counters=None, claim=None, **arm):
    operations = {"fractions": fractions, "counters": counters, "method": None}
    options = {"precision": {"compute": compute}}
    patch = {"arms": {"a": {"label": None, "options": options, "operations": operations, **arm}}}
    return {**patch, "claims": {"flops": {**NO_WORDS, **(claim or {})}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (run(fractions={"bf16": 0.6, "e4m3": 0.4}), VIOLATION),
        (run(fractions={"bf16": 0.995, "e4m3": 0.005}), PASS),  # softmax, normalisation
        (run(counters={"bf16": 0.9, "int8": 0.1}), PASS),  # addresses
        (run(fractions={"bf16": 0.95, "int8": 0.05}), PASS),  # addresses, too
        (run(fractions={"bf16": 0.3, "int8": 0.7}), VIOLATION),
        (run(fractions={"bf16": 0.3, "int8": 0.7}, claim={"statement": "1.2 PFLOP/s in INT8"}), PASS),
        (run(fractions={"bf16": 0.3, "int8": 0.7}, claim={"statement": "1.2 PFLOP/s, mixed"}), VIOLATION),
        (run(counters={"bf16": 0.6, "e4m3": 0.4}), VIOLATION),
        (run(observed={"precision": {"compute": "fp16"}}), PASS),
        (run("fp32", observed={"precision": {"compute": "bf16"}}), VIOLATION),
        (run("fp32", fractions={"tf32": 1.0}), VIOLATION),
        (run("mixed", fractions={"bf16": 0.6, "e4m3": 0.4}), NOT_APPLICABLE),
        (run("bf16"), NOT_APPLICABLE),
        (run(None, {"bf16": 1.0}), NOT_APPLICABLE),
        (run(None, {"bf16": 1.0}, claim={"statement": "1.2 PFLOP/s in FP32"}), VIOLATION),
        (run(None, {"bf16": 1.0}, claim={"statement": "2x over FP32", "compares": "own_variants"}), NOT_APPLICABLE),
    ],
)
def test_labels(judged, patch, outcome):
    result = judged("training-flops", "P07", "flops", patch)
    assert verdict(result) == (outcome, UNDERMINES if outcome is VIOLATION else None), result


RUNS = {f"s{number}": None for number in range(1, 6)}


def pair(left, right, quality="3.22", runs=None):
    loss = {"loss": {"value": quality}} if quality else None
    plain = {"options": {"precision": {"compute": right}}, "quality": loss, "trials": runs or {}}
    fused = {"options": {"precision": {"compute": left}}}
    return {"claims": {"speedup": {"quality": None}}, "arms": {"fused": fused, "plain": plain}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (pair("bf16", "fp16"), PASS),  # one loss
        (pair("bf16", "fp16", None), PASS),  # one target
        (pair("bf16", "fp16", "3.90", RUNS), VIOLATION),
        (pair("bf16", "fp16", None, RUNS), VIOLATION),
        (pair("e4m3", "e5m2", None, RUNS), VIOLATION),
        (pair("bf16", "fp32", None, RUNS), PASS),
        (pair("bf16", "bf16", None, RUNS), PASS),
        (pair("bf16", "mixed", None, RUNS), NOT_APPLICABLE),
        (pair("bf16", None, None, RUNS), NOT_APPLICABLE),
    ],
)
def test_incomparable_formats(judged, patch, outcome):
    result = judged("training-pair", "P08", "speedup", patch)
    assert verdict(result) == (outcome, CAVEAT if outcome is VIOLATION else None), result


def gemm(label="fp64", words="31.2 TFLOP/s", value="31.2", emulation=None, device="A100", **operations):
    bare = {"device": device, "device_variant": None, "device_memory_gib": None, "design_power_w": None}
    counts = {"fractions": None, "counters": None, "emulation": emulation, "method": "2mnk", "counted": "model"}
    return {
        "claims": {"gemm": {"statement": words, "value": value, "row": None}},
        "tables": {"gemm": None},
        "systems": {"node": bare},
        "arms": {
            "n8192": {
                "label": None,
                "options": {"precision": {"compute": label}},
                "performance": {"rate": {"value": value}},
                "operations": {**counts, **operations},
            }
        },
    }


OZAKI = {"scheme": "8 slices of 7 bits", "native_format": "int8"}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (gemm(emulation=OZAKI), VIOLATION),
        (gemm(emulation=OZAKI, words="31.2 TFLOP/s by the Ozaki scheme"), PASS),
        (gemm(emulation=OZAKI, words="31.2 TFLOP/s on INT8 units"), PASS),
        (gemm(emulation=OZAKI, words="400 TFLOP/s, emulated", counted="hardware"), VIOLATION),
        (gemm(emulation=OZAKI, words="400 TOP/s native, emulated FP64", counted="hardware"), PASS),
        (gemm(emulation={"scheme": "double-double", "native_format": "fp64"}), PASS),
        (gemm(emulation={"scheme": "splits"}), VIOLATION),
        (gemm("fp32", emulation={"scheme": "3 products", "native_format": "bf16"}), VIOLATION),
        (gemm("bf16", emulation=OZAKI), NOT_APPLICABLE),
        (gemm(), NOT_SHOWN),  # 19.5 TFLOP/s on the matrix units of an A100
        (gemm(value="19.0"), PASS),
        (gemm(fractions={"fp64": 1.0}), PASS),  # called impossible elsewhere
        (gemm(device="Z9"), PASS),
        (gemm("fp32", value="100"), NOT_SHOWN),
    ],
)
def test_emulation(judged, patch, outcome):
    result = judged("kernel", "P09", "gemm", patch)
    assert verdict(result) == (outcome, UNDERMINES if outcome is VIOLATION else None), result


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
    assert verdict(result) == (outcome, UNDERMINES if outcome is VIOLATION else None), result


def quantised(quality, **arms):
    options = {"quantisation": "int8 weights", "precision": {"weights": "int8"}, "model": "LM 8B"}
    return {"arms": {"server": {"options": options, "quality": quality}, **arms}}


MMLU = {"metric": "MMLU", "value": "65.1", "unit": "%", "split": "test"}


@pytest.mark.parametrize(
    ("patch", "outcome", "item"),
    [
        (quantised(None), NOT_SHOWN, "quality of the quantised model"),
        (quantised({"mmlu": {"metric": "MMLU"}}), NOT_SHOWN, "quality of the quantised model"),
        (quantised({"mmlu": MMLU}), NOT_SHOWN, ""),
        (quantised({"mmlu": {**MMLU, "reference": "65.4"}}), PASS, None),
        (quantised({"mmlu": MMLU}, full={"options": {"model": "LM 8B"}, "quality": {"m": MMLU}}), PASS, None),
        (quantised({"mmlu": MMLU}, full={"options": {"model": "LM 70B"}, "quality": {"m": MMLU}}), NOT_SHOWN, ""),
    ],
)
def test_quality_of_a_quantised_model(judged, patch, outcome, item):
    result = judged("serving", "P11", "rate", patch)
    assert result.outcome is outcome, result
    assert getattr(result.branch, "item", None) == item


@pytest.mark.parametrize(
    ("fractions", "compute", "known", "outcome"),
    [
        ({"bf16": 0.2, "e4m3": 0.8}, "bf16", None, NOT_SHOWN),
        ({"bf16": 0.95, "e4m3": 0.05}, "bf16", None, NOT_APPLICABLE),  # one layer
        ({}, "e4m3", None, NOT_SHOWN),
        ({"bf16": 1.0}, "bf16", None, NOT_APPLICABLE),
        ({"e4m3": 0.8}, "bf16", {"quality": {"loss": {"metric": "loss", "value": "2.71", "split": "held_out"}}}, PASS),
        ({"e4m3": 0.8}, "bf16", {"trials": {"s": {"kind": "convergence", "outcome": "completed",
                                                  "final": {"loss": "2.7"}}}}, PASS),
    ],
)  # fmt: skip
def test_a_training_in_8_bits_shows_what_it_reached(judged, fractions, compute, known, outcome):
    shares = {"fractions": {"bf16": None, "fp32": None, **fractions}, "counters": None}
    arm = {"quality": None, "target": None, "options": {"precision": {"compute": compute}}, "operations": shares}
    patch = {"arms": {"a": {**arm, "trials": None, **(known or {})}}}
    result = judged("training-flops", "P11", "flops", patch)
    assert result.outcome is outcome, result


def test_a_processor_has_no_tf32(judged):
    patch = flags(device="EPYC 7763", tf32=True)
    patch["systems"]["node"]["device_kind"] = "processor"
    assert judged("training-pair", "P10", "rate", patch).outcome is PASS
