"""F25, F26, F30, F31, F45, F53, F54 and B02: what a document declares against what was seen or is there."""

import pytest
from dlaudit.rules.outcome import C1, CAVEAT, REFUTES, UNDERMINES, Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)


def answer(result):
    if result.outcome is not VIOLATION:
        return result.outcome
    return result.branch.branch, result.branch.effect


NO_RUNS = {f"s{i}": None for i in range(1, 6)}


# F25 ------------------------------------------------------------------------------------------------------------------


def seen(observed, **arm):
    return {"arms": {"a": {"observed": observed, **arm}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (seen({"precision": {"compute": "bfloat16"}}), NOT_APPLICABLE),  # agrees, and the rest was not seen
        (seen({"precision": {"compute": "fp32"}}), ("a", REFUTES)),
        (seen({"precision": {"compute": "unverifiable"}}), NOT_APPLICABLE),
        (seen({"precision": {"compute": "bf16, fp32"}}), NOT_APPLICABLE),
        (seen({"global_batch": 128}), ("a", REFUTES)),
        (seen({"global_batch": 64}, options={"data_parallel": 4}), NOT_APPLICABLE),  # of one of four processes
        (seen({"optimizer": "adamw"}), ("a", REFUTES)),
        (seen({"optimizer": "SGD with Nesterov momentum"}), NOT_APPLICABLE),
        (seen({"model": "resnet-101"}), ("a", REFUTES)),
        (seen({"model": "resnet50_v1.5"}), NOT_APPLICABLE),
        (seen({"input_shape": [224, 224, 3]}), NOT_APPLICABLE),
        (seen({"input_shape": [3, 192, 192]}), ("a", REFUTES)),
        (seen({"dataset": "synthetic"}, options={"dataset": "ImageNet"}), ("a", REFUTES)),
        (seen({"dataset": "ILSVRC 2012"}, options={"dataset": "ImageNet"}), NOT_APPLICABLE),
        (seen({"accumulation": 4}), ("b", UNDERMINES)),
        (seen({"learning_rate": 0.05}, options={"learning_rate": 0.1}), NOT_APPLICABLE),  # under way to its peak
        (seen({"learning_rate": 0.4}, options={"learning_rate": 0.1}), ("b", UNDERMINES)),
        (seen({"compile": True}, options={"compile": False}), ("b", UNDERMINES)),
        (seen({"name": "y"}, options={"name": "x"}), ("c", CAVEAT)),
        (seen({"precision": {"tf32": False}}, options={"precision": {"tf32": True}}), NOT_APPLICABLE),
        (seen({"precision": {"tf32": True}}, options={"precision": {"tf32": False}}), ("a", REFUTES)),
        (seen({"precision": {"compute": "tf32"}}, options={"precision": {"compute": "fp32"}}), NOT_APPLICABLE),
        (seen({"extra": {"amp": False}}, options={"precision": {"compute": "fp16"}}), ("d", CAVEAT)),
        (seen({"extra": {"amp": True}}, options={"precision": {"compute": "fp16"}}), NOT_APPLICABLE),
        (seen({"extra": {"amp": False}}, options={"precision": {"compute": "fp16", "weights": "fp16"}}),
         NOT_APPLICABLE),
        (seen({"devices": 4}, devices=8), ("b", UNDERMINES)),
    ],
)  # fmt: skip
def test_what_was_declared_and_what_was_seen(judged, patch, expected):
    assert answer(judged("rate", "F25", "rate", patch)) == expected


def test_a_number_within_one_percent_is_a_caveat(judged):
    assert answer(judged("rate", "F25", "rate", seen({"global_batch": 255}))) == ("a", CAVEAT)
    assert answer(judged("rate", "F25", "rate", seen({"global_batch": 250}))) == ("a", REFUTES)


def test_an_option_that_the_claim_is_about_decides(judged):
    patch = seen({"compile": True}, options={"compile": False})
    patch["claims"] = {"rate": {"treatment": ["compile"]}}
    assert answer(judged("rate", "F25", "rate", patch)) == ("a", REFUTES)


def test_the_switch_of_mixed_precision_is_a_guess(judged):
    result = judged("rate", "F25", "rate", seen({"extra": {"amp": False}}))
    assert (answer(result), result.branch.confidence) == (("d", CAVEAT), C1)
    assert result.branch.at == "/arms/a/observed/extra/amp"


