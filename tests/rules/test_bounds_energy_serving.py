"""P01, P12, E01, E02, L01, L03, L04: what machines, meters and queues allow."""

import pytest
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)


def effect(result):
    return getattr(result.branch, "effect", None)


def flops(value, unit="TFLOP/s", devices=1, **operations):
    return {
        "claims": {"rate": {"quantity": "flops", "value": value, "digits": None, "unit": unit}},
        "arms": {"a": {"devices": devices, "operations": {"peak_flops": 3.12e14, "peak_kind": "dense", **operations}}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (flops("150"), PASS, None),
        (flops("312"), PASS, None),
        (flops("315"), VIOLATION, UNDERMINES),  # golden: a device at its boost clock
        (flops("337"), VIOLATION, REFUTES),  # 8 % above the highest clock of an A100
        (flops("350"), VIOLATION, REFUTES),
        (flops("350", "TFLOP/s/GPU", 8), VIOLATION, REFUTES),
        (flops("2400", devices=8), PASS, None),
        (flops("2.4", "PFLOPS", 8), PASS, None),
        (flops("2.9", "PFLOPS", 8), VIOLATION, REFUTES),
        (flops("350", "widgets"), NOT_APPLICABLE, None),
        (flops("350", peak_flops=None), VIOLATION, REFUTES),
        (flops("500", method="direct-equivalent operations of a Winograd kernel"), NOT_APPLICABLE, None),
        (flops("500", method="causal attention counted in full"), NOT_APPLICABLE, None),
        (flops("500", emulation={"scheme": "Ozaki"}), NOT_APPLICABLE, None),
    ],
)
def test_peaks(judged, patch, outcome, strength):
    result = judged("rate", "P01", "rate", patch)
    assert (result.outcome, effect(result)) == (outcome, strength)


def test_a_system_may_have_more_devices_than_were_used(judged):
    patch = flops("350", devices=None)
    patch["systems"] = {"node": {"devices_per_node": 8}}
    assert judged("rate", "P01", "rate", patch).outcome is NOT_APPLICABLE
    patch["claims"]["rate"]["value"] = "3500"
    assert judged("rate", "P01", "rate", patch).outcome is VIOLATION


def test_operations_of_a_sequence_beside_a_rate_of_tokens(judged):
    """7e14 per sequence of 1024 tokens, not per token: no accusation."""
    operations = {"flop_per_sample": 7e11, "peak_flops": 3.12e14}
    patch = {"arms": {"fused": {"operations": operations}}}
    assert judged("training-pair", "P01", "rate", patch).outcome is NOT_APPLICABLE
    patch["arms"]["fused"]["operations"] = {"flop_per_sample": 7e9, "peak_flops": 3.12e14}
    assert judged("training-pair", "P01", "rate", patch).outcome is PASS
    patch["arms"]["fused"]["operations"] = {"flop_per_sample": 7e14, "peak_flops": 3.12e14}
    assert judged("training-pair", "P01", "rate", patch).outcome is VIOLATION
    patch["arms"]["fused"]["options"] = {"input_length": None}  # how long a sequence is, nobody says
    assert judged("training-pair", "P01", "rate", patch).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("compute", "outcome"), [(None, NOT_APPLICABLE), ("int4", NOT_APPLICABLE), ("int8", VIOLATION)]
)
def test_integers_may_be_of_four_bits(judged, compute, outcome):
    patch = on("A100", "1200", compute, "none", "inference")
    patch["claims"]["rate"] |= {"unit": "TOPS", "statement": "It runs at 1200 TOPS."}
    assert judged("rate", "P01", "rate", patch).outcome is outcome


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("2:4 sparse", NOT_APPLICABLE),
        ("with structured sparsity", NOT_APPLICABLE),
        ("without sparsity", VIOLATION),
        ("non-sparse", VIOLATION),
        ("with sparse attention", VIOLATION),
    ],
)
def test_words_beside_the_number_say_that_sparse_products_are_counted(judged, words, outcome):
    patch = on("A100-SXM4-80GB", "480", sparsity=None)
    patch["claims"]["rate"]["statement"] = f"FP16 {words}: 480 TFLOP/s."
    assert judged("rate", "P01", "rate", patch).outcome is outcome


def test_a_rate_above_the_published_peak_is_held_against_that(judged):
    found = judged("rate", "P01", "rate", on("H100 SXM5", "1000"))
    assert "published peak" in found.branch.message
    assert "bound" not in found.branch.message


@pytest.mark.parametrize("value", ["800", "1500"])
def test_fp8_is_held_against_its_own_column(judged, value):
    assert judged("rate", "P01", "rate", on("H100 SXM5", value, "fp8")).outcome is PASS


