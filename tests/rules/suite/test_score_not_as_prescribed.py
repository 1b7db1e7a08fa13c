"""Q08, score-not-as-prescribed: A score that does not follow from the logged times by the rule of the suite."""

import math

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from dlaudit.rules.suite.score_not_as_prescribed import score_s
from hypothesis import given
from hypothesis import strategies as st
from support.patches import both
from support.suite_results import runs

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("value", "outcome", "words"),
    [
        ("38.115", PASS, ""),
        ("38.12", PASS, ""),
        ("38.054", VIOLATION, "the fastest run"),
        ("37.5", VIOLATION, "not 37.5"),
        ("39.9", NOT_SHOWN, "whether a factor applies"),
    ],
)
def test_the_score_is_the_prescribed_mean(judged, value, outcome, words):
    found = judged("suite-training", "Q08", "retinanet", {"claims": {"retinanet": {"value": value}}})
    assert found.outcome is outcome
    assert words in (found.branch.message if found.branch is not None else "")


def test_a_stated_factor_is_held_to(training):
    factor = {"claims": {"retinanet": {"value": "39.906", "factor": {"value": "1.047"}}}}
    assert training("Q08", factor) == (PASS, None)
    assert training("Q08", both(factor, {"claims": {"retinanet": {"value": "41.2"}}})) == (VIOLATION, REFUTES)


def test_a_failed_run_is_the_slowest(training):
    # without result_1, the fastest that is left is result_4: the mean of 2286.859, 2288.632 and 2291.947 s
    failed = both(runs(result_1={"status": "aborted"}), {"claims": {"retinanet": {"value": "38.152"}}})
    assert training("Q08", failed) == (PASS, None)


@given(st.lists(st.floats(1, 1e6), min_size=3, max_size=60), st.integers(0, 3))
def test_the_score_lies_between_its_runs(times, failed):
    score = score_s([*times, *[math.inf] * failed])
    if score is not None:
        assert min(times) * (1 - 1e-9) <= score <= max(times) * (1 + 1e-9)
