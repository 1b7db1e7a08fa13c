"""W0701, W0702, W0703: operations, formats and peaks, and the units behind them."""

from decimal import Decimal

import pytest
from dlaudit.rules.facts.quantities.per_second import operations_per_second, seconds, work_per_second
from dlaudit.rules.outcome import UNDERMINES, Outcome


def bare(**operations):
    """A FLOP/s claim with no words about its operations but those given."""
    removed = dict.fromkeys(("method", "fractions", "counters", "flop_per_sample", "counted", "counter_coverage"))
    return {
        "claims": {"flops": {"statement": "Training sustains 1.20 PFLOP/s."}},
        "arms": {"a": {"label": "decoder", "operations": {**removed, **operations}}},
    }


@pytest.mark.parametrize("claim", ["flops", "mfu"])
def test_the_base_passes(judged, claim):
    for code in ("W0701", "W0702", "W0703"):
        assert judged("training-flops", code, claim).outcome is Outcome.PASS


def test_neither_format_nor_rule_is_not_shown(judged):
    patch = bare()
    patch["arms"]["a"]["options"] = {"precision": None}
    result = judged("training-flops", "W0701", "flops", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "precision and counting rule")
    assert "number format and the counting rule" in result.branch.message


def test_a_format_alone_is_not_enough(judged):
    assert judged("training-flops", "W0701", "flops", bare()).outcome is Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("operations", "outcome"),
    [
        ({"method": "6N per token"}, Outcome.PASS),
        ({"flop_per_sample": 9.008e9}, Outcome.PASS),
        ({"flop_per_sample": 9.008e9 / 8}, Outcome.PASS),
        ({"flop_per_sample": 9.5e9}, Outcome.NOT_SHOWN),
        ({"flop_per_sample": 9.008e9 * 3}, Outcome.NOT_SHOWN),
    ],
    ids=["formula", "recomputes", "per device", "off by 5 %", "off by 3"],
)
def test_how_a_counting_rule_is_established(judged, operations, outcome):
    assert judged("training-flops", "W0701", "flops", bare(**operations)).outcome is outcome


def test_a_formula_in_the_sentence_counts(judged):
    patch = bare()
    patch["claims"]["flops"]["statement"] = "1.20 PFLOP/s (6ND, FMA = 2)"
    assert judged("training-flops", "W0701", "flops", patch).outcome is Outcome.PASS


def kernel(statement, caption, **row):
    return {
        "claims": {
            "gemm": {
                "statement": statement,
                "measured": None,
                "value": row.pop("value", "254.9"),
                "row": {"row": "n4096"},
            }
        },
        "tables": {
            "gemm": {"caption": caption, "columns": {"rate": {"format": None}}, "rows": {"n4096": {"values": row}}}
        },
    }


def test_a_kernel_table_that_recomputes_passes(judged):
    """Sizes, time and rate that give each other establish the counting rule; a caption gives the format."""
    patch = kernel("A GEMM at 254.9 TFLOP/s.", "BF16 matrix products")
    assert judged("kernel", "W0701", "gemm", patch).outcome is Outcome.PASS
    assert judged("kernel", "W0702", "gemm", patch).outcome is Outcome.PASS


def test_a_kernel_table_that_does_not_recompute_is_not_shown(judged):
    patch = kernel("A GEMM at 254.9 TFLOP/s.", "BF16 matrix products", rate="300.0")
    assert judged("kernel", "W0701", "gemm", patch).outcome is Outcome.NOT_SHOWN
    zero = kernel("A GEMM at 254.9 TFLOP/s.", "BF16 matrix products", time="0")
    assert judged("kernel", "W0701", "gemm", zero).outcome is Outcome.NOT_SHOWN


