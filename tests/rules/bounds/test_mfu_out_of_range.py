"""P02, mfu-out-of-range: A utilisation that is impossible, or that the stated rate and peak contradict."""

import pytest
from dlaudit.rules.outcome import C1, C3, REFUTES, UNDERMINES, Outcome
from support.operations import golden
from support.ways import WAYS, violations

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def claim(value, unit="%", **more):
    return {"claims": {"mfu": {"value": value, "unit": unit, **more}}}


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (claim("48.0"), PASS, None),
        (claim("0.480", "fraction"), PASS, None),
        (claim("48.0", None), PASS, None),
        (claim("47"), PASS, None),
        (claim("46"), VIOLATION, REFUTES),
        (claim("58.0"), VIOLATION, REFUTES),
        (claim("0.58", "fraction"), VIOLATION, REFUTES),
        (claim("104"), VIOLATION, REFUTES),
        (claim("1.04", "fraction"), VIOLATION, REFUTES),
        (claim("1.04", None), NOT_APPLICABLE, None),  # a fraction, or a percentage
        (claim("100"), VIOLATION, REFUTES),  # not above 1, but not the rate's either
        (claim("60", qualifier="up_to"), PASS, None),
        (claim("40", qualifier="over"), PASS, None),
        (claim("60", qualifier="over"), VIOLATION, REFUTES),
        (claim("1.2", "x", form="ratio"), NOT_APPLICABLE, None),
        (claim("58.0", statistic="max"), PASS, None),  # the best step beside a median rate
        (golden("30", "V100"), PASS, None),
        (golden("31", "V100", "fp16"), PASS, None),
        (golden("31", "P100"), VIOLATION, REFUTES),  # faster than any of its peaks
        (golden("30", "Z9"), PASS, None),
        (golden("12.5", "A100", "bf16"), PASS, None),
        (golden("6.25", "A100", "bf16"), PASS, None),  # of the sparse peak: another rule's
        (golden("25", "A100", "bf16"), VIOLATION, REFUTES),
        (golden("25", "A100"), PASS, None),  # of the TF32 peak
        (golden("16.5", "A100", "bf16", counted="hardware"), PASS, None),  # recomputed operations in one number
        (golden("39.4", "H100-SXM5", "bf16", "3.12", "PFLOP/s"), PASS, None),  # of eight devices
    ],
)
def test_utilisation_against_rate_and_peak(judged, patch, outcome, strength):
    result = judged("training-flops", "P02", "mfu", patch)
    assert (result.outcome, getattr(result.branch, "effect", None)) == (outcome, strength), result


@pytest.mark.parametrize(
    ("words", "value", "outcome"),
    [
        ("MFU", "12.5", PASS),
        ("MFU", "9.4", PASS),  # of model operations, the rate of all
        ("MFU", "16.5", NOT_SHOWN),  # attention may count in one of the two
        ("MFU", "25", VIOLATION),
        ("HFU", "16.5", PASS),  # of all operations, the rate of those of the model
        ("HFU", "9.4", NOT_SHOWN),
        ("HFU", "4", VIOLATION),
        ("utilisation", "16.5", PASS),
        ("utilisation", "9.4", PASS),
        ("MFU, HFU", "16.5", PASS),
    ],
)
def test_recomputed_operations_lie_on_one_side_of_what_a_name_counts(judged, words, value, outcome):
    patch = golden(value, "A100", "bf16", counted=None)
    patch["claims"]["mfu"]["statement"] = f"{words}: {value} %"
    patch["arms"]["a"]["label"] = "a step"
    result = judged("training-flops", "P02", "mfu", patch)
    assert result.outcome is outcome
    assert outcome is not VIOLATION or (result.branch.branch, result.branch.effect) == ("a", REFUTES)


@pytest.mark.parametrize("operations", [{"counted": None}, {"counted": "model"}])
@pytest.mark.parametrize(
    ("words", "value", "outcome"),
    [
        ("12.5 % counts 6N per token; with the attention products (12Lds) the MFU is {} %.", "14.5", NOT_SHOWN),
        ("Including the logits the MFU is {} %.", "13.5", NOT_SHOWN),
        ("With the attention products (12Lds) the MFU is {} %.", "40", VIOLATION),
    ],
)
def test_attention_may_count_in_the_utilisation_alone(judged, operations, words, value, outcome):
    patch = golden(value, "A100", "bf16", **operations)
    patch["claims"]["mfu"]["statement"] = words.format(value)
    assert judged("training-flops", "P02", "mfu", patch).outcome is outcome


