"""Q14, accuracy-below-threshold: A closed result whose recorded accuracy is beyond what its round asks for."""

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.patches import both
from support.suite_results import record, result, run

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


def scored(**metrics):
    return run(name="accuracy", record={"metrics": {"accuracy": None} | metrics})


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        ("75.695", PASS),
        ("75.69", PASS),
        ("75.694", VIOLATION),
        ("0.75695", PASS),
        ("0.7512", VIOLATION),
        ("n/a", NOT_SHOWN),
    ],
)
def test_accuracy_at_five_figures_in_its_own_unit(inference, value, outcome):
    metrics = {"accuracy": value} if value != "n/a" else {"top5": "92.1"}
    assert inference("Q14", scored(**metrics))[0] is outcome


@pytest.mark.parametrize(("value", "outcome"), [("0.86084", PASS), ("0.8607", VIOLATION)])
def test_rounds_without_figures_of_their_own_have_those_of_the_suite(inference, value, outcome):
    volumes = result("offline", benchmark="3d-unet-99.9", round="v3.0")
    assert inference("Q14", both(volumes, scored(mean=value)))[0] is outcome


def test_a_metric_with_a_band(inference):
    images = result("offline", benchmark="stable-diffusion-xl", round="v5.1")
    fine = {"CLIP_SCORE": "31.801", "FID_SCORE": "23.4245758841476"}
    assert inference("Q14", both(images, scored(**fine))) == (PASS, None)
    assert inference("Q14", both(images, scored(**fine | {"FID_SCORE": "23.96"}))) == (VIOLATION, REFUTES)
    assert inference("Q14", both(images, scored(**fine | {"FID_SCORE": "22.9"}))) == (VIOLATION, REFUTES)
    assert inference("Q14", both(images, scored(CLIP_SCORE="31.8"))) == (NOT_SHOWN, None)


def test_a_metric_without_a_number_is_looked_for_in_its_record(judged):
    found = judged("suite-inference", "Q14", "offline", record(metrics={"accuracy": None, "loss": "1.2"}))
    assert found.outcome is NOT_SHOWN
    assert found.branch.at == "/arms/offline/runs/accuracy/record"
