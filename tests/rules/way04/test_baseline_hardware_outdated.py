"""W0401, baseline-hardware-outdated."""

from datetime import date

import pytest
from dlaudit.rules.outcome import C1, Effect, Outcome
from dlaudit.rules.way04.baseline_hardware_outdated import later
from support.patches import with_

V100 = {
    "claims": {"speedup": {"comparator": {"device": "V100"}, "statement": "1.34x faster than OtherLM on V100."}},
    "systems": {"theirs": {"device": "V100", "released": "2017-06-21", "superseded": "2020-05-14"}},
}


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
        {"publication": {"date": None}},
    ],
    ids=["theirs", "ours", "no newer device", "no day of the claim"],
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
