"""F46, identity-differs-from-description."""

import pytest
from dlaudit.rules.forensics._suite_names import availability, other_availability, other_benchmark, same_organisation
from dlaudit.rules.outcome import Outcome
from support.answers import found
from support.descriptions import ARM, arm
from support.documents import document
from support.training_logs import CAVEAT, CLAIM, REFUTED, trained

VIOLATION = Outcome.VIOLATION


def labelled(**lines):
    return trained(runs={f"result_{i}": {"events": lines} for i in range(5)})


@pytest.mark.parametrize(
    ("line", "value", "expected"),
    [
        ("9", "open", REFUTED),
        ("9", "Closed", "pass"),
        ("7", "bert", REFUTED),
        ("7", "ssd", "pass"),
        ("7", "my_model", "pass"),
        ("8", "Other Company", CAVEAT),
        ("8", "example_lab", "pass"),
        ("8", "EL", "pass"),
        ("8", "SUBMISSION_ORG_PLACEHOLDER", "not-applicable"),
        ("10", "cloud", CAVEAT),
        ("10", "preview", CAVEAT),
    ],
)
def test_identities_in_logs(judged, line, value, expected):
    assert found(judged("suite-training", "F46", CLAIM, labelled(**{line: {"value": value}}))) == expected


def test_a_closed_run_may_stand_as_an_open_result(judged):
    patch = trained(description={"fields": {"division": "open"}})
    assert found(judged("suite-training", "F46", CLAIM, patch)) == ("c", "undermines")
    as_open = patch | {"claims": {CLAIM: {"division": "open", "suite_result": {"division": "open"}}}}
    assert found(judged("suite-training", "F46", CLAIM, as_open)) == CAVEAT


@pytest.mark.parametrize(
    ("folder", "fields", "expected"),
    [
        ("v5.0/closed/ExampleLab/results/a/resnet/Offline", {}, "not-applicable"),
        ("v5.0/closed/ExampleLab/results/a/resnet/Offline", {"division": "Closed"}, "not-applicable"),
        ("v5.0/closed/ExampleLab/results/a/resnet/Offline", {"division": "open"}, ("c", "undermines")),
        ("v5.0/open/ExampleLab/results/a/resnet/Offline", {"division": "closed"}, CAVEAT),
        ("v5.0/closed/Other/results/a/resnet/Offline", {}, CAVEAT),
        ("v5.0/closed/EL/results/a/resnet/Offline", {}, "not-applicable"),
        ("v5.0/closed/Other/results/a/resnet/Offline", {"submitter": "TBD"}, "not-applicable"),
        ("home/Other/results/a/resnet/Offline", {}, "not-applicable"),
        ("closed/results/a/resnet/Offline", {}, "not-applicable"),
        ("results/a/resnet/Offline", {"division": "open"}, "not-applicable"),
    ],
)
def test_folders_around_a_result_of_inference(judged, folder, fields, expected):
    patch = {"arms": {"offline": {"folder": folder, "description": {"fields": fields}}}}
    assert found(judged("suite-inference", "F46", "offline", patch)) == expected


def test_names_of_organisations_and_availability():
    assert same_organisation("Habana", "Intel-HabanaLabs")
    assert same_organisation("Fujitsu", "Fujitsu/RIKEN")
    assert same_organisation("QCT", "Quanta_Cloud_Technology")
    assert not same_organisation("NVIDIA", "Supermicro")
    kinds = [
        availability(words) for words in ("onprem", "Available on-premise", "available", "Available cloud", "RDI", "")
    ]
    assert kinds == ["onprem", "onprem", "available", "cloud", "research", None]
    assert not other_availability("onprem", "available")
    assert other_availability("preview", "available")
    assert other_benchmark("bert", "retinanet")
    assert not other_benchmark("gnn", "rgat")
    assert not other_benchmark("retinanet", "RetinaNet v2")


def test_a_placeholder_is_no_other_organisation(judged):
    patch = arm(description={"fields": {"submitter": "SUBMITTER_NAME_HERE"}})
    assert judged("suite-training", "F46", ARM, patch).outcome is not VIOLATION
    assert "SUBMITTER_NAME_HERE" in document("suite-training", "R12", patch).branch.message
    other = arm(description={"fields": {"submitter": "Other Company"}})
    assert judged("suite-training", "F46", ARM, other).outcome is VIOLATION


@pytest.mark.parametrize(
    ("folder", "framework", "expected"),
    [
        ("lab/results/box_ngc20.06_pytorch/retinanet", "MXNet NVIDIA Release 20.06", CAVEAT),
        ("lab/results/box_ngc20.06_pytorch/retinanet", "PyTorch NVIDIA Release 20.06", "pass"),
        ("lab/results/box_pytorch/retinanet", "NeMo 2.0", "pass"),
        ("lab/results/box_tensorflow_jax/retinanet", "PyTorch", "pass"),
        ("lab/results/box/retinanet", "MXNet", "pass"),
    ],
)
def test_a_framework_is_that_of_the_system_as_its_folder_names_it(judged, folder, framework, expected):
    patch = trained(folder=folder, description={"fields": {"framework": framework}})
    assert found(judged("suite-training", "F46", CLAIM, patch)) == expected
