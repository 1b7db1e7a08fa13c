"""Ways 4 to 7 together: honest reports that must not be flagged, and missing evidence that accuses nobody."""

import pytest
from dlaudit.rules.book import book, by_code
from dlaudit.rules.outcome import CAVEAT, Outcome

WAYS = [rule.code for rule in book() if rule.code[:3] in {"W04", "W05", "W06", "W07"}]
SILENT = {Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE}


def claim(name, **fields):
    return {"claims": {name: fields}}


def arm(name, **fields):
    return {"arms": {name: fields}}


def violations(judged, base, name, patch, codes=WAYS):
    """Return what rules find on a claim, as (code, branch, effect)."""
    found = [judged(base, code, name, patch) for code in codes if by_code(code) is not None]
    assert not [result for result in found if result.outcome is Outcome.ERROR], found
    wrong = [result for result in found if result.outcome is Outcome.VIOLATION]
    return [(result.code, result.branch.branch, result.branch.effect) for result in wrong]


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


@pytest.mark.parametrize("peak", ["112e12", "125e12", "130e12", None], ids=["PCIe", "SXM2", "S", "not stated"])
def test_a_share_of_an_unnamed_peak_of_a_family(judged, peak):
    """ "Sustains 39 TFLOP/s, 30 % of the peak" of a device that is sold in three variants."""
    operations = {"counted": "model", "method": "6N per token", "peak_flops": None, "peak_kind": None}
    if peak is not None:
        operations |= {"peak_flops": float(peak), "peak_kind": "dense"}
    rate = {"value": "39", "unit": "TFLOP/s"}
    patch = {
        "claims": {
            "flops": {"statement": "A V100 sustains 39 TFLOP/s, 30 % of its peak.", **rate},
            "mfu": {"statement": "A V100 sustains 39 TFLOP/s, 30 % of its peak.", "value": "30"},
        },
        "arms": {
            "a": {
                "devices": 1,
                "options": {"devices": 1, "precision": {"compute": "fp16"}},
                "operations": operations | {"fractions": None, "counters": None, "flop_per_sample": None},
                "performance": {"rate": None, "flops": {**rate, "interval": None}, "mfu": {"value": "30"}},
            }
        },
        "systems": {"node": {"device": "V100", "device_variant": None, "devices_per_node": 1}},
    }
    contradicted = peak == "112e12"  # 39 of the 112 that are stated beside it are no 30 %
    for name in ("flops", "mfu"):
        found = violations(judged, "training-flops", name, patch, [*WAYS, "P02"])
        assert {code for code, *_ in found} == ({"P02"} if contradicted and name == "mfu" else set())


def test_a_kernel_table_that_recomputes(judged):
    """Sizes, times and rates that give each other: what is counted is clear, and no pipeline is asked for."""
    words = "The BF16 matrix product of size 8192 runs at 261.7 TFLOP/s on one A100."
    bare = arm("n8192", operations={"method": None, "dimensions": None})
    patch = claim("gemm", statement=words) | bare | {"tables": {"gemm": {"caption": "BF16 matrix products"}}}
    assert judged("kernel", "W0701", "gemm", patch).outcome is Outcome.PASS
    assert judged("kernel", "W0601", "gemm", patch).outcome is Outcome.NOT_APPLICABLE
    assert judged("kernel", "W0501", "gemm", patch).outcome is Outcome.NOT_APPLICABLE
    assert violations(judged, "kernel", "gemm", patch) == []


def test_different_counts_with_both_values(judged):
    """Eight devices against sixteen, both counts and both rates stated: the column per device is printed."""
    sixteen = {"devices": 16, "options": {"devices": 16, "data_parallel": 16, "micro_batch": 16}}
    patch = claim("speedup", base={"devices": 16}, comparator={"devices": 16}) | arm("theirs", **sixteen)
    patch |= {"systems": {"theirs": {"nodes": 2}}}
    result = judged("comparison", "W0404", "speedup", patch)
    assert result.outcome is Outcome.PASS
    assert "38987.5 against 14593.8" in result.notes[0]
    assert violations(judged, "comparison", "speedup", patch) == []


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
    patch = claim("speedup", quantity="accuracy")
    assert judged("strong-scaling", code, "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_digits_without_bound_are_no_crash(judged):
    patch = claim("rate", digits=9007199254740991)
    found = [judged("rate", code, "rate", patch) for code in WAYS]
    assert not [result for result in found if result.outcome in {Outcome.ERROR, Outcome.VIOLATION}]
