"""Q21, system-field-without-meaning."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.descriptions import ARM, arm
from support.patches import both
from support.suite_results import fields, result

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


def test_a_system_without_accelerators_has_no_fields_of_them(inference):
    bare = {"accelerators_per_node": "0", "accelerator_model_name": "-", "accelerator_memory_capacity": "-"}
    assert inference("Q21", {"arms": {"offline": {"description": {"fields": bare}}}})[0] is NOT_SHOWN
    bare["accelerators_per_node"] = "8"
    assert inference("Q21", {"arms": {"offline": {"description": {"fields": bare}}}})[0] is VIOLATION


def test_a_placeholder_has_no_meaning(inference):
    fields = {"host_processor_model_name": "TBD"}
    assert inference("Q21", {"arms": {"offline": {"description": {"fields": fields}}}})[0] is VIOLATION


def test_weights_that_are_not_named(inference):
    filled = {
        "host_memory_configuration": "32 x 64 GB",
        "host_networking": "InfiniBand",
        "host_network_card_count": "8",
        "host_networking_topology": "fat tree",
        "accelerator_host_interconnect": "PCIe Gen5",
        "accelerator_memory_configuration": "HBM3",
        "accelerator_interconnect": "NVLink 4",
    }
    assert inference("Q21", fields(**filled, starting_weights_filename="resnet50_v1.onnx"))[0] is PASS
    assert inference("Q21", fields(**filled, starting_weights_filename=" "))[0] is NOT_SHOWN


def test_early_rounds_let_fields_be_empty(inference):
    old = result("offline", round="v3.0")
    assert inference("Q21", both(old, fields(host_networking_topology="")))[0] is PASS
    assert inference("Q21", both(old, fields(host_networking_topology="-"))) == (VIOLATION, CAVEAT)
    assert inference("Q21", fields(host_networking_topology=""))[0] is NOT_SHOWN


def described(**fields):
    return arm(description={"fields": fields})


def test_training_is_not_asked_for_what_its_descriptions_do_not_have(judged):
    result = judged("suite-training", "Q21", ARM, described(system_type=None, host_network_card_count=None))
    assert "system_type" not in str(result.branch)
    assert "host_network_card_count" not in str(result.branch)
    inference = {"arms": {"offline": {"description": {"fields": {"system_type": None}}}}}
    assert "system_type" in str(judged("suite-inference", "Q21", "offline", inference).branch)


@pytest.mark.parametrize(
    ("fields", "empty"),
    [
        ({}, False),
        ({"other_software_stack.cuda_version": "", "other_software_stack.cuda_driver_version": ""}, True),
        ({"other_software_stack.cuda_version": None, "other_software_stack.cuda_driver_version": None}, True),
    ],
)
def test_an_object_stands_for_its_parts(judged, fields, empty):
    result = judged("suite-training", "Q21", ARM, described(**fields))
    assert ("other_software_stack" in str(result.branch)) is empty
