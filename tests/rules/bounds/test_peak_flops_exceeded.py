"""P01, peak-flops-exceeded: More operations per second than the devices can do."""

import pytest
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome
from support.answers import answer, effect
from support.operations import golden

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def flops(value, unit="TFLOP/s", devices=1, **operations):
    return {
        "claims": {"rate": {"quantity": "flops", "value": value, "digits": None, "unit": unit}},
        "arms": {"a": {"devices": devices, "operations": {"peak_flops": 3.12e14, "peak_kind": "dense", **operations}}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (flops("150"), PASS, None),
        (flops("312"), PASS, None),
        (flops("315"), VIOLATION, UNDERMINES),  # golden: a device at its boost clock
        (flops("337"), VIOLATION, REFUTES),  # 8 % above the highest clock of an A100
        (flops("350"), VIOLATION, REFUTES),
        (flops("350", "TFLOP/s/GPU", 8), VIOLATION, REFUTES),
        (flops("2400", devices=8), PASS, None),
        (flops("2.4", "PFLOPS", 8), PASS, None),
        (flops("2.9", "PFLOPS", 8), VIOLATION, REFUTES),
        (flops("350", "widgets"), NOT_APPLICABLE, None),
        (flops("350", peak_flops=None), VIOLATION, REFUTES),
        (flops("500", method="direct-equivalent operations of a Winograd kernel"), NOT_APPLICABLE, None),
        (flops("500", method="causal attention counted in full"), NOT_APPLICABLE, None),
        (flops("500", emulation={"scheme": "Ozaki"}), NOT_APPLICABLE, None),
    ],
)
def test_peaks(judged, patch, outcome, strength):
    result = judged("rate", "P01", "rate", patch)
    assert (result.outcome, effect(result)) == (outcome, strength)


def test_a_system_may_have_more_devices_than_were_used(judged):
    patch = flops("350", devices=None)
    patch["systems"] = {"node": {"devices_per_node": 8}}
    assert judged("rate", "P01", "rate", patch).outcome is NOT_APPLICABLE
    patch["claims"]["rate"]["value"] = "3500"
    assert judged("rate", "P01", "rate", patch).outcome is VIOLATION


def test_operations_of_a_sequence_beside_a_rate_of_tokens(judged):
    """7e14 per sequence of 1024 tokens, not per token: no accusation."""
    operations = {"flop_per_sample": 7e11, "peak_flops": 3.12e14}
    patch = {"arms": {"fused": {"operations": operations}}}
    assert judged("training-pair", "P01", "rate", patch).outcome is NOT_APPLICABLE
    patch["arms"]["fused"]["operations"] = {"flop_per_sample": 7e9, "peak_flops": 3.12e14}
    assert judged("training-pair", "P01", "rate", patch).outcome is PASS
    patch["arms"]["fused"]["operations"] = {"flop_per_sample": 7e14, "peak_flops": 3.12e14}
    assert judged("training-pair", "P01", "rate", patch).outcome is VIOLATION
    patch["arms"]["fused"]["options"] = {"input_length": None}  # how long a sequence is, nobody says
    assert judged("training-pair", "P01", "rate", patch).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("compute", "outcome"), [(None, NOT_APPLICABLE), ("int4", NOT_APPLICABLE), ("int8", VIOLATION)]
)
def test_integers_may_be_of_four_bits(judged, compute, outcome):
    patch = on("A100", "1200", compute, "none", "inference")
    patch["claims"]["rate"] |= {"unit": "TOPS", "statement": "It runs at 1200 TOPS."}
    assert judged("rate", "P01", "rate", patch).outcome is outcome


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("2:4 sparse", NOT_APPLICABLE),
        ("with structured sparsity", NOT_APPLICABLE),
        ("without sparsity", VIOLATION),
        ("non-sparse", VIOLATION),
        ("with sparse attention", VIOLATION),
    ],
)
def test_words_beside_the_number_say_that_sparse_products_are_counted(judged, words, outcome):
    patch = on("A100-SXM4-80GB", "480", sparsity=None)
    patch["claims"]["rate"]["statement"] = f"FP16 {words}: 480 TFLOP/s."
    assert judged("rate", "P01", "rate", patch).outcome is outcome


def test_a_rate_above_the_published_peak_is_held_against_that(judged):
    found = judged("rate", "P01", "rate", on("H100 SXM5", "1000"))
    assert "published peak" in found.branch.message
    assert "bound" not in found.branch.message


