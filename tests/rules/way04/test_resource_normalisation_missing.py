"""W0404, resource-normalisation-missing."""

import pytest
from dlaudit.rules.outcome import Effect, Outcome
from support.patches import arm, claim, with_
from support.ways import violations


def test_identical_hardware_needs_no_value_per_device(judged):
    result = judged("comparison", "W0404", "speedup")
    assert (result.outcome, result.notes) == (Outcome.PASS, ())


def test_different_counts_with_both_values_pass_with_the_value_per_device(judged):
    patch = {
        "claims": {"speedup": {"statement": "1.34x faster.", "base": {"devices": 16}, "comparator": {"devices": 16}}},
        "arms": {"theirs": {"devices": 16}},
    }
    result = judged("comparison", "W0404", "speedup", patch)
    assert result.outcome is Outcome.PASS
    assert result.notes == ("38987.5 against 14593.8 tokens/s per device",)


def test_a_time_becomes_device_seconds(judged):
    patch = {
        "claims": {"t": TIME | {"base": {"value": "30.0", "unit": "s", "devices": 4}}},
    }
    assert judged("rate", "W0404", "t", patch).notes == ("25 against 120 device-s",)


TIME = {
    "statement": "An epoch takes 25 s, 1.2x less than the 30.0 s of theirs on four.",
    "value": "25",
    "unit": "s",
    "quantity": "time",
    "form": "absolute",
    "scope": "epoch",
    "mode": "training",
    "compares": "other_system",
    "measured": {"arm": "a", "metric": "none"},
}


def test_the_ratio_per_device_follows_from_the_ratio(judged):
    patch = {
        "claims": {
            "speedup": {
                "base": {"arm": None, "metric": None, "value": None, "devices": 4},
                "comparator": {"performance": None, "own_value": None, "devices": 4, "device": "B200"},
            }
        }
    }
    result = judged("comparison", "W0404", "speedup", patch)
    assert result.outcome is Outcome.PASS
    assert result.notes == ("8 devices against 4: a gain of 1.34 is one of 0.67 per device",)