@pytest.mark.parametrize("said", [{"compute": "bf16"}, {"device_variant": "PCIe"}])
def test_what_is_not_stated_of_format_or_variant_is_no_pass(judged, said):
    """900 TFLOP/s are too many for an H100 PCIe, 1,200 in bf16; neither for every H100 in every format."""
    patch = on("H100", "1200" if "compute" in said else "900", said.get("compute", "bf16"), "none", "training")
    patch["systems"]["node"]["device_variant"] = said.get("device_variant", "SXM5")
    assert judged("rate", "P01", "rate", patch).outcome is VIOLATION
    if "compute" in said:
        patch["arms"]["a"]["options"]["precision"] = None
    else:
        patch["systems"]["node"]["device_variant"] = None
    assert judged("rate", "P01", "rate", patch).outcome is NOT_APPLICABLE


def amdahl(value, serial="0.10", devices=4, **claim):
    fraction = {"low": serial, "high": serial}
    more = {"value": value, "points": 2, "serial_fraction": fraction, "base": {"devices": 1}, **claim}
    return {"claims": {"speedup": more}, "arms": {"fused": {"devices": devices}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (amdahl("3.07"), PASS),  # s = .1, p = 4: 3.08
        (amdahl("3.13"), PASS),  # within rounding of s and 2 %
        (amdahl("3.30"), VIOLATION),
        (amdahl("3.30", serial="10"), VIOLATION),  # in percent
        (amdahl("3.30", label="weak"), PASS),
        (amdahl("4.50", label="weak"), VIOLATION),
        (amdahl("4", qualifier="up_to"), NOT_APPLICABLE),
        (amdahl("3.30", devices=1), NOT_APPLICABLE),
        (amdahl("3.30", base={"devices": 2}), VIOLATION),
    ],
)
def test_amdahl(judged, patch, outcome):
    result = judged("training-pair", "P12", "speedup", patch)
    assert (result.outcome, effect(result)) == (outcome, REFUTES if outcome is VIOLATION else None)


@pytest.mark.parametrize(
    ("arm", "claim", "outcome"),
    [
        ({}, {}, PASS),
        ({"boundary": "node"}, {}, VIOLATION),
        ({"boundary": None}, {}, NOT_SHOWN),
        ({"method": None}, {}, NOT_SHOWN),
        ({}, {"base": {"arm": None, "metric": None, "value": "6.58"}}, NOT_SHOWN),
    ],
)
def test_energy_boundaries(judged, arm, claim, outcome):
    result = judged("energy", "E01", "gain", {"arms": {"full": {"energy": arm}}, "claims": {"gain": claim}})
    assert result.outcome is outcome
    if outcome is NOT_SHOWN:
        assert result.branch.item == "energy boundary and method"


@pytest.mark.parametrize(
    ("energy", "outcome"),
    [
        ({}, PASS),
        ({"energy_j": 240000}, PASS),  # 5 % between counter and sensor
        ({"energy_j": 240000, "method": "sampled"}, VIOLATION),
        ({"energy_j": 240000, "method": None}, NOT_APPLICABLE),
        ({"energy_j": 280000}, VIOLATION),
        ({"energy_j": 170350}, PASS),  # above the stated idle power
        ({"energy_j": 170350, "idle_power_w": None}, VIOLATION),
        ({"energy_j": 228.4}, VIOLATION),
        ({"duration_s": None}, NOT_APPLICABLE),
        ({"energy_j": 0, "mean_power_w": 0}, NOT_APPLICABLE),
    ],
)
def test_power_times_time(judged, energy, outcome):
    result = judged("energy", "E02", "per-joule", {"arms": {"limited": {"energy": energy}}})
    assert (result.outcome, effect(result)) == (outcome, REFUTES if outcome is VIOLATION else None)


def test_a_unit_slip_of_energy_is_named(judged):
    result = judged("energy", "E02", "per-joule", {"arms": {"limited": {"energy": {"energy_j": 228.4}}}})
    assert "a factor 1000" in result.branch.message


@pytest.mark.parametrize(
    ("load", "claim", "missing"),
    [
        ({}, {}, ""),
        ({"prompt_length": None}, {}, "prompt lengths"),
        ({"output_length": None}, {}, "output lengths"),
        ({"batching": None}, {}, "batching"),
        ({"concurrency": None, "arrival": None}, {}, "concurrency"),
        ({"concurrency": None}, {}, ""),
        ({"batching": None}, {"site": "hosted"}, "where the client ran"),
        ({"batching": None, "client": "same region", "date": "2026-02-01"}, {"site": "hosted"}, ""),
    ],
)
def test_serving_workloads(judged, load, claim, missing):
    patch = {"claims": {"rate": claim}, "arms": {"server": {"performance": {"rate": {"load": load}}}}}
    result = judged("serving", "L01", "rate", patch)
    assert result.outcome is (NOT_SHOWN if missing else PASS)
    assert not missing or missing in result.branch.message


