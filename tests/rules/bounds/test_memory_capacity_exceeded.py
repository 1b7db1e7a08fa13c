"""P06, memory-capacity-exceeded: Parameters that need more memory than the devices that hold them have."""

import pytest
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome
from support.answers import outcome_and_effect

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


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
    assert outcome_and_effect(result) == (outcome, strength), result


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (model(7.5e9, None), VIOLATION),  # 30 GB of weights, 60 GB of moments
        (model(7.5e9, None, optimizer="Adam"), VIOLATION),
        (model(7.5e9, None, optimizer="FusedAdam"), VIOLATION),
        (model(7.5e9, None, optimizer="SGD"), PASS),
        (model(7.5e9, None, optimizer="AdamW8bit"), PASS),
        (model(7.5e9, None, optimizer="8-bit AdamW"), PASS),
        (model(7.5e9, None, optimizer=None), PASS),
        (model(7.5e9, None, model="decoder 7.5B with LoRA adapters"), PASS),
        (model(7.5e9, None, sharding="ZeRO-1"), PASS),  # the moments may be shared
        (model(7.5e9, None, tensor_parallel=2), PASS),
        (model(7.5e9, None, offload="optimizer"), NOT_APPLICABLE),
        (model(7.5e9, 4), PASS),  # what a parameter takes is stated
    ],
)
def test_the_moments_of_the_optimizer_take_memory(judged, patch, outcome):
    patch["claims"] = {"flops": {"statement": "Training the decoder sustains 1.20 PFLOP/s in BF16."}}
    result = judged("training-flops", "P06", "flops", patch)
    assert outcome_and_effect(result) == (outcome, UNDERMINES if outcome is VIOLATION else None), result
