"""W0701, ops-undefined: Operations per second of unknown operations."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.operations import bare


def test_neither_format_nor_rule_is_not_shown(judged):
    patch = bare()
    patch["arms"]["a"]["options"] = {"precision": None}
    result = judged("training-flops", "W0701", "flops", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "precision and counting rule")
    assert "number format and the counting rule" in result.branch.message


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("Half an exaflop of training.", Outcome.VIOLATION),
        ("It reaches petaFLOPS.", Outcome.VIOLATION),
        ("Trains fast beyond floating-point operations of old.", Outcome.VIOLATION),
        ("Half a peta-op of training.", Outcome.NOT_SHOWN),
    ],
)
def test_words_that_call_integers_floating_point_are_as_a_unit(judged, statement, outcome):
    patch = bare(fractions={"int8": 1.0})
    patch["claims"]["flops"] |= {"statement": statement, "form": "words", "value": None, "unit": None}
    assert judged("training-flops", "W0701", "flops", patch).outcome is outcome


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


def exascale(statement, compute="fp16", fractions=None, **claim):
    arm = {
        "label": "climate network",
        "options": {"precision": {"compute": compute}},
        "operations": {"fractions": fractions or {"bf16": None, "fp32": None, compute: 1.0}, "counters": None},
    }
    fields = {"statement": statement, "value": "1.1", "unit": "EFLOP/s", "digits": None, **claim}
    return {"claims": {"flops": fields}, "arms": {"a": arm}}


@pytest.mark.parametrize(
    ("statement", "compute", "effect"),
    [
        ("The first exascale training run: 1.1 EFLOP/s on 4560 nodes.", "fp16", UNDERMINES),
        ("Our weather network breaks the exaflop barrier on 27 360 GPUs.", "bf16", UNDERMINES),
        ("Exa-scale learning at 1.1 EFLOP/s.", "e4m3", UNDERMINES),
        ("An ExaOPS appliance for learning.", "fp8", UNDERMINES),
        ("The run peaks at 1.1 EFLOP/s.", "fp16", CAVEAT),
        ("Exascale training in half precision: 1.1 EFLOP/s.", "fp16", None),
        ("1.1 EFLOP/s in FP16 on 4560 nodes.", "fp16", None),
        ("Exascale: 1.1 EFLOP/s on 9400 nodes.", "fp64", None),
        ("The first exascale solver: 1.1 EFLOP/s.", "fp32", None),
    ],
)
def test_exascale_names_its_format(judged, statement, compute, effect):
    result = judged("training-flops", "W0701", "flops", exascale(statement, compute))
    assert getattr(result.branch, "effect", None) is effect, result


def test_a_small_share_of_few_bits_is_no_flaw_of_exascale(judged):
    shares = {"bf16": None, "fp32": None, "fp64": 0.9, "fp16": 0.1}
    patch = exascale("The first exascale run: 1.1 EFLOP/s.", None, shares)
    assert judged("training-flops", "W0701", "flops", patch).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("1.20 PFLOP/s, an integer multiple of last year's number.", Outcome.VIOLATION),
        ("1.20 PFLOP/s of integer arithmetic.", Outcome.PASS),
        ("1.20 PFLOP/s, integer operations counted as floating-point ones.", Outcome.PASS),
    ],
)
def test_integer_stands_for_a_format_only_where_it_is_one(judged, statement, outcome):
    shares = {"bf16": None, "fp32": None, "int8": 1.0}
    claim = {"statement": statement}
    arm = {
        "label": None,
        "options": {"precision": {"compute": "int8"}},
        "operations": {"fractions": shares, "counters": None},
    }
    result = judged("training-flops", "W0701", "flops", {"claims": {"flops": claim}, "arms": {"a": arm}})
    assert result.outcome is outcome, result


def over_old(statement):
    """Return a patch: a machine in 8 bits over another one in 16."""
    told = {"statement": statement, "quantity": "rate", "form": "ratio", "compares": "other_system"}
    arms = {
        name: {"options": {"precision": {"compute": kind}}} for name, kind in (("ours", "e4m3"), ("theirs", "bf16"))
    }
    return {"claims": {"speedup": told}, "arms": arms}


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("The new card is 4.6x as fast as the old one.", Outcome.NOT_SHOWN),
        ("In FP8 the new card is 4.6x as fast as the old one in BF16.", Outcome.NOT_APPLICABLE),
    ],
)
def test_a_headline_in_fewer_bits_names_its_format(judged, statement, outcome):
    result = judged("serving-comparison", "W0701", "speedup", over_old(statement))
    assert result.outcome is outcome
    if outcome is Outcome.NOT_SHOWN:
        assert result.branch.item == "format in the headline"