def means(**times):
    return {"arms": {"server": {"performance": {"latency": {"token_times": times}}}}}


@pytest.mark.parametrize(
    ("times", "outcome", "strength"),
    [
        ({}, PASS, None),
        ({"per_output_token": "0.0210"}, VIOLATION, UNDERMINES),
        ({"per_output_token": "0.0194", "definition": "all_tokens"}, PASS, None),  # golden: said so
        ({"per_output_token": "0.0194", "definition": None}, NOT_APPLICABLE, None),
        ({"per_output_token": "0.0300", "definition": None}, VIOLATION, UNDERMINES),
        ({"per_output_token": "0.0300", "constant_length": False}, NOT_APPLICABLE, None),
        ({"per_output_token": "0.0300", "constant_length": None}, NOT_APPLICABLE, None),
        ({"per_output_token": "0.0300", "statistic": "percentile"}, NOT_APPLICABLE, None),
        ({"per_output_token": "0.0300", "output_tokens": None}, NOT_APPLICABLE, None),
        ({"first_token": "180", "per_output_token": "18.2", "end_to_end": "2503", "unit": "ms"}, PASS, None),
    ],
)
def test_token_times_from_means(judged, times, outcome, strength):
    result = judged("serving", "L03", "latency", means(**times))
    assert (result.outcome, effect(result)) == (outcome, strength)


def test_the_definition_that_fits_is_printed(judged):
    result = judged("serving", "L03", "latency", means(per_output_token="0.0194", definition=None))
    assert any("all_tokens" in note for note in result.notes)


def per_request(tpot, n=40, bad=0, definition="after_first", **more):
    rows = [tpot] * (n - bad) + [tpot * 3] * bad
    columns = {"ttft_s": [0.18] * n, "tpot_s": rows, "latency_s": [2.74] * n, "output_tokens": [129] * n, **more}
    trials = {f"t{i}": None for i in range(2, 6)} | {"t1": {"samples": columns}}
    # Of requests of one length the printed means must add up, too: by all tokens, 128 x 0.0196 s are 2.51 s.
    times = {"definition": definition, **({"per_output_token": "0.0196"} if definition == "all_tokens" else {})}
    return {"arms": {"server": {"trials": trials, "performance": {"latency": {"token_times": times}}}}}


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (per_request(0.02), PASS, None),
        (per_request(0.02, bad=1), PASS, None),  # 2.5 % of the requests
        (per_request(0.02, bad=4), VIOLATION, REFUTES),
        (per_request(0.0205, definition="all_tokens"), VIOLATION, REFUTES),
        (per_request(0.02124, definition="all_tokens"), PASS, None),
        (per_request(0.02, definition=None), NOT_APPLICABLE, None),
        (per_request(0.04, definition=None), VIOLATION, UNDERMINES),
        (per_request(0.02, tpot_s=[]), NOT_APPLICABLE, None),
    ],
)
def test_token_times_per_request(judged, patch, outcome, strength):
    result = judged("serving", "L03", "latency", patch)
    assert (result.outcome, effect(result)) == (outcome, strength)


def test_several_tokens_at_once_lower_the_count_of_gaps(judged):
    patch = per_request(0.04, definition="mean_gap")
    metric = patch["arms"]["server"]["performance"]["latency"]
    metric["load"] = {"speculation": "two tokens ahead, 0.8 accepted"}
    assert judged("serving", "L03", "latency", patch).outcome is PASS
    metric["load"] = {"speculation": "none"}
    assert judged("serving", "L03", "latency", patch).outcome is VIOLATION


def queue(rate=None, latency=None):
    return {"arms": {"server": {"performance": {"rate": rate or {}, "latency": latency or {}}}}}


