"""Known processes through the analysis of `dlaudit compare`: intervals cover, equal arms do not differ; seeded."""

import importlib.util
import sys
from pathlib import Path

import pytest

PATH = Path(__file__).resolve().parents[3] / "benchmarks" / "known_processes.py"
SPEC = importlib.util.spec_from_file_location("known_processes", PATH)
known = importlib.util.module_from_spec(SPEC)
sys.modules[SPEC.name] = known
SPEC.loader.exec_module(known)

EACH = 150
NAMES = tuple(known.PROCESSES)


@pytest.fixture(scope="module")
def equal():
    return {name: known.answers(draw, 17, EACH, 5) for name, draw in known.PROCESSES.items()}


@pytest.mark.parametrize("name", NAMES)
def test_the_interval_of_each_process_covers_and_equal_arms_do_not_differ(equal, name):
    found = equal[name]
    assert found["covered"] >= 0.90  # 95 % less 2.8 standard deviations of 150 comparisons
    assert found["false"] <= 0.10
    assert found["false with margin"] <= found["false"]


def test_over_all_processes_the_coverage_is_that_which_is_stated(equal):
    covered = sum(found["covered"] for found in equal.values()) / len(equal)
    false = sum(found["false"] for found in equal.values()) / len(equal)
    assert 0.94 <= covered <= 0.975
    assert false <= 0.06


@pytest.mark.parametrize("name", ["lognormal, 10 %", "two modes, 50/50, +10 %", "AR(1) .6, 10 %", "drift of 10 %"])
def test_the_interval_covers_a_difference_too(name):
    assert known.answers(known.PROCESSES[name], 18, EACH, 5, ratio=1.1)["covered"] >= 0.90


def test_iterations_of_one_process_are_no_replication():
    for draw in known.PROCESSES.values():
        for trials in (1, 2):
            assert known.answers(draw, 19, 3, trials, ratio=2.0)["refused"] == 1


def test_a_difference_that_is_there_is_found():
    draw = known.PROCESSES["spikes, 2 % of them x3"]
    assert known.answers(draw, 20, 40, 5, ratio=1.1)["false with margin"] == 1


def test_arms_that_were_interleaved_share_the_drift_of_a_session():
    found = known.session(21, 60, 5, 0.1, interleaved=True)
    assert found["false"] <= 0.05
    assert found["said"] == 0


def test_arms_that_ran_one_after_the_other_are_said_to():
    found = known.session(22, 30, 5, 0.1, interleaved=False)
    assert found["said"] == 1
    assert found["covered"] < 0.5  # why it has to be said
