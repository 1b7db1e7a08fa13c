"""W1108, scaling-base-unmatched: A speed-up of a series over a base that was run in another way."""

import copy

import pytest
from dlaudit.rules.bases import base as bases
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome


def base(options=None, arm=None, claim=None, table=None):
    return {
        "tables": {"nodes": {"rows": {"r1": {"options": options or {}}}, **(table or {})}},
        "arms": {"n1": arm or {}},
        "claims": {"speedup": claim or {}},
    }


FP32 = {"precision": {"compute": "fp32"}}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (FP32, "precision.compute bf16 against fp32"),
        ({"optimizer": "SGD"}, "optimizer LARS against SGD"),
        ({"global_batch": 1024, "accumulation": 1}, "global_batch 8192 against 1024"),
    ],
)
def test_a_base_that_differs_besides(judged, options, words):
    result = judged("strong-scaling", "W1108", "speedup", base(options))
    assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)
    assert words in result.branch.message


@pytest.mark.parametrize(
    "options",
    [
        {"micro_batch": 256, "accumulation": 4},
        {"overlap": False, "activation_checkpointing": True},
        {"learning_rate": 1.0},
        {"normalisation_group": "256, per device"},
        {"global_batch": 8200},
    ],
)
def test_layout_recipe_and_remainders_may_differ(judged, options):
    result = judged("strong-scaling", "W1108", "speedup", base(options))
    assert result.outcome is not Outcome.VIOLATION


@pytest.mark.parametrize(
    ("small", "claim", "outcome"),
    [
        ({"r1": 32}, {}, Outcome.VIOLATION),
        ({"r8": 32}, {}, Outcome.PASS),
        ({"r1": 32}, {"treatment": ["devices", "micro_batch"]}, Outcome.PASS),
        ({"r1": 32}, {"label": "weak"}, Outcome.PASS),
        ({"r1": 32, "r4": 16}, {}, Outcome.PASS),
    ],
    ids=["of the base alone", "of the largest", "named", "weak", "of another row, too"],
)
def test_smaller_pieces_of_the_base_alone(judged, small, claim, outcome):
    rows = {name: {"options": {"micro_batch": small.get(name, 128)}} for name in ("r1", "r2", "r4", "r8")}
    patch = {"tables": {"nodes": {"rows": rows}}, "claims": {"speedup": claim}}
    result = judged("strong-scaling", "W1108", "speedup", patch)
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_a_batch_may_grow_in_weak_scaling(judged):
    patch = base({"global_batch": 1024}, claim={"label": "weak"}, table={"label": "weak"})
    assert judged("strong-scaling", "W1108", "speedup", patch).outcome is Outcome.PASS


def test_another_device_under_the_base(judged):
    patch = base() | {"systems": {"x1": {"device": "V100"}}}
    result = judged("strong-scaling", "W1108", "speedup", patch)
    assert "device A100 against V100" in result.branch.message


def test_the_named_difference_may_differ(judged):
    patch = base(FP32, claim={"treatment": ["precision", "devices"], "attribution": "precision"})
    assert judged("strong-scaling", "W1108", "speedup", patch).outcome is Outcome.PASS


