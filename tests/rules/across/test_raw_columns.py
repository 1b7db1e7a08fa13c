"""Raw numbers stay with the number that counts them, whatever its author calls them."""

import pytest
from dlaudit.rules.outcome import REFUTES, UNDERMINES, Outcome

TRIALS = tuple(f"t{i}" for i in range(1, 6))


def false_rate(value="60100", **metric):
    """Return a patch: the claimed rate is not that of the arm's step times, and something hides these."""
    return {
        "claims": {"rate": {"value": value, "statement": f"One GPU processes {value} tokens per second."}},
        "arms": {"fused": {"performance": {"rate": {"value": value, **metric}}}},
    }


def said(judged, patch):
    result = judged("training-pair", "F07", "rate", patch)
    return result.outcome, getattr(result.branch, "effect", None)


@pytest.mark.parametrize("column", [None, "quick_step_time_s"])
def test_a_column_that_is_not_named_or_not_there(judged, column):
    assert said(judged, false_rate(column=column)) == (Outcome.VIOLATION, REFUTES)


def test_the_rate_of_a_batch_needs_no_word_on_its_work(judged):
    patch = {
        "claims": {"rate": {"value": "2790", "unit": "images/s"}},
        "arms": {
            "a": {"performance": {"rate": {"value": "2790", "digits": 4, "column": None, "work_per_iteration": None}}}
        },
    }
    assert (
        judged("rate", "F07", "rate", patch).outcome is not Outcome.VIOLATION
    )  # two rates: either may be of the column
    patch["arms"]["a"]["performance"]["end-to-end"] = None
    patch["arms"]["a"]["performance"]["rate"]["n"] = {"completed": 60}
    assert judged("rate", "F07", "rate", patch).outcome is Outcome.VIOLATION


@pytest.mark.parametrize("hidden", [{"n": {"completed": 31}}, {"trials": 4}, {"n": None}, {"scope": "pipeline"}])
def test_other_raw_numbers_than_those_that_are_counted(judged, hidden):
    assert said(judged, false_rate(column=None, **hidden))[0] is not Outcome.VIOLATION


def test_trials_of_another_kind_are_those_that_the_number_is_of(judged):
    patch = false_rate()
    patch["arms"]["fused"]["trials"] = {name: {"kind": "phases"} for name in TRIALS} | {
        f"s{i}": None for i in range(1, 6)
    }
    assert said(judged, patch) == (Outcome.VIOLATION, REFUTES)


@pytest.mark.parametrize(("value", "effect"), [(0.0, UNDERMINES), (1e59, REFUTES), (1e-59, REFUTES)])
def test_a_number_that_is_no_measurement_takes_no_other_away(judged, value, effect):
    patch = false_rate()
    times = [0.79] * 30
    patch["arms"]["fused"]["trials"] = {"t3": {"samples": {"step_time_s": [*times[:-1], value]}}}
    assert said(judged, patch) == (Outcome.VIOLATION, effect)


@pytest.mark.parametrize("digits", [1, 2])
def test_digits_take_back_zeros_alone(judged, digits):
    """24300 of one digit is still 24300: only its last zeros may be rounding."""
    patch = false_rate("60123", digits=digits)
    patch["claims"]["rate"]["digits"] = digits
    assert said(judged, patch) == (Outcome.VIOLATION, REFUTES)
