"""Conditions of a measurement: what holds for many of their rules."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import answer
from support.conditions import both_arms

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
NONE = {"policy": "none", "low_mhz": None, "high_mhz": None}
ABSENT = {"not_applicable": "the work runs on the processor"}


def on_processor(container):
    unlocked = {"clocks": NONE, "host": None, "power_limit_w": None, "affinity": None, "numa": None, "co_tenants": None}
    pinning = {"affinity": {"verified": "not_requested", "found": "0-1"}, "governor": {"verified": "unverifiable"}}
    boots = {f"t{index}": {"boot_id": "76cb"} for index in range(1, 6)} | {
        f"s{i}": {"boot_id": "76cb"} for i in range(1, 6)
    }
    return {
        "software": {"driver": ABSENT, "runtime": ABSENT, "container": container},
        "environment": unlocked | {"controls": pinning},
        "trials": boots,
    }


@pytest.mark.parametrize("container", ["docker (image not known from inside)", {"not_applicable": "no container"}])
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("M11", NOT_APPLICABLE),
        ("M13", NOT_APPLICABLE),
        ("M15", NOT_APPLICABLE),
        ("M16", PASS),
        ("M17", PASS),
        ("M18", PASS),
    ],
)
def test_a_study_on_a_processor(judged, container, code, expected):
    node = {"device": "EPYC 7763", "device_kind": "processor", "device_variant": None, "power_limit_w": None}
    patch = both_arms(on_processor(container), on_processor(container), systems={"node": node})
    assert answer(judged("training-pair", code, "speedup", patch)) is expected


SENTENCE = {"measured": None, "base": None, "quality": None}


@pytest.mark.parametrize("code", ["M11", "M13", "M15", "M16", "M17", "M18", "M19"])
def test_a_sentence_without_an_arm_shows_nothing(judged, code):
    result = judged("training-pair", code, "speedup", {"claims": {"speedup": SENTENCE}})
    assert answer(result) is NOT_SHOWN
    assert result.branch.at == "/claims/speedup"


@pytest.mark.parametrize("code", ["M14", "M20", "M21", "M22", "M25", "M28", "M29", "E03", "F18"])
def test_a_sentence_without_an_arm_accuses_nobody(judged, code):
    result = judged("training-pair", code, "speedup", {"claims": {"speedup": SENTENCE}})
    assert answer(result) in {NOT_SHOWN, NOT_APPLICABLE}


@pytest.mark.parametrize("code", ["M18", "M19", "M20"])
def test_an_arm_beside_itself_differs_in_nothing(judged, code):
    same = {"base": {"arm": "fused"}, "purpose": "attribution"}
    assert answer(judged("training-pair", code, "speedup", {"claims": {"speedup": same}})) is PASS


ALONE = {"base": None, "quantity": "accuracy", "metric": "loss", "form": "absolute", "value": "3.22", "unit": None}


@pytest.mark.parametrize("code", ["M18", "M19", "W0303", "W0806"])
def test_a_comparison_without_a_base_is_asked_for_it_first(judged, code):
    alone = {"base": None} if code == "M19" else ALONE
    patch = {"claims": {"speedup": alone}, "arms": {"fused": {"search": {"trials": 4}}}}
    result = judged("training-pair", code, "speedup", patch)
    assert result.outcome is Outcome.NOT_SHOWN
    assert result.branch.message.startswith("the claim does not name its base (base: {arm: ...})")
    patch["claims"]["speedup"] = {**alone, "comparator": {"name": "another paper"}}
    assert "does not name its base" not in judged("training-pair", code, "speedup", patch).branch.message
