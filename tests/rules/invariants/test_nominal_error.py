"""Honest studies are not accused, and dishonest ones are, by the rules that read raw numbers: simulated, seeded."""

import importlib.util
import random
import sys
from pathlib import Path

import pytest
from dlaudit.rules.case import Case
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Violation
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission

PATH = Path(__file__).resolve().parents[3] / "benchmarks" / "nominal_error.py"


@pytest.fixture(scope="module")
def simulation():
    spec = importlib.util.spec_from_file_location("nominal_error", PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_at_most_two_honest_studies_in_a_hundred_are_accused(simulation):
    rules, accused, judged = simulation.raw_rules(), [], 0
    assert {"M02", "M06", "M07", "M08", "S02", "S04", "F07", "F12", "F13", "F14"} <= {rule.code for rule in rules}
    for cell, submission in simulation.studies(seed=5, each=4, lengths=(30, 50)):
        judged += 1
        codes = [code for code, effect in simulation.accused(submission, rules) if effect >= UNDERMINES]
        accused += [(cell, codes)] if codes else []
    assert judged == 108
    assert len(accused) <= 0.02 * judged, accused


@pytest.mark.parametrize(("correlation", "least"), [(0.0, 0.93), (0.3, 0.92), (0.6, 0.92)])
def test_an_interval_over_independent_blocks_covers_what_it_says(simulation, correlation, least):
    found = simulation.coverage(seed=7, each=300, n=200, correlation=correlation)
    assert found["refused"] < 0.05
    assert least <= found["blocks"] <= 0.995


def test_an_interval_that_takes_dependent_values_for_independent_ones_does_not(simulation):
    assert simulation.coverage(seed=8, each=300, n=100, correlation=0.6)["ranks"] < 0.9


@pytest.mark.parametrize("trials", [3, 5, 20])
def test_intervals_over_trials_cover_what_they_say(simulation, trials):
    covered, found = simulation.trial_coverage(seed=9, each=1000, trials=trials)
    assert 0.93 <= covered <= 0.97
    assert found <= 0.075


def tampered(simulation, change, trials=5, n=40):
    """The violations of a study whose raw numbers were changed before anything was computed from them."""
    source, arm = random.Random(11), simulation.arm

    def changed(source, level, *rest):
        rows = arm(source, level, *rest)
        return change(rows) if level == simulation.LEVELS["fused"] else rows

    simulation.arm = changed
    try:
        submission = simulation.study(source, trials, n, 0.01, 0.0)
    finally:
        simulation.arm = arm
    results = judge(Case(submission), simulation.raw_rules(), ["speedup"])
    return {result.code: result.branch for result in results if isinstance(result.branch, Violation)}


def test_an_honest_study_gets_no_finding(simulation):
    assert tampered(simulation, lambda rows: rows) == {}


def copied(rows):
    return [*rows[:-1], rows[0]]


def half_copied(rows):
    return [*rows[:-1], rows[-1][:20] + rows[0][20:]]


def rotated(rows):
    return [*rows[:-1], rows[0][9:] + rows[0][:9]]


def stretched(rows):
    return [*rows[:-1], [float(f"{1.013 * x + 0.001:.6g}") for x in rows[0]]]


def constant(rows):
    return [*rows[:-1], [0.8] * len(rows[0])]


def absurd(rows):
    return [[*rows[0][:7], 800.0, *rows[0][8:]], *rows[1:]]


def slow_start(rows):
    return [[1.3 * x for x in row[:6]] + row[6:] for row in rows]


def drifting(rows):
    return [[x * (1 + 0.08 * index / len(row)) for index, x in enumerate(row)] for row in rows]


def scattered(rows):
    return [[x * factor for x in row] for row, factor in zip(rows, (0.7, 1.4, 0.8, 1.3, 1.0), strict=True)]


@pytest.mark.parametrize(
    ("change", "code", "effect"),
    [
        (copied, "F33", REFUTES),  # which speaks for F12
        (half_copied, "F12", REFUTES),
        (rotated, "F12", REFUTES),
        (stretched, "F13", REFUTES),
        (constant, "F14", None),
        (absurd, "M06", None),
        (slow_start, "M02", None),
        (drifting, "M07", UNDERMINES),
        (scattered, "M06", None),
    ],
)
def test_a_dishonest_study_is_found_out(simulation, change, code, effect):
    found = tampered(simulation, change)
    assert code in found, found
    assert effect is None or found[code].effect == effect


def test_one_trial_alone_is_a_caveat(simulation):
    for change, code in ((slow_start, "M02"), (drifting, "M07")):
        found = tampered(simulation, lambda rows, change=change: [*change(rows[:1]), *rows[1:]])
        assert found[code].effect < UNDERMINES


def test_a_coarse_clock_makes_no_copies(simulation):
    """Times in whole hundredths: many are equal, in runs too, and nothing was copied."""
    for seed in range(12):
        source = random.Random(seed)
        rows = {name: simulation.arm(source, 0.8, 8, 60, 0.01, 0.6, 0.0) for name in simulation.LEVELS}
        arms = {
            name: {
                "trials": {
                    f"t{k}": {
                        "kind": "throughput",
                        "outcome": "completed",
                        "samples": {"step_time_s": [round(x, 2) for x in row]},
                    }
                    for k, row in enumerate(values)
                }
            }
            for name, values in rows.items()
        }
        claim = {
            "statement": "s",
            "value": "1",
            "unit": "x",
            "quantity": "rate",
            "form": "ratio",
            "scope": "step",
            "mode": "training",
            "compares": "own_variants",
            "measured": {"arm": "fused"},
            "base": {"arm": "plain"},
        }
        value = {"dlaudit": "submission/1", "title": "t", "claims": {"c": claim}, "arms": arms}
        results = judge(Case(to_model(value, Submission)), simulation.raw_rules())
        assert not {r.code for r in results if isinstance(r.branch, Violation)} & {"F12", "F13"}