@pytest.mark.parametrize("value", ["800", "1500"])
def test_fp8_is_held_against_its_own_column(judged, value):
    assert judged("rate", "P01", "rate", on("H100 SXM5", value, "fp8")).outcome is PASS


@pytest.mark.parametrize("said", [{"compute": "bf16"}, {"device_variant": "PCIe"}])
def test_what_is_not_stated_of_format_or_variant_is_no_pass(judged, said):
    """900 TFLOP/s are too many for an H100 PCIe, 1,200 in bf16; neither for every H100 in every format."""
    patch = on("H100", "1200" if "compute" in said else "900", said.get("compute", "bf16"), "none", "training")
    patch["systems"]["node"]["device_variant"] = said.get("device_variant", "SXM5")
    assert judged("rate", "P01", "rate", patch).outcome is VIOLATION
    if "compute" in said:
        patch["arms"]["a"]["options"]["precision"] = None
    else:
        patch["systems"]["node"]["device_variant"] = None
    assert judged("rate", "P01", "rate", patch).outcome is NOT_APPLICABLE


def on(device, value, compute="bf16", sparsity="none", mode="training", memory=None, peak=None, **more):
    """A rate in FLOP/s of one named device, whose peak only the table knows."""
    bare = {"device_variant": None, "device_memory_gib": memory, "design_power_w": None, "power_limit_w": None}
    operations = {"peak_flops": peak, "fractions": None, "counters": None, **more}
    options = {"precision": {"compute": compute}, "sparsity": sparsity}
    claim = {"quantity": "flops", "value": value, "digits": None, "unit": "TFLOP/s", "mode": mode}
    return {
        "claims": {"rate": {**claim, "statement": f"It runs at {value} TFLOP/s."}},
        "systems": {"node": {"name": device, "device": device, **bare}},
        "arms": {"a": {"devices": 1, "options": options, "operations": operations}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (on("A100-SXM4-80GB", "300"), PASS, None),
        (on("A100-SXM4-80GB", "315"), VIOLATION, UNDERMINES),
        (on("A100-SXM4-80GB", "320"), VIOLATION, REFUTES),
        (on("H100", "1000"), VIOLATION, UNDERMINES),  # above the data sheet's 989, below 1980 MHz
        (on("H100", "1100"), VIOLATION, REFUTES),
        (on("H100 PCIe", "900"), VIOLATION, UNDERMINES),  # it may be an H100 NVL
        (on("NVIDIA H100 PCIe 80GB", "900"), VIOLATION, REFUTES),
        (on("RTX 5090", "254"), VIOLATION, UNDERMINES),  # was measured
        (on("RTX 4090", "180", "fp16"), PASS, None),  # accumulating in FP16
        (on("GB200", "4800"), PASS, None),  # a superchip of two
        (on("A100", "320", "fp32"), VIOLATION, REFUTES),
        (on("A100", "15", "fp32"), PASS, None),
        (on("A100", "150", "fp32"), NOT_APPLICABLE, None),  # TF32 without a word: another rule's
        (on("A100", "150", "fp32", fractions={"fp32": 1.0}), VIOLATION, REFUTES),
        (on("A100", "100", "fp64"), NOT_APPLICABLE, None),  # emulated without a word: another rule's
        (on("A100", "21", "fp64", fractions={"fp64": 1.0}), VIOLATION, REFUTES),
        (on("MI250X", "90", "fp32", fractions={"fp32": 1.0}), PASS, None),  # matrix units
        (on("A100", "600", mode="inference", sparsity=None), VIOLATION, UNDERMINES),
        (on("A100", "650", mode="inference", sparsity=None), VIOLATION, REFUTES),
        (on("A100", "600", mode="inference", sparsity="2:4"), NOT_APPLICABLE, None),
        (on("A100", "400", "e4m3"), NOT_APPLICABLE, None),  # no such units, no peak
        (on("A100", "600", None), NOT_APPLICABLE, None),  # 8-bit integers are not excluded
        (on("Z9", "600"), NOT_APPLICABLE, None),
        (on("Z9", "120", peak=1e14), VIOLATION, UNDERMINES),
        (on("Z9", "140", peak=1e14), VIOLATION, REFUTES),
        (on("H20", "160"), VIOLATION, UNDERMINES),  # published peak only
        (on("A100 80GB killer", "900"), NOT_APPLICABLE, None),
    ],
)
def test_the_table_knows_what_a_device_can_do(judged, patch, outcome, strength):
    result = judged("rate", "P01", "rate", patch)
    assert (result.outcome, effect(result)) == (outcome, strength), result


