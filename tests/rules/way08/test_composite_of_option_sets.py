"""W0805, composite-of-option-sets: A total, a mean or a curve whose parts ran under different option sets."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome

WHOLE = {"row": {"row": None, "base_row": None}}


def curve(row=None, table=None, **claim):
    return {
        "claims": {"speedup": {**WHOLE, **claim}},
        "tables": {"nodes": {"rows": {"r8": {"options": row or {}}}, **(table or {})}},
    }


E4M3 = {"precision": {"compute": "e4m3"}}


def test_a_curve_of_two_formats(judged):
    result = judged("strong-scaling", "W0805", "speedup", curve(E4M3))
    assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)
    assert "precision.compute bf16 against e4m3" in result.branch.message


@pytest.mark.parametrize(
    "words",
    [
        {"statement": "The best of both formats scales 6.62x."},
        {"said": [{"topic": "composite", "quote": "the last point is in FP8"}]},
        {"statistic": "best_of"},
    ],
)
def test_called_a_best_of(judged, words):
    result = judged("strong-scaling", "W0805", "speedup", curve(E4M3, **words))
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


@pytest.mark.parametrize(
    "row",
    [
        {"global_batch": 16384},
        {"micro_batch": 64, "accumulation": 2},
        {"model": "ResNet-101"},
        {"learning_rate": 1.0},
        {"overlap": False},
    ],
)
def test_what_tells_the_parts_apart_may_differ(judged, row):
    assert judged("strong-scaling", "W0805", "speedup", curve(row)).outcome is Outcome.PASS


def test_a_set_that_was_measured_whole(judged):
    rows = {
        f"q{n}": {"devices": 8 * n, "nodes": n, "arm": f"n{n}", "values": {"rate": "1000"}, "parameters": 25557032,
                  "options": {**E4M3, "global_batch": 8192}}
        for n in (1, 2)
    }  # fmt: skip
    patch = {"claims": {"speedup": WHOLE}, "tables": {"nodes": {"rows": rows}}}
    assert judged("strong-scaling", "W0805", "speedup", patch).outcome is Outcome.PASS


def test_a_row_of_a_table_is_no_composite(judged):
    patch = curve(E4M3)
    del patch["claims"]
    assert judged("strong-scaling", "W0805", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(("aggregator", "word"), [("total", "total"), ("geometric", "mean")])
def test_an_aggregate_over_the_rows(judged, aggregator, word):
    rows = {"ours": {"options": {"quantisation": "int8", "dataset": "a"}}, "theirs": {"options": {"dataset": "b"}}}
    patch = {
        "claims": {"speedup": {"row": {"table": "systems"}}},
        "tables": {"systems": {"rows": rows, "aggregator": aggregator}},
    }
    result = judged("comparison", "W0805", "speedup", patch)
    assert result.branch.branch == "a"
    assert f"this {word} joins" in result.branch.message


def test_models_are_trained_by_recipes_of_their_own(judged):
    rows = {
        "ours": {"options": {"model": "U-Net", "dataset": "a", "optimizer": "Adam", "dropout": False}},
        "theirs": {"options": {"model": "BERT", "dataset": "b", "optimizer": "AdamW", "dropout": True}},
    }
    patch = {
        "claims": {"speedup": {"row": {"table": "systems"}}},
        "tables": {"systems": {"rows": rows, "aggregator": "geometric"}},
    }
    assert judged("comparison", "W0805", "speedup", patch).outcome is not Outcome.VIOLATION
    rows["theirs"]["options"] |= {"model": "U-Net", "dataset": "a", "input_length": 77}
    result = judged("comparison", "W0805", "speedup", patch)
    assert "optimizer Adam against AdamW" in result.branch.message


@pytest.mark.parametrize(
    ("caption", "levels", "expected"),
    [
        ("New: the fastest setting of 0.9.0 for each model.", ("O3", "O2"), "b"),
        ("Each model at its best.", ("O3", "O2"), "b"),
        ("New: the fastest setting of 0.9.0 for each model.", ("O3", "O3"), None),
        ("New: the default setting of 0.9.0.", ("O3", "O2"), None),  # it may belong to the model
        ("The fastest of 0.9.0, model by model.", (None, "O2"), None),
    ],
)
def test_the_best_setting_of_each_row(judged, caption, levels, expected):
    rows = {
        name: {"options": {"dataset": name, "extra": {"level": level} if level else {}}}
        for name, level in zip(("ours", "theirs"), levels, strict=True)
    }
    patch = {
        "claims": {"speedup": {"row": {"table": "systems"}}},
        "tables": {"systems": {"caption": caption, "rows": rows, "aggregator": "geometric"}},
    }
    result = judged("comparison", "W0805", "speedup", patch)
    assert getattr(result.branch, "branch", None) == expected


def test_a_row_that_is_the_mean_of_the_others(judged):
    rows = {
        "ours": {"options": {"quantisation": "int8", "dataset": "a"}},
        "theirs": {"options": {"dataset": "b"}},
        "mean": {"label": "Geomean", "values": {"rate": "270000"}},
    }
    patch = {
        "claims": {"speedup": {"row": {"table": "systems", "row": "mean"}}},
        "tables": {"systems": {"rows": rows, "aggregator": "geometric"}},
    }
    assert judged("comparison", "W0805", "speedup", patch).branch.branch == "a"


def lent(own=None):
    """A speed-up whose sentence prints the base's accuracy, where the arm that was timed has another precision."""
    score = {"top1": {"metric": "top-1 accuracy", "value": "81.33", "unit": "%", "split": "test"}}
    accuracy = {"statement": "The accuracy is 81.33 %.", "value": "81.33", "unit": "%", "quantity": "accuracy"}
    accuracy |= {
        "form": "absolute",
        "compares": "none",
        "group": "headline",
        "scope": "training_run",
        "mode": "training",
    }
    accuracy["quality"] = {"arm": "theirs", "quality": "top1"}
    speedup = {"group": "headline", "statement": "It is 1.42 times as fast, at an accuracy of 81.33 %."}
    ours = {"options": {"precision": {"compute": "e4m3"}, "global_batch": 4096}, "quality": own}
    return {
        "claims": {"speedup": speedup, "accuracy": accuracy},
        "arms": {"ours": {**ours, "trials": dict.fromkeys(arms_trials("ours"))}, "theirs": {"quality": score}},
    }


