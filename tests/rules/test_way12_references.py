"""W1202, W1203, W1205, W1206: against what, from where, by which measure, and against which of two."""

import pytest
from dlaudit.rules.outcome import C1, CAVEAT, UNDERMINES, Outcome

# W1202 ----------------------------------------------------------------------------------------------------------------


def reference(**fields):
    return {"claims": {"best": {"reference": fields}}}


@pytest.mark.parametrize(
    ("date", "outcome"),
    [("2024-03-14", Outcome.PASS), ("2024-03-13", Outcome.VIOLATION), ("2026-05-01", Outcome.PASS),
     ("2024-02-31", Outcome.NOT_SHOWN), (None, Outcome.NOT_SHOWN)],
)  # fmt: skip
def test_the_age_of_a_reference(judged, date, outcome):
    result = judged("comparison", "W1202", "best", reference(date=date))
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.effect, result.branch.confidence) == (CAVEAT, C1)
        assert "24 months" in result.branch.message


def test_a_reference_without_name_value_and_citation(judged):
    result = judged("comparison", "W1202", "best", reference(name=None, value=None, citation=None))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "reference of a superlative")


@pytest.mark.parametrize("kept", ["name", "value", "citation"])
def test_one_of_the_three_identifies_it(judged, kept):
    gone = {name: None for name in ("name", "value", "citation") if name != kept}
    assert judged("comparison", "W1202", "best", reference(**gone)).outcome is Outcome.PASS


def test_the_other_system_is_the_reference_where_none_is_named(judged):
    patch = {"claims": {"best": {"reference": None}}}
    assert judged("comparison", "W1202", "best", patch).outcome is Outcome.PASS
    patch["claims"]["best"]["comparator"] = {"date": "2021-01-20"}
    assert judged("comparison", "W1202", "best", patch).outcome is Outcome.VIOLATION
    patch["claims"]["best"]["comparator"] = None
    assert judged("comparison", "W1202", "best", patch).outcome is Outcome.NOT_SHOWN


def test_without_a_day_of_publication_the_day_of_judgement_counts(judged):
    patch = reference(date="2021-01-20") | {"publication": {"date": None}}
    assert judged("comparison", "W1202", "best", patch).outcome is Outcome.NOT_SHOWN
    assert judged("comparison", "W1202", "best", patch, today="2026-03-14").outcome is Outcome.VIOLATION


# W1203 ----------------------------------------------------------------------------------------------------------------


def copied(comparator=None, base=None, arm=None, **claim):
    quoted = {"source": "published", **(comparator or {})}
    return {
        "claims": {"speedup": {"comparator": quoted, "base": {"arm": None, **(base or {})}, **claim}},
        "arms": {"theirs": {"trials": None, **(arm or {})}},
    }


@pytest.mark.parametrize(
    ("comparator", "base"),
    [({"device": "V100"}, {}), ({"devices": 16}, {"devices": 16}), ({"device": "V100"}, {"devices": 16})],
)
def test_a_published_number_from_other_hardware(judged, comparator, base):
    result = judged("comparison", "W1203", "speedup", copied(comparator, base))
    assert (result.outcome, result.branch.effect) == (Outcome.VIOLATION, CAVEAT)


@pytest.mark.parametrize(
    "patch",
    [
        copied(),
        copied({"device": "V100"}, said=[{"topic": "hardware_normalisation", "quote": "per peak FLOP/s"}]),
        copied({"devices": 16}, {"devices": 16, "unit": "tokens/s/GPU"}, measured={"metric": "each"}),
    ],
)
def test_the_same_hardware_or_a_normalised_number_is_a_note(judged, patch):
    each = {"quantity": "rate", "value": "38990", "unit": "tokens/s/GPU"}
    patch["arms"]["ours"] = {"performance": {"each": each}}
    result = judged("comparison", "W1203", "speedup", patch)
    assert (result.outcome, len(result.notes)) == (Outcome.PASS, 1)


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (copied({"source": None}), Outcome.NOT_SHOWN),
        (copied({"device": None}), Outcome.NOT_SHOWN),
        (copied({"source": "audited"}), Outcome.PASS),
        (copied({"source": "audited", "device": None}), Outcome.NOT_SHOWN),
        (copied({"source": "audited", "device": None, "result_id": "5.0-0042"}), Outcome.PASS),
        (copied({"source": "rerun", "device": "V100"}), Outcome.PASS),
        ({"claims": {"speedup": {"comparator": {"source": None}}}}, Outcome.PASS),
        ({"claims": {"speedup": {"comparator": None, "base": None}}}, Outcome.NOT_SHOWN),
    ],
)
def test_where_the_number_comes_from(judged, patch, outcome):
    assert judged("comparison", "W1203", "speedup", patch).outcome is outcome