@pytest.mark.parametrize("where", ["definition", "label"])
def test_a_base_called_the_best_serial_one(judged, where):
    patch = base(FP32)
    if where == "definition":
        patch["claims"]["speedup"] = {"base": {"definition": "the best serial run in full precision"}}
    else:
        patch["tables"]["nodes"]["rows"]["r1"]["label"] = "fastest single-device run"
    assert judged("strong-scaling", "W1108", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_options_on_one_side_only(judged):
    assert judged("strong-scaling", "W1108", "speedup", base({"attention": "exact"})).outcome is Outcome.NOT_SHOWN


def test_several_differences_and_nothing_said(judged):
    """Two rows on one machine that differ in two options: which one the ratio is about is open."""
    patch = base(
        FP32 | {"optimizer": "SGD"},
        claim={"treatment": None, "attribution": None, "points": None, "base": {"devices": None}},
        table={"varies": None, "label": None},
    )
    patch["tables"]["nodes"]["rows"]["r1"] |= {"devices": 64, "nodes": 8, "arm": None}
    patch["tables"]["nodes"]["rows"]["r1"]["options"] |= {"optimizer": "SGD", **FP32}
    patch["claims"]["speedup"]["label"] = None
    assert judged("strong-scaling", "W1108", "speedup", patch).outcome is Outcome.NOT_SHOWN


UNNAMED = {"row": {"base_row": None}, "base": None}


def test_without_a_named_base_the_rows_that_give_the_ratio_count(judged):
    patch = base(claim=UNNAMED, table={"base_row": None})
    assert judged("strong-scaling", "W1108", "speedup", patch).outcome is Outcome.PASS


def unmatched(**more):
    """The only row that gives 6.62 is in another precision; the matched base of 8 devices gives less."""
    slow = {"devices": 8, "nodes": 1, "arm": "slow", "values": {"rate": "19590"}}
    rows = {"r1": {"values": {"rate": "30000"}}, "slow": slow}
    arm = copy.deepcopy(bases("strong-scaling")["arms"]["n1"])
    arm["options"]["precision"]["compute"] = "fp32"
    return {
        "tables": {"nodes": {"rows": rows, "base_row": None}},
        "claims": {"speedup": {**UNNAMED, **more}},
        "arms": {"slow": {**arm, "trials": {}}},
    }


def test_only_an_unmatched_base_gives_the_ratio(judged):
    result = judged("strong-scaling", "W1108", "speedup", unmatched())
    assert (result.outcome, result.branch.branch) == (Outcome.VIOLATION, "a")
    assert "fp32" in result.branch.message
    assert "row `r1` does not" in result.branch.message


def test_a_stated_base_value_is_not_searched_for(judged):
    patch = unmatched(base={"value": "19590", "unit": "images/s", "arm": None, "metric": None})
    assert judged("strong-scaling", "W1108", "speedup", patch).outcome is not Outcome.VIOLATION


def test_a_comparison_of_systems_is_left_to_others(judged):
    patch = {"claims": {"speedup": {"row": {"table": "systems", "row": "ours", "base_row": "theirs"}}}}
    assert judged("comparison", "W1108", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_a_claim_without_a_row_has_no_base(judged):
    patch = {"claims": {"speedup": {"row": {"row": None, "base_row": None}}}}
    assert judged("strong-scaling", "W1108", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_a_ratio_that_no_row_gives(judged):
    patch = base(claim={**UNNAMED, "value": "19.3"}, table={"base_row": None})
    assert judged("strong-scaling", "W1108", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(("value", "outcome"), [("19600", Outcome.PASS), ("12000", Outcome.NOT_SHOWN)])
def test_the_value_of_the_base_and_its_row(judged, value, outcome):
    patch = base(claim={"base": {"value": value, "unit": "images/s", "arm": None, "metric": None}})
    result = judged("strong-scaling", "W1108", "speedup", patch)
    assert result.outcome is outcome
    if outcome is Outcome.NOT_SHOWN:
        assert "12000, which is not the number of row `r1`" in result.branch.message


@pytest.mark.parametrize(
    ("unit", "value", "column", "outcome"),
    [
        ("images/s", "19600", "thousand images/s", Outcome.NOT_SHOWN),  # 19590 thousand in the row
        ("images/s", "19590000", "thousand images/s", Outcome.PASS),
        ("million images/s", "0.01959", "images/s", Outcome.PASS),
        ("million images/s", "0.01200", "images/s", Outcome.NOT_SHOWN),
    ],
)
def test_a_base_in_thousands(judged, unit, value, column, outcome):
    patch = base(claim={"base": {"value": value, "unit": unit, "arm": None, "metric": None}})
    columns = {key: {"unit": column} for key, item in bases("strong-scaling")["tables"]["nodes"]["columns"].items()
               if item["quantity"] == "rate"}  # fmt: skip
    patch.setdefault("tables", {}).setdefault("nodes", {})["columns"] = columns
    assert judged("strong-scaling", "W1108", "speedup", patch).outcome is outcome


def test_a_base_whose_options_are_not_stated(judged):
    bare = {"options": None, "arm": None}
    patch = {"tables": {"nodes": {"rows": {"r1": bare, "r8": bare}}}}
    assert judged("strong-scaling", "W1108", "speedup", patch).outcome is Outcome.NOT_SHOWN
