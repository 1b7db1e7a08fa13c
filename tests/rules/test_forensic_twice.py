"""F28 and F29: what a document states twice, in numbers and in words."""

from decimal import Decimal

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.forensics._sentence_numbers import numbers_of
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate
from hypothesis import given
from hypothesis import strategies as st

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)


def answer(result):
    if result.outcome is not VIOLATION:
        return result.outcome
    return result.branch.branch, result.branch.effect


def document(code, name, patch):
    """The answer of a rule about the whole document."""
    value = merge_patch(base(name), patch)
    assert not validate("submission", value), validate("submission", value)
    (result,) = [item for item in judge(Case(to_model(value, Submission)), [by_code(code)]) if item.claim is None]
    return result


# F28 ------------------------------------------------------------------------------------------------------------------


def sentence(text, **claim):
    return {"claims": {"rate": {"statement": text, **claim}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, PASS),
        (sentence("It processes 45100 tokens per second."), ("a", UNDERMINES)),
        (sentence("It processes 41,300 tokens/s."), PASS),
        (sentence("It processes 41.3k tokens/s."), PASS),
        (sentence("It processes more than 40,000 tokens/s."), PASS),
        (sentence("It processes about 40,000 tokens per second."), PASS),
        (sentence("It processes 41.4k tokens/s."), ("b", CAVEAT)),
        (sentence("It processes 41300 tokens/s, 28910 tokens/s before."), PASS),
        (sentence("It is fast: see the table."), PASS),
        (sentence("With 8 GPUs it takes 3 s; 41300 in all."), PASS),
        (sentence("It processes 45100 tokens per second.", basis="derived"), PASS),
        (sentence("It processes 30000 to 45100 tokens per second.", range={"low": "30000", "high": "45100",
                  "where": "elsewhere"}), PASS),
        ({"arms": {"fused": {"performance": {"rate": {"value": "45100"}}}}}, ("a", UNDERMINES)),
        ({"arms": {"fused": {"performance": {"rate": {"value": "45100", "statistic": "mean"}}}}}, NOT_APPLICABLE),
        ({"arms": {"fused": {"performance": {"rate": {"value": "41.3", "unit": "ktokens/s", "digits": None}}}}}, PASS),
        ({"arms": {"fused": {"performance": {"rate": {"value": "48.9", "unit": "ktokens/s", "digits": None}}}}},
         ("a", UNDERMINES)),
        ({"claims": {"speedup": {"base": {"value": "27000", "unit": "tokens/s"}}}}, ("a", UNDERMINES)),
        ({"claims": {"speedup": {"value": "1.53"}}}, ("a", UNDERMINES)),
        ({"claims": {"speedup": {"value": "43", "unit": "%"}}}, PASS),
    ],
)  # fmt: skip
def test_one_quantity_has_one_value(patch, expected):
    assert answer(document("F28", "training-pair", patch)) == expected


def cells(rate, **column):
    return {"tables": {"nodes": {"columns": {"rate": column}, "rows": {"r8": {"values": {"rate": rate}}}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (cells("129600"), PASS),
        (cells("150000"), ("a", UNDERMINES)),
        (cells("130100"), ("b", CAVEAT)),
        (cells("150000", statistic="max"), NOT_APPLICABLE),
        (cells("150000", scope="epoch"), NOT_APPLICABLE),
    ],
)
def test_a_cell_and_the_metric_of_its_arm(patch, expected):
    assert answer(document("F28", "strong-scaling", patch)) == expected


def test_a_value_and_the_statistic_of_its_summary():
    patch = {"arms": {"server": {"performance": {"latency": {"summary": {"mean": "2.603"}}}}}}
    assert answer(document("F28", "serving", patch)) == ("a", UNDERMINES)


def perplexity(value, statement="", **claim):
    words = {"statement": f"A held-out perplexity of {value}. {statement}", "value": value, "unit": "perplexity"}
    quality = {"metric": "perplexity", "value": "24.53", "split": "test", "unit": None}
    return {
        "claims": {"accuracy": {**words, "metric": "perplexity", "interval": None, **claim}},
        "arms": {"trained": {"quality": {"accuracy": None, "ppl": quality}}},
    }


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (perplexity("24.53", quality={"quality": "ppl"}), PASS),
        (perplexity("23.81", quality={"quality": "ppl"}), ("a", UNDERMINES)),
        (perplexity("0.72", quality={"quality": "ppl"}, base={"arm": "trained"}), PASS),  # a difference
        (perplexity("3.1998", unit="nats", metric="loss", quality={"quality": "ppl"}), PASS),
    ],
)
def test_a_unit_that_only_names_the_metric_is_that_of_the_quality(patch, expected):
    assert answer(document("F28", "accuracy", patch)) in {expected, NOT_APPLICABLE if expected is PASS else expected}


