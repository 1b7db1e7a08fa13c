"""W0401 and W0404: the hardware of a comparison."""

from datetime import date

import pytest
from dlaudit.rules.outcome import C1, Effect, Outcome
from dlaudit.rules.way04.baseline_hardware_outdated import later

V100 = {
    "claims": {"speedup": {"comparator": {"device": "V100"}, "statement": "1.34x faster than OtherLM on V100."}},
    "systems": {"theirs": {"device": "V100", "released": "2017-06-21", "superseded": "2020-05-14"}},
}


def with_(patch, more):
    merged = dict(patch)
    for key, value in more.items():
        merged[key] = with_(merged.get(key) or {}, value) if isinstance(value, dict) else value
    return merged


def test_one_generation_less_than_two_years_apart_is_a_caveat(judged):
    patch = with_(V100, {"systems": {"theirs": {"released": "2018-11-17"}}})
    result = judged("comparison", "W0401", "speedup", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", Effect.CAVEAT)


def test_an_outdated_baseline_undermines_at_low_confidence(judged):
    result = judged("comparison", "W0401", "speedup", V100)
    assert (result.branch.effect, result.branch.confidence) == (Effect.UNDERMINES, C1)
    assert "V100" in result.branch.message
    assert "A100" in result.branch.message


@pytest.mark.parametrize(
    "more",
    [
        {"claims": {"speedup": {"comparator": {"generational": True}}}},
        {"claims": {"speedup": {"said": [{"topic": "device_generation", "quote": "against the generation before"}]}}},
        {"claims": {"speedup": {"comparator": {"device": "a-100"}}}},
        {"systems": {"theirs": {"released": "2019-11-17"}}},
        {"systems": {"theirs": {"superseded": "2025-12-01"}}},
        {"publication": {"date": "2020-10-01"}},
    ],
    ids=["generational", "said", "same device", "12 months less a day", "newer one too new", "claim too early"],
)
def test_what_makes_a_baseline_acceptable(judged, more):
    assert judged("comparison", "W0401", "speedup", with_(V100, more)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    "more",
    [
        {"systems": {"theirs": {"released": None}}},
        {"systems": {"ours": {"released": None}}},
        {"systems": {"theirs": {"superseded": None}}},
        {"systems": {"theirs": {"superseded": "2020-02-30"}}},
        {"publication": {"date": None}},
    ],
    ids=["theirs", "ours", "no newer device", "no such day", "no day of the claim"],
)
def test_a_day_that_decides_is_missing(judged, more):
    """Of devices that no table knows."""
    patch = with_(
        V100, {"claims": {"speedup": {"comparator": {"device": "Z9"}}}, "systems": {"ours": {"device": "Z10"}}}
    )
    assert judged("comparison", "W0401", "speedup", with_(patch, more)).outcome is Outcome.NOT_SHOWN


def aged(theirs, ours, date="2026-03-14"):
    """A comparison whose devices are named and whose days are not stated."""
    bare = {
        "released": None,
        "superseded": None,
        "device_variant": None,
        "device_memory_gib": None,
        "design_power_w": None,
    }
    return {
        "publication": {"date": date},
        "claims": {"speedup": {"comparator": {"device": None}, "statement": "1.34x faster than OtherLM."}},
        "systems": {"theirs": {"device": theirs, **bare}, "ours": {"device": ours, **bare}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (aged("V100", "A100"), Outcome.VIOLATION),
        (aged("Tesla V100-SXM2-16GB", "NVIDIA A100-SXM4-40GB"), Outcome.VIOLATION),
        (aged("V100-SXM2-32GB", "A100-SXM4-40GB", "2020-11-29"), Outcome.PASS),  # surely to be had from 31 May on
        (aged("V100-SXM2-32GB", "A100-SXM4-40GB", "2020-11-30"), Outcome.VIOLATION),
        (aged("A100", "H100"), Outcome.PASS),  # less than 24 months, from the last A100 to the first word of the H100
        (aged("A100-SXM4-40GB", "B200", "2026-03-14"), Outcome.VIOLATION),
        (aged("H100-SXM5", "B200", "2025-06-01"), Outcome.PASS),
        (aged("H20", "B200"), Outcome.NOT_SHOWN),  # nobody says when it surely could be had
        (aged("T4", "A100-SXM4-80GB"), Outcome.VIOLATION),
        (aged("A30", "B200"), Outcome.NOT_SHOWN),  # no next generation of the same line
        (aged("Z9", "A100"), Outcome.NOT_SHOWN),
        (aged("V100S killer", "A100"), Outcome.NOT_SHOWN),
    ],
)
def test_the_table_gives_the_days_that_are_not_stated(judged, patch, outcome):
    result = judged("comparison", "W0401", "speedup", patch)
    assert result.outcome is outcome, result


def test_the_comparators_own_days_count(judged):
    patch = {
        "claims": {
            "speedup": {
                "statement": "1.34x faster than OtherLM.",
                "base": {"arm": None, "metric": None},
                "comparator": {"device": "V100", "released": "2017-06-21", "superseded": "2020-05-14"},
            }
        }
    }
    assert judged("comparison", "W0401", "speedup", patch).outcome is Outcome.VIOLATION


def test_a_younger_baseline_is_not_outdated(judged):
    more = {"systems": {"theirs": {"released": "2022-10-01"}}}
    assert judged("comparison", "W0401", "speedup", with_(V100, more)).outcome is Outcome.PASS


def test_months_end_with_the_month():
    assert later(date(2024, 1, 31), 1) == date(2024, 2, 29)
    assert later(date(2023, 1, 31), 1) == date(2023, 2, 28)
    assert later(date(2023, 11, 30), 26) == date(2026, 1, 30)
    assert later(date(9999, 11, 30), 2) == date.max


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
    patch = {"claims": {"speedup": {"quantity": "accuracy"}}}
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


@pytest.mark.parametrize(
    ("ours", "theirs", "outcome"),
    [
        ("torch 2.7.1", "torch 2.0.1", Outcome.VIOLATION),
        ("PyTorch 2.2.1", "PyTorch 1.13.1", Outcome.VIOLATION),
        ("torch 2.4.0", "torch 2.3.1", Outcome.NOT_APPLICABLE),
        ("torch 2.6.0", "torch 2.4.1", Outcome.NOT_APPLICABLE),
        ("torch 2.7.1", "another 0.1", Outcome.NOT_APPLICABLE),
        ("torch 9.9", "torch 2.0.1", Outcome.NOT_APPLICABLE),
    ],
)
def test_versions_of_the_framework_tell_its_days(judged, ours, theirs, outcome):
    arms = {"ours": {"software": {"framework": ours, "released": None}}}
    arms["theirs"] = {"software": {"framework": theirs, "released": None}}
    patch = {"arms": arms, "claims": {"speedup": {"comparator": {"date": None}}}}
    assert judged("comparison", "W0403", "speedup", patch).outcome is outcome


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


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ({"options": {"activation_checkpointing": True}}, "twice"),
        ({"options": {"offload": "optimizer state to host memory"}}, "host memory"),
        ({"measurement": {"pipeline": {"data_wait_share": 0.45}}}, "waits 45 %"),
        ({"environment": {"co_tenants": "another job"}}, "shares its device"),
    ],
)
def test_a_burden_of_the_base_alone(judged, base, words):
    free = {
        "options": {"activation_checkpointing": False, "offload": "none"},
        "measurement": {"pipeline": {"kind": "real", "data_wait_share": 0.01}},
        "environment": {"co_tenants": "none"},
    }
    patch = {"arms": {"ours": free, "theirs": with_(free, base)}}
    result = judged("comparison", "W0405", "speedup", patch)
    assert (result.branch.branch, result.branch.effect, words in result.branch.message) == (
        "d",
        Effect.UNDERMINES,
        True,
    )
    both = {"arms": {"ours": with_(free, base), "theirs": with_(free, base)}}
    assert judged("comparison", "W0405", "speedup", both).outcome is not Outcome.VIOLATION
    studied = ["activation_checkpointing", "offload", "input pipeline", "co_tenants"]
    said = with_(patch, {"claims": {"speedup": {"treatment": studied}}})
    assert judged("comparison", "W0405", "speedup", said).outcome is not Outcome.VIOLATION