def test_dimensions_of_the_arm_recompute(judged):
    patch = {
        "claims": {"gemm": {"statement": "A GEMM at 261.7 TFLOP/s.", "row": None}},
        "arms": {"n8192": {"operations": {"method": None}}},
    }
    assert judged("kernel", "W0701", "gemm", patch).outcome is Outcome.PASS
    patch["arms"]["n8192"]["operations"]["dimensions"] = {"m": 4096}
    assert judged("kernel", "W0701", "gemm", patch).outcome is Outcome.NOT_SHOWN


def integers(statement, unit="PFLOP/s", shares=None, **operations):
    patch = bare(
        method="one per multiply-add", fractions=shares or {"int8": 1.0, "bf16": None, "fp32": None}, **operations
    )
    patch["claims"]["flops"] |= {"statement": statement, "unit": unit}
    patch["arms"]["a"]["options"] = {"precision": {"compute": "int8"}}
    return patch


@pytest.mark.parametrize(
    ("patch", "violation"),
    [
        (integers("Training sustains 1.20 PFLOP/s."), True),
        (integers("Training sustains an effective 1.20 PFLOP/s."), True),
        (integers("Training sustains 1.20 PFLOP/s in INT8."), False),
        (integers("Training sustains 1.20 PFLOP/s of integer work."), False),
        (integers("Training sustains 1.20 POP/s.", "POP/s"), False),
        (integers("Training sustains 1.20 PFLOP/s.", shares={"int8": 0.4, "bf16": 0.6, "fp32": None}), False),
        (integers("1.20 PFLOP/s.", emulation={"scheme": "Ozaki"}), True),
        (integers("1.20 PFLOP/s FP64-equivalent.", emulation={"scheme": "Ozaki"}), False),
    ],
)
def test_integer_and_emulated_work_is_no_flop(judged, patch, violation):
    result = judged("training-flops", "W0701", "flops", patch)
    assert (result.outcome is Outcome.VIOLATION) is violation, result
    if violation:
        assert result.branch.effect is UNDERMINES


@pytest.mark.parametrize("unit", [None, "rating"])
def test_integers_in_an_unknown_unit_are_not_shown(judged, unit):
    assert judged("training-flops", "W0701", "flops", integers("It sustains 1.20.", unit)).outcome is Outcome.NOT_SHOWN


def test_a_quote_about_emulation_labels_it(judged):
    patch = integers("1.20 PFLOP/s.", emulation={"scheme": "Ozaki"})
    patch["claims"]["flops"]["said"] = [{"topic": "emulation", "quote": "by splitting into slices"}]
    assert judged("training-flops", "W0701", "flops", patch).outcome is Outcome.PASS


def shares(fractions, counters=None, **operations):
    removed = {"bf16": None, "fp32": None}
    return {
        "arms": {
            "a": {
                "operations": {
                    "fractions": {**removed, **fractions},
                    "counters": {**removed, **(counters or {})},
                    **operations,
                }
            }
        }
    }


@pytest.mark.parametrize(
    ("patch", "violation"),
    [
        (shares({"bf16": 0.98, "fp32": 0.01}), False),
        (shares({"bf16": 0.97, "fp32": 0.01}), True),
        (shares({"bf16": 0.99, "fp32": 0.03}), True),
        (shares({"bf16": 0.33, "fp32": 0.33, "tf32": 0.33}), False),
        (shares({"bf16": 0.33, "fp32": 0.33, "tf32": 0.32}), True),
        (shares({"bf16": 0.985}), True),
        (shares({"bf16": 1.0}, {"bf16": 0.95, "fp32": 0.05}, counter_coverage=None), False),
        (shares({"bf16": 1.0}, {"bf16": 0.94, "fp32": 0.06}, counter_coverage=None), True),
        (shares({"bf16": 1.0}, {"bf16": 0.80}, counter_coverage=0.8), False),
        (shares({"e4m3": 0.91, "bf16": 0.09}, {"e4m3": 0.843, "bf16": 0.157}, counter_coverage=0.98), True),
        (shares({"e4m3": 0.88, "bf16": 0.12}, {"e4m3": 0.843, "bf16": 0.157}, counter_coverage=0.98), False),
        (shares({"e4m3": 0.95, "bf16": 0.05}, {"e4m3": 0.8, "bf16": 0.1}, counter_coverage=0.9), False),
        (shares({"bf16": 0.5, "fp8": 0.5}, {"bf16": 0.5, "e4m3": 0.3, "e5m2": 0.2}), False),
        (shares({"bfloat16": 1.0}, {"bf16": 1.0}), False),
        (shares({"bf16": 1.0}, {"tensor": 1.0}), False),
        (shares({"bf16": 1.0}, {"fp16": 1.0}), True),
    ],
)
def test_shares_add_up_and_agree_with_counters(judged, patch, violation):
    result = judged("training-flops", "W0702", "flops", patch)
    assert (result.outcome is Outcome.VIOLATION) is violation, result


