"""S15, headline-is-extreme-of-range: The best of several results stands as the headline."""

import pytest
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.completion.absent_fields import qualifier, words_about
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from dlaudit.rules.required import requirements
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Claim, Submission
from hypothesis import given
from hypothesis import strategies as st
from support.answers import in_full
from support.serving import NEEDS_CORPUS, labelled

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def ranged(low="1.02", high="1.43", where="elsewhere", **claim):
    return {"claims": {"speedup": {"range": {"low": low, "high": high, "where": where}, **claim}}}


UP_TO = "Training is up to 1.43x faster with fused attention."


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (ranged(), (VIOLATION, "a", UNDERMINES)),
        (ranged(high="1.60"), (PASS, None, None)),
        (ranged(where="same_place"), (PASS, None, None)),
        (ranged(statement=UP_TO), (VIOLATION, "b", CAVEAT)),
        (ranged(qualifier="up_to"), (VIOLATION, "b", CAVEAT)),
        (ranged(qualifier="up_to", where="same_place"), (PASS, None, None)),
        (ranged("1.43", "1.43"), (PASS, None, None)),
        (ranged("1.43", "1.02"), (VIOLATION, "a", UNDERMINES)),  # ends in either order
        ({"claims": {"speedup": {"statement": UP_TO}}}, (NOT_SHOWN, None, None)),
        ({"claims": {"speedup": {"qualifier": "up_to"}}}, (NOT_SHOWN, None, None)),
        ({"claims": {"speedup": {"statement": UP_TO[:-1] + ", 1.2x on average."}}}, (PASS, None, None)),
        ({"claims": {"speedup": {"statement": UP_TO[:-1] + ", on average."}}}, (NOT_SHOWN, None, None)),
        (ranged(statement=UP_TO[:-1] + ", between 1.02x and 1.43x."), (PASS, None, None)),
        ({"claims": {"speedup": {"qualifier": "over", "value": "1.4"}}}, (PASS, None, None)),
        ({"claims": {"speedup": {"qualifier": "over", "base": None}}}, (NOT_SHOWN, None, None)),
        ({"claims": {"speedup": {"qualifier": "about"}}}, (NOT_APPLICABLE, None, None)),
        ({"claims": {"speedup": {"statement": "1.43x faster on up to 512 GPUs."}}}, (NOT_APPLICABLE, None, None)),
        ({}, (NOT_APPLICABLE, None, None)),
    ],
)
def test_ranges_behind_a_headline(judged, patch, expected):
    result = judged("training-pair", "S15", "speedup", patch)
    assert in_full(result) == expected
    assert expected[0] is not NOT_SHOWN or result.branch.item == "range behind a qualifier"


@pytest.mark.parametrize("statement", ["Up to 3x faster.", "As much as 3.0x faster.", "A gain of up to a 3x speed-up."])
def test_a_reviewer_requires_the_range_of_up_to(statement):
    claim = {"statement": statement, "value": "3", "unit": "x", "quantity": "rate", "form": "ratio", "scope": "step"}
    claim |= {"mode": "training", "compares": "own_variants"}
    value = {"dlaudit": "submission/1", "title": "a sentence", "claims": {"speedup": claim}}
    case = Case(to_model(value, Submission))
    (result,) = judge(case, [by_code("S15")])
    assert result.outcome is NOT_SHOWN
    (needed,) = requirements("S15", case.submission.claims["speedup"], case)
    assert (needed.item, needed.profile) == (result.branch.item, "reviewer")


def test_a_range_of_times_is_favourable_at_its_low_end(judged):
    def claim(value, statement="The run takes {} s."):
        changed = {"value": value, "statement": statement.format(value), "target": None, "interval": None}
        return {"claims": {"time": changed | {"range": {"low": "80.0", "high": "99.0", "where": "elsewhere"}}}}

    assert in_full(judged("time-to-accuracy", "S15", "time", claim("80.0")))[:2] == (VIOLATION, "a")
    assert judged("time-to-accuracy", "S15", "time", claim("99.0")).outcome is PASS
    assert in_full(judged("time-to-accuracy", "S15", "time", claim("80.0", "Less than {} s.")))[:2] == (VIOLATION, "b")


def speedups(value, statement, caption="Speed-ups", varies=("model",), row=None):
    texts = {
        "r18": ("ResNet-18", "1.10"),
        "r50": ("ResNet-50", "1.21"),
        "vit": ("ViT-B", "2.90"),
        "swin": ("Swin", "1.30"),
    }
    rows = {key: {"label": label, "speedup": text, "values": {}} for key, (label, text) in texts.items()}
    table = {"caption": caption, "columns": {"rate": {"quantity": "rate", "unit": "images/s"}}, "rows": rows}
    claim = {"value": value, "statement": statement, "row": {"table": "models", **({"row": row} if row else {})}}
    return {"claims": {"speedup": claim}, "tables": {"models": table | {"varies": list(varies)}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (speedups("2.90", "Fused attention is 2.9x faster."), (VIOLATION, "a", UNDERMINES)),
        (speedups("2.90", "Fused attention is up to 2.9x faster."), (VIOLATION, "b", CAVEAT)),
        (speedups("1.21", "Fused attention is 1.21x faster."), (PASS, None, None)),
        (speedups("2.90", "It is 2.9x faster on ViT-B.", row="vit"), (PASS, None, None)),
        (speedups("2.90", "It is 2.9x faster.", "It is 2.9x faster. All models:"), (PASS, None, None)),
        (speedups("2.90", "It is 2.9x faster.", varies=("devices",)), (NOT_APPLICABLE, None, None)),
        (speedups("2.90", "It is 2.9x faster.", varies=("attention",)), (NOT_APPLICABLE, None, None)),
    ],
)
def test_like_for_like_results(judged, patch, expected):
    assert in_full(judged("training-pair", "S15", "speedup", patch)) == expected


