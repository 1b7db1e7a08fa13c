"""What raw times show of themselves: known processes get their flags, clean ones none."""

import math
import random
import time

import pytest
from dlaudit.runners.record.analysis import FLAGS, of_arm, of_trial, usable
from dlaudit.runners.record.events import Events
from dlaudit.schemas.digest import canonical
from dlaudit.schemas.evidence import ArmAnalysis, SeriesAnalysis
from dlaudit.schemas.model import to_model
from hypothesis import given, settings
from hypothesis import strategies as st
from support import pace

N = 200


def dependent(source, n=N, correlation=0.0, noise=0.01):
    """Lognormal times around 0.1 s, their logarithms an AR(1)."""
    state, values = source.gauss(0, 1), []
    for _ in range(n):
        values.append(0.1 * math.exp(noise * state))
        state = correlation * state + math.sqrt(1 - correlation**2) * source.gauss(0, 1)
    return values


def two_modes(source, n=N):
    return [value * source.choice((1.0, 1.3)) for value in dependent(source, n)]


def drifting(source, n=N):
    return [value * (1 + 0.1 * index / n) for index, value in enumerate(dependent(source, n))]


def slow_start(source, n=N):
    return [value * (1.4 if index < 12 else 1.0) for index, value in enumerate(dependent(source, n))]


def arm(process, trials=5, seed=1, **more):
    source = random.Random(seed)
    values = [process(source, **more) for _ in range(trials)]
    analyses = {f"t{index}": of_trial(one) for index, one in enumerate(values, start=1)}
    return of_arm(analyses, values), list(analyses.values())


@pytest.mark.parametrize(
    ("process", "flag"), [(two_modes, "multimodal"), (drifting, "drift"), (slow_start, "warmup_retained")]
)
def test_a_known_process_gets_its_flag(process, flag):
    together, trials = arm(process)
    assert flag in together["flags"]
    assert together["flagged"][flag] == 5
    assert all(flag in one["flags"] for one in trials)


def test_the_numbers_are_those_of_the_process():
    _, trials = arm(slow_start)
    assert {one["warmup_end"] for one in trials} == {12}
    assert all(one["head_excess"] == pytest.approx(0.4, abs=0.03) for one in trials)
    _, trials = arm(drifting)
    assert all(one["drift"] == pytest.approx(0.1 * 0.9 / 1.05, rel=0.15) for one in trials)
    _, trials = arm(dependent, n=2000, correlation=0.6)
    times = [one["autocorrelation_time"] for one in trials]
    assert sum(times) / 5 == pytest.approx(4.0, rel=0.25)  # (1 + phi) / (1 - phi)
    assert all(one["effective_n"] == pytest.approx(2000 / one["autocorrelation_time"], rel=1e-4) for one in trials)


def test_dependent_values_are_flagged_where_more_than_two_weigh_as_one():
    assert arm(dependent, correlation=0.6)[0]["flags"] == ["autocorrelated"]
    assert arm(dependent, correlation=0.9)[0]["flags"] == ["autocorrelated"]
    assert arm(dependent, correlation=0.1)[0]["flags"] == []


def test_clean_arms_are_flagged_in_at_most_one_case_in_fifty():
    raised = dict.fromkeys(FLAGS, 0)
    for seed in range(150):
        for flag in arm(dependent, seed=seed, n=60)[0]["flags"]:
            raised[flag] += 1
    assert sum(raised.values()) <= 3, raised


def test_short_trials_are_tested_for_modes_together():
    together, trials = arm(two_modes, trials=6, n=30)
    assert all("modes_p" not in one for one in trials)
    assert together["modes_p"] <= 0.01
    assert together["flags"] == ["multimodal"]
    assert "multimodal" not in together["flagged"]


def test_one_trial_alone_speaks_for_its_arm_and_one_of_five_does_not():
    source = random.Random(3)
    clean, bent = [dependent(source) for _ in range(4)], drifting(source)
    alone = of_arm({"t1": of_trial(bent)}, [bent])
    assert "drift" in alone["flags"]
    trials = [*clean, bent]
    together = of_arm({f"t{index}": of_trial(one) for index, one in enumerate(trials)}, trials)
    assert together["flagged"]["drift"] == 1
    assert "drift" not in together["flags"]


@pytest.mark.parametrize("values", [[0.1], [0.1] * 60, [0.1, 0.2] * 3, [1e-9, 1e9] * 40])
def test_what_cannot_be_told_is_absent(values):
    found = of_trial(values)
    assert found["values"] == len(values)
    to_model(found, SeriesAnalysis)
    assert "warmup_end" not in found or len(values) >= 15


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=90))
def test_any_durations_can_be_analysed(values):
    found = of_trial(values)
    to_model(found, SeriesAnalysis)
    to_model(of_arm({"t": found}, [values]), ArmAnalysis)
    canonical(found)
    assert 0 < found.get("effective_n", 1) <= len(values) * (1 + 1e-5)
    assert set(found["flags"]) <= set(FLAGS)


def test_a_series_with_something_that_is_no_duration_is_left_alone():
    assert usable(Events(columns={"step_time_s": [0.1, None, 0.1]})) == ()
    assert usable(Events(columns={"step_time_s": [0.1, 0.0]})) == ()
    assert usable(Events()) == ()
    assert usable(Events(columns={"step_time_s": [0.1, 0.2]})) == (0.1, 0.2)
    assert of_arm({}, []) is None


def test_the_cost_does_not_grow_with_the_length():
    source = random.Random(5)
    values = dependent(source, n=200_000, correlation=0.9)
    began = time.process_time()
    found = of_trial(values)
    assert time.process_time() - began < pace.seconds(0.5)
    assert (found["values"], found["read"]) == (200_000, 2000)