@pytest.mark.parametrize("flops", ["3.9e13", "3.9e9", "0.0000039"])
def test_a_rate_that_is_far_off_has_another_unit(judged, flops):
    assert judged("training-flops", "P02", "mfu", golden("12.5", "A100", "bf16", flops)).outcome is NOT_SHOWN


def test_a_step_above_what_is_seen_is_doubted_at_low_confidence(judged):
    patch = claim("90.0")
    patch["arms"] = {"a": {"performance": {"rate": None, "flops": {"value": "2.246"}}}}
    result = judged("training-flops", "P02", "mfu", patch)
    assert (result.branch.effect, result.branch.confidence, result.branch.branch) == (UNDERMINES, C1, "b")
    patch["claims"]["mfu"]["scope"] = "kernel"
    assert judged("training-flops", "P02", "mfu", patch).outcome is PASS


def test_operations_per_sample_stand_in_for_the_rate(judged):
    rate = {"quantity": "rate", "value": "133000", "digits": 4, "unit": "tokens/s", "statistic": "median"}
    patch = {"arms": {"a": {"performance": {"flops": None, "rate": rate}}}}
    assert judged("training-flops", "P02", "mfu", patch).outcome is PASS
    result = judged("training-flops", "P02", "mfu", {**patch, **claim("61")})
    assert (result.branch.effect, result.branch.confidence) == (REFUTES, C3)
    patch["arms"]["a"]["operations"] = {"flop_per_sample": 9.008e9 * 2048}  # of a sequence
    assert judged("training-flops", "P02", "mfu", patch).outcome is PASS


@pytest.mark.parametrize(
    ("words", "counted", "again", "outcome"),
    [
        ("That is 48.0 % MFU.", "hardware", True, NOT_SHOWN),
        ("That is 48.0 % MFU.", "hardware", False, PASS),
        ("That is 48.0 % MFU.", "model", True, PASS),
        ("That is 48.0 % HFU.", "hardware", True, PASS),
    ],
)
def test_a_count_that_holds_recomputed_operations_shows_no_model_utilisation(judged, words, counted, again, outcome):
    patch = claim("48.0")
    patch["claims"]["mfu"]["statement"] = words
    patch["arms"] = {"a": {"options": {"activation_checkpointing": again}, "operations": {"counted": counted}}}
    assert judged("training-flops", "P02", "mfu", patch).outcome is outcome


def test_nothing_stated_is_nothing_to_check(judged):
    patch = {"arms": {"a": {"performance": {"rate": None, "flops": None}}}}
    assert judged("training-flops", "P02", "mfu", patch).outcome is PASS
    assert judged("training-flops", "P02", "mfu", {"claims": {"mfu": {"measured": None}}}).outcome is PASS


TWICE = "12 per parameter, plus 12 x layers x width x length for attention; multiply-add = 2"


@pytest.mark.parametrize(
    ("operations", "options", "outcome"),
    [
        ({"method": TWICE}, {}, VIOLATION),
        ({"method": "12 N + 12 L d s per token, FMA = 2"}, {}, VIOLATION),
        ({"method": "6 N + 12 L d s per token, FMA = 2"}, {}, PASS),
        ({"method": "8 N per token with the recomputed forward pass, FMA = 2"}, {}, PASS),
        ({"method": "12 per parameter, two passes of SAM, multiply-add = 2"}, {}, PASS),
        ({"method": "12 per parameter"}, {}, PASS),  # whatever is counted there
        ({"method": TWICE}, {"activation_checkpointing": True}, PASS),
        ({"method": TWICE, "counted": "hardware"}, {}, PASS),
    ],
)
def test_operations_of_a_training_step_per_parameter(judged, operations, options, outcome):
    patch = {"arms": {"a": {"operations": operations, "options": {"activation_checkpointing": False, **options}}}}
    assert judged("training-flops", "P02", "mfu", patch).outcome is outcome


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
