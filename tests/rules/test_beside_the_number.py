"""Flaws that a document states in another place than the claim's own number: other arms, options, runs, seeds."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.facts.quantities.per_second import says_each
from dlaudit.rules.forensics._descriptors import forms_named
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission

PASS, NOT_APPLICABLE, VIOLATION = Outcome.PASS, Outcome.NOT_APPLICABLE, Outcome.VIOLATION


def answer(result):
    if result.outcome is not VIOLATION:
        return result.outcome
    return result.branch.branch, result.branch.effect


# Units and words ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Each device achieves 598 TFLOP/s.", True),
        ("598 TFLOP/s per GPU", True),
        ("598 TFLOP/s/GPU", True),
        ("64 devices achieve 38 PFLOP/s.", False),
        ("each of the runs", False),
    ],
)
def test_words_that_make_a_number_that_of_one_device(text, expected):
    assert says_each(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("H100-SXM5", {"sxm"}), ("H100 PCIe", {"pcie"}), ("PCIe Gen4 switch", set()), ("PCIe 5.0", set()), ("x", set())],
)
def test_forms_of_devices(text, expected):
    assert forms_named(text) == expected


@pytest.mark.parametrize(("value", "expected"), [("312.5", PASS), ("250", ("a", REFUTES))])
def test_a_value_per_device_may_be_spelled_out(judged, value, expected):
    each = {"quantity": "rate", "value": value, "unit": "images/s per device", "statistic": "median"}
    patch = {"arms": {"a": {"devices": 8, "performance": {"each": each}}}}
    assert answer(judged("rate", "F20", "rate", patch)) == expected


# System, devices and batches ------------------------------------------------------------------------------------------


def system(**fields):
    return {"systems": {"node": fields}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (system(name="1x A100-SXM4-80GB", device_variant="SXM4"), PASS),
        (system(name="1x A100-PCIe-80GB", device_variant="SXM4"), ("a", UNDERMINES)),
        (system(name="1x H100-SXM5-80GB", device="A100"), ("a", UNDERMINES)),
        (system(name="1x A100-SXM4-80GB", device_memory_gib=40), ("a", UNDERMINES)),
        (system(name="1x A100, 512 GB", device_memory_gib=80), PASS),  # of the host
        ({"arms": {"a": {"devices": 4}}}, ("a", UNDERMINES)),
        ({"arms": {"a": {"options": {"micro_batch": 64, "per_device_batch": 128, "accumulation": 1}}}}, None),
    ],
)
def test_descriptors_of_one_system(patch, expected):
    value = merge_patch(base("rate"), patch)
    (result,) = [item for item in judge(Case(to_model(value, Submission)), [by_code("F29")]) if item.claim is None]
    assert result.outcome is VIOLATION if expected is None else answer(result) == expected


def handed_in(nodes, each, **fields):
    given = {"number_of_nodes": nodes, "accelerators_per_node": each, **fields}
    return {"arms": {"a": {"devices": 1, "description": {"fields": given}}}}


@pytest.mark.parametrize(
    ("patch", "found"),
    [
        (handed_in("1", "1"), False),
        (handed_in("3", "8"), True),
        (handed_in("1", "8", notes="a partition of one device"), False),
        (handed_in("one", "8"), False),
    ],
)
def test_the_description_as_handed_in(judged, patch, found):
    result = judged("rate", "F45", "rate", patch)
    assert (result.outcome is VIOLATION) is found


# Lengths and formats of two arms --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "outcome"), [("ROUGE-1", VIOLATION), ("GSM8K exact match", NOT_APPLICABLE), ("exact match", VIOLATION)]
)
def test_a_benchmark_of_its_own_has_samples_of_its_own(judged, metric, outcome):
    quality = {
        "metric": metric, "value": "38.72", "split": "test", "examples": 1000,
        "output_length": {"generated": "214", "reference": "213"},
    }  # fmt: skip
    patch = {"arms": {"server": {"quality": {"own": quality}}}}
    assert judged("serving", "F54", "rate", patch).outcome is outcome


@pytest.mark.parametrize(
    ("precision", "definition", "expected"),
    [
        ({"compute": "fp32", "tf32": True}, "the same program in FP32", ("a", UNDERMINES)),
        ({"compute": "fp32", "tf32": True}, "the same program in FP32, TF32 off", ("a", UNDERMINES)),
        ({"compute": "fp32", "tf32": True}, "the same program in TF32", NOT_APPLICABLE),
        ({"compute": "fp32", "tf32": False}, "the same program in FP32", NOT_APPLICABLE),
    ],
)
def test_the_reference_of_a_ratio_is_called_fp32(judged, precision, definition, expected):
    patch = {
        "claims": {"speedup": {"base": {"definition": definition}}},
        "arms": {"plain": {"options": {"precision": precision}}},
    }
    assert answer(judged("training-pair", "P10", "speedup", patch)) == expected


@pytest.mark.parametrize(("speedup", "expected"), [("1.5", ("a", REFUTES)), ("6.0", PASS)])
def test_a_part_bounds_the_whole(judged, speedup, expected):
    part = {"name": "attention", "speedup": speedup, "fraction_low": 0.3, "fraction_high": 0.4}
    patch = {"claims": {"speedup": {"part": part, "treatment": ["attention"], "attribution": None}}}
    result = judged("training-pair", "P12", "speedup", patch)
    assert answer(result) == expected or (expected is PASS and result.outcome is NOT_APPLICABLE)


@pytest.mark.parametrize(
    ("treatment", "found"),
    [(["precision", "quantisation", "weights"], True), (["precision", "global_batch"], False)],
)
def test_quantised_weights_are_one_change_under_three_names(judged, treatment, found):
    part = {"name": "the linear layers", "speedup": "1.9", "fraction_low": 0.1, "fraction_high": 0.2}
    patch = {"claims": {"speedup": {"part": part, "treatment": treatment}}}
    assert (judged("quantised", "P12", "speedup", patch).outcome is Outcome.VIOLATION) is found


# Logs, windows and stamps ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("crossing", "found"),
    [({"samples": 1277952, "step": 1248}, True), ({"samples": 1376256, "step": 1344}, False)],
)
def test_a_crossing_is_held_against_its_own_evaluation(judged, crossing, found):
    evaluations = [
        {"split": "test", "samples": 1277952, "step": 1248, "time_s": 78.6, "metrics": {"accuracy": 0.92}},
        {"split": "test", "samples": 1376256, "step": 1344, "time_s": 84.4, "metrics": {"accuracy": 0.945}},
    ]
    trial = {"evaluations": evaluations, "crossing": {"reached": True, "time_s": 84.4, **crossing}}
    result = judged("time-to-accuracy", "F24", "time", {"arms": {"trained": {"trials": {"s1": trial}}}})
    assert (result.outcome is VIOLATION and "records its crossing" in result.branch.message) is found


def stamped(wall_s, date="2026-09-01"):
    trial = {"started": "2026-02-03T10:00:00Z", "ended": "2026-02-03T10:05:00Z", "wall_s": wall_s}
    return {"publication": {"date": date}, "arms": {"a": {"trials": {"t1": trial}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (stamped(299.0), NOT_APPLICABLE),
        (stamped(377.0), ("a", REFUTES)),
        (stamped(299.0, "2026-01-20"), ("b", CAVEAT)),
        (stamped(299.0, "2026-02-02"), NOT_APPLICABLE),  # within a day or two of time zones
    ],
)
def test_stamps_wall_time_and_publication(judged, patch, expected):
    assert answer(judged("rate", "F17", "rate", patch)) == expected


SERIES = {
    "blocks": [0.1021, 0.1034, 0.1019, 0.1027, 0.1031, 0.1024] * 6,
    "steps": [round(0.1 + 0.0002 * i, 6) for i in range(30)],
    "grid": [0.100 + 0.005 * (i * 7 % 3) for i in range(30)],
    "noise": [0.1 + (i * 7919 % 1013) * 1e-6 for i in range(60)],
}


@pytest.mark.parametrize(("name", "found"), [("blocks", True), ("steps", True), ("grid", True), ("noise", False)])
def test_patterns_of_times(judged, name, found):
    patch = {
        "arms": {
            "a": {
                "measurement": {"timer": {"name": "clock", "resolution_s": 1e-7}},
                "trials": {"t1": {"samples": {"step_time_s": SERIES[name]}}},
            }
        }
    }
    assert (judged("rate", "F14", "rate", patch).outcome is VIOLATION) is found


# Means and percentiles ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mean", "outcome"), [("15.72", VIOLATION), ("15.93", PASS)])
def test_a_mean_of_few_values_is_bounded_by_whole_numbers_of_them(judged, mean, outcome):
    summary = {
        "mean": mean, "median": "15.89", "sd": None, "min": "15.64", "max": "17.19",
        "percentiles": {"10": "15.68", "25": "15.86", "75": "15.93", "90": "16.03", "50": None, "99": None},
    }  # fmt: skip
    metric = {"summary": summary, "column": None, "n": {"unit": "request", "planned": 20, "completed": 20}}
    patch = {"arms": {"server": {"performance": {"latency": metric}}}}
    assert judged("serving", "F27", "latency", patch).outcome is outcome


@pytest.mark.parametrize(
    ("value", "expected"),
    [("0.0455", PASS), ("0.0203", ("a", UNDERMINES)), ("0.020", ("a", UNDERMINES)), ("0.02", NOT_APPLICABLE)],
)
def test_the_plus_minus_of_seeds(judged, value, expected):
    quality = {"plus_minus": {"value": value, "label": "sd"}}
    patch = {"arms": {"trained": {"quality": {"accuracy": quality}}}}
    assert answer(judged("accuracy", "F08", "accuracy", patch)) == expected
