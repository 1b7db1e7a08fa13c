"""P03 to P06: what memories and links allow."""

from decimal import Decimal

import pytest
from dlaudit.rules.bounds._amdahl import strong_bound, weak_bound
from dlaudit.rules.bounds._roofline import ridge, roof
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome

PASS, NOT_APPLICABLE, NOT_SHOWN, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_APPLICABLE,
    Outcome.NOT_SHOWN,
    Outcome.VIOLATION,
)


def verdict(result):
    return result.outcome, getattr(result.branch, "effect", None)


def test_the_ridge_point_of_an_a100():
    """312 TFLOP/s and 2 TB/s: below 156 operations per byte memory is the limit."""
    peak, bandwidth = Decimal("312e12"), Decimal("2e12")
    assert ridge(peak, bandwidth) == 156
    assert roof(peak, bandwidth, Decimal(200)) == peak
    assert roof(peak, bandwidth, Decimal(1)) == bandwidth


def test_amdahl_on_four_workers():
    """A tenth serial on 4 workers: 3.08."""
    assert float(strong_bound(Decimal("0.1"), 1, 4)) == pytest.approx(3.0769, abs=1e-4)
    assert strong_bound(Decimal(0), 1, 4) == 4
    assert strong_bound(Decimal(1), 1, 4) == 1
    assert float(weak_bound(Decimal("0.1"), 1, 4)) == pytest.approx(3.7)
    assert strong_bound(Decimal("0.1"), 2, 8) == strong_bound(Decimal("0.1"), 1, 8) / strong_bound(Decimal("0.1"), 1, 2)


def kernel(moved, cached=None, system=None, **claim):
    operations = {"bytes_moved": moved, "cached": cached}
    return {"claims": {"gemm": claim}, "systems": {"node": system or {}}, "arms": {"n8192": {"operations": operations}}}


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (kernel(2.0e10, False), VIOLATION, REFUTES),  # 55 operations per byte
        (kernel(8.0e9, False), PASS, None),  # 137: 280 TFLOP/s
        (kernel(8.6e9, False), PASS, None),  # at 2039e9 bytes/s within 2 %
        (kernel(9.01e9, False), VIOLATION, REFUTES),
        (kernel(2.0e10), VIOLATION, REFUTES),  # no cache holds 20 GB
        (kernel(4.0e8), NOT_APPLICABLE, None),
        (kernel(2.0e10, True), NOT_APPLICABLE, None),
        (kernel(1.0e9, False), PASS, None),  # right of the ridge
        (kernel(2.0e10, False, {"memory_bytes_per_s": 8e12}), PASS, None),
        (kernel(2.0e10, False, {"device": "Z9"}), NOT_APPLICABLE, None),
        (kernel(2.0e10, False, {"device": "Z9", "memory_bytes_per_s": 2e12}), VIOLATION, REFUTES),
        (kernel(2.0e10, False, {"device": "WSE-3"}), NOT_APPLICABLE, None),
        (
            kernel(6.0e11, False, {"device": "H20", "device_memory_gib": None, "design_power_w": None}),
            VIOLATION,
            UNDERMINES,
        ),
        (kernel(2.0e10, False, unit="TFLOP/s/GPU"), VIOLATION, REFUTES),
        (kernel(2.0e10, False, qualifier="up_to"), PASS, None),
    ],
)
def test_roofline(judged, patch, outcome, strength):
    for system in (patch["systems"]["node"],):
        if "device" in system:
            system.update(device_variant=None, design_power_w=None, device_memory_gib=None)
    assert verdict(judged("kernel", "P03", "gemm", patch)) == (outcome, strength)


