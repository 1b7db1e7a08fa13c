"""P04, decode-bandwidth-exceeded: More tokens per second for one sequence than the bandwidth of the memory allows."""

import pytest
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome
from support.answers import outcome_and_effect

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


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
    assert outcome_and_effect(judged("serving", "P04", "latency", patch)) == (outcome, strength)


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
    assert outcome_and_effect(judged("serving", "P04", "latency", patch)) == (VIOLATION, strength)
    times["per_output_token"] = "9.0"
    assert judged("serving", "P04", "latency", patch).outcome is PASS
