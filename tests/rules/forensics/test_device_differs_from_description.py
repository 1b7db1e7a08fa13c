"""F44, device-differs-from-description: Logs of another device than the one that the system is described with."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import Outcome
from support.answers import found, in_words
from support.descriptions import ARM, arm
from support.training_logs import CLAIM, UNDERMINED, trained

PASS = Outcome.PASS


def labelled(**lines):
    return trained(runs={f"result_{i}": {"events": lines} for i in range(5)})


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("1xNVIDIA DGX A100", UNDERMINED),
        ("4xSR680Ax8H200-SXM-141GB", UNDERMINED),
        ("1xNVIDIA DGX H100", "pass"),
        ("2xGH200 nodes", "pass"),
        ("node-17", "not-applicable"),
        ("gaudi-0", "not-applicable"),
    ],
)
def test_labels_beside_the_description(judged, label, expected):
    assert found(judged("suite-training", "F44", CLAIM, labelled(**{"11": {"value": label}}))) == expected


def test_one_model_in_common_suffices_and_none_known_is_not_judged(judged):
    named = trained(description={"fields": {"system_name": "upgraded from A100 to H100"}})
    named["arms"][CLAIM] |= labelled(**{"11": {"value": "DGX A100"}})["arms"][CLAIM]
    assert found(judged("suite-training", "F44", CLAIM, named)) == "pass"
    unknown = trained(description={"fields": {"accelerator_model_name": "N/A"}})
    assert found(judged("suite-training", "F44", CLAIM, unknown)) == "not-applicable"


def test_a_name_of_another_machine_does_not_speak_for_the_description(judged):
    fields = {"accelerator_model_name": "NVIDIA A100-SXM-80GB", "system_name": "box_8xh100"}
    assert found(judged("suite-training", "F44", CLAIM, trained(description={"fields": fields}))) == UNDERMINED


def test_a_description_of_another_form_of_the_device_undermines(judged):
    def described_as(model):
        patch = trained(description={"fields": {"accelerator_model_name": model}})
        system = base("suite-training")["arms"][CLAIM]["system"]
        return patch | {"systems": {system: {"device_variant": "SXM"}}}

    assert found(judged("suite-training", "F44", CLAIM, described_as("NVIDIA H100-NVL-94GB"))) == UNDERMINED
    assert found(judged("suite-training", "F44", CLAIM, described_as("NVIDIA H100-SXM5-80GB"))) == "pass"


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("Lab/results/R8_8xA100-SXM-80GB/retinanet", ("b", "undermines")),
        ("Lab/results/R8_8xH100-SXM-80GB/retinanet", PASS),
        ("Lab/results/box/retinanet", PASS),
        ("A100-lab/R8/retinanet", PASS),
    ],
)
def test_the_folder_of_a_result_names_its_device(judged, folder, expected):
    assert in_words(judged("suite-training", "F44", ARM, arm(folder=folder))) == expected