def test_a_gain_in_quality_over_a_published_value(judged):
    patch = copied(quantity="accuracy", metric="loss", measured={"metric": None}, statement="A loss of 3.02, not 3.06.")
    result = judged("comparison", "W1203", "speedup", patch)
    assert result.outcome is Outcome.NOT_SHOWN
    assert "quality is a published one" in result.branch.message


# W1205 ----------------------------------------------------------------------------------------------------------------


def defined(units=None, **metric):
    """The headline's metric as defined, in another unit on both sides."""
    arms = {name: {"performance": {"rate": {"unit": units}}} for name in ("ours", "theirs")} if units else {}
    tables = {"systems": {"columns": {"rate": {"unit": units}}}} if units else {}
    claim = {"metric_defined": metric or None, **({"base": {"unit": units}} if units else {})}
    return {"claims": {"speedup": claim}, "arms": arms, "tables": tables}


SECOND = {"quantity": "time", "value": "0.84", "unit": "s"}


@pytest.mark.parametrize(
    "unit", ["tokens/s", "s", "TFLOP/s", "samples/J", "J", "GiB", "tokens/s/GPU", "queries/s", "QPS"]
)
def test_usual_metrics_need_no_definition(judged, unit):
    assert judged("comparison", "W1205", "speedup", defined(unit)).outcome is Outcome.PASS


def test_an_unknown_metric_needs_one(judged):
    assert judged("comparison", "W1205", "speedup", defined("AI points")).outcome is Outcome.NOT_SHOWN


def test_goodput_under_a_bound_of_ones_own_needs_one(judged):
    patch = {"claims": {"speedup": {"purpose": "serving_objective"}}}
    assert judged("comparison", "W1205", "speedup", patch).outcome is Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("metric", "second", "outcome"),
    [
        ({"kind": "listed"}, False, Outcome.PASS),
        ({"kind": "custom", "set_by": "buyer"}, False, Outcome.PASS),
        ({"kind": "custom", "set_by": "benchmark", "thresholds_declared_before": False}, False, Outcome.PASS),
        ({"kind": "custom"}, False, Outcome.VIOLATION),
        ({"kind": "custom", "thresholds_declared_before": True}, False, Outcome.VIOLATION),
        ({"kind": "custom", "thresholds_declared_before": True}, True, Outcome.PASS),
        ({"kind": "custom", "thresholds_declared_before": False}, True, Outcome.VIOLATION),
        ({"kind": "custom", "set_by": "claimant"}, True, Outcome.NOT_SHOWN),
    ],
)
def test_custom_metrics(judged, metric, second, outcome):
    patch = defined(None, **metric)
    if second:
        patch["arms"] = {name: {"performance": {"step": SECOND}} for name in ("ours", "theirs")}
    result = judged("comparison", "W1205", "speedup", patch)
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert result.branch.effect is CAVEAT


@pytest.mark.parametrize(
    ("metric", "second", "outcome"),
    [
        (None, False, Outcome.NOT_APPLICABLE),
        ({"kind": "listed"}, False, Outcome.NOT_APPLICABLE),
        ({"kind": "custom", "set_by": "claimant", "thresholds_declared_before": False}, True, Outcome.VIOLATION),
        ({"kind": "custom", "set_by": "claimant", "thresholds_declared_before": True}, False, Outcome.VIOLATION),
        ({"kind": "custom", "set_by": "claimant", "thresholds_declared_before": True}, True, Outcome.PASS),
        ({"kind": "custom", "set_by": "buyer"}, False, Outcome.PASS),
    ],
)
def test_a_measure_of_ones_own_without_a_rival(judged, metric, second, outcome):
    """A headline may be ahead of nobody, and its measure chosen after the runs all the same."""
    others = {} if second else {"performance": {"latency": None}}
    patch = {"claims": {"rate": {"metric_defined": metric}}, "arms": {"server": others}}
    assert judged("serving", "W1205", "rate", patch).outcome is outcome


@pytest.mark.parametrize(("metric", "outcome"), [("test loss", Outcome.PASS), ("niceness", Outcome.NOT_SHOWN)])
def test_scores_are_known_by_their_names(judged, metric, outcome):
    patch = {
        "claims": {"speedup": {"quantity": "accuracy", "metric": metric, "quality": None, "measured": {"metric": None}}}
    }
    patch["arms"] = {"ours": {"performance": {"step": SECOND}}}
    assert judged("comparison", "W1205", "speedup", patch).outcome is outcome


# W1206 ----------------------------------------------------------------------------------------------------------------

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
