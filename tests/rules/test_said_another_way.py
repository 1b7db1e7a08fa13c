"""Flaws that stand in another place of a document than the usual one, or in other words."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)


def drawn(points, caption="Rates.", x_axis="devices", **tables):
    figure = {"caption": caption, "kind": "line", "values_stated": False, "arms": ["n1", "n16"], "x_axis": x_axis}
    claim = {"points": points, "row": None}
    return {"figures": {"f1": figure}, "claims": {"efficiency": claim, "speedup": None}, "tables": None, **tables}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (drawn(5), NOT_SHOWN),
        (drawn(2), PASS),
        (drawn(2, "Images/s on 8, 16, 32, 64 and 128 devices."), NOT_SHOWN),
        (drawn(2, "Images/s on 8 and 128 devices."), PASS),
        (drawn(5, x_axis="other"), PASS),
    ],
)
def test_points_between_two_arms_that_a_figure_shows_alone(judged, patch, outcome):
    ends = {
        name: {"performance": {"rate": {"quantity": "rate", "unit": "images/s", "value": "9"}}}
        for name in ("n1", "n16")
    }
    patch["arms"] = {"n1": {"devices": 8, **ends["n1"]}, "n16": {"devices": 128, **ends["n16"]}, "n8": None}
    assert judged("strong-scaling", "B02", "efficiency", patch).outcome is outcome


@pytest.mark.parametrize(
    ("told", "outcome"),
    [("at a time to first token of 0.251 s", VIOLATION), ("at a low time to first token", NOT_APPLICABLE)],
)
def test_a_mean_of_another_number_in_the_sentence(judged, told, outcome):
    summary = {"mean": "0.110", "min": "0.090", "max": "0.300", "percentiles": {"50": "0.200", "99": "0.251"}}
    number = {"quantity": "latency", "value": "0.251", "unit": "s", "statistic": "percentile", "summary": summary}
    number["n"] = {"unit": "request", "completed": 1000}
    patch = {
        "claims": {"rate": {"statement": f"The server answers 6.27 requests/s {told}."}},
        "arms": {"server": {"performance": {"ttft": number}}},
    }
    assert judged("serving", "F27", "rate", patch).outcome is outcome


@pytest.mark.parametrize(
    ("started", "devices", "outcome"),
    [
        ("2026-02-03T10:04:00Z", ["GPU-8d1f04c2a911"], VIOLATION),
        ("2026-02-03T10:04:57Z", ["GPU-8d1f04c2a911"], NOT_APPLICABLE),  # clocks may be apart
        ("2026-02-03T10:04:00Z", ["GPU-77aa04c2a911"], NOT_APPLICABLE),
        ("2026-02-03T10:04:00Z", ["0"], NOT_APPLICABLE),  # an index is no identity
    ],
)
def test_trials_that_began_before_the_one_before_had_left_its_device(judged, started, devices, outcome):
    other = {"started": started, "ended": "2026-02-03T10:09:00Z", "device_ids": devices}
    first = {"started": "2026-02-03T10:00:00Z", "ended": "2026-02-03T10:05:00Z", "device_ids": ["GPU-8d1f04c2a911"]}
    trial = {"kind": "throughput", "outcome": "completed"}
    patch = {"arms": {"fused": {"trials": {"t1": {**trial, **first}}}, "plain": {"trials": {"t1": {**trial, **other}}}}}
    assert judged("training-pair", "F37", "speedup", patch).outcome is outcome


def constant(
    caption="Strong scaling at one batch.", losses=("2.6883",) * 4, seeds=("2.6886", "2.6873", "2.6883", "2.6905")
):
    column = {"quantity": "accuracy", "unit": "nats", "scope": "training_run", "mode": "training"}
    rows = {
        f"n{8 * 2**i}": {"devices": 8 * 2**i, "system": "node", "values": {"loss": loss}}
        for i, loss in enumerate(losses)
    }
    quality = {"metric": "loss", "value": "2.6883", "seeds": {str(i): seed for i, seed in enumerate(seeds)}}
    table = {"caption": caption, "columns": {"loss": column}, "rows": rows}
    return {"tables": {"constant": table}, "arms": {"a": {"quality": {"loss": quality}}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (constant(), VIOLATION),
        (constant(losses=("2.6883", "2.6883")), NOT_APPLICABLE),  # two may agree by chance
        (constant(losses=("2.6883", "2.6871", "2.6883", "2.6890")), NOT_APPLICABLE),
        (constant("Strong scaling at one batch; the loss is that of one run on 64."), NOT_APPLICABLE),
        (constant(seeds=("2.6883", "2.6883", "2.6883")), NOT_APPLICABLE),  # no scatter is stated
        (constant(losses=("2.7",) * 4), NOT_APPLICABLE),
    ],
)
def test_one_training_in_the_cells_of_several(judged, patch, outcome):
    assert judged("rate", "F31", "rate", patch).outcome is outcome


@pytest.mark.parametrize(
    ("platform", "node", "outcome"),
    [
        ("1xExample Server 8xH100", {}, PASS),
        ("1xExample Server 16xH100", {}, VIOLATION),
        ("16xH100_SXM_80GB", {}, VIOLATION),
        ("1xExample H100", {}, PASS),  # one machine
        ("1xExample Server, 16x MI300X", {}, PASS),  # of another device
        ("16xGB200 NVL72", {"device": "GB200"}, PASS),  # a rack has its own count
        ("8xDGX H100", {}, PASS),
        ("2xDGX H100", {"nodes": 4}, PASS),  # a part of the machines
        ("2xDGX H100", {}, VIOLATION),
    ],
)
def test_the_platform_of_a_log_has_the_devices_of_the_description(judged, platform, node, outcome):
    runs = {f"result_{i}": {"events": {"11": {"value": platform}}} for i in range(5)}
    patch = {"systems": {"server": node}, "arms": {"retinanet": {"runs": runs}}}
    assert judged("suite-training", "F45", "retinanet", patch).outcome is outcome


def test_the_log_of_one_of_many_instances_names_a_part_of_the_system(judged):
    runs = {f"result_{i}": {"events": {"11": {"value": "2xDGX H100"}}} for i in range(5)}
    patch = {"arms": {"retinanet": {"runs": runs}}}
    assert judged("suite-training", "F45", "retinanet", patch).outcome is VIOLATION
    weak = patch | {"claims": {"retinanet": {"label": "weak"}}}
    assert judged("suite-training", "F45", "retinanet", weak).outcome is PASS


def logs(nodes, each, count=5):
    """Runs that log their nodes and the devices of each."""
    events = {"901": {"key": "number_of_nodes", "value": nodes, "kind": "option"},
              "902": {"key": "accelerators_per_node", "value": each, "kind": "option"}}  # fmt: skip
    return {"arms": {"retinanet": {"runs": {f"result_{i}": {"events": events} for i in range(count)}}}}


@pytest.mark.parametrize(
    ("nodes", "each", "node", "expected"),
    [
        (1, 8, {}, None),
        ("1", "8", {}, None),
        (2, 8, {}, ("a", "refutes")),
        (1, 8, {"devices_per_node": 4}, ("a", "refutes")),
        (1, 8, {"nodes": 2}, ("c", "caveat")),
        (128, 0, {}, None),  # processors only
        (1, "eight", {}, None),
        (1, "9" * 3999, {}, None),
        (-1, -16, {}, None),
    ],
)
def test_the_nodes_and_devices_that_runs_log_are_those_of_the_description(judged, nodes, each, node, expected):
    patch = {"systems": {"server": node}, **logs(nodes, each)}
    result = judged("suite-training", "F45", "retinanet", patch)
    branch = result.branch if result.outcome is VIOLATION else None
    assert (branch and (branch.branch, branch.effect.word)) == expected


def test_one_run_that_logs_more_devices_than_the_system_has(judged):
    assert judged("suite-training", "F45", "retinanet", logs(4, 8, 1)).branch.branch == "a"
    weak = logs(4, 8, 1) | {"claims": {"retinanet": {"label": "weak"}}}
    assert judged("suite-training", "F45", "retinanet", weak).outcome is PASS


def test_a_part_of_the_runs_may_log_fewer_devices(judged):
    patch = logs(1, 4)
    patch["arms"]["retinanet"]["runs"]["result_0"] = logs(1, 8, 1)["arms"]["retinanet"]["runs"]["result_0"]
    assert judged("suite-training", "F45", "retinanet", patch).outcome is PASS


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("example_8xh100", PASS), ("example_16xh100", VIOLATION), ("2x16xH100 of one rack", PASS), ("rack_h100", PASS)],
)
def test_the_name_of_a_system_with_its_count(judged, name, outcome):
    patch = {"systems": {"server": {"name": name, "device": "NVIDIA H100-SXM5-80GB"}}}
    assert judged("suite-training", "F45", "retinanet", patch).outcome is outcome


@pytest.mark.parametrize(("shift_ms", "outcome"), [(0, VIOLATION), (-40_000_000_000, NOT_APPLICABLE)])
def test_a_category_that_no_round_has_by_the_clock_of_the_runs(judged, shift_ms, outcome):
    runs = {f"result_{i}": {"window": {"start_ms": 1744012941843 + shift_ms}} for i in range(5)}
    patch = {
        "claims": {"retinanet": {"suite_result": {"round": None}}},
        "arms": {"retinanet": {"description": {"fields": {"status": "shipping soon"}}, "runs": runs}},
    }
    assert judged("suite-training", "Q20", "retinanet", patch).outcome is outcome


@pytest.mark.parametrize(
    ("work", "load", "outcome"),
    [
        (261800, {"tokens_counted": "output"}, VIOLATION),
        (293700, {"tokens_counted": "output"}, PASS),
        (261800, {"tokens_counted": "total"}, NOT_APPLICABLE),
        (261800, {}, NOT_APPLICABLE),  # with or without prompts, it does not say
    ],
)
def test_the_tokens_that_a_rate_counts_over_its_requests(judged, work, load, outcome):
    number = {"quantity": "rate", "value": "34791", "unit": "tokens/s", "statistic": "mean", "work": work, "load": load}
    number["n"] = {"unit": "request", "completed": 1000}
    quality = {"metric": "ROUGE1", "value": "44.4", "split": "test"}
    quality["output_length"] = {"generated": "293.71", "reference": "294.45"}
    trials = {f"t{i}": None for i in range(1, 6)}
    arm = {"performance": {"rate": None, "latency": None, "tokens": number}, "quality": {"rouge1": quality}}
    patch = {
        "arms": {"server": {**arm, "trials": trials}},
        "claims": {"rate": {"measured": {"arm": "server", "metric": "tokens"}, "work": "tokens"}, "latency": None},
    }
    assert judged("serving", "F54", "rate", patch).outcome is outcome


@pytest.mark.parametrize(
    ("value", "steps", "outcome"),
    [
        ("455", [0.28, 0.281, 0.282, 0.283], PASS),
        ("431", [0.28, 0.281, 0.282, 0.283], VIOLATION),  # the slowest step did 452
        ("480", [0.28, 0.281, 0.282, 0.283], VIOLATION),
        ("431", [0.28, 0.281, 0.282, 0.3], VIOLATION),  # one of them was as slow, but not their median
        ("431", [0.28, 0.281, 0.282, 0.283, None], PASS),  # another trial holds no steps
    ],
)
def test_a_rate_at_which_no_step_of_the_base_ran(judged, value, steps, outcome):
    rate = {"quantity": "rate", "value": value, "unit": "samples/s", "statistic": "median", "digits": None}
    rate |= {"column": "step_time_s", "work_per_iteration": 128, "n": None, "interval": None}
    trials = {"t1": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": steps}}}
    patch = {
        "claims": {"speedup": {"base": {"arm": "base", "metric": "rate", "definition": "the same in FP32"}}},
        "arms": {"base": {"devices": 8, "performance": {"rate": rate}, "trials": trials}},
    }
    if None in steps:
        steps.pop()
        trials["t2"] = {"kind": "throughput", "outcome": "completed"}  # a trial without its steps
    assert judged("training-pair", "F01", "speedup", patch).outcome is outcome


@pytest.mark.parametrize(
    ("value", "label", "outcome"),
    [
        ("0.06", "sd", VIOLATION),  # the standard error: the deviation is 0.14
        ("0.06", "sem", PASS),
        ("0.14", "sd", PASS),
        ("0.1", "sd", NOT_APPLICABLE),  # its one digit may hide too much
    ],
)
def test_a_plus_minus_of_one_digit(judged, value, label, outcome):
    seeds = {"1": "82.93", "2": "83.30", "3": "83.00", "4": "83.05", "5": "83.06"}
    quality = {"metric": "accuracy", "value": "83.07", "seeds": seeds, "plus_minus": {"value": value, "label": label}}
    claim = {"quality": {"arm": "a", "quality": "accuracy"}}
    patch = {"claims": {"rate": claim}, "arms": {"a": {"quality": {"accuracy": quality}}}}
    assert judged("rate", "F08", "rate", patch).outcome is outcome


@pytest.mark.parametrize(
    ("summary", "outcome"),
    [
        ({"sd": "0.147", "mean": "1.25", "min": "1.0", "max": "1.5"}, PASS),
        ({"sd": "0.09"}, VIOLATION),
        ({"mean": "1.15"}, VIOLATION),
        ({"max": "1.4"}, VIOLATION),
        ({"percentiles": {"90": "1.45"}}, PASS),
        ({"percentiles": {"p90": "1.20"}}, VIOLATION),
        ({"percentiles": {"most": "1.20"}}, PASS),
    ],
)
def test_what_is_printed_beside_a_value_comes_out_of_its_raw_numbers(judged, summary, outcome):
    steps = [1.0, 1.1, 1.2, 1.25, 1.25, 1.25, 1.3, 1.4, 1.5]
    trial = {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": steps}}
    number = {"quantity": "time", "value": "1.25", "unit": "s", "statistic": "median", "summary": summary}
    number |= {"column": "step_time_s", "n": None, "interval": None, "trials": None, "digits": None}
    number |= {"work_per_iteration": None, "plus_minus": None, "wall_s": None, "work": None}
    trials = {f"t{i}": None for i in range(2, 6)} | {"t1": {**trial, "iterations_planned": 9, "warmup": None}}
    patch = {
        "claims": {"rate": {"quantity": "time", "value": "1.25", "unit": "s", "digits": None}},
        "arms": {"a": {"performance": {"rate": number}, "trials": trials}},
    }
    assert judged("rate", "F07", "rate", patch).outcome is outcome