@pytest.mark.parametrize(
    ("compute", "outcome"),
    [("bf16", Outcome.PASS), ("half", Outcome.PASS), ("mixed", Outcome.NOT_SHOWN), ("fp16/fp32", Outcome.NOT_SHOWN),
     ("fp8", Outcome.NOT_SHOWN), (None, Outcome.NOT_SHOWN)],
)  # fmt: skip
def test_more_than_one_format_needs_shares(judged, compute, outcome):
    patch = bare(method="6N")
    patch["arms"]["a"]["options"] = {"precision": {"compute": compute}}
    result = judged("training-flops", "W0702", "flops", patch)
    assert result.outcome is outcome
    if outcome is Outcome.NOT_SHOWN:
        assert result.branch.item == "precision fractions"


def test_a_format_that_only_sums_is_no_compute_format(judged):
    patch = bare(method="6N")
    patch["claims"]["flops"]["statement"] = "1.20 PFLOP/s in FP16 with FP32 accumulation"
    patch["arms"]["a"]["options"] = {"precision": None}
    assert judged("training-flops", "W0702", "flops", patch).outcome is Outcome.PASS


def test_counters_alone_give_the_shares(judged):
    patch = bare(method="6N", counters={"bf16": 0.9, "fp32": 0.1})
    patch["arms"]["a"]["options"] = {"precision": {"compute": "mixed"}}
    result = judged("training-flops", "W0702", "flops", patch)
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)


def test_mixed_rates_are_outside(judged):
    assert judged("rate", "W0702", "rate").outcome is Outcome.NOT_APPLICABLE


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


@pytest.mark.parametrize(
    ("unit", "word", "factor", "per_device"),
    [
        ("TFLOP/s", "flop", "1E12", False),
        ("TFLOPS", "flop", "1E12", False),
        ("tflops", "flop", "1E12", False),
        ("PFLOP/s/GPU", "flop", "1E15", True),
        ("GFLOP/s per device", "flop", "1E9", True),
        ("FLOP/s", "flop", "1", False),
        ("TOPS", "op", "1E12", False),
        ("EFLOP/sec", "flop", "1E18", False),
    ],
)
def test_units_of_operations(unit, word, factor, per_device):
    found = operations_per_second(unit)
    assert (found.word, found.factor, found.per_device) == (word, Decimal(factor), per_device)


@pytest.mark.parametrize("unit", ["", None, "images/s", "FLOP/min", "tokens", "%", "x"])
def test_what_is_no_unit_of_operations(unit):
    assert operations_per_second(unit) is None


def test_units_of_work_and_time():
    assert work_per_second("images/s").factor == 1
    assert work_per_second("ktokens/s/GPU").factor == 1000
    assert work_per_second("samples per minute").factor == Decimal(1) / 60
    assert work_per_second("GB/s") is None
    assert work_per_second("keys/s") is None
    assert seconds("ms") == Decimal("0.001")
    assert seconds("hours") == 3600
    assert seconds("furlongs") is None


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
