"""P07, precision-label-too-high."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import outcome_and_effect

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE
NO_WORDS = {"statement": "It sustains 1.20 PFLOP/s."}


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
    assert outcome_and_effect(result) == (outcome, UNDERMINES if outcome is VIOLATION else None), result


@pytest.mark.parametrize("name", ["fp8", "MXFP8", "float8", "fp6", "mxfp6", "e3m2", "e2m3", "nvfp4", "posit8"])
def test_a_narrow_format_infects_by_any_name(judged, name):
    result = judged("training-flops", "P07", "flops", run(fractions={"bf16": 0.7, name: 0.3}))
    assert result.outcome is VIOLATION, result
    assert result.branch.claimed == "bf16"
    observed = run("fp16", observed={"precision": {"compute": name}})
    # an 8-bit posit reaches beyond the range of FP16
    assert judged("training-flops", "P07", "flops", observed).outcome is (PASS if name == "posit8" else VIOLATION)


@pytest.mark.parametrize(
    ("label", "computed", "outcome"),
    [
        ("fp32", "posit16", VIOLATION),
        ("bf16", "posit16", PASS),  # finer near 1
        ("fp16", "posit16", PASS),
        ("posit16", "fp16", PASS),  # finer far from 1
        ("posit16", "e4m3", VIOLATION),
        ("fp8", "e4m3", PASS),
        ("e4m3", "fp8", PASS),
        ("mxfp8", "e5m2", PASS),
        ("fp8", "fp6", PASS),  # E5M2 does not hold E2M3
        ("e5m2", "e3m2", VIOLATION),
        ("fp6", "mxfp6", PASS),
        ("fp6", "e2m1", VIOLATION),
    ],
)
def test_names_of_several_formats(judged, label, computed, outcome):
    patch = run(None, fractions={computed: 1.0}, claim={"statement": f"1.2 PFLOP/s in {label.upper()}"})
    assert judged("training-flops", "P07", "flops", patch).outcome is outcome
