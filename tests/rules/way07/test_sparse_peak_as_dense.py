"""W0703, sparse-peak-as-dense: The peak of 2:4 structured sparsity stands beside a model that is dense."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS = Outcome.PASS


def peak(flops=312e12, kind="dense", sparsity="none", **claim):
    return {
        "claims": {"mfu": claim},
        "arms": {"a": {"options": {"sparsity": sparsity}, "operations": {"peak_flops": flops, "peak_kind": kind}}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (peak(), Outcome.PASS),
        (peak(624e12, "sparse_2_4"), Outcome.VIOLATION),
        (peak(624e12, "sparse_2_4", "2:4 pruned weights"), Outcome.PASS),
        (peak(624e12, "sparse_2_4", None), Outcome.NOT_SHOWN),
        (peak(624e12, None), Outcome.NOT_APPLICABLE),
        (peak(None, None), Outcome.NOT_APPLICABLE),
        (peak(312e12, "dense", "none", value="24.0"), Outcome.VIOLATION),
        (peak(312e12, "dense", "none", value="40.0"), Outcome.PASS),
        (peak(312e12, "dense", "none", value="0"), Outcome.PASS),
    ],
)
def test_the_peak_for_sparse_models(judged, patch, outcome):
    """48 % of the dense peak is 24 % of the sparse one: rate and utilisation give away which was used."""
    assert judged("training-flops", "W0703", "mfu", patch).outcome is outcome


def tabulated(peak, compute="bf16", device="A100", **more):
    """A stated peak without its kind, on a device that the table knows."""
    bare = {"device": device, "device_variant": None, "device_memory_gib": None, "design_power_w": None}
    operations = {"peak_flops": peak, "peak_kind": None, "fractions": None, "counters": None, **more}
    return {
        "claims": {"mfu": {"value": "24.0"}},
        "systems": {"node": bare},
        "arms": {
            "a": {
                "options": {"precision": {"compute": compute}},
                "operations": operations,
                "performance": {"flops": None, "rate": None, "mfu": None},
            }
        },
    }


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (tabulated(624e12), Outcome.VIOLATION),
        (tabulated(312e12), Outcome.PASS),
        (tabulated(1979e12, device="H100-SXM5"), Outcome.VIOLATION),
        (tabulated(1979e12, device="H100"), Outcome.NOT_APPLICABLE),  # several dense peaks
        (tabulated(1979e12, "e4m3", "H100-SXM5"), Outcome.PASS),  # dense FP8
        (tabulated(1979e12, device="H100-SXM5", fractions={"bf16": 0.5, "e4m3": 0.5}), Outcome.NOT_APPLICABLE),
        (tabulated(312e12, "tf32"), Outcome.NOT_APPLICABLE),  # the dense peak of BF16, too
        (tabulated(624e12, "mixed"), Outcome.NOT_APPLICABLE),
        (tabulated(624e12, device="Z9"), Outcome.NOT_APPLICABLE),
    ],
)
def test_the_table_tells_the_dense_peak(judged, patch, outcome):
    assert judged("training-flops", "W0703", "mfu", patch).outcome is outcome


@pytest.mark.parametrize(
    ("peak", "formats", "outcome"),
    [
        (624e12, {"bf16": 1.0}, Outcome.VIOLATION),
        (312e12, {"bf16": 1.0}, PASS),
        (624e12, {"int8": 0.5, "bf16": 0.5}, PASS),
    ],
)
def test_a_sparse_peak_that_is_called_dense(judged, peak, formats, outcome):
    operations = {"peak_flops": peak, "peak_kind": "dense", "fractions": {"bf16": None} | formats, "counters": None}
    patch = {"arms": {"a": {"operations": operations, "performance": {"mfu": None, "flops": None}}}}
    patch["claims"] = {"flops": {"statement": "It runs at 300 TFLOP/s in BF16."}}
    assert judged("training-flops", "W0703", "flops", patch).outcome is outcome
