"""Branches of single rules that neither their examples nor the tests of their families reach."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def answer(result):
    """The outcome, or of a violation its branch and effect."""
    if result.outcome is not Outcome.VIOLATION:
        return result.outcome
    return result.branch.branch, result.branch.effect


def of_rate(bytes_moved, cached=False, device=None, metric=None):
    system = {"device": device, "device_memory_gib": None, "design_power_w": None} if device else {}
    system |= {"device_variant": None} if device else {}
    arm = {"operations": {"counted": "model", "bytes_moved": bytes_moved, "cached": cached}}
    return {"systems": {"node": system}, "arms": {"a": arm | ({"performance": {"rate": metric}} if metric else {})}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (of_rate(2.0e9), ("a", REFUTES)),  # 2500 images/s of 2 GB each
        (of_rate(5.0e8), PASS),
        (of_rate(2.0e9, cached=True), NOT_APPLICABLE),
        (of_rate(2.0e9, device="Z9"), NOT_APPLICABLE),
        (of_rate(None), NOT_APPLICABLE),
        (of_rate(2.0e9, device="H20"), ("b", UNDERMINES)),  # a published bandwidth that the table does not vouch for
        (of_rate(2.0e9, metric={"unit": "tokens/s"}), NOT_APPLICABLE),
    ],
)
def test_the_bytes_of_a_sample_bound_a_rate(judged, patch, expected):
    assert answer(judged("rate", "P03", "rate", patch)) == expected


@pytest.mark.parametrize(
    ("value", "cached", "words", "expected"),
    [
        ("2870", None, "The embedding lookup with Zipf indices reaches an effective 2870 GB/s.", NOT_APPLICABLE),
        ("2870", None, "The lookup reaches 2870 GB/s.", ("c", CAVEAT)),
        ("2870", False, "The lookup reaches an effective 2870 GB/s.", ("a", REFUTES)),
        ("2870", True, "The lookup reaches 2870 GB/s.", NOT_APPLICABLE),
        ("1870", False, "The lookup reaches 1870 GB/s.", PASS),
        ("1870", None, "The lookup reaches 1870 GB/s.", PASS),
    ],
)
def test_bytes_that_are_read_again_may_come_from_a_cache(judged, value, cached, words, expected):
    claim = {"value": value, "unit": "GB/s", "quantity": "rate", "work": "bytes", "statement": words}
    claim |= {"measured": {"arm": "n8192", "metric": "bw"}}
    metric = {"quantity": "rate", "value": value, "unit": "GB/s", "statistic": "median"}
    arm = {"operations": {"bytes_moved": 4294967296, "cached": cached}, "performance": {"bw": metric}}
    patch = {"claims": {"gemm": claim}, "arms": {"n8192": arm}}
    assert answer(judged("kernel", "P03", "gemm", patch)) == expected


def test_counters_that_saw_another_format_show_emulation(judged):
    patch = {
        "claims": {"gemm": {"statement": "The FP64 matrix product of size 8192 runs at 31.2 TFLOP/s.", "row": None}},
        "tables": {"gemm": None},
        "arms": {
            "n8192": {
                "label": None,
                "options": {"precision": {"compute": "fp64"}},
                "operations": {"counted": "model", "fractions": None, "counters": {"bf16": None, "int8": 1.0}},
            }
        },
    }
    assert answer(judged("kernel", "P09", "gemm", patch)) == ("a", UNDERMINES)
    patch["claims"]["gemm"]["statement"] += " It is emulated in INT8."
    assert answer(judged("kernel", "P09", "gemm", patch)) is PASS


def test_an_accuracy_without_its_quality_is_only_bounded(judged):
    bare = {"claims": {"accuracy": {"quality": None, "measured": {"arm": "trained"}}}}
    assert answer(judged("accuracy", "F11", "accuracy", bare)) is NOT_APPLICABLE
    bare["claims"]["accuracy"]["value"] = "101.20"
    assert answer(judged("accuracy", "F11", "accuracy", bare)) == ("b", REFUTES)


def test_a_set_whose_size_is_known_within_thousands_is_untestable(judged):
    quality = {"examples": 50000, "evaluation_batch": 30000, "last_batch": None, "seeds": None, "value": "94.5011"}
    patch = {"arms": {"trained": {"quality": {"accuracy": quality}, "trials": None}}}
    patch["claims"] = {"accuracy": {"value": "94.5011"}}
    assert "not known within a few thousand" in judged("accuracy", "F11", "accuracy", patch).reason
    quality["last_batch"] = "kept"
    assert answer(judged("accuracy", "F11", "accuracy", patch)) == ("a", CAVEAT)


def evaluated(*values, status="success"):
    """The last line of logged evaluations of one run, in place of the number that is there."""
    events = base("suite-training")["arms"]["retinanet"]["runs"]["result_1"]["events"]
    lines = [line for line, event in events.items() if event["key"] == "eval_accuracy"]
    changed = {line: {"value": value} for line, value in zip(lines[-len(values) :], values, strict=True)}
    return {"arms": {"retinanet": {"runs": {"result_1": {"status": status, "events": changed}}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (evaluated("nan"), ("a", REFUTES)),
        (evaluated("nan", 0.3401), ("b", UNDERMINES)),
        (evaluated("nan", status="aborted"), None),
        (evaluated(0.3401), None),
    ],
)
def test_evaluations_of_a_log_are_numbers(judged, patch, expected):
    result = judged("suite-training", "F41", "retinanet", patch)
    assert answer(result) == expected or (expected is None and result.outcome is not Outcome.VIOLATION)


def test_an_evaluation_without_the_metric_leaves_the_rest_unjudged(judged):
    trials = base("time-to-accuracy")["arms"]["trained"]["trials"]
    first = [{**item, "metrics": {"loss": 0.2}} for item in trials["s1"]["evaluations"]]
    patch = {"arms": {"trained": {"trials": {"s1": {"evaluations": first}}}}}
    assert answer(judged("time-to-accuracy", "F41", "time", patch)) is NOT_APPLICABLE


def repeated(rate, **metric):
    """Two rows of different options with the digits of one rate, whose arms state the scatter of their trials."""
    table, rows, arms = base("strong-scaling")["tables"]["nodes"], {}, {}
    for row in ("r2", "r4"):
        own = {"value": rate, "digits": None, **metric}
        rows[row], arms[table["rows"][row]["arm"]] = {"values": {"rate": rate}}, {"performance": {"rate": own}}
    return {"tables": {"nodes": {"rows": rows}}, "arms": arms}


def within(low, high):
    return {"interval": {"low": low, "high": high, "level": 0.95, "varies": "trials"}, "trials": 5}


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ({}, PASS),  # one in 30 by chance
        ({"wall_s": 12.3456}, ("a", CAVEAT)),  # as long as each other, to a tenth of a millisecond
        (within("37000", "39400"), ("a", CAVEAT)),  # equal scatter, too
        (within("38190", "38230"), NOT_APPLICABLE),  # no wider than the digits
        ({"interval": None, "plus_minus": {"value": "600", "label": "sem"}}, ("a", CAVEAT)),
    ],
)
def test_what_else_two_rows_share_tells_a_repeated_rate(judged, metric, expected):
    assert answer(judged("strong-scaling", "F31", "speedup", repeated("38210", **metric))) == expected


@pytest.mark.parametrize("percentiles", [{"50": None, "90": None, "99": "2.857"}, {"50": None, "90": None, "99": None}])
def test_one_percentile_has_no_order(judged, percentiles):
    summary = {"percentiles": percentiles, "median": None, "min": None, "max": None, "mean": None}
    patch = {"arms": {"server": {"performance": {"latency": {"summary": summary}}}}}
    assert answer(judged("serving", "F10", "latency", patch)) is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ({"value": "85.0", "unit": "epochs"}, NOT_APPLICABLE),
        ({"value": "2.0", "unit": "x", "form": "ratio"}, NOT_APPLICABLE),
    ],
)
def test_a_time_to_target_in_no_unit_of_time_holds_no_work(judged, time, expected):
    assert answer(judged("time-to-accuracy", "F15", "time", {"claims": {"time": time}})) is expected


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ({"value": "50.0", "unit": "ms"}, PASS),
        ({"value": "70.0", "unit": "ms"}, ("a", REFUTES)),
        ({"value": "70.0", "unit": "ms", "summary": {"min": "50.0"}}, PASS),  # the shortest step counts
        ({"value": "70.0", "unit": "fortnights"}, NOT_APPLICABLE),
    ],
)
def test_a_time_of_a_step_bounds_a_time_to_target(judged, step, expected):
    """1,277,952 images are 1248 steps of 1024: 62.4 s at 50 ms, 87.4 s at 70 ms; 85.0 s are claimed."""
    metric = {"quantity": "time", "scope": "step", "statistic": "median", **step}
    arms = base("time-to-accuracy")["arms"]
    bare = {name: {"performance": dict.fromkeys(arm.get("performance", {}))} for name, arm in arms.items()}
    bare["trained"]["performance"]["step"] = metric
    assert answer(judged("time-to-accuracy", "F15", "time", {"arms": bare})) == expected


def test_a_window_that_holds_its_steps_alone_gives_its_rate_whatever_the_statistic(judged):
    """A median of steps is no rate of a window with pauses; of one that holds nothing else it is."""
    steps = {"step_time_s": [0.1] * 20}
    trial = {"kind": "throughput", "outcome": "completed", "samples": steps, "iterations_planned": 20}
    trials = {f"t{number}": trial for number in range(1, 6)}
    metric = {"value": "2300", "digits": None, "statistic": "median", "work_per_iteration": 256, "wall_s": 10.0}
    arm = {"performance": {"rate": {**metric, "work": 25600, "interval": None, "n": None}}, "trials": trials}
    result = judged("rate", "F01", "rate", {"arms": {"a": arm}})
    assert answer(result) == ("a", REFUTES)
    arm["performance"]["rate"] |= {"wall_s": 12.0, "work": 25000}
    assert judged("rate", "F01", "rate", {"arms": {"a": arm}}).outcome is not Outcome.VIOLATION


@pytest.mark.parametrize(("left_out_s", "expected"), [(2.0, PASS), (0.1, ("a", REFUTES))])
def test_a_mean_rate_may_promise_what_the_arm_leaves_out(judged, left_out_s, expected):
    """2560 images/s make 30,720 in 12 s; 25,600 were done in the ten that are not left out."""
    metric = {"value": "2560", "digits": None, "statistic": "mean", "column": None, "wall_s": 12.0, "work": 25600}
    left_out = {"compile": {"recurs": "per_run", "duration_s": left_out_s, "stated": True}}
    arm = {
        "performance": {"rate": {**metric, "interval": None}},
        "measurement": {"wall_s": 12.0, "exclusions": left_out},
    }
    assert answer(judged("rate", "F01", "rate", {"arms": {"a": arm}})) == expected


def test_the_base_of_a_ratio_is_held_against_its_own_raw_numbers(judged):
    metric = {"column": "step_time_s", "value": "9999"}
    result = judged("training-pair", "F07", "speedup", {"arms": {"plain": {"performance": {"rate": metric}}}})
    assert answer(result) == ("a", REFUTES)
    assert result.branch.at == "/arms/plain/performance/rate/value"


@pytest.mark.parametrize(("other", "found"), [({}, True), ({"15": "3.2158"}, False)])
def test_seeds_of_two_trainings_are_not_all_the_same(judged, other, found):
    seeds = {"11": "3.2207", "12": "3.2193", "13": "3.2206", "14": "3.2223", "15": "3.2159"}
    listed = dict.fromkeys(base("training-pair")["arms"]["plain"]["quality"]["loss"]["seeds"])
    losses = {"plain": listed | seeds, "fused": listed | seeds | other}
    patch = {"arms": {name: {"quality": {"loss": {"seeds": values}}} for name, values in losses.items()}}
    assert (answer(judged("training-pair", "F31", "speedup", patch)) == ("a", CAVEAT)) is found


def test_a_margin_that_was_chosen_after_the_runs_shows_no_parity(judged):
    words = {"statement": "Training with fused attention is as fast as before.", "value": None, "unit": None}
    margin = {"margin": {"value": "5", "declared_before": False}}
    patch = {"claims": {"speedup": {"form": "parity", **words, **margin}}}
    trials = {f"t{k}": {"samples": {"step_time_s": [0.8 + k / 1000]}} for k in range(1, 6)}
    patch["arms"] = {"fused": {"trials": trials}, "plain": {"trials": trials}}
    result = judged("training-pair", "S06", "speedup", patch)
    assert (answer(result), result.branch.item) == (NOT_SHOWN, "margin")
    margin["margin"]["declared_before"] = True
    assert answer(judged("training-pair", "S06", "speedup", patch)) is PASS


@pytest.mark.parametrize(
    ("name", "extra", "expected"),
    [
        ("Welch's t", {}, NOT_SHOWN),
        ("Welch's t", {"margin": {"value": "5"}}, PASS),
        ("two one-sided tests", {}, PASS),
    ],
)
def test_no_significance_is_told_as_no_difference(judged, name, extra, expected):
    words = {"statement": "The difference is not significant (p = 0.62): both are as fast.", "unit": None}
    test = {"name": name, "kind": "t", "statistic": "0.5", "degrees_of_freedom": "8", "p": "0.62", "sided": "two"}
    patch = {"claims": {"speedup": {"form": "parity", "value": None, "interval": None, **words, "test": test, **extra}}}
    trials = {f"t{k}": {"samples": {"step_time_s": [0.8 + k / 1000]}} for k in range(1, 6)}
    patch["arms"] = {"fused": {"trials": trials}, "plain": {"trials": trials}}
    assert answer(judged("training-pair", "S12", "speedup", patch)) is expected