LOOSE = {"load": {"loop": None, "steady": None}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (queue(), PASS),
        (queue({"value": "6.60"}), PASS),  # 16.5 within 5 %
        (queue({"value": "7.20"}), VIOLATION),
        (queue({"value": "7.20", **LOOSE}, LOOSE), VIOLATION),
        (queue({"value": "432", "unit": "requests/min"}), VIOLATION),
        (queue({"value": "7.20"}, {"value": "2503", "unit": "ms", "summary": None}), VIOLATION),
        (queue({"value": "7.20", "load": {"loop": "open"}}), NOT_APPLICABLE),
        (queue({"value": "7.20", "load": {"steady": False}}), NOT_APPLICABLE),
        (queue({"value": "7.20"}, {"load": {"concurrency": 64}}), NOT_APPLICABLE),
        (queue({"value": "7.20"}, {"statistic": "percentile", "summary": None}), NOT_APPLICABLE),
        (queue({"value": "900", "unit": "tokens/s"}), NOT_APPLICABLE),
    ],
)
def test_requests_in_flight(judged, patch, outcome):
    result = judged("serving", "L04", "rate", patch)
    assert (result.outcome, effect(result)) == (outcome, REFUTES if outcome is VIOLATION else None)


def test_golden_mean_in_flight_of_five_clients(judged):
    load = {"load": {"concurrency": 5}}
    patch = queue({"value": "0.959", **load}, load)
    result = judged("serving", "L04", "rate", patch)
    assert (result.outcome, result.notes) == (
        PASS,
        ("request rate x mean end-to-end latency: 2.40038 requests in flight of 5",),
    )


def on(device, value, compute="bf16", sparsity="none", mode="training", memory=None, peak=None, **more):
    """A rate in FLOP/s of one named device, whose peak only the table knows."""
    bare = {"device_variant": None, "device_memory_gib": memory, "design_power_w": None, "power_limit_w": None}
    operations = {"peak_flops": peak, "fractions": None, "counters": None, **more}
    options = {"precision": {"compute": compute}, "sparsity": sparsity}
    claim = {"quantity": "flops", "value": value, "digits": None, "unit": "TFLOP/s", "mode": mode}
    return {
        "claims": {"rate": {**claim, "statement": f"It runs at {value} TFLOP/s."}},
        "systems": {"node": {"name": device, "device": device, **bare}},
        "arms": {"a": {"devices": 1, "options": options, "operations": operations}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome", "strength"),
    [
        (on("A100-SXM4-80GB", "300"), PASS, None),
        (on("A100-SXM4-80GB", "315"), VIOLATION, UNDERMINES),
        (on("A100-SXM4-80GB", "320"), VIOLATION, REFUTES),
        (on("H100", "1000"), VIOLATION, UNDERMINES),  # above the data sheet's 989, below 1980 MHz
        (on("H100", "1100"), VIOLATION, REFUTES),
        (on("H100 PCIe", "900"), VIOLATION, UNDERMINES),  # it may be an H100 NVL
        (on("NVIDIA H100 PCIe 80GB", "900"), VIOLATION, REFUTES),
        (on("RTX 5090", "254"), VIOLATION, UNDERMINES),  # was measured
        (on("RTX 4090", "180", "fp16"), PASS, None),  # accumulating in FP16
        (on("GB200", "4800"), PASS, None),  # a superchip of two
        (on("A100", "320", "fp32"), VIOLATION, REFUTES),
        (on("A100", "15", "fp32"), PASS, None),
        (on("A100", "150", "fp32"), NOT_APPLICABLE, None),  # TF32 without a word: another rule's
        (on("A100", "150", "fp32", fractions={"fp32": 1.0}), VIOLATION, REFUTES),
        (on("A100", "100", "fp64"), NOT_APPLICABLE, None),  # emulated without a word: another rule's
        (on("A100", "21", "fp64", fractions={"fp64": 1.0}), VIOLATION, REFUTES),
        (on("MI250X", "90", "fp32", fractions={"fp32": 1.0}), PASS, None),  # matrix units
        (on("A100", "600", mode="inference", sparsity=None), VIOLATION, UNDERMINES),
        (on("A100", "650", mode="inference", sparsity=None), VIOLATION, REFUTES),
        (on("A100", "600", mode="inference", sparsity="2:4"), NOT_APPLICABLE, None),
        (on("A100", "400", "e4m3"), NOT_APPLICABLE, None),  # no such units, no peak
        (on("A100", "600", None), NOT_APPLICABLE, None),  # 8-bit integers are not excluded
        (on("Z9", "600"), NOT_APPLICABLE, None),
        (on("Z9", "120", peak=1e14), VIOLATION, UNDERMINES),
        (on("Z9", "140", peak=1e14), VIOLATION, REFUTES),
        (on("H20", "160"), VIOLATION, UNDERMINES),  # published peak only
        (on("A100 80GB killer", "900"), NOT_APPLICABLE, None),
    ],
)
def test_the_table_knows_what_a_device_can_do(judged, patch, outcome, strength):
    result = judged("rate", "P01", "rate", patch)
    assert (result.outcome, effect(result)) == (outcome, strength), result