def test_the_format_of_a_column_is_a_declaration(judged):
    patch = seen({"extra": {"amp": "off"}}, options={"precision": None})
    patch["tables"] = {
        "t": {
            "columns": {"fp16": {"quantity": "rate", "unit": "images/s", "format": "fp16"}},
            "rows": {"a": {"arm": "a", "values": {"fp16": "2500"}}},
        }
    }
    patch["claims"] = {"rate": {"row": {"table": "t", "row": "a"}}}
    assert answer(judged("rate", "F25", "rate", patch)) == ("d", CAVEAT)
    patch["arms"]["a"]["observed"] = {"precision": {"compute": "fp32"}}
    assert answer(judged("rate", "F25", "rate", patch)) == ("a", REFUTES)


def test_trials_that_ran_something_else_are_counted(judged):
    trials = {"t1": {"observed": {"precision": {"compute": "fp32"}}}, "t2": {"observed": {"global_batch": 256}}}
    result = judged("rate", "F25", "rate", {"arms": {"a": {"trials": trials}}})
    assert answer(result) == ("a", REFUTES)
    assert "1 of 2 runs" in result.branch.message


def test_a_power_limit_that_was_not_in_force(judged):
    control = {"power_limit": {"requested": 400, "applied": 400, "found": 300, "verified": "contradicted"}}
    patch = {
        "arms": {"a": {"environment": {"power_limit_w": 400, "controls": control}, "observed": {"global_batch": 256}}}
    }
    assert answer(judged("rate", "F25", "rate", patch)) == ("b", UNDERMINES)
    control["power_limit"] |= {"found": 400, "verified": "verified"}
    assert answer(judged("rate", "F25", "rate", patch)) is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        ("129 tokens each", "129", NOT_APPLICABLE),
        ("129 tokens each", "131", NOT_APPLICABLE),
        ("500 tokens each", "268", ("b", UNDERMINES)),
        ("at most 500 tokens", "268", NOT_APPLICABLE),  # a maximum is no length
        ("128-512 tokens", "268", NOT_APPLICABLE),
        ("about 500 tokens", "268", NOT_APPLICABLE),
    ],
)
def test_a_fixed_output_length(judged, text, tokens, expected):
    metric = {"load": {"output_length": text}, "token_times": {"output_tokens": tokens}}
    patch = {"arms": {"server": {"performance": {"latency": metric}}}}
    assert answer(judged("serving", "F25", "latency", patch)) == expected


# F26 ------------------------------------------------------------------------------------------------------------------


def repetitions(**n):
    return {"arms": {"a": {"performance": {"rate": {"n": n}}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, PASS),
        (repetitions(completed=300), PASS),  # of all five processes
        (repetitions(completed=310), ("c", CAVEAT)),
        (repetitions(completed=600), ("b", UNDERMINES)),
        ({"arms": {"a": {"performance": {"rate": {"trials": 10}}}}}, ("b", UNDERMINES)),
        ({"arms": {"a": {"trials": {"t1": {"iterations_planned": 65}}}}}, PASS),  # warm-up need not be there
        ({"arms": {"a": {"trials": {f"t{i}": {"iterations_planned": 90} for i in range(1, 6)}}}}, ("b", UNDERMINES)),
        ({"arms": {"a": {"trials": {"t2": {"iterations_planned": 120}}}}}, ("b", UNDERMINES)),
        ({"arms": {"a": {"trials": {"t2": {"iterations_planned": None}}}}}, NOT_APPLICABLE),
        ({"arms": {"a": {"trials": {"t2": {"samples": None, "iterations_planned": 120}}}}}, NOT_APPLICABLE),
        ({**repetitions(completed=600), "coverage": "excerpt"}, NOT_APPLICABLE),
        ({"arms": {"a": {"trials": {f"t{i}": None for i in range(1, 6)}}}}, NOT_APPLICABLE),
    ],
)
def test_declared_units_are_there(judged, patch, expected):
    assert answer(judged("rate", "F26", "rate", patch)) == expected


def test_two_of_forty_logs_absent_are_a_caveat(judged):
    run = {"kind": "convergence", "outcome": "completed"}
    quality = {"n": {"planned": 40, "completed": 40}, "seeds": None, "interval": None}
    trials = {**NO_RUNS, **{f"r{i}": run for i in range(38)}}
    patch = {"arms": {"trained": {"quality": {"accuracy": quality}, "trials": trials, "plan": None}}}
    assert answer(judged("accuracy", "F26", "accuracy", patch)) == ("c", CAVEAT)
    patch["arms"]["trained"]["trials"] |= {f"r{i}": None for i in range(20)}
    assert answer(judged("accuracy", "F26", "accuracy", patch)) == ("b", UNDERMINES)