@pytest.mark.parametrize(
    ("value", "sparsity", "expected"),
    [
        ("300", "none", PASS),
        ("350", "none", ("a", REFUTES)),
        ("500", "none", ("a", REFUTES)),
        ("500", "2:4", NOT_APPLICABLE),
        ("500", None, ("b", UNDERMINES)),
    ],
)
def test_a_sparse_peak_counts_for_half(judged, value, sparsity, expected):
    patch = {
        "claims": {"gemm": {"value": value, "row": None}},
        "arms": {
            "n8192": {
                "options": {"sparsity": sparsity},
                "operations": {"peak_flops": 6.24e14, "peak_kind": "sparse_2_4"},
            }
        },
    }
    assert answer(judged("kernel", "P01", "gemm", patch)) == expected


def test_operations_far_above_the_peak_have_another_unit(judged):
    patch = golden("12.5", "A100", "bf16", "3.9e13")
    patch["claims"]["flops"] = {"value": "3.9e13", "unit": "TFLOP/s/GPU", "statement": "3.9e13 TFLOP/s", "digits": None}
    assert judged("training-flops", "P01", "flops", patch).outcome is NOT_SHOWN
    patch["claims"]["flops"] |= {"value": "3900", "statement": "3900 TFLOP/s"}
    patch["arms"]["a"]["performance"]["flops"]["value"] = "3900"
    assert judged("training-flops", "P01", "flops", patch).branch.effect == REFUTES


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("Without any need for sparsity the decoder trains at 24.3 PFLOP/s in BF16.", Outcome.VIOLATION),
        ("With no help from sparsity: 24.3 PFLOP/s in BF16.", Outcome.VIOLATION),
        ("With 2:4 sparsity the decoder trains at 24.3 PFLOP/s in BF16.", Outcome.NOT_APPLICABLE),
        ("With sparsity, and without loss of accuracy: 24.3 PFLOP/s in BF16.", Outcome.NOT_APPLICABLE),
    ],
)
def test_sparsity_that_is_denied_excuses_nothing(judged, statement, outcome):
    claim = {"statement": statement, "value": "24.3", "digits": None}
    patch = {"claims": {"flops": claim}, "arms": {"a": {"options": {"sparsity": None}, "operations": {"method": None}}}}
    assert judged("training-flops", "P01", "flops", patch).outcome is outcome


@pytest.mark.parametrize(
    ("device", "statement", "outcome"),
    [
        ("Ampere accelerator", "24.3 PFLOP/s in BF16 on eight A100s.", Outcome.VIOLATION),
        ("A100X", "24.3 PFLOP/s in BF16 on eight A100s.", Outcome.VIOLATION),
        ("Ampere accelerator", "24.3 PFLOP/s in BF16.", Outcome.PASS),
        ("Ampere accelerator", "24.3 PFLOP/s in BF16, where A100s are replaced by H100s.", Outcome.PASS),
        ("Ampere accelerator", "1.2 PFLOP/s in BF16 on eight A100s.", Outcome.PASS),
    ],
)
def test_a_device_that_only_the_sentence_names(judged, device, statement, outcome):
    claim = {"statement": statement, "value": statement.split()[0], "digits": None}
    patch = {
        "claims": {"flops": claim},
        "systems": {"node": {"device": device, "device_variant": None, "name": "node-21"}},
        "arms": {"a": {"operations": {"peak_flops": None, "peak_kind": None}}},
    }
    result = judged("training-flops", "P01", "flops", patch)
    wanted = {Outcome.PASS, Outcome.NOT_APPLICABLE} if outcome is Outcome.PASS else {outcome}
    assert result.outcome in wanted, result


@pytest.mark.parametrize("unit", ["peta-operations/s", "PetaOps/s", "peta-FLOP/s"])
def test_a_prefix_in_words(judged, unit):
    claim = {"statement": "24.3 of them in BF16.", "value": "24.3", "digits": None, "unit": unit}
    assert judged("training-flops", "P01", "flops", {"claims": {"flops": claim}}).outcome is Outcome.VIOLATION
