"""W0303, tuning-budget-asymmetric."""

import pytest
from dlaudit.rules.outcome import C1, CAVEAT, UNDERMINES, Outcome
from support.quality import effort

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
RECIPE = {"recipe": "the published recipe"}


@pytest.mark.parametrize(
    ("ours", "theirs", "outcome"),
    [
        ({"trials": 40}, {"trials": 0}, VIOLATION),
        ({"trials": 40}, {"trials": 0, "method": "none"}, VIOLATION),
        ({"trials": 0}, {"trials": 40}, PASS),
        ({"trials": 40}, {"trials": 20}, PASS),
        ({"trials": 40}, {"trials": 30}, PASS),
        ({"trials": 40}, {"trials": 0, **RECIPE}, PASS),
        ({"trials": 40}, RECIPE, PASS),
        (RECIPE, {"trials": 0}, PASS),
        ({"trials": 40}, {"trials": 0, **RECIPE, "defaults_changed": True}, VIOLATION),
        ({"trials": 40}, {}, NOT_SHOWN),
        ({"trials": 40}, {"device_hours": 12}, NOT_SHOWN),
        ({}, {"trials": 40}, NOT_SHOWN),
        ({}, {}, NOT_SHOWN),
        ({"trials": 40, "device_hours": 0}, {"trials": 0, "device_hours": 10}, PASS),
        ({"trials": 40}, None, NOT_SHOWN),
    ],
)
def test_unequal_budgets(judged, ours, theirs, outcome):
    result = judged("comparison", "W0303", "speedup", effort(ours, theirs))
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert (result.branch.effect, result.branch.confidence) == (UNDERMINES, C1)
        assert "40 tuning trials for the claim's side, 0 tuning trials" in result.branch.message


def test_less_than_half_the_tuning_is_a_caveat(judged):
    result = judged("comparison", "W0303", "speedup", effort({"trials": 40}, {"trials": 15}))
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_a_number_quoted_from_its_makers_was_tuned_by_them(judged):
    patch = effort({"trials": 40}, {"trials": 0}, comparator={"source": "published"})
    assert judged("comparison", "W0303", "speedup", patch).outcome is PASS


def test_what_was_tuned_may_be_the_point(judged):
    patch = effort({"trials": 40, "tuned_options": ["bucketing"]}, {"trials": 0}, treatment=["bucketing", "framework"])
    assert judged("comparison", "W0303", "speedup", patch).outcome is NOT_APPLICABLE