def test_words_about_systems_of_different_size_are_not_shown(judged):
    patch = {
        "claims": {
            "speedup": {
                "form": "words",
                "value": None,
                "statement": "FastLM is much faster.",
                "base": None,
                "comparator": {"performance": None, "device": "B200", "devices": 4},
            }
        }
    }
    assert judged("comparison", "W0404", "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_an_unknown_other_side_is_not_shown_and_names_the_item(judged):
    patch = {"claims": {"speedup": {"base": None, "comparator": None}}}
    result = judged("comparison", "W0404", "speedup", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "device counts per arm")


def test_qualities_are_not_divided(judged):
    patch = {"claims": {"speedup": {"quantity": "accuracy", "statement": "It scores 1.34 times as much."}}}
    assert judged("comparison", "W0404", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_own_variants_on_one_system_need_no_counts(judged):
    patch = {
        "arms": {"fused": {"devices": None}, "plain": {"devices": None}},
        "systems": {"node": {"nodes": None}},
    }
    assert judged("training-pair", "W0404", "speedup", patch).outcome is Outcome.PASS
    other = {"arms": {"fused": {"devices": None}}, "systems": {"node": {"nodes": None}}}
    assert judged("training-pair", "W0404", "speedup", other).outcome is Outcome.NOT_SHOWN


def test_a_rank_in_a_table_is_judged_against_every_other_row(judged):
    patch = {
        "claims": {"best": {"base": None, "comparator": None, "row": {"base_row": None}}},
        "tables": {"systems": {"rows": {"third": {"label": "ThirdLM 1.0", "values": {"rate": "200000"}}}}},
    }
    result = judged("comparison", "W0404", "best", patch)
    assert result.outcome is Outcome.NOT_SHOWN
    assert result.branch.at == "/tables/systems/rows/third"


LARGER = {
    "claims": {"speedup": {"statement": "FastLM trains the decoder 1.34x faster than OtherLM."}},
    "systems": {"ours": {"nodes": 2}},
    "arms": {"ours": {"devices": 16, "options": {"devices": 16}}},
}


def test_a_gain_that_more_devices_pay_for_is_a_caveat_where_nobody_says_so(judged):
    result = judged("comparison", "W0404", "speedup", LARGER)
    assert (result.branch.branch, result.branch.effect) == ("a", Effect.CAVEAT)


@pytest.mark.parametrize(
    "statement",
    [
        "On sixteen A100s FastLM trains 1.34x faster than OtherLM on eight.",
        "On 16 A100s FastLM trains 1.34x faster than OtherLM on 8.",
        "FastLM trains 1.34x faster than OtherLM, at 19490 against 29190 tokens/s per device.",
    ],
)
def test_counts_in_the_sentence_are_enough(judged, statement):
    patch = with_(LARGER, {"claims": {"speedup": {"statement": statement}}})
    assert judged("comparison", "W0404", "speedup", patch).outcome is Outcome.PASS


def test_more_devices_that_are_better_each_pass_with_a_note(judged):
    patch = with_(LARGER, {"arms": {"theirs": {"performance": {"rate": {"value": "100000"}}}}})
    result = judged("comparison", "W0404", "speedup", patch)
    assert (result.outcome, "per device" in result.notes[0]) == (Outcome.PASS, True)


def test_different_counts_with_both_values(judged):
    """Eight devices against sixteen, both counts and both rates stated: the column per device is printed."""
    sixteen = {"devices": 16, "options": {"devices": 16, "data_parallel": 16, "micro_batch": 16}}
    patch = claim("speedup", base={"devices": 16}, comparator={"devices": 16}) | arm("theirs", **sixteen)
    patch |= {"systems": {"theirs": {"nodes": 2}}}
    result = judged("comparison", "W0404", "speedup", patch)
    assert result.outcome is Outcome.PASS
    assert "38987.5 against 14593.8" in result.notes[0]
    assert violations(judged, "comparison", "speedup", patch) == []


UNCOUNTED = {
    "systems": {"ours": {"nodes": None}, "theirs": {"nodes": None}},
    "arms": {
        "ours": {"devices": None, "options": {"devices": None}},
        "theirs": {"devices": None, "options": {"devices": None}},
    },
}
NO_COUNTS = with_(
    claim("speedup", statement="FastLM is 1.34x better.", base={"devices": None}, comparator={"devices": None}),
    UNCOUNTED,
)


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({}, Outcome.NOT_SHOWN),
        ({"quantity": "cost"}, Outcome.NOT_APPLICABLE),
        ({"quantity": "energy"}, Outcome.NOT_APPLICABLE),
        ({"quantity": "time", "unit": "A100 GPU days"}, Outcome.NOT_APPLICABLE),
        ({"quantity": "time", "unit": "GPU-hours"}, Outcome.NOT_APPLICABLE),
        ({"quantity": "time", "unit": "hours"}, Outcome.NOT_SHOWN),
        ({"scope": "kernel"}, Outcome.NOT_APPLICABLE),
        ({"mode": "inference", "scope": "request", "work": "samples"}, Outcome.NOT_APPLICABLE),
        ({"mode": "inference", "scope": "request", "work": "tokens"}, Outcome.NOT_SHOWN),
        ({"mode": "inference", "scope": "serving_window", "work": "samples"}, Outcome.NOT_SHOWN),
    ],
)
def test_what_counts_its_devices_itself_or_needs_one_owes_no_count(judged, fields, outcome):
    assert judged("comparison", "W0404", "speedup", with_(NO_COUNTS, claim("speedup", **fields))).outcome is outcome


def test_equal_counts_of_one_model_need_no_power_envelope(judged):
    unknown = {"power_limit_w": None, "design_power_w": None}
    patch = {"systems": {"ours": unknown, "theirs": unknown}}
    limits = {"arms": {"ours": {"environment": None}, "theirs": {"environment": None}}}
    result = judged("comparison", "W0404", "speedup", with_(patch, limits))
    assert (result.outcome, result.notes) == (Outcome.PASS, ())