@pytest.mark.parametrize(("value", "median", "expected"), [("0.30", "0.20", PASS), ("0.30", "0.25", ("a", UNDERMINES))])
def test_a_median_of_trials_beside_that_of_all_iterations(value, median, expected):
    """Three trials with medians 0.2, 0.3 and 0.4 s, whose pooled median is 0.2 s."""
    rows = {"t1": [0.2] * 9, "t2": [0.3] * 3, "t3": [0.4] * 3}
    trial = {"kind": "throughput", "outcome": "completed"}
    metric = {
        "quantity": "time",
        "value": value,
        "unit": "s",
        "statistic": "median",
        "column": "step_time_s",
        "trials": 3,
        "summary": {"median": median},
    }
    trials = dict.fromkeys(base("training-pair")["arms"]["fused"]["trials"])
    trials |= {name: {**trial, "samples": {"step_time_s": row}} for name, row in rows.items()}
    patch = {"arms": {"fused": {"performance": {"step": metric}, "trials": trials}}}
    assert answer(document("F28", "training-pair", patch)) == expected


@pytest.mark.parametrize(
    ("text", "unit", "values"),
    [
        ("1.43x", "x", 1),
        ("8x A100 at 224 x 224", "x", 0),
        ("1.43 times as fast, at 2.0x the batch", "x", 2),
        ("three times faster", "x", 0),
        ("2 h 5 min", "s", 1),
        ("2.5 h", "s", 1),
        ("5 images per second per GPU", "images/s", 0),
        ("NaN images/s and 1e999 images/s", "images/s", 0),
        ("", "x", 0),
        ("12 %", None, 0),
    ],
)
def test_numbers_are_read_with_their_unit(text, unit, values):
    assert len(numbers_of(text, unit)) == values


@pytest.mark.parametrize(
    ("text", "low"),
    [
        ("Top-1 error: -3.0%", "-3.05"),
        ("a change of −3.0 %", "-3.05"),
        ("(-3.0%)", "-3.05"),
        ("2-3.0 %", "1.5"),  # a range
        ("resnet-3.0 %", None),
        ("from 5 - 3.0 %", "2.95"),
    ],
)
def test_a_sign_before_a_number_may_be_its_own(text, low):
    assert min((value.low for value in numbers_of(text, "%")), default=None) == (Decimal(low) if low else None)


def test_a_negative_number_is_no_second_value_of_itself():
    claim = {"value": "-3.0", "unit": "%", "interval": None}
    result = document("F28", "training-pair", {"claims": {"speedup": {**claim, "statement": "Top-1 error: -3.0%"}}})
    assert answer(result) != ("a", UNDERMINES)
    result = document("F28", "training-pair", {"claims": {"speedup": {**claim, "statement": "Top-1 error: -4.0%"}}})
    assert answer(result) == ("a", UNDERMINES)


@given(st.text(max_size=200), st.sampled_from(["x", "%", "s", "images/s", "TFLOP/s", "apples"]))
def test_any_sentence_can_be_read(text, unit):
    for value in numbers_of(text, unit):
        assert value.low <= value.high


# F29 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One A100 trains ResNet-50 at 2500 images per second.", PASS),
        ("One H100 trains ResNet-50 at 2500 images per second.", ("a", UNDERMINES)),
        ("One A100-SXM4-80GB trains ResNet-50 at 2500 images per second.", PASS),
        ("In FP16, ResNet-50 trains at 2500 images per second.", ("a", UNDERMINES)),
        ("In BF16 with FP32 accumulation, ResNet-50 trains at 2500 images per second.", PASS),
        ("In mixed precision, ResNet-50 trains at 2500 images per second.", PASS),
        ("With FP32 master weights it trains at 2500 images per second.", PASS),
        ("At batch size 256 it trains at 2500 images per second.", PASS),
        ("At batch size 512 it trains at 2500 images per second.", ("a", UNDERMINES)),
        ("At batch 1k it trains at 2500 images per second.", PASS),
        ("The mean rate is 2500 images per second.", ("a", UNDERMINES)),
        ("On 8x A100 it trains at 2500 images per second.", PASS),
        ("The median rate, with a mean of 2510, is 2500 images per second.", PASS),
        ("Faster than a V100 and an A100: 2500 images per second.", PASS),
    ],
)
def test_a_sentence_describes_its_number(text, expected):
    assert answer(document("F29", "rate", sentence(text))) == expected


@pytest.mark.parametrize(
    ("name", "patch", "expected"),
    [
        ("rate", {"arms": {"a": {"performance": {"rate": {"statistic": "mean"}}}}}, ("a", UNDERMINES)),
        ("strong-scaling", {"claims": {"speedup": {"label": "weak"}}}, ("b", CAVEAT)),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"options": {"global_batch": 4096}}}}}},
         ("a", UNDERMINES)),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"options": {"activation_checkpointing": True}}}}}},
         ("b", CAVEAT)),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"label": "8 nodes, FP16"}}}}}, PASS),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"options": {"precision": {"compute": "bf16"}},
                                                                "label": "8 nodes, FP16"}}}}}, ("a", UNDERMINES)),
        ("strong-scaling", {"tables": {"nodes": {"columns": {"rate": {"format": "fp16"}},
                            "rows": {"r8": {"options": {"precision": {"compute": "bf16"}}}}}}}, ("a", UNDERMINES)),
        ("strong-scaling", {"tables": {"nodes": {"columns": {"rate": {"statistic": "mean"}}}}}, ("a", UNDERMINES)),
        ("strong-scaling", {"tables": {"nodes": {"rows": {"r8": {"devices": 128,
                            "options": {"global_batch": 4096}}}}}}, PASS),  # the arm is another point
    ],
)  # fmt: skip
def test_two_places_describe_one_number_alike(name, patch, expected):
    assert answer(document("F29", name, patch)) == expected
