"""W0301, tuning-cost-unreported: A training result without the runs that found its hyper-parameters."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def search(**block):
    gone = dict.fromkeys(("trials", "device_hours", "method", "space", "defaults_changed"))
    return {"arms": {"trained": {"search": gone | block}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (search(trials=24, device_hours=0.8), PASS),
        (search(device_hours=0.8), PASS),
        (search(trials=0, recipe="the published recipe"), PASS),
        (search(recipe="the published recipe"), PASS),
        (search(recipe="the published recipe", defaults_changed=True), NOT_SHOWN),
        (search(recipe="the published recipe", defaults_changed=True, trials=12, device_hours=1), PASS),
        (search(recipe="the published recipe", method="grid", tuned_options=["compile"]), NOT_SHOWN),
        (search(method="grid", space="peak rate"), NOT_SHOWN),
        (search(), NOT_SHOWN),
    ],
)
def test_tuning_effort(judged, patch, outcome):
    result = judged("time-to-accuracy", "W0301", "time", patch)
    assert result.outcome is outcome
    if outcome is NOT_SHOWN:
        assert result.branch.item == "tuning effort"


def test_trials_without_their_cost(judged):
    result = judged("time-to-accuracy", "W0301", "time", search(trials=24))
    assert (result.outcome, result.branch.item) == (NOT_SHOWN, "")
    assert "24 tuning trials" in result.branch.message


def test_tuning_in_words_is_printed(judged):
    patch = search() | {"disclosures": [{"topic": "tuning_effort", "quote": "Tuned by hand over a week."}]}
    result = judged("time-to-accuracy", "W0301", "time", patch)
    assert (result.outcome, "over a week" in result.notes[0]) == (PASS, True)


def test_both_sides_of_a_comparison_are_asked(judged):
    patch = {"arms": {"theirs": {"search": None}}}
    result = judged("comparison", "W0301", "speedup", patch)
    assert (result.outcome, result.branch.at) == (NOT_SHOWN, "/arms/theirs")
    assert judged("rate", "W0301", "rate").outcome is NOT_APPLICABLE
