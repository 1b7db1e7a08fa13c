"""M04, M05, M14, M18, M19, M27, M30, S16 beyond plain rates: FLOP/s, joules, means, runs that a document lists."""

import pytest
from dlaudit.rules.bases import base as submission
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome

VIOLATION, NOT_SHOWN, PASS, APART = Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.PASS, Outcome.NOT_APPLICABLE


def told(result):
    """The outcome, and of a violation its branch and effect."""
    if result.outcome is VIOLATION:
        return result.branch.branch, result.branch.effect
    return result.outcome


# M04: how often --------------------------------------------------------------------------------------------------


def metered(completed, unit="trial", column=None):
    """The energy of the limited arm, read by a meter."""
    metric = {"column": column, "n": {"unit": unit, "planned": completed, "completed": completed}, "trials": completed}
    return {"arms": {"limited": {"performance": {"per-joule": metric}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, PASS),
        (metered(2), NOT_SHOWN),
        (metered(3), PASS),
        (metered(5), PASS),
        (metered(9, "iteration"), NOT_SHOWN),
        (metered(2, column="energy_j"), PASS),
    ],
)
def test_an_energy_is_measured_as_often_as_its_meter_is_read(judged, patch, expected):
    assert told(judged("energy", "M04", "per-joule", patch)) is expected


def test_of_the_trials_that_are_stated_those_that_are_listed_count(judged):
    patch = metered(5)
    patch["arms"]["limited"]["trials"] = {"t3": None, "t4": None, "t5": None}
    assert told(judged("energy", "M04", "per-joule", patch)) is NOT_SHOWN


def test_a_cost_without_n_is_that_of_its_time(judged):
    patch = metered(5)
    patch["claims"] = {"per-joule": {"quantity": "cost", "unit": "EUR"}}
    assert told(judged("energy", "M04", "per-joule", patch)) is PASS
    patch["arms"]["limited"]["performance"]["per-joule"]["n"] = None
    assert told(judged("energy", "M04", "per-joule", patch)) is APART


def test_operations_per_second_are_measured_as_often_as_their_times(judged):
    few = {"arms": {"n8192": {"trials": None, "performance": {"rate": {"n": {"planned": 6, "completed": 6}}}}}}
    assert told(judged("kernel", "M04", "gemm")) is PASS
    assert told(judged("kernel", "M04", "gemm", few)) is NOT_SHOWN


# M05: one process ------------------------------------------------------------------------------------------------


def one_process(varies):
    interval = {"low": "261.23", "high": "262.11", "method": f"t on logs of {varies}", "varies": varies}
    arm = {"trials": {f"t{n}": None for n in range(2, 6)}, "performance": {"rate": {"interval": interval, "trials": 1}}}
    return {"claims": {"gemm": {"interval": interval}}, "arms": {"n8192": arm}}


def test_an_interval_of_operations_per_second_within_one_process(judged):
    assert told(judged("kernel", "M05", "gemm")) is PASS
    assert told(judged("kernel", "M05", "gemm", one_process("iterations"))) is NOT_SHOWN


# M14: held down --------------------------------------------------------------------------------------------------


def held_down(seconds):
    counters = {"telemetry": {"window_s": 150.0, "throttled_s": {"thermal": seconds}}}
    cool = {"telemetry": {"window_s": 150.0, "throttled_s": {"thermal": 0.0}}}
    return {
        "arms": {
            "full": {"trials": {f"t{n}": counters for n in range(1, 6)}},
            "limited": {"trials": {f"t{n}": cool for n in range(1, 6)}},
        }
    }


@pytest.mark.parametrize(("seconds", "expected"), [(25.0, ("a", UNDERMINES)), (0.2, PASS)])
def test_heat_moves_an_energy_too(judged, seconds, expected):
    assert told(judged("energy", "M14", "gain", held_down(seconds))) == expected


# M18 and M19: two engines, two models on one machine -----------------------------------------------------------------

ENGINES = {"claims": {"speedup": {"attribution": "system", "treatment": ["engine"]}}}


@pytest.mark.parametrize(
    ("theirs", "expected"),
    [
        ({"system": "theirs", "environment": {"power_limit_w": 300}}, PASS),
        ({"system": "ours", "environment": {"power_limit_w": 300}}, ("a", UNDERMINES)),
        ({"system": "ours", "environment": {"clocks": {"low_mhz": 1200, "high_mhz": 1200}}}, ("a", UNDERMINES)),
        ({"system": "ours", "environment": {"host": "node-99"}}, ("a", UNDERMINES)),
        ({"system": "ours", "environment": {"host": "node-21"}, "software": {"driver": "560.1.2"}}, PASS),
        ({"system": "ours", "environment": {"host": "node-21"}}, PASS),
    ],
)
def test_engines_on_one_machine_share_its_settings(judged, theirs, expected):
    ours = {"environment": {"host": "node-21"}}
    patch = {**ENGINES, "arms": {"theirs": theirs, "ours": ours}}
    assert told(judged("serving-comparison", "M18", "speedup", patch)) == expected


