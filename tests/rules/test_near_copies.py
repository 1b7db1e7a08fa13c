"""F33: runs whose evaluations are another run's with other last digits."""

import random

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.forensics._near_copies import near_copies
from dlaudit.rules.outcome import Outcome
from dlaudit.rules.trace import Event, Logged, Trace
from dlaudit.schemas.runs import Run
from hypothesis import given, settings
from hypothesis import strategies as st

CLAIM = "retinanet"
NAMES = list(base("suite-training")["arms"][CLAIM]["runs"])


def curve(seed, steps, scatter=0.004):
    """Evaluations of one training: a curve that saturates, above or below others by its seed, with a scatter."""
    draw = random.Random(seed)
    height = 0.7 + draw.gauss(0, scatter)
    return [height * (1 - 0.5 * 0.8**step) + draw.gauss(0, scatter) for step in range(steps)]


def logged(values, name="r"):
    events = tuple(
        Event(i + 1, 1e12 + i * 1e5, "eval_accuracy", "eval", v, float(i * 1000)) for i, v in enumerate(values)
    )
    return Logged(name, Run(), Trace(events, (), f"{name}.txt"))


def near(curves, most=0.1):
    runs = [logged(values, f"r{i}") for i, values in enumerate(curves)]
    return [(pair.left.id, pair.right.id) for pair in near_copies(runs, most)]


@given(st.integers(0, 2**32), st.integers(4, 10), st.integers(9, 40))
@settings(max_examples=60, deadline=None)
def test_runs_that_trained_by_themselves_lie_apart(seed, runs, steps):
    assert near([curve(f"{seed}-{i}", steps) for i in range(runs)]) == []


@given(st.integers(0, 2**32), st.integers(4, 8))
@settings(max_examples=40, deadline=None)
def test_runs_whose_first_evaluations_scatter_most_lie_apart(seed, runs):
    draw = random.Random(seed)
    early = [[draw.gauss(0.3, 0.1), draw.gauss(0.5, 0.02)] for _ in range(runs)]
    assert near([early[i] + curve(f"{seed}-{i}", 10, 0.0005) for i in range(runs)]) == []


@given(st.integers(0, 2**32), st.integers(4, 10))
@settings(max_examples=30, deadline=None)
def test_other_last_digits_or_another_height_make_no_other_run(seed, runs):
    curves = [curve(f"{seed}-{i}", 12) for i in range(runs)]
    draw = random.Random(seed)
    curves[1] = [value + draw.uniform(-5e-5, 5e-5) + 0.002 for value in curves[0]]
    assert ("r0", "r1") in near(curves)


@pytest.mark.parametrize(
    "curves",
    [
        [],
        [[0.7] * 12] * 3,  # too few runs
        [[0.1 * i for i in range(12)]] * 5,  # all alike: no run lies apart from any other
        [curve(i, 5) for i in range(6)],  # too few steps
        [[float("nan")] * 12] * 5,
    ],
)
def test_what_cannot_be_compared_says_nothing(curves):
    assert near(curves) == []


def with_evaluations(judged, curves):
    runs = {}
    for name, values in zip(NAMES, curves, strict=True):
        start = base("suite-training")["arms"][CLAIM]["runs"][name]["events"]["23"]["time_ms"]
        events = {
            str(300 + i): {"key": "eval_error", "value": value, "samples": 1000 * i, "time_ms": start + 1000 * i}
            for i, value in enumerate(values)
        }
        runs[name] = {"events": events}
    return judged("suite-training", "F33", CLAIM, {"arms": {CLAIM: {"runs": runs}}})


def test_a_curve_with_other_last_digits_undermines_the_result(judged):
    curves = [curve(i, 12) for i in range(5)]
    assert with_evaluations(judged, curves).outcome is Outcome.PASS
    curves[3] = [value + (i % 7) * 1e-6 for i, value in enumerate(curves[1])]
    result = with_evaluations(judged, curves)
    assert (result.branch.branch, result.branch.effect.word) == ("c", "undermines")
    assert "result_3.txt change alike" in result.branch.message