def test_a_rate_of_requests_that_are_not_there(judged):
    n = {"planned": 1204, "completed": 1200}
    metrics = {"rate": {"value": "7.53", "work": 1200, "interval": None, "n": n}, "latency": {"n": n}}
    patch = {"arms": {"server": {"performance": metrics}}}
    result = judged("serving", "F26", "rate", patch)
    assert answer(result) == ("a", REFUTES)
    assert "6.2" in result.branch.recomputed
    gone = {"arms": {"server": {"performance": metrics, "trials": {"t5": None}}}}
    assert answer(judged("serving", "F26", "rate", gone)) == ("b", UNDERMINES)  # a process is missing
    alone = {"arms": {"server": {"performance": {"rate": metrics["rate"]}}}}
    assert judged("serving", "F26", "rate", alone).outcome is not VIOLATION  # other units than those of the latency


# F30 and F31 ----------------------------------------------------------------------------------------------------------


def parallel(**options):
    return {"arms": {"trained": {"devices": 64, "options": {"devices": 64, "global_batch": 1024, **options}}}}


FULL = {"tensor_parallel": 4, "pipeline_parallel": 2, "context_parallel": 1, "data_parallel": 8, "micro_batch": 16,
        "accumulation": 8}  # fmt: skip


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (FULL, PASS),
        (FULL | {"expert_parallel": 8}, PASS),
        (FULL | {"data_parallel": 4, "accumulation": 16, "expert_parallel": 2}, NOT_APPLICABLE),  # an axis of its own
        (FULL | {"data_parallel": 4, "accumulation": 16, "sharding": "fsdp"}, NOT_APPLICABLE),
        (FULL | {"data_parallel": 4, "accumulation": 16}, ("a", UNDERMINES)),
        (FULL | {"data_parallel": 16, "accumulation": 4}, ("a", UNDERMINES)),
        (FULL | {"data_parallel": None, "tensor_parallel": 5}, ("a", UNDERMINES)),  # 10 does not divide 64
        (FULL | {"context_parallel": None, "tensor_parallel": 2}, NOT_APPLICABLE),  # it may be 2
        (FULL | {"data_parallel": None}, NOT_APPLICABLE),
        (FULL | {"accumulation": 4}, ("a", UNDERMINES)),
        (FULL | {"global_batch": 1023}, ("a", CAVEAT)),
        (FULL | {"accumulation": None}, NOT_APPLICABLE),
        (FULL | {"global_batch": 1024 * 2048, "input_length": 2048}, NOT_APPLICABLE),  # counted in tokens
        (FULL | {"global_batch": 1024 * 2048, "input_length": 1000}, ("a", UNDERMINES)),
    ],
)
def test_parallel_sizes_multiply(judged, options, expected):
    assert answer(judged("time-to-accuracy", "F30", "time", parallel(**options))) == expected


def test_two_dies_may_be_one_device(judged):
    patch = parallel(**FULL | {"data_parallel": 16, "accumulation": 4})
    patch["systems"] = {"node": {"name": "8x MI250X", "device": "MI250X"}}
    assert answer(judged("time-to-accuracy", "F30", "time", patch)) is PASS


def test_a_factor_through_a_table_is_one_finding(judged):
    sizes = {"tensor_parallel": 1, "pipeline_parallel": 1, "context_parallel": 1}
    rows = {f"r{n}": {"options": {**sizes, "data_parallel": 4 * n}} for n in (1, 2, 4, 8)}
    patch = {"tables": {"nodes": {"rows": rows}}, "claims": {"speedup": {"row": {"table": "nodes", "row": None}}}}
    result = judged("strong-scaling", "F30", "speedup", patch)
    assert answer(result) == ("a", UNDERMINES)
    assert "one factor of 0.5 runs through all 4" in result.branch.message


