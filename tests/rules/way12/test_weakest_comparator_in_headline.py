"""W1206, weakest-comparator-in-headline: A ratio over one competitor, where the document holds a stronger one."""

import pytest
from dlaudit.rules.outcome import C1, CAVEAT, UNDERMINES, Outcome

NOT_APPLICABLE = Outcome.NOT_APPLICABLE
ROW = {"row": {"table": "systems", "row": "ours", "base_row": "theirs"}}


def third(rate, claim=None, **row):
    other = {"label": "ThirdLM 1.4", "system": "theirs", "devices": 8, "nodes": 1, "values": {"rate": rate}, **row}
    return {"claims": {"speedup": ROW | (claim or {})}, "tables": {"systems": {"rows": {"third": other}}}}


@pytest.mark.parametrize(("rate", "outcome"), [("298000", Outcome.VIOLATION), ("279000", Outcome.PASS)])
def test_a_stronger_comparator_in_the_table(judged, rate, outcome):
    result = judged("comparison", "W1206", "speedup", third(rate))
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.branch, result.branch.effect, result.branch.confidence) == ("a", UNDERMINES, C1)
        assert "ThirdLM 1.4" in result.branch.message


@pytest.mark.parametrize(
    "patch",
    [
        third("298000", speedup="1.05"),
        third("298000", {"statement": "1.34x faster than OtherLM, and 1.05x faster than ThirdLM."}),
        third("298000", {"statement": "34% faster than OtherLM, 5% faster than ThirdLM."}),
        third("298000", {"statement": "1.34x faster than OtherLM, which our users run today."}),
    ],
)
def test_its_ratio_beside_the_headline_or_what_is_in_use(judged, patch):
    assert judged("comparison", "W1206", "speedup", patch).outcome is Outcome.PASS


def test_its_ratio_elsewhere(judged):
    patch = third("298000")
    patch["claims"]["also"] = {
        "statement": "It is also 1.05x faster than ThirdLM.", "value": "1.05", "unit": "x", "quantity": "rate",
        "form": "ratio", "scope": "step", "mode": "training", "compares": "other_system",
        "row": {"table": "systems", "row": "ours", "base_row": "third"},
    }  # fmt: skip
    result = judged("comparison", "W1206", "speedup", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


@pytest.mark.parametrize(
    "row",
    [
        {"own": True},
        {"label": "FastLM 0.9 large"},
        {"label": None},
        {"devices": 16, "nodes": 2},
        {"options": {"model": "decoder 125M"}},
        {"values": {"loss": "3.01"}},
        {"arm": "ours"},
    ],
)
def test_own_variants_and_other_problems_are_no_comparators(judged, row):
    result = judged("comparison", "W1206", "speedup", third("298000", **row))
    assert result.outcome is Outcome.NOT_APPLICABLE


def test_on_another_device_it_is_none_either(judged):
    patch = third("298000", system="h100") | {"systems": {"h100": {"name": "8x H100", "device": "H100"}}}
    assert judged("comparison", "W1206", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def rival(**row):
    """A gain in quality over one rival, in a table that holds another one."""
    table = {"columns": {"top1": {"quantity": "accuracy", "unit": "%"}}}
    values = {"ours": "84.4", "theirs": "82.0", "third": "84.0"}
    table["rows"] = {name: {"values": {"top1": value, "rate": None, "loss": None}} for name, value in values.items()}
    table["rows"]["third"] |= {"label": "ThirdLM 1.4", "own": False, **row}
    claim = {"statement": "It gains 2.4 points over theirs.", "value": "2.4", "unit": "points", "form": "absolute"}
    claim |= {"quantity": "accuracy", "row": {"table": "systems", "row": "ours", "base_row": "theirs"}}
    return {"claims": {"speedup": claim}, "tables": {"systems": table}}


@pytest.mark.parametrize(
    ("row", "effect"), [({}, CAVEAT), ({"parameters": 9e9}, None), ({"own": True}, None), ({"arm": "theirs"}, None)]
)
def test_a_gain_in_quality_over_the_weaker_of_two_rivals(judged, row, effect):
    patch = rival(**row)
    patch["tables"]["systems"]["rows"]["ours"]["parameters"] = 1e9
    branch = judged("comparison", "W1206", "speedup", patch).branch
    assert getattr(branch, "effect", None) is effect


def test_another_load_of_the_same_competitor_is_no_stronger_competitor(judged):
    again = {"label": "ThirdLM", "own": False, "arm": "theirs", "system": "theirs", "devices": 8, "nodes": 1}
    again["values"] = {"rate": "298000", "loss": "3.06"}
    patch = {"claims": {"speedup": {"row": {"table": "systems", "row": "ours", "base_row": "theirs"}}}}
    patch["tables"] = {"systems": {"rows": {"third": again}}}
    assert judged("comparison", "W1206", "speedup", patch).outcome is NOT_APPLICABLE
    again["arm"] = None
    assert judged("comparison", "W1206", "speedup", patch).outcome is Outcome.VIOLATION