def test_two_columns_of_one_pair_of_systems(judged):
    values = {"a": ("100", "110"), "b": ("100", "105"), "c": ("100", "290")}
    rows = {key: {"values": {"old": old, "new": new}} for key, (old, new) in values.items()}
    columns = {key: {"quantity": "rate", "unit": "tokens/s"} for key in ("old", "new")}
    table = {"columns": columns, "rows": rows, "varies": ["dataset"]}
    claim = {"value": "2.90", "statement": "2.9x faster", "row": {"table": "sets"}}
    patch = {"claims": {"speedup": claim}, "tables": {"sets": table}}
    assert in_full(judged("training-pair", "S15", "speedup", patch))[:2] == (VIOLATION, "a")
    del table["rows"]["b"]
    assert judged("training-pair", "S15", "speedup", patch).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    "words", ["The theoretical capacity is up to 6.27 requests per second.", "Peak throughput: 6.27"]
)
def test_capacities_and_peaks_over_load_are_no_headline_of_a_range(judged, words):
    patch = {"claims": {"rate": {"statement": words, "range": {"low": "1.00", "high": "6.27", "where": "elsewhere"}}}}
    assert judged("serving", "S15", "rate", patch).outcome is NOT_APPLICABLE


@given(st.decimals("0.01", "9999", places=2), st.sampled_from(["up to", "as much as", "as high as"]))
def test_up_to_is_read_before_any_number(value, words):
    def claim(statement):
        sentence = {"statement": statement, "value": str(value), "unit": "x", "quantity": "rate", "form": "ratio"}
        return to_model({**sentence, "scope": "step", "mode": "training", "compares": "none"}, Claim)

    def qualified(statement):
        found = claim(statement)
        read = qualifier(found, words_about(found))
        return read.value if read is not None else None

    assert qualified(f"It runs {words} {value:,}x faster.") == "up_to"
    assert qualified(f"It runs {value}x faster on {words} {value + 1} devices.") is None


def up_to(value, statement, **claim):
    return {"claims": {"speedup": {"value": str(value), "statement": statement, "base": None, **claim}}}


@NEEDS_CORPUS
def test_up_to_without_a_range_is_not_shown(judged):
    facts = labelled("vllm-2023-24x")["facts"]
    low, high = facts["vs_hf"]
    alone = up_to(high, f"It delivers up to {high}x higher throughput.")
    assert judged("training-pair", "S15", "speedup", alone).outcome is NOT_SHOWN
    stated = {"low": str(low), "high": str(high), "where": "elsewhere"}
    result = judged(
        "training-pair", "S15", "speedup", up_to(high, alone["claims"]["speedup"]["statement"], range=stated)
    )
    assert (result.outcome, result.branch.effect) == (VIOLATION, CAVEAT)
    caption = up_to(high, f"{low}x to {high}x higher throughput.", range={**stated, "where": "same_place"})
    assert judged("training-pair", "S15", "speedup", caption).outcome is PASS


@NEEDS_CORPUS
@pytest.mark.parametrize(
    ("name", "key"), [("deepspeed-1bit-adam-2020", "title_speedup"), ("deepspeed-chat-15x-2023", "claim_speedup")]
)
def test_over_without_the_numbers_behind_it_is_not_shown(judged, name, key):
    label = labelled(name)
    assert "up_to_claim" in label["method_defects"]
    value = label["facts"][key]
    for word in ("up to", "over"):
        assert judged("training-pair", "S15", "speedup", up_to(value, f"{word} {value}x faster")).outcome is NOT_SHOWN


@pytest.mark.parametrize(
    ("statement", "statistic", "found"),
    [
        ("The decoder sustains 1.20 PFLOP/s.", "max", ("c", UNDERMINES)),
        ("A sustained 1.20 PFLOP/s over the whole machine.", "best_of", ("c", UNDERMINES)),
        ("We are sustaining 1.20 PFLOP/s in training.", "max", ("c", UNDERMINES)),
        ("The decoder sustains 1.20 PFLOP/s.", "median", None),
        ("The decoder sustains 1.20 PFLOP/s.", "mean", None),
        ("The decoder reaches a peak of 1.20 PFLOP/s.", "max", None),
    ],
)
def test_a_maximum_is_not_sustained(judged, statement, statistic, found):
    claim = {"statement": statement, "statistic": statistic, "digits": None}
    result = judged("training-flops", "S15", "flops", {"claims": {"flops": claim}})
    assert (result.branch and (result.branch.branch, result.branch.effect)) == found, result


def test_the_statistic_of_the_number_behind_a_sustained_rate_counts(judged):
    patch = {
        "claims": {"flops": {"statistic": None}},
        "arms": {"a": {"performance": {"flops": {"statistic": "max"}}}},
    }
    assert judged("training-flops", "S15", "flops", patch).outcome is VIOLATION


def test_a_maximum_that_is_announced_as_one_is_a_caveat(judged):
    patch = {"claims": {"flops": {"qualifier": "up_to", "statistic": "max"}}}
    result = judged("training-flops", "S15", "flops", patch)
    assert (result.branch.branch, result.branch.effect) == ("d", CAVEAT)