def rates(r2, r4, **row):
    rows = {"r1": {"values": {"rate": "19600.7"}}, "r2": {"values": {"rate": r2}},
            "r4": {"values": {"rate": r4}, **row}, "r8": {"values": {"rate": "129600.5"}}}  # fmt: skip
    return {"tables": {"nodes": {"rows": rows}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (rates("38210.4", "73640.2"), PASS),
        (rates("38210.4", "38210.4"), ("a", CAVEAT)),
        (rates("38210.4", "38210.4", arm="n2"), PASS),  # one arm fills two cells, and says so
        (rates("381e2", "381e2"), NOT_APPLICABLE),  # too few digits
        (rates("38210.4", "38210.4", arm=None), NOT_APPLICABLE),  # no scatter
    ],
)
def test_equal_digits_of_different_configurations(judged, patch, expected):
    assert answer(judged("strong-scaling", "F31", "speedup", patch)) == expected


# F45 ------------------------------------------------------------------------------------------------------------------


def system(arm=None, claim=None, **changes):
    return {"systems": {"node": changes}, "arms": {"a": arm or {}}, "claims": {"rate": claim or {}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (system(), PASS),
        (system({"devices": 8}), ("a", REFUTES)),
        (system({"devices": 4}, nodes=1, devices_per_node=8, name="DGX A100"), PASS),  # a part of the machine
        (system({"label": "128 GPUs"}, nodes=2, devices_per_node=8, name="DGX A100"), ("a", REFUTES)),
        (system({"label": "16 GPUs"}, nodes=2, devices_per_node=8, name="2x DGX A100"), PASS),
        (system({"label": "2 of the 4 GPUs"}), PASS),
        (system(claim={"statement": "Sixty-four, that is 64 A100 GPUs, train at 2500 images per second."}),
         ("a", REFUTES)),
        (system(nodes=1, devices_per_node=8, name="4x A100-SXM4-80GB"), ("b", UNDERMINES)),
        (system(nodes=1, devices_per_node=8, name="8x A100-SXM4, 2x EPYC 7763"), PASS),
        (system(nodes=1, devices_per_node=8, name="p4d.24xlarge, A100"), PASS),
        (system(nodes=18, devices_per_node=4, name="72x GB200 NVL72", device="B200"), PASS),
        (system(nodes=None), NOT_APPLICABLE),
        (
            system({"devices": 64}, {"row": {"table": "t", "row": "r"}}, nodes=1, devices_per_node=8, name="DGX A100")
            | {"tables": {"t": {"columns": {"rate": {"quantity": "rate", "unit": "images/s"}},
                                "rows": {"r": {"arm": "a", "devices": 64, "values": {"rate": "2500"}}}}}},
            NOT_APPLICABLE,
        ),
        (system({"devices": 40}, device="A100 and H100"), NOT_APPLICABLE),  # a mixed system adds up
        (system({"trials": {"t1": {"device_ids": ["a", "b"]}}}), ("a", REFUTES)),
    ],
)  # fmt: skip
def test_devices_are_those_of_the_description(judged, patch, expected):
    assert answer(judged("rate", "F45", "rate", patch)) == expected


# F53, F54 and B02 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        ({"value": "1"}, PASS),
        ({"value": "1.024", "numerator": "43.008", "denominator": "42.000"}, PASS),
        ({"value": "1.100", "numerator": "43.008", "denominator": "42.000"}, ("a", REFUTES)),
        ({"value": "0.960", "numerator": "0.960", "denominator": "1.000"}, ("a", REFUTES)),  # it improves the time
        ({"value": "0.960"}, ("a", REFUTES)),
        ({"value": "0.9999", "numerator": "0.9999", "denominator": "1.0000"}, ("a", CAVEAT)),  # the score stays 85.0
        ({"value": "1.024"}, NOT_SHOWN),
        ({"value": "1.024", "numerator": "43.008", "denominator": "42.000", "reference_exists": False},
         ("a", REFUTES)),
        ({"value": "1.024", "numerator": "43.008", "denominator": "0"}, NOT_APPLICABLE),
    ],
)  # fmt: skip
def test_a_factor_is_its_quotient(judged, factor, expected):
    assert answer(judged("time-to-accuracy", "F53", "time", {"claims": {"time": {"factor": factor}}})) == expected


def test_the_score_without_the_factor_is_printed(judged):
    result = judged("time-to-accuracy", "F53", "time", {"claims": {"time": {"factor": {"value": "1.0625"}}}})
    assert "80 s without it" in result.branch.message


