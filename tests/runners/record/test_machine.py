"""What the manifest says of a machine with accelerators, from facts as the driver would give them."""

import msgspec
import pytest
from dlaudit.runners.environment.collect import collect
from dlaudit.runners.environment.fact import Fact
from dlaudit.runners.record import machine
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import Spec


@pytest.fixture(scope="module")
def here():
    return collect(uses_torch=False)


def gpu(n, name="Imaginary A"):
    return {
        "name": name,
        "uuid": f"GPU-{n}{n}",
        "memory_bytes": 80 * 2**30,
        "power_limit_mw": 400_000,
        "default_power_limit_mw": 500_000,
        "partitioned": False,
        "processes": 0,
    }


def facts_with(here, devices, variables=None, sees_all=True):
    return msgspec.structs.replace(
        here,
        accelerators=Fact({"driver": "1.2", "devices": devices, "sees_all_processes": sees_all}),
        variables=variables or {},
    )


def spec_on(device):
    value = {"dlaudit": "spec/1", "title": "t", "workload": {"name": "w"}, "throughput": {"iterations": 1}}
    return to_model({**value, "device": device}, Spec)


@pytest.mark.parametrize(
    ("device", "variables", "found"),
    [
        ("cuda:1", {}, ["GPU-11"]),
        ("cuda:0", {"CUDA_VISIBLE_DEVICES": "1,0"}, ["GPU-11"]),
        ("cuda:0", {"CUDA_VISIBLE_DEVICES": "GPU-1"}, ["GPU-11"]),
        ("cuda:5", {}, []),
        ("cuda:0", {"CUDA_VISIBLE_DEVICES": "7"}, []),
        ("cpu", {}, []),
    ],
)
def test_which_device_it_was(here, device, variables, found):
    assert machine.device_ids(facts_with(here, [gpu(0), gpu(1)], variables), spec_on(device)) == found


def test_devices_of_two_kinds_are_told_apart_only_in_bus_order(here):
    mixed = [gpu(0), gpu(1, "Imaginary B")]
    assert machine.device_ids(facts_with(here, mixed), spec_on("cuda:0")) == []
    by_bus = facts_with(here, mixed, {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"})
    assert machine.device_ids(by_bus, spec_on("cuda:0")) == ["GPU-00"]
    unknown = machine.system(facts_with(here, mixed), spec_on("cuda:0"))
    assert unknown["device_kind"] == "accelerator"
    assert "device" not in unknown


def test_an_accelerator_and_its_conditions(here):
    facts, spec = facts_with(here, [gpu(0)]), spec_on("cuda:0")
    system = machine.system(facts, spec)
    assert (system["device"], system["device_memory_gib"], system["power_limit_w"]) == ("Imaginary A", 80, 400)
    assert machine.software(facts, spec)["driver"] == "1.2"
    environment = machine.environment(facts, spec, {})
    assert (environment["co_tenants"], environment["partitioning"]) == ("none", "none")
    assert environment["controls"]["gpu_processes"] == {"found": 0, "verified": "not_requested"}
    inside = machine.environment(facts_with(here, [gpu(0)], sees_all=False), spec, {})
    assert "co_tenants" not in inside, "a container does not see the others"
    assert inside["controls"]["gpu_processes"]["verified"] == "unverifiable"
    assert "invisible in this container" in inside["controls"]["gpu_processes"]["evidence"]
    shared = machine.environment(facts_with(here, [{**gpu(0), "processes": 2}], sees_all=False), spec, {})
    assert shared["co_tenants"] == "2 other processes before the first trial"


def test_a_processor_has_no_driver(here):
    spec = spec_on("cpu")
    assert machine.system(here, spec)["device_kind"] == "processor"
    assert "not_applicable" in machine.software(here, spec)["driver"]


def test_only_a_verified_affinity_is_stated(here):
    spec = spec_on("cpu")
    seen = {"affinity": {"requested": "0", "applied": "0", "found": "0", "verified": "verified"}}
    assert machine.environment(here, spec, seen)["affinity"] == "processors 0"
    seen["affinity"]["verified"] = "contradicted"
    assert "affinity" not in machine.environment(here, spec, seen)
