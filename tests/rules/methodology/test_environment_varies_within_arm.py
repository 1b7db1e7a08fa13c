"""M25, environment-varies-within-arm."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer
from support.conditions import both_arms

PASS = Outcome.PASS


def per_trial(*conditions, **claim):
    trials = {f"t{index}": condition for index, condition in enumerate(conditions, 1)}
    return {"arms": {"fused": {"trials": trials}}, "claims": {"speedup": claim}}


def driver(version, *values):
    samples = {"samples": {"step_time_s": list(values)}} if values else {}
    return {"software": {"driver": version}} | samples


OLD, NEW = "470.82.01", "550.54.15"


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (per_trial(driver(NEW), driver(OLD)), ("a", CAVEAT)),
        (per_trial(driver(NEW), driver(NEW)), PASS),
        (per_trial(driver(NEW), {}), PASS),
        (per_trial(driver("550.54"), driver(NEW)), PASS),  # one version, given to different lengths
        (per_trial({"environment": {"host": "node-1"}}, {"environment": {"host": "node-2"}}), ("a", CAVEAT)),
        (per_trial({"environment": {"host": "Node 1"}}, {"environment": {"host": "node-1"}}), PASS),
        (per_trial({"environment": {"host": "a node"}}, {"environment": {"host": "the other"}}), PASS),
        (per_trial({"device_ids": ["GPU-1", "GPU-2"]}, {"device_ids": ["GPU-2", "GPU-1"]}), PASS),
        (per_trial({"device_ids": ["GPU-1"]}, {"device_ids": ["GPU-2"]}), ("a", CAVEAT)),
        (per_trial({"environment": {"power_limit_w": 400}}, {"environment": {"power_limit_w": 400.6}}), PASS),
        (per_trial({"environment": {"power_limit_w": 400}}, {"environment": {"power_limit_w": 300}}), ("a", CAVEAT)),
        (
            per_trial(
                {"device_ids": ["GPU-1"]},
                {"device_ids": ["GPU-2"]},
                interval={"low": "1.40", "high": "1.46", "varies": "machines"},
            ),
            PASS,
        ),
        (
            per_trial(driver(NEW), driver(OLD), interval={"low": "1.40", "high": "1.46", "varies": "machines"}),
            ("a", CAVEAT),
        ),
    ],
)
def test_conditions_of_single_trials(judged, patch, expected):
    assert answer(judged("training-pair", "M25", "speedup", patch)) == expected


@pytest.mark.parametrize(
    ("slow", "expected"),
    [((0.911, 0.912, 0.913), ("b", UNDERMINES)), ((0.79, 0.80, 0.81), ("a", CAVEAT)), ((0.911, 0.912), ("a", CAVEAT))],
)
def test_trials_that_group_by_their_driver(judged, slow, expected):
    fast = [driver(NEW, 0.79, 0.80), driver(NEW, 0.80, 0.81), driver(NEW, 0.79, 0.79)]
    others = [driver(OLD, value, value) | {"kind": "throughput", "outcome": "completed"} for value in slow]
    patch = per_trial(*fast, *others)
    assert answer(judged("training-pair", "M25", "speedup", patch)) == expected


def test_runs_of_a_result_on_several_hosts(judged):
    runs = {"r1": {"host": "node-1"}, "r2": {"host": "node-2"}}
    patch = {"arms": {"fused": {"runs": runs}}}
    assert answer(judged("training-pair", "M25", "speedup", patch)) == ("a", CAVEAT)


QUALITY = {"quantity": "accuracy", "metric": "loss", "unit": "nat", "value": "0.01"}


def test_seeds_of_a_quality_may_run_on_several_machines(judged):
    trials = {"s1": {"environment": {"host": "node-1"}}, "s2": {"environment": {"host": "node-2"}}}
    patch = both_arms({"trials": trials})
    assert answer(judged("training-pair", "M25", "speedup", patch)) == ("a", CAVEAT)
    assert answer(judged("training-pair", "M25", "speedup", patch | {"claims": {"speedup": QUALITY}})) is PASS
