"""F01, F33 and S02: raw numbers beside the rate, the other trials and the interval that are stated of them."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome

PASS, NOT_APPLICABLE, VIOLATION = Outcome.PASS, Outcome.NOT_APPLICABLE, Outcome.VIOLATION


def answer(result):
    if result.outcome is not VIOLATION:
        return result.outcome
    return result.branch.branch, result.branch.effect


# F01 ------------------------------------------------------------------------------------------------------------------


def rated(value, **metric):
    return {
        "claims": {"rate": {"value": value}},
        "arms": {"a": {"performance": {"rate": {"value": value, "digits": 4, **metric}}}},
    }


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (rated("2500"), PASS),
        (rated("2550"), ("a", REFUTES)),  # steps run as fast, but not their middle
        (rated("2550", statistic="max"), PASS),
        (rated("2550", statistic="trimmed_mean"), PASS),
        (rated("2550", n={"planned": 600, "completed": 600}), PASS),  # a part of the steps is handed in
        (rated("2550", n={"planned": 70, "excluded": 10}), NOT_APPLICABLE),
    ],
)
def test_a_mean_or_median_rate_is_one_of_its_steps(judged, patch, expected):
    assert answer(judged("rate", "F01", "rate", patch)) == expected


# F33 ------------------------------------------------------------------------------------------------------------------

TIMES = [0.1 + 0.001 * ((7 * i) % 11) + 1e-7 * i for i in range(20)]
LOSSES = [2.3 / (1 + i) + 1.2345e-5 for i in range(20)]


def trials(first, second, seeds=(1, 2)):
    made = {f"t{i}": None for i in range(1, 6)}
    for name, samples, seed in zip(("t1", "t2"), (first, second), seeds, strict=True):
        made[name] = {"kind": "throughput", "outcome": "completed", "seed": seed, "samples": samples}
    for name in ("t1", "t2"):
        made[name]["iterations_planned"] = 20
    return {"arms": {"a": {"trials": made}}}


OTHER = [time * 1.013 + 3e-7 for time in TIMES]


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (trials({"step_time_s": TIMES}, {"step_time_s": TIMES}), ("a", REFUTES)),
        (trials({"step_time_s": TIMES}, {"step_time_s": [*TIMES[:19], 0.123456]}), ("a", REFUTES)),
        (trials({"step_time_s": TIMES}, {"step_time_s": OTHER}), NOT_APPLICABLE),
        (
            trials({"step_time_s": TIMES, "loss": LOSSES}, {"step_time_s": OTHER, "loss": LOSSES}),
            ("b", CAVEAT),
        ),  # a seed without effect
        (
            trials({"step_time_s": TIMES, "loss": LOSSES}, {"step_time_s": OTHER, "loss": LOSSES}, (3, 3)),
            NOT_APPLICABLE,
        ),  # one seed gives one loss
        (
            trials({"step_time_s": [0.1, 0.2] * 10}, {"step_time_s": [0.1, 0.2] * 10}),
            NOT_APPLICABLE,
        ),  # so coarse that they meet
        (
            trials({"step_time_s": TIMES, "lr": LOSSES}, {"step_time_s": OTHER, "lr": LOSSES}),
            NOT_APPLICABLE,
        ),  # a schedule
    ],
)
def test_trials_with_the_numbers_of_another_trial(judged, patch, expected):
    assert answer(judged("rate", "F33", "rate", patch)) == expected


def test_simulated_times_may_repeat(judged):
    patch = trials({"step_time_s": TIMES}, {"step_time_s": TIMES}) | {"claims": {"rate": {"basis": "simulated"}}}
    assert judged("rate", "F33", "rate", patch).outcome is NOT_APPLICABLE


# S02 ------------------------------------------------------------------------------------------------------------------


def tail(method, varies="requests", statistic="percentile"):
    interval = {"low": "2.85", "high": "2.86", "level": 0.95, "method": method, "varies": varies}
    performance = {"latency": {"statistic": statistic, "value": "2.857", "interval": interval, "column": None}}
    claim = {"statistic": statistic, "value": "2.857", "statement": "The 99th percentile is 2.857 s."}
    return {"claims": {"latency": claim}, "arms": {"server": {"trials": NONE, "performance": performance}}}


NONE = dict.fromkeys(base("serving")["arms"]["server"]["trials"])
OF_MEAN = "value plus and minus 1.96 standard deviations over the root of n"


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (tail(OF_MEAN), ("a", CAVEAT)),
        (tail("standard error of all requests, normal"), ("a", CAVEAT)),
        (tail("ranks of the order statistics, normal with 1.96"), NOT_APPLICABLE),
        (tail("bootstrap of the 99th percentile"), NOT_APPLICABLE),
        (tail("normal, 1.96 standard errors of the density estimate"), NOT_APPLICABLE),
        (tail("t over five trials", "trials"), NOT_APPLICABLE),
        (tail(OF_MEAN, statistic="mean"), NOT_APPLICABLE),
    ],
)
def test_the_error_of_a_mean_is_none_of_a_percentile(judged, patch, expected):
    assert answer(judged("serving", "S02", "latency", patch)) == expected
