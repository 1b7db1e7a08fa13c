"""Rules on printed intervals, percentiles, plus-minus and tests: every branch, and what must stay silent."""

import math
import random

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome

PASS, VIOLATION = Outcome.PASS, Outcome.VIOLATION
NOT_SHOWN, OUTSIDE = Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
NONE = {f"t{k}": None for k in range(1, 6)}


def noisy(seed, n=60, noise=0.005):
    source = random.Random(seed)
    return [float(f"{0.1024 * math.exp(noise * source.gauss(0, 1)):.6g}") for _ in range(n)]


def one(row, **interval):
    """The rate of one trial with an interval of its own."""
    listed = {"t1": {"kind": "throughput", "outcome": "completed", "samples": {"step_time_s": row}}}
    return {"arms": {"a": {"trials": NONE | listed, "performance": {"rate": {"interval": interval}}}}}


def strength(result):
    assert result.outcome is VIOLATION, result
    return result.branch.branch, result.branch.effect


# S02


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [
        ("41090", "41500", PASS),
        ("41250", "41350", VIOLATION),
        ("40000", "42600", VIOLATION),
        ("4.11e4", "4.15e4", PASS),
    ],
    ids=["as computed", "too narrow", "too wide", "coarse digits"],
)
def test_the_width_of_an_interval_over_trials(judged, low, high, outcome):
    patch = {"arms": {"fused": {"performance": {"rate": {"interval": {"low": low, "high": high}}}}}}
    found = judged("training-pair", "S02", "rate", patch)
    assert found.outcome is outcome, found
    if outcome is VIOLATION:
        assert strength(found) == ("a", CAVEAT)


def test_the_width_of_the_interval_of_a_ratio(judged):
    for low, high, outcome in (("1.42", "1.44", PASS), ("1.2", "1.7", VIOLATION), ("1.4301", "1.4303", VIOLATION)):
        patch = {"claims": {"speedup": {"interval": {"low": low, "high": high}}}}
        assert judged("training-pair", "S02", "speedup", patch).outcome is outcome


@pytest.mark.parametrize(
    ("row", "method", "outcome"),
    [
        (noisy(1), "ranks of the median", PASS),
        (noisy(1, 12), "bootstrap, percentile", VIOLATION),
        ([*noisy(1, 30), 0.9], "t", VIOLATION),
        ([*noisy(1, 30), 0.9], "ranks of the median", PASS),
    ],
    ids=["ranks", "bootstrap of few", "t with a pause", "ranks with a pause"],
)
def test_the_method_within_one_process(judged, row, method, outcome):
    middle, half = 2500, 2500 * 1.96 * 1.25 * 0.005 / math.sqrt(len(row))
    patch = one(row, low=f"{middle - half:.1f}", high=f"{middle + half:.1f}", method=method, varies="iterations")
    found = judged("rate", "S02", "rate", patch)
    assert found.outcome is outcome, found


def test_pooled_iterations_of_several_trials(judged):
    interval = {"low": "2498", "high": "2502", "level": 0.95, "varies": "iterations"}
    found = judged("rate", "S02", "rate", {"arms": {"a": {"performance": {"rate": {"interval": interval}}}}})
    assert strength(found) == ("a", CAVEAT)
    assert "5 trials" in found.branch.message


def test_an_interval_of_nothing_in_particular_is_not_judged(judged):
    interval = {"low": "2498", "high": "2502"}
    patch = {"arms": {"a": {"performance": {"rate": {"interval": interval}}}}}
    assert judged("rate", "S02", "rate", patch).outcome is OUTSIDE


# S08, M27, F27


def latency(**fields):
    return {"arms": {"server": {"performance": {"latency": fields}}}}


def bare(n, trials=1, **fields):
    count = {"unit": "request", "planned": n, "completed": n}
    return {"arms": {"server": {"trials": None, "performance": {"latency": {"n": count, "trials": trials, **fields}}}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, PASS),
        (bare(299), PASS),
        (bare(298), VIOLATION),
        (bare(100, trials=3), PASS),
        (bare(28, summary={"percentiles": {"50": "2.5", "90": "2.699", "99": None}}), VIOLATION),
        (bare(20, summary={"percentiles": {"50": "2.5", "90": None, "99": None}}), OUTSIDE),
    ],
)
def test_how_many_values_a_percentile_needs(judged, patch, outcome):
    found = judged("serving", "S08", "latency", patch)
    assert found.outcome is outcome, found


def test_a_claimed_percentile_of_too_few_values_is_not_shown(judged):
    own = {"value": "2.857", "statistic": "percentile"}
    for n, interval, outcome in (
        (299, None, PASS),
        (200, None, NOT_SHOWN),
        (350, {"low": "2.8", "high": "3.0"}, NOT_SHOWN),
    ):
        patch = bare(n, interval=interval, **own) | {
            "claims": {"latency": {"statistic": "percentile", "interval": None}}
        }
        found = judged("serving", "S08", "latency", patch)
        assert found.outcome is outcome, found
        assert outcome is PASS or found.branch.item == "n behind a percentile"


@pytest.mark.parametrize(
    ("mean", "outcome"), [("2.503", PASS), ("2.698", PASS), ("2.701", VIOLATION), ("2.6995", PASS), ("2.9", VIOLATION)]
)
def test_a_mean_above_its_percentiles(judged, mean, outcome):
    found = judged("serving", "M27", "latency", latency(summary={"mean": mean}))
    assert found.outcome is outcome, found
    if outcome is VIOLATION:
        assert strength(found) == ("a", CAVEAT)
    step = {"claims": {"latency": {"scope": "step", "mode": "training"}}, **latency(summary={"mean": mean})}
    found = judged("serving", "M27", "latency", step)
    assert outcome is PASS or strength(found) == ("b", UNDERMINES)


