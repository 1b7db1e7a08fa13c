"""Whole stories of hardware, parts, input and operations, judged by every rule of the ways."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.patches import arm, claim
from support.ways import WAYS, violations

SILENT = {Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE}
LABELLED = {
    "claims": {"rate": {"quality": {"arm": "trained", "quality": "accuracy"}}},
    "arms": {
        "a": {
            "options": {"dataset": "ImageNet-1k 2012", "schedule": "constant"},
            "measurement": {"excluded_phases": ["data"]},
            "performance": {"end-to-end": None},
        },
        "trained": {
            "options": {
                "model": "ResNet-50",
                "dataset": "ImageNet-1k 2012",
                "input_shape": [3, 224, 224],
                "precision": {"compute": "bf16", "accumulate": "fp32", "weights": "fp32", "communication": "fp32"},
                "optimizer": "SGD",
                "global_batch": 256,
                "schedule": "cosine",
            },
            "quality": {"accuracy": {"metric": "accuracy", "value": "0.765", "direction": "higher", "split": "test"}},
        },
    },
}


def test_labelled_synthetic_throughput_with_a_convergence_run(judged):
    """Compute only on synthetic data and said so, trained elsewhere with another schedule: caveats at most."""
    assert judged("rate", "W0801", "rate", LABELLED).outcome in SILENT
    found = violations(judged, "rate", "rate", LABELLED)
    assert all(effect is CAVEAT for _, _, effect in found), found
    assert {(code, branch) for code, branch, _ in found} <= {("W0601", "c"), ("W0502", "c")}


def test_a_precision_table_of_hardware(judged):
    """Speed-ups "mixed over TF32" at one batch, of a machine: nothing is said about training to a target."""
    table = {
        "columns": {"rate": {"quantity": "rate", "unit": "tokens/s", "scope": "step", "mode": "training"}},
        "rows": {
            "tf32": {"arm": "plain", "options": {"precision": {"compute": "tf32"}}, "values": {"rate": "28910"}},
            "mixed": {
                "arm": "fused",
                "options": {"precision": {"compute": "mixed"}},
                "values": {"rate": "41300"},
                "speedup": "1.43",
            },
        },
        "varies": ["precision"],
        "base_row": "tf32",
    }
    patch = {"tables": {"formats": table}} | claim(
        "speedup",
        statement="Mixed precision trains 1.43x faster than TF32 at the same batch.",
        purpose="hardware_throughput",
        attribution="precision",
        treatment=["precision.compute"],
        quality=None,
        row={"table": "formats", "row": "mixed"},
    )
    assert violations(judged, "training-pair", "speedup", patch, [*WAYS, "M19"]) == []
    assert judged("training-pair", "W0705", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_a_kernel_table_that_recomputes(judged):
    """Sizes, times and rates that give each other: what is counted is clear, and no pipeline is asked for."""
    words = "The BF16 matrix product of size 8192 runs at 261.7 TFLOP/s on one A100."
    bare = arm("n8192", operations={"method": None, "dimensions": None})
    patch = claim("gemm", statement=words) | bare | {"tables": {"gemm": {"caption": "BF16 matrix products"}}}
    assert judged("kernel", "W0701", "gemm", patch).outcome is Outcome.PASS
    assert judged("kernel", "W0601", "gemm", patch).outcome is Outcome.NOT_APPLICABLE
    assert judged("kernel", "W0501", "gemm", patch).outcome is Outcome.NOT_APPLICABLE
    assert violations(judged, "kernel", "gemm", patch) == []


@pytest.mark.parametrize(
    ("base", "code", "name", "patch"),
    [
        ("training-pair", "W0502", "rate", arm("fused", measurement=None)),
        ("training-pair", "W0602", "rate", arm("fused", measurement={"phases_s": {"forward": 1}, "wall_s": None})),
        ("rate", "W0603", "rate", arm("a", measurement=None, operations={"bytes_moved": 5})),
        ("time-to-accuracy", "W0604", "time", claim("time", measured=None)),
        ("training-flops", "W0704", "mfu", claim("mfu", measured=None, value="60", statement="60 % MFU")),
        ("strong-scaling", "W0405", "speedup", {"tables": {"nodes": {"rows": {"r1": {"values": {"rate": "0"}}}}}}),
        ("strong-scaling", "W0505", "speedup", claim("speedup", measured=None, base=None, row=None)),
        ("comparison", "W0403", "speedup", claim("speedup", base=None, comparator=None)),
    ],
)
def test_missing_evidence_accuses_nobody(judged, base, code, name, patch):
    assert judged(base, code, name, patch).outcome in {Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE}


@pytest.mark.parametrize("code", ["W0405", "W0502"])
def test_a_series_of_qualities_is_no_series_of_speeds(judged, code):
    patch = claim("speedup", quantity="accuracy", statement="Eight nodes score 6.61 times as much as one.")
    assert judged("strong-scaling", code, "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_digits_without_bound_are_no_crash(judged):
    patch = claim("rate", digits=9007199254740991)
    found = [judged("rate", code, "rate", patch) for code in WAYS]
    assert not [result for result in found if result.outcome in {Outcome.ERROR, Outcome.VIOLATION}]