def two_models(system, **options):
    theirs = {"system": system, "options": {"model": "another network", **options}}
    return {"claims": {"speedup": {"statement": "Ours is faster.", "treatment": ["model"]}}, "arms": {"theirs": theirs}}


@pytest.mark.parametrize(
    ("system", "options", "expected"),
    [
        ("theirs", {"precision": {"compute": "fp32"}}, PASS),
        ("ours", {"precision": {"compute": "fp32"}}, ("a", UNDERMINES)),
        ("ours", {}, PASS),
    ],
)
def test_two_models_on_one_machine_could_run_in_one_precision(judged, system, options, expected):
    assert told(judged("comparison", "M19", "speedup", two_models(system, **options))) == expected


@pytest.mark.parametrize(
    ("mode", "options", "expected"),
    [
        ("inference", {"micro_batch": 8}, ("a", UNDERMINES)),
        ("inference", {"micro_batch": 8, "pipeline_parallel": 2, "per_device_batch": 32}, PASS),
        ("inference", {"global_batch": 4096}, PASS),
        ("training", {"micro_batch": 8, "accumulation": 4}, PASS),
    ],
)
def test_in_inference_the_batch_is_what_passes_through_the_model(judged, mode, options, expected):
    own = {"micro_batch": 32, "per_device_batch": 32, "global_batch": 512}
    patch = {
        "claims": {"speedup": {"mode": mode, "scope": "step", "statement": "Fused is faster."}},
        "arms": {"fused": {"options": own}, "plain": {"options": own | options}},
    }
    assert told(judged("training-pair", "M19", "speedup", patch)) == expected


# M27: a mean of raw times ------------------------------------------------------------------------------------------


def mean_with(slow_at, factor=8.0, statistic="mean"):
    """Two slow steps in each trial of the plain arm, which states its mean."""
    trials = {}
    for name, trial in submission("training-pair")["arms"]["plain"]["trials"].items():
        if trial["kind"] == "throughput":
            times = list(trial["samples"]["step_time_s"])
            for place in slow_at:
                times[place] *= factor
            trials[name] = {"samples": {"step_time_s": times}}
    return {"arms": {"plain": {"trials": trials, "performance": {"rate": {"statistic": statistic}}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (mean_with((0, 1)), ("b", UNDERMINES)),
        (mean_with((0, 1), factor=1.5), ("a", CAVEAT)),
        (mean_with((12, 22)), ("a", CAVEAT)),
        (mean_with((0, 1), factor=1.01), PASS),
        (mean_with((0, 1), statistic="median"), APART),
    ],
)
def test_a_mean_of_raw_times_that_few_of_them_carry(judged, patch, expected):
    assert told(judged("training-pair", "M27", "speedup", patch)) == expected


# M30: runs that the document lists ---------------------------------------------------------------------------------


def listed(change, arm="trained"):
    """The evaluations of the first run, changed; the other runs keep theirs."""
    runs = submission("time-to-accuracy")["arms"][arm]["trials"]
    name = next(name for name, run in runs.items() if run.get("evaluations"))
    return {"arms": {arm: {"trials": {name: {"evaluations": change(list(runs[name]["evaluations"]))}}}}}


def between(evaluations):
    """One more evaluation, half a distance after the fourth."""
    left, right = evaluations[3], evaluations[4]
    middle = {**left, **{unit: (left[unit] + right[unit]) / 2 for unit in ("samples", "epoch", "time_s")}}
    return [*evaluations[:4], middle | {"step": (left["step"] + right["step"]) // 2}, *evaluations[4:]]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda found: found, PASS),
        (between, ("a", UNDERMINES)),
        (lambda found: [*found[:5], *found[6:]], ("a", UNDERMINES)),
        (lambda found: found[3:], ("a", UNDERMINES)),
        (lambda found: found[:-1], PASS),
        (lambda found: found[:8] + found[-1:], PASS),
        (lambda found: found[:1], APART),
    ],
)
def test_listed_runs_are_evaluated_on_one_schedule(judged, change, expected):
    assert told(judged("time-to-accuracy", "M30", "time", listed(change))) == expected


# S16: a rate beside a quality --------------------------------------------------------------------------------------


def test_a_rate_of_one_process_beside_the_quality_of_five_runs(judged):
    seeds = {str(seed): "0.76" for seed in range(5)}
    quality = {"top1": {"metric": "top-1 accuracy", "value": "0.76", "seeds": seeds}}
    patch = {
        "claims": {"rate": {"quality": {"arm": "a", "quality": "top1"}}},
        "arms": {"a": {"quality": quality, "trials": {f"t{n}": None for n in range(2, 6)}}},
    }
    metric = {"performance": {"rate": {"n": {"unit": "iteration", "completed": 60}, "trials": 1}}}
    assert told(judged("rate", "S16", "rate", patch)) is PASS
    patch["arms"]["a"] |= metric
    assert told(judged("rate", "S16", "rate", patch)) is NOT_SHOWN
