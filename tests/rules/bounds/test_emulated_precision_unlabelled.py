"""P09, emulated-precision-unlabelled: A rate quoted in FP64 or FP32 that ran as integer or half-precision splits."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import answer, outcome_and_effect

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


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
    assert outcome_and_effect(result) == (outcome, UNDERMINES if outcome is VIOLATION else None), result


def test_counters_that_saw_another_format_show_emulation(judged):
    patch = {
        "claims": {"gemm": {"statement": "The FP64 matrix product of size 8192 runs at 31.2 TFLOP/s.", "row": None}},
        "tables": {"gemm": None},
        "arms": {
            "n8192": {
                "label": None,
                "options": {"precision": {"compute": "fp64"}},
                "operations": {"counted": "model", "fractions": None, "counters": {"bf16": None, "int8": 1.0}},
            }
        },
    }
    assert answer(judged("kernel", "P09", "gemm", patch)) == ("a", UNDERMINES)
    patch["claims"]["gemm"]["statement"] += " It is emulated in INT8."
    assert answer(judged("kernel", "P09", "gemm", patch)) is PASS
