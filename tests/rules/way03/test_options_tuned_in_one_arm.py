"""W0305, options-tuned-in-one-arm."""

import pytest
from dlaudit.rules.outcome import C1, CAVEAT, UNDERMINES, Outcome
from support.quality import effort

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def variants(ours, theirs, **claim):
    return effort(ours, theirs, compares="own_variants", **claim)


@pytest.mark.parametrize(
    ("ours", "theirs", "claim", "outcome"),
    [
        ({"trials": 9, "tuned_options": ["compile"]}, {"trials": 0, "defaults_stated": True}, {}, VIOLATION),
        ({"trials": 9, "tuned_options": ["compile"]}, {"trials": 0}, {}, NOT_APPLICABLE),
        ({"trials": 9, "tuned_options": ["compile"]}, {"trials": 9, "defaults_stated": True}, {}, PASS),
        ({"trials": 0}, {"trials": 0, "defaults_stated": True}, {}, NOT_APPLICABLE),
        (
            {"trials": 9, "tuned_options": ["compile"]},
            {"trials": 0, "defaults_stated": True},
            {"treatment": ["compile"]},
            NOT_APPLICABLE,
        ),
    ],
)
def test_one_of_two_own_variants_was_tuned(judged, ours, theirs, claim, outcome):
    result = judged("comparison", "W0305", "speedup", variants(ours, theirs, **claim))
    assert result.outcome is outcome


SET = {"tuned_options": ["compile"]}


@pytest.mark.parametrize(
    ("ours", "theirs", "outcome"),
    [
        (SET, {"defaults_stated": True}, VIOLATION),
        (SET, {"defaults_stated": True, "trials": 0}, VIOLATION),
        (SET, {"defaults_stated": True, **SET}, PASS),
        (SET, {"trials": 12}, PASS),
        (SET, {"defaults_stated": False}, NOT_SHOWN),
        (SET, {}, NOT_SHOWN),
        (SET, None, NOT_SHOWN),
        ({"trials": 12}, {"defaults_stated": True}, VIOLATION),
        ({"trials": 12}, {"defaults_stated": True, "trials": 0}, NOT_APPLICABLE),
        ({"trials": 0}, {"defaults_stated": True}, NOT_APPLICABLE),
        ({}, SET, NOT_APPLICABLE),
    ],
)
def test_options_against_defaults(judged, ours, theirs, outcome):
    result = judged("comparison", "W0305", "speedup", effort(ours, theirs))
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert (result.branch.effect, result.branch.confidence) == (UNDERMINES, C1)


def test_options_against_defaults_and_said_so(judged):
    said = [{"topic": "tuning_effort", "quote": "OtherLM at its defaults"}]
    result = judged("comparison", "W0305", "speedup", effort(SET, {"defaults_stated": True}, said=said))
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_the_tuned_option_may_be_the_treatment(judged):
    patch = effort(SET, {"defaults_stated": True}, treatment=["compile"])
    assert judged("comparison", "W0305", "speedup", patch).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("own", "source", "outcome"),
    [
        ("233500", "rerun", NOT_APPLICABLE),
        ("255000", "rerun", NOT_APPLICABLE),
        ("260000", "rerun", VIOLATION),
        ("260000", "published", NOT_APPLICABLE),
        ("200000", "rerun", NOT_APPLICABLE),
        ("26000000", "rerun", NOT_SHOWN),
        ("0", "rerun", NOT_APPLICABLE),
        (None, "rerun", NOT_APPLICABLE),
    ],
)
def test_the_others_own_published_value(judged, own, source, outcome):
    patch = {"claims": {"speedup": {"comparator": {"own_value": own, "source": source}}}}
    result = judged("comparison", "W0305", "speedup", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert "publishes 260000 for itself; measured here it gets 233500" in result.branch.message


def test_a_shorter_own_time_is_the_better_one(judged):
    metric = {"quantity": "time", "unit": "s", "value": "120", "column": None, "work_per_iteration": None}
    arms = {"theirs": {"performance": {"rate": {**metric, "digits": None}}}}
    claim = {"quantity": "time", "base": {"value": "120", "unit": "s"}, "comparator": {"own_value": "100"}}
    patch = {"arms": arms, "claims": {"speedup": claim}}
    assert judged("comparison", "W0305", "speedup", patch).outcome is VIOLATION
    patch["claims"]["speedup"] = claim | {"comparator": {"own_value": "115"}}
    assert judged("comparison", "W0305", "speedup", patch).outcome is NOT_APPLICABLE


def test_unknown_options_are_not_shown(judged):
    patch = {"arms": {"theirs": {"options": None, "search": None}}}
    patch["claims"] = {"speedup": {"comparator": {"configuration": None}}}
    assert judged("comparison", "W0305", "speedup", patch).outcome is NOT_SHOWN
    assert judged("training-pair", "W0305", "speedup").outcome is NOT_APPLICABLE
