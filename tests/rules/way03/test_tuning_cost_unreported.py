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


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("With carefully tuned hyper-parameters one A100 trains ResNet-50 at 2500 images/s.", NOT_SHOWN),
        ("Our tuned network reaches 2500 images per second.", NOT_SHOWN),
        ("After an extensive hyperparameter search training runs at 2500 images/s.", NOT_SHOWN),
        ("The best learning-rate schedule trains 2500 images a second.", NOT_SHOWN),
        ("One A100 trains ResNet-50 at 2500 images/s.", NOT_APPLICABLE),
        ("The fine-tuned model trains at 2500 images/s.", NOT_APPLICABLE),
        ("With tuned kernels one A100 trains at 2500 images/s.", NOT_APPLICABLE),
        ("Instruction-tuned models train at 2500 images/s.", NOT_APPLICABLE),
    ],
)
def test_a_single_number_of_a_tuned_training(judged, statement, outcome):
    result = judged("rate", "W0301", "rate", {"claims": {"rate": {"statement": statement}}})
    assert result.outcome is outcome


def test_the_search_behind_an_arm_says_that_it_was_tuned(judged):
    asked = judged("rate", "W0301", "rate", {"arms": {"a": {"search": {"tuned_options": ["learning_rate"]}}}})
    assert (asked.outcome, asked.branch.item) == (NOT_SHOWN, "tuning effort")
    counted = {"search": {"tuned_options": ["learning_rate"], "trials": 12, "device_hours": 30}}
    assert judged("rate", "W0301", "rate", {"arms": {"a": counted}}).outcome is PASS
    assert judged("rate", "W0301", "rate", {"arms": {"a": {"search": {"trials": 0}}}}).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("quote", "outcome"),
    [
        ("With better hyperparameter searching we keep improving our results.", NOT_SHOWN),
        ("With a hyperparameter search over 24 configurations we improve our results.", PASS),
    ],
)
def test_a_search_in_words_counts_where_it_has_a_number(judged, quote, outcome):
    patch = search()
    patch["claims"] = {"time": {"said": [{"topic": "tuning_effort", "quote": quote}]}}
    assert judged("time-to-accuracy", "W0301", "time", patch).outcome is outcome
