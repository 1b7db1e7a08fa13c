"""R02, hardware-missing: A number whose machine is not described well enough to find one like it."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.descriptions import ARM, server

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN
SUITE = {"suite": "training"}


def node(claim=None, software=None, **system):
    return {
        "systems": {"node": system},
        "claims": {"rate": claim or {}},
        "arms": {"a": {"software": software or {}}},
    }


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ({"device": None}, "device"),
        ({"device": "N/A"}, "device"),
        ({"device_variant": None, "name": "one A100"}, "variant"),
        ({"device_memory_gib": None, "name": "one A100-SXM4"}, "memory"),
        ({"devices_per_node": 8, "interconnect": None}, ""),
    ],
)
def test_items_of_the_device(judged, system, words):
    result = judged("rate", "R02", "rate", node(**system))
    assert result.outcome is (Outcome.NOT_SHOWN if words else Outcome.PASS)
    if words:
        assert result.branch.item == "hardware"
        assert words in result.branch.message


def test_several_devices_are_connected_by_something(judged):
    patch = {"arms": {"a": {"devices": 8}}}
    result = judged("rate", "R02", "rate", patch)
    assert "interconnect" in result.branch.message
    patch["systems"] = {"node": {"interconnect": {"not_applicable": "independent replicas"}}}
    assert judged("rate", "R02", "rate", patch).outcome is Outcome.PASS


@pytest.mark.parametrize("name", ["p4d.24xlarge", "a2-highgpu-8g", "Standard_ND96asr_v4", "TPU v4-32"])
def test_a_clouds_machine_type_gives_the_device(judged, name):
    patch = node(name=name, device_variant=None, device_memory_gib=None)
    assert judged("rate", "R02", "rate", patch).outcome is Outcome.PASS


def test_text_that_names_variant_and_memory(judged):
    patch = node(name="1x A100-SXM4-80GB", device_variant=None, device_memory_gib=None)
    assert judged("rate", "R02", "rate", patch).outcome is Outcome.PASS


def test_a_processor_needs_no_variant(judged):
    patch = node(device_kind="processor", device=None, device_variant=None, device_memory_gib=None, name="EPYC")
    patch["systems"]["node"]["devices_per_node"] = None
    assert judged("rate", "R02", "rate", patch).outcome is Outcome.PASS
    patch["systems"]["node"]["host_memory_gib"] = None
    assert "memory" in judged("rate", "R02", "rate", patch).branch.message


@pytest.mark.parametrize(
    "patch",
    [
        node(SUITE, nodes=None),
        node(SUITE, devices_per_node=None),
        node(SUITE, {"framework": None}),
        node(SUITE, host_processor=None, host_memory_gib=None, operating_system=None),
        node(SUITE, host_processor="N/A", host_memory_gib=None, operating_system="-"),
        node(SUITE, storage="N/A"),
    ],
)
def test_the_description_that_a_suite_asks_for(judged, patch):
    result = judged("rate", "R02", "rate", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "system description")


@pytest.mark.parametrize(
    "patch",
    [
        node(SUITE, host_processor=None, operating_system=None),
        node(SUITE, {"framework": {"not_applicable": "no framework: a kernel in CUDA"}}),
        node(SUITE, storage={"not_applicable": "synthetic inputs"}),
    ],
)
def test_two_missing_items_and_reasons_are_enough(judged, patch):
    assert judged("rate", "R02", "rate", patch).outcome is Outcome.PASS


def test_no_system_at_all(judged):
    result = judged("rate", "R02", "rate", {"arms": {"a": {"system": None}}})
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "hardware")


@pytest.mark.parametrize(
    ("device", "outcome"),
    [
        ("NVIDIA L4", Outcome.PASS),  # one device, one memory
        ("A100-SXM4-80GB", Outcome.PASS),
        ("A100", Outcome.NOT_SHOWN),
        ("Z9", Outcome.NOT_SHOWN),
    ],
)
def test_a_name_that_means_one_device_gives_its_form_and_memory(judged, device, outcome):
    bare = {"device_variant": None, "device_memory_gib": None, "design_power_w": None}
    patch = {"systems": {"node": {"name": "node-3", "device": device, **bare}}}
    assert judged("rate", "R02", "rate", patch).outcome is outcome


def test_what_feeds_a_run_that_waits_for_data(judged):
    waits = {"measurement": {"pipeline": {"kind": "real", "data_wait_share": 0.2}}}
    bare = {"systems": {"node": {"storage": None}}, "arms": {"a": waits}}
    result = judged("rate", "R02", "rate", bare)
    assert (result.outcome, result.branch.item, "storage" in result.branch.message) == (NOT_SHOWN, "", True)
    told = {"systems": {"node": {"storage": "local NVMe", "host_processor": "EPYC 7763"}}, "arms": {"a": waits}}
    assert judged("rate", "R02", "rate", told).outcome is PASS


def test_no_variant_is_asked_of_a_device_without_a_name(judged):
    nameless = server(device=None, device_variant=None, name="a server")
    message = judged("suite-training", "R02", ARM, nameless).branch.message
    assert "device" in message
    assert "variant" not in message
