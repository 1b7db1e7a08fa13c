"""W0702, precision-fractions-missing."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.operations import bare


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


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("In mixed precision the decoder trains at 1.20 PFLOP/s.", Outcome.NOT_SHOWN),
        ("1.20 PFLOP/s with automatic mixed precision.", Outcome.NOT_SHOWN),
        ("The decoder trains at 1.20 PFLOP/s in BF16.", Outcome.PASS),
        ("The decoder trains at 1.20 PFLOP/s.", Outcome.PASS),
    ],
)
def test_what_a_sentence_calls_mixed_needs_shares_whatever_the_options_name(judged, statement, outcome):
    patch = bare()
    patch["claims"]["flops"]["statement"] = statement
    assert judged("training-flops", "W0702", "flops", patch).outcome is outcome
    assert judged("training-flops", "W0702", "flops", {"claims": {"flops": {"statement": statement}}}).outcome in {
        Outcome.PASS
    }