def serving(value="200", unit="tokens/s/user", load=None, options=None, system=None, **footprint):
    size = {"parameters": 8e9, "active_parameters": 8e9, "bytes_per_parameter": 2, **footprint}
    spoken = {"speculation": "none", "tokens_counted": "output", **(load or {})}
    claim = {"value": value, "unit": unit, "quantity": "rate", "statistic": "mean"}
    claim["measured"] = {"arm": "server", "metric": "rate"}
    return {
        "claims": {"latency": claim},
        "systems": {"node": system or {}},
        "arms": {
            "server": {
                "footprint": size,
                "options": {"quantisation": "none", "sparsity": "none", **(options or {})},
                "performance": {"rate": {"load": spoken}, "latency": {"load": {"speculation": spoken["speculation"]}}},
            }
        },
    }


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (serving("200"), VIOLATION, REFUTES),
        (serving("125"), PASS, None),
        (serving("140"), NOT_SHOWN, None),  # 2039e9 / 16e9 = 127, without the tables 142
        (serving("148", active_parameters=8.0301e9, bytes_per_parameter=2.124), VIOLATION, REFUTES),
        (
            serving(
                "284", options={"quantisation": "int8 weights"}, active_parameters=8.0301e9, bytes_per_parameter=1.1444
            ),
            NOT_SHOWN,
            None,
        ),  # all of them 222, int8 alone 254, without the tables 282
        (
            serving(
                "215", options={"quantisation": "int8 weights"}, active_parameters=8.0301e9, bytes_per_parameter=1.1444
            ),
            PASS,
            None,
        ),
        (serving("200", load={"speculation": None}), VIOLATION, UNDERMINES),
        (serving("200", load={"speculation": "3 draft tokens"}), NOT_APPLICABLE, None),
        (serving("200", options={"decoding": "greedy, Medusa heads"}), NOT_APPLICABLE, None),
        (serving("200", load={"tokens_counted": "total"}), NOT_APPLICABLE, None),
        (serving("200", load={"tokens_counted": None}), NOT_APPLICABLE, None),
        (serving("200", "tokens/s"), NOT_APPLICABLE, None),  # of all requests together
        (serving("200", "tokens/s", load={"concurrency": 1}), VIOLATION, REFUTES),
        (serving("156", options={"precision": {"weights": "bf16"}}), VIOLATION, REFUTES),  # exactly 2 bytes
        (serving("200", "requests/s"), NOT_APPLICABLE, None),
        (serving("200", active_parameters=2e9), PASS, None),  # chosen experts
        (serving("200", active_parameters=None), NOT_APPLICABLE, None),
        (serving("200", options={"quantisation": "AWQ"}), NOT_APPLICABLE, None),  # in how many bits?
        (serving("200", options={"quantisation": "int4 weights"}), PASS, None),
        (serving("200", options={"quantisation": "int4", "precision": {"weights": "int4"}}), PASS, None),
        (serving("200", options={"sparsity": "2:4"}), NOT_APPLICABLE, None),
        (serving("200", bytes_per_parameter=0.5), PASS, None),
        (serving("9000", parameters=4e8, active_parameters=4e8), NOT_APPLICABLE, None),  # fits into caches
        (serving("200", system={"memory_bytes_per_s": 4e12}), PASS, None),
        (serving("200", system={"device": "Z9"}), NOT_APPLICABLE, None),
    ],
)
def test_decoding(judged, patch, outcome, strength):
    if "device" in patch["systems"]["node"]:
        patch["systems"]["node"].update(device_variant=None, design_power_w=None, device_memory_gib=None)
    assert verdict(judged("serving", "P04", "latency", patch)) == (outcome, strength)


@pytest.mark.parametrize(("concurrency", "strength"), [(1, REFUTES), (16, UNDERMINES)])
def test_times_per_output_token(judged, concurrency, strength):
    patch = serving()
    patch["claims"] = {}
    times = {"unit": "ms", "per_output_token": "4.0"}
    load = {"speculation": "none", "concurrency": concurrency}
    patch["arms"]["server"]["performance"] = {
        "latency": {"token_times": times, "load": load},
        "rate": {"load": {"speculation": "none"}},
    }
    assert verdict(judged("serving", "P04", "latency", patch)) == (VIOLATION, strength)
    times["per_output_token"] = "9.0"
    assert judged("serving", "P04", "latency", patch).outcome is PASS


