"""F28, same-quantity-two-values: One quantity that the document states twice, with values that exclude each other."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer
from support.documents import of_document

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


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
    assert answer(of_document("F28", "training-pair", patch)) == expected


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
    assert answer(of_document("F28", "strong-scaling", patch)) == expected


def test_a_value_and_the_statistic_of_its_summary():
    patch = {"arms": {"server": {"performance": {"latency": {"summary": {"mean": "2.603"}}}}}}
    assert answer(of_document("F28", "serving", patch)) == ("a", UNDERMINES)


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
    assert answer(of_document("F28", "accuracy", patch)) in {expected, NOT_APPLICABLE if expected is PASS else expected}


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
    assert answer(of_document("F28", "training-pair", patch)) == expected


def test_a_negative_number_is_no_second_value_of_itself():
    claim = {"value": "-3.0", "unit": "%", "interval": None}
    result = of_document("F28", "training-pair", {"claims": {"speedup": {**claim, "statement": "Top-1 error: -3.0%"}}})
    assert answer(result) != ("a", UNDERMINES)
    result = of_document("F28", "training-pair", {"claims": {"speedup": {**claim, "statement": "Top-1 error: -4.0%"}}})
    assert answer(result) == ("a", UNDERMINES)


def twin(**changes):
    """Return a patch: the document holds an arm twice, changed in something, and the claim rests on the copy."""
    plain = base("training-pair")["arms"]["plain"]
    named = {"label": "plain", "measurement": plain.get("measurement", {}) | {"scope": "step"}}
    copy = plain | named | {"trials": {}}
    for key, value in changes.items():
        copy[key] = value if key == "label" else copy.get(key, {}) | value
    return {"arms": {"plain": named, "copy": copy}, "claims": {"speedup": {"base": {"arm": "copy"}}}}


def slower(value):
    rate = base("training-pair")["arms"]["plain"]["performance"]["rate"]
    return {"performance": {"rate": rate | {"value": value, "column": None, "interval": None}}}


@pytest.mark.parametrize(
    ("changes", "contradicts"),
    [
        (slower("25000"), True),
        (slower("29000"), False),
        ({"measurement": {"scope": "training_run"}}, True),
        (slower("25000") | {"label": "another code"}, False),
        (slower("25000") | {"options": {"model": "decoder 350M"}}, False),
        (slower("25000") | {"environment": {"host": "another"}}, False),
    ],
)
def test_an_arm_that_repeats_another_contradicts_it(changes, contradicts):
    """An arm that is added takes no finding away."""
    found = of_document("F28", "training-pair", twin(**changes))
    told = [found.branch, *found.others] if found.outcome is Outcome.VIOLATION else []
    assert any("copy" in each.message for each in told) is contradicts


@pytest.mark.parametrize(("seeds", "told"), [({"11": "3.21"}, True), ({}, False)])
def test_a_second_quality_that_says_nothing_of_itself(seeds, told):
    own = {"metric": "loss", "value": "3.05", "direction": "lower", "split": "test", "examples": 2000}
    patch = {
        "arms": {"fused": {"quality": {"again": own, "loss": {"n": None, "seeds": seeds or None}}}},
        "claims": {"speedup": {"quality": {"quality": "again"}}},
    }
    found = of_document("F28", "training-pair", patch)
    assert (found.outcome is Outcome.VIOLATION) is told


def test_a_number_of_an_arm_is_told_with_its_arm_and_not_as_recomputed():
    patch = {"arms": {"fused": {"performance": {"rate": {"value": "45100"}}}}}
    found = of_document("F28", "training-pair", patch).branch
    assert "41300 tokens/s, and in arm fused: 45100 tokens/s" in found.message
    assert "two values: in claim " in found.message
    assert found.recomputed is None