@pytest.mark.parametrize(("statistic", "found"), [("mean", ("b", UNDERMINES)), ("median", ("a", CAVEAT))])
def test_the_mean_of_the_base_and_a_rate_of_the_same_times_count(judged, statistic, found):
    time = {"quantity": "time", "unit": "s", "value": "1.30", "statistic": "mean", "column": "step_time_s"}
    time["summary"] = {"mean": "1.30", "percentiles": {"50": "1.13", "90": "1.15", "99": "4.2"}}
    rate = {"statistic": statistic, "column": "step_time_s"}
    patch = {"arms": {"plain": {"performance": {"time": time, "rate": rate}}}}
    patch["claims"] = {"speedup": {"statistic": statistic}}
    assert strength(judged("training-pair", "M27", "speedup", patch)) == found


def test_a_mean_without_its_90th_percentile_is_not_judged(judged):
    for percentiles in ({"90": None}, {"90": None, "99": None}):
        bare = latency(column=None, summary={"percentiles": percentiles})
        assert judged("serving", "M27", "latency", bare).outcome is OUTSIDE


@pytest.mark.parametrize(
    ("summary", "outcome"),
    [
        ({}, PASS),
        ({"mean": "2.803"}, VIOLATION),
        ({"mean": "2.15"}, VIOLATION),
        ({"mean": "2.60"}, PASS),
        ({"max": None}, OUTSIDE),
        ({"mean": "9", "max": None}, OUTSIDE),
        ({"mean": "2.6", "min": None}, OUTSIDE),
        ({"mean": None}, OUTSIDE),
    ],
)
def test_a_mean_between_the_bounds_of_its_percentiles(judged, summary, outcome):
    found = judged("serving", "F27", "latency", latency(summary=summary))
    assert found.outcome is outcome, found
    if outcome is VIOLATION:
        assert strength(found) == ("a", REFUTES)


def test_bounds_hold_for_any_values():
    """The rule's inequality on samples of every shape: what is measured is never accused."""
    from dlaudit.rules.bases import base
    from dlaudit.rules.book import by_code
    from dlaudit.rules.case import Case
    from dlaudit.rules.documentation import merge_patch
    from dlaudit.rules.engine import judge
    from dlaudit.schemas.model import to_model
    from dlaudit.schemas.submission import Submission

    source = random.Random(3)
    for shape in range(60):
        n = source.choice([5, 20, 100, 1000])
        values = sorted(
            source.choice([source.random(), source.expovariate(1), source.choice([1.0, 50.0])]) for _ in range(n)
        )
        at = {p: f"{values[min(n - 1, int(n * p / 100))]:.4g}" for p in (50, 90, 99)}
        summary = {
            "mean": f"{math.fsum(values) / n:.4g}",
            "median": at[50],
            "min": f"{values[0]:.4g}",
            "max": f"{values[-1]:.4g}",
            "sd": None,
            "percentiles": {str(p): text for p, text in at.items()},
        }
        patch = bare(n, summary=summary)
        case = Case(to_model(merge_patch(base("serving"), patch), Submission))
        (found,) = judge(case, [by_code("F27")], ["latency"])
        assert found.outcome is not VIOLATION, (shape, found)


# S11


@pytest.mark.parametrize(
    ("rule", "outcome"),
    [
        ("30 iterations, fixed before", PASS),
        ("we stopped once the difference was significant", VIOLATION),
        ("until p < 0.05", VIOLATION),
        ("until the median's interval was narrower than 2 %", PASS),
        ("until significant, with alpha spending (Pocock, 5 looks)", PASS),
        (None, OUTSIDE),
    ],
)
def test_when_the_measurement_stopped(judged, rule, outcome):
    patch = {"arms": {"fused": {"measurement": {"stop_rule": rule}}}}
    found = judged("training-pair", "S11", "speedup", patch)
    assert found.outcome is outcome, found
    if outcome is VIOLATION:
        assert strength(found) == ("a", UNDERMINES)


def test_more_trials_in_one_arm_need_a_rule(judged):
    fewer = {"trials": {"t5": None}}
    silent = {"plan": None, "measurement": {"stop_rule": None}}
    assert judged("training-pair", "S11", "speedup", {"arms": {"plain": fewer}}).outcome is PASS
    patch = {"arms": {"plain": {**fewer, **silent}, "fused": silent}}
    assert strength(judged("training-pair", "S11", "speedup", patch)) == ("a", UNDERMINES)
    failed = {"trials": {"t5": {"outcome": "failed"}}}
    assert judged(
        "training-pair", "S11", "speedup", {"arms": {"plain": {**failed, **silent}, "fused": silent}}
    ).outcome is (OUTSIDE)


# F08


@pytest.mark.parametrize(
    ("value", "label", "outcome"),
    [
        ("13.6", "sd", PASS),
        ("0.784", "sem", PASS),
        ("0.784", "sd", VIOLATION),
        ("13.6", "sem", VIOLATION),
        ("13.6", "unlabelled", OUTSIDE),
        ("14", "sd", PASS),
        ("5", "sd", OUTSIDE),
        ("0.8", "sd", OUTSIDE),  # one digit, and not far from the deviation of the trials
        ("0.8", "sem", PASS),
        ("0.3", "sd", OUTSIDE),  # its digit may hide too much
        ("333.3", "sd", OUTSIDE),
        ("0", "sd", OUTSIDE),
    ],
)
def test_what_a_plus_minus_is(judged, value, label, outcome):
    half = {"value": value, "label": label}
    found = judged("rate", "F08", "rate", {"arms": {"a": {"performance": {"rate": {"plus_minus": half}}}}})
    assert found.outcome is outcome, found
    if outcome is VIOLATION:
        assert strength(found) == ("a", UNDERMINES)