def arms_trials(name):
    return base("comparison")["arms"][name].get("trials", {})


def test_a_speedup_with_the_quality_of_its_base(judged):
    result = judged("comparison", "W0805", "speedup", lent())
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)
    own = {"top1": {"metric": "top-1 accuracy", "value": "81.33", "unit": "%", "split": "test"}}
    assert judged("comparison", "W0805", "speedup", lent(own)).outcome is not Outcome.VIOLATION


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("Our decoder at a glance: 133200 tokens/s,", "and a loss of 3.02.", Outcome.VIOLATION),
        ("Our decoder: 133200 tokens/s.", "The loss is 3.02.", Outcome.NOT_APPLICABLE),
        ("Our decoder: 133200 tokens/s of ours,", "and a loss of 3.02 of theirs.", Outcome.NOT_APPLICABLE),
    ],
)
def test_a_sentence_that_is_cut_into_two_claims(judged, first, second, outcome):
    both = {"group": "headline", "form": "absolute", "compares": "none", "base": None, "row": None, "comparator": None}
    both |= {"scope": "training_run", "mode": "training"}
    loss = {"statement": second, "value": "3.02", "unit": "nat", "quantity": "accuracy", **both}
    loss = {key: value for key, value in loss.items() if value is not None}
    loss["quality"] = {"arm": "theirs", "quality": "loss"}
    patch = {"claims": {"speedup": {"statement": first, **both}, "loss": loss}}
    patch["arms"] = {
        "ours": {"label": "ours", "options": {"precision": {"compute": "e4m3"}}},
        "theirs": {"label": "theirs"},
    }
    assert judged("comparison", "W0805", "speedup", patch).outcome is outcome


def test_parts_without_options(judged):
    rows = {name: {"arm": None} for name in ("ours", "theirs")}
    patch = {
        "claims": {"speedup": {"row": {"table": "systems"}}},
        "tables": {"systems": {"rows": rows, "aggregator": "arithmetic"}},
    }
    assert judged("comparison", "W0805", "speedup", patch).outcome is Outcome.NOT_SHOWN


def joined(value, **options):
    """A headline of two rates, of which the second was measured with other options."""
    other = {"quantity": "rate", "value": "1000", "unit": "images/s", "scope": "step", "statistic": "median"}
    arms = {"b": {"system": "node", "devices": 1, "options": {"model": "ResNet-50", **options}}}
    arms["b"]["performance"] = {"rate": other}
    second = {"value": "1000", "statement": "1000 images/s.", "group": "headline", "measured": {"arm": "b"}}
    second |= {"quantity": "rate", "unit": "images/s", "form": "absolute", "scope": "step", "mode": "training"}
    second |= {"compares": "none"}
    first = {"group": "headline", "statement": f"2500 images/s, {value} of them in the other test."}
    return {"arms": arms, "claims": {"rate": first, "second": second}}


@pytest.mark.parametrize(
    ("value", "precision", "effect"), [("1000", "fp32", CAVEAT), ("1000", "bf16", None), ("900", "fp32", None)]
)
def test_a_headline_that_joins_two_option_sets(judged, value, precision, effect):
    branch = judged("rate", "W0805", "rate", joined(value, precision={"compute": precision})).branch
    assert getattr(branch, "effect", None) is effect


@pytest.mark.parametrize(("devices", "effect"), [(8, CAVEAT), (None, None)])
def test_a_device_count_that_is_not_stated_makes_no_other_set(judged, devices, effect):
    patch = joined("1000", precision={"compute": "bf16"})
    patch["arms"]["b"] |= {"devices": devices, "system": None}
    branch = judged("rate", "W0805", "rate", patch).branch
    assert getattr(branch, "effect", None) is effect


@pytest.mark.parametrize(
    "words",
    [
        {"treatment": ["precision", "nodes"]},
        {"statement": "FP8 (e4m3) on 64 devices reaches 6.62 times the rate of BF16 on 8."},
    ],
    ids=["treatment", "sentence"],
)
def test_the_two_sides_of_a_comparison_are_no_curve(judged, words):
    patch = curve(E4M3, compares="own_variants", **words)
    assert judged("strong-scaling", "W0805", "speedup", patch).outcome is Outcome.NOT_APPLICABLE