def outputs(generated, **server):
    quality = {"metric": "ROUGE-1", "value": "38.72", "split": "test", "examples": 1000}
    if generated is not None:
        quality["output_length"] = {"generated": generated, "reference": generated}
    return {"arms": {"server": {"quality": {"rouge": quality}, **server}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (outputs("128.6"), PASS),
        (outputs("139"), ("b", CAVEAT)),
        (outputs("214"), ("a", UNDERMINES)),
        (outputs("100"), ("a", UNDERMINES)),
        (outputs("0"), NOT_APPLICABLE),
        (outputs(None), NOT_APPLICABLE),
    ],
)
def test_outputs_are_as_long_in_both_runs(judged, patch, expected):
    assert answer(judged("serving", "F54", "rate", patch)) == expected


def test_sampling_explains_a_difference(judged):
    tokens = {"output_tokens": [20.0, 400.0, 30.0, 70.0] * 3}
    trials = {f"t{i}": {"samples": tokens} for i in range(1, 6)}
    assert answer(judged("serving", "F54", "rate", outputs("150", trials=trials))) is PASS
    assert answer(judged("serving", "F54", "rate", outputs("900", trials=trials))) == ("a", UNDERMINES)


def figure(**changes):
    return {"figures": {"f1": {"caption": "Rate", "kind": "bar", "arms": ["a"], "values_stated": False, **changes}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (figure(), PASS),  # the arm states its value
        (figure(values_stated=None), NOT_APPLICABLE),
        (figure(arms=["other"]), NOT_APPLICABLE),
        (figure(arms=["a", "b"]) | {"arms": {"b": {}}}, PASS),  # the claim is about the other arm
        (figure() | {"arms": {"a": {"performance": {"rate": {"value": None}, "end-to-end": None},
                     "trials": {f"t{i}": None for i in range(1, 6)}}}}, NOT_SHOWN),
    ],
)  # fmt: skip
def test_values_stand_somewhere(judged, patch, expected):
    result = judged("rate", "B02", "rate", patch)
    assert answer(result) == expected


TIMED = {f"t{i}": None for i in range(1, 6)}


def test_a_quality_does_not_stand_for_a_rate_that_only_a_figure_shows(judged):
    left_out = {"performance": {"rate": {"value": None}}, "trials": TIMED}
    patch = figure(arms=["fused", "plain"]) | {"arms": {"fused": left_out, "plain": left_out}}
    patch["tables"] = None
    assert answer(judged("training-pair", "B02", "speedup", patch)) is NOT_SHOWN
    del patch["arms"]["fused"], patch["arms"]["plain"]
    assert answer(judged("training-pair", "B02", "speedup", patch)) is PASS


def test_one_value_at_the_end_is_no_curve(judged):
    curve = figure(kind="line", x_axis="iterations")
    assert answer(judged("rate", "B02", "rate", curve)) is NOT_SHOWN
    log = [{"split": "test", "samples": 1000, "metrics": {"loss": 3.2}}]
    logged = {"s1": {"kind": "convergence", "outcome": "completed", "evaluations": log}}
    assert answer(judged("rate", "B02", "rate", curve | {"arms": {"a": {"trials": logged}}})) is PASS


def nine(caption, statement, **figure):
    drawn = {"caption": caption, "kind": "bar", "values_stated": False, "x_axis": "other", "arms": ["a"], **figure}
    return {"claims": {"rate": {"statement": statement}}, "figures": {"f1": drawn}}


BEST = "The best of the nine variants of figure 1 reaches 2499 samples/s."


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (nine("Rates of the nine variants.", BEST), NOT_SHOWN),
        (nine("Rates of the 9 tested variants.", BEST), NOT_SHOWN),
        (nine("Rates of the nine variants.", BEST, values_stated=True), PASS),
        (nine("Rates of the four variants.", BEST), PASS),  # it may be another choice
        (nine("Rates of the nine variants.", "One of nine variants reaches 2499 samples/s."), PASS),
        (nine("Rates of one machine.", BEST), PASS),
    ],
)
def test_the_variants_that_a_claim_was_picked_from_have_values(judged, patch, expected):
    assert answer(judged("rate", "B02", "rate", patch)) == expected
    table = {
        "columns": {"rate": {"quantity": "rate", "unit": "samples/s"}},
        "rows": {f"v{i}": {"values": {"rate": "2400"}} for i in range(9)},
    }
    assert answer(judged("rate", "B02", "rate", patch | {"tables": {"t": table}})) == PASS
