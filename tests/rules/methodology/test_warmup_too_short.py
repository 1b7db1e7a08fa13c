"""M01, warmup-too-short: A timing with no or hardly any warm-up, or without a word on it."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import strength
from support.series import honest, rate, slow

PASS, VIOLATION, NOT_SHOWN = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("warmup", "trial", "outcome", "effect"),
    [
        ({"discarded": 0}, 10, VIOLATION, UNDERMINES),
        ({"discarded": 2}, 10, VIOLATION, CAVEAT),  # the series begins steady
        ({"discarded": 4}, 10, VIOLATION, CAVEAT),
        ({"discarded": 1, "unit": "run"}, 10, PASS, None),
        (None, None, NOT_SHOWN, None),
        (None, 10, PASS, None),
        (None, 0, VIOLATION, UNDERMINES),
    ],
)
def test_warm_up(judged, warmup, trial, outcome, effect):
    patch = {
        "arms": {
            "a": {"measurement": {"warmup": warmup}, "trials": {f"t{i}": {"warmup": trial} for i in range(1, 6)}},
        }
    }
    result = judged("rate", "M01", "rate", patch)
    assert (result.outcome, getattr(result.branch, "effect", None)) == (outcome, effect)


def test_two_discarded_before_a_slow_head_undermine(judged):
    slow = {
        f"t{i}": {"warmup": 2, "samples": {"step_time_s": [0.3, 0.2, 0.15] + [0.1, 0.101] * 10}} for i in range(1, 6)
    }
    patch = {"arms": {"a": {"measurement": {"warmup": {"discarded": 2}}, "trials": slow}}}
    assert judged("rate", "M01", "rate", patch).branch.effect is UNDERMINES


def test_two_discarded_without_a_series_undermine(judged):
    patch = {"arms": {"a": {"measurement": {"warmup": {"discarded": 2}}, "trials": None}}}
    assert judged("rate", "M01", "rate", patch).branch.effect is UNDERMINES


def test_two_discarded_iterations_are_judged_by_the_series_behind_them(judged):
    warm = {"measurement": {"warmup": {"discarded": 2}}}
    for rows, wanted in ((honest(), ("b", CAVEAT)), ([slow(row) for row in honest()], ("a", UNDERMINES))):
        patch = rate(rows)
        patch["arms"]["a"] |= warm
        assert strength(judged("rate", "M01", "rate", patch)) == wanted