def scaled(link=2.5e8, gradient=1.02e8, system=None, **options):
    fields = {"link_bytes_per_s": link, **(system or {})}
    arm = {"footprint": {"gradient_bytes": gradient}, "options": options}
    return {"systems": {"x8": fields}, "arms": {"n8": arm}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (scaled(), VIOLATION),
        (scaled(2.5e10), PASS),
        (scaled(link=None), NOT_APPLICABLE),  # the table knows the links inside of one node only
        (scaled(1e9), NOT_SHOWN),  # eight devices of a node may share what leaves it
        (scaled(1e9, extra={"exchange": "hierarchical"}), PASS),
        (scaled(1e9, system={"devices_per_node": 1, "nodes": 64}), VIOLATION),
        (scaled(system={"devices_per_node": None}), NOT_APPLICABLE),
        (scaled(gradient=None), NOT_APPLICABLE),
        (scaled(1e8, sharding="ZeRO-3"), VIOLATION),  # added up and scattered once
        (scaled(1e9, sharding="ZeRO-1"), NOT_SHOWN),
        (scaled(2.5e9, sharding="ZeRO-1"), PASS),
        (scaled(sharding="none"), VIOLATION),
        (scaled(compression="top-k 1 %"), NOT_APPLICABLE),
        (scaled(staleness=2), NOT_APPLICABLE),
        (scaled(optimizer="local SGD"), NOT_APPLICABLE),
        (scaled(data_parallel=1), NOT_APPLICABLE),
        (scaled(global_batch=None), NOT_APPLICABLE),
    ],
)
def test_collectives(judged, patch, outcome):
    result = judged("strong-scaling", "P05", "speedup", patch)
    assert verdict(result) == (outcome, UNDERMINES if outcome is VIOLATION else None), result


@pytest.mark.parametrize("statistic", [{"points": 1}, {"form": "absolute"}])
def test_one_point_has_its_links_too(judged, statistic):
    patch = scaled()
    patch["claims"] = {"speedup": statistic}
    assert judged("strong-scaling", "P05", "speedup", patch).outcome is VIOLATION


def test_a_network_that_adds_up_needs_the_bytes_once(judged):
    """Between one and two times the bytes over the bandwidth only the ring is too slow."""
    result = judged("strong-scaling", "P05", "speedup", scaled())
    least = float(result.branch.recomputed.split()[0])
    longest = float(result.branch.claimed.split()[0])
    link = 2.5e8 * least / longest / 1.5
    assert judged("strong-scaling", "P05", "speedup", scaled(link)).outcome is VIOLATION
    for wires in ("InfiniBand with SHARP", None):
        patch = scaled(link, system={"interconnect": wires})
        assert judged("strong-scaling", "P05", "speedup", patch).outcome is not VIOLATION


def model(parameters=7e9, each=16, system=None, activations=None, **options):
    size = {"parameters": parameters, "bytes_per_parameter": each, "activation_bytes": activations}
    chosen = {"sharding": "none", "offload": "none", "expert_parallel": 1, **options}
    return {"systems": {"node": system or {}}, "arms": {"a": {"footprint": size, "options": chosen}}}


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (model(), VIOLATION, REFUTES),  # 112 GB in 80 GiB
        (model(1.3e9), PASS, None),
        (model(1.3e9, activations=9e10), VIOLATION, REFUTES),
        (model(tensor_parallel=2), PASS, None),
        (model(tensor_parallel=None), PASS, None),  # any of the eight devices may share it
        (model(7e10, tensor_parallel=None), VIOLATION, REFUTES),
        (model(sharding="ZeRO-3"), PASS, None),
        (model(7e10, sharding="ZeRO-3"), VIOLATION, REFUTES),
        (model(sharding=None), NOT_APPLICABLE, None),
        (model(offload=None), NOT_APPLICABLE, None),
        (model(offload="optimizer state to the host"), NOT_APPLICABLE, None),
        (model(7e9, None), PASS, None),  # FP32 weights alone: 28 GB
        (model(3e10, None), VIOLATION, REFUTES),
        (model(system={"device_memory_gib": 141, "device": "H200"}), PASS, None),
        (model(system={"device_memory_gib": None}), VIOLATION, REFUTES),  # SXM4: 80 GB at most
        (model(1e9, activations=3e10), PASS, None),  # 46 GB of 80
        (model(1e9, activations=3e10, system={"device_memory_gib": 40}), VIOLATION, REFUTES),  # sold with 40, too
        (model(1e9, activations=2e10, system={"device_memory_gib": 40}), PASS, None),
        (model(1e9, activations=3e10, system={"device_memory_gib": 44}), PASS, None),  # no size that is sold
        (model(system={"device_memory_gib": None, "device": "Z9"}), NOT_APPLICABLE, None),
        (model(system={"device_memory_gib": None, "device": "RTX 4090"}), VIOLATION, UNDERMINES),
    ],
)
def test_capacity(judged, patch, outcome, strength):
    if "device" in patch["systems"]["node"]:
        patch["systems"]["node"].update(device_variant=None, design_power_w=None)
    result = judged("training-flops", "P06", "flops", patch)
    assert verdict(result) == (outcome, strength), result
