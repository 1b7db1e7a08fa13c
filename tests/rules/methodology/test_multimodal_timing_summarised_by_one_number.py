"""M09, multimodal-timing-summarised-by-one-number."""

import random

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import strength
from support.series import honest, rate


def test_two_modes_are_seen_where_the_clock_is_fine(judged):
    rows = [[x * (1.2 if k % 2 else 1) for k, x in enumerate(row)] for row in honest()]
    assert strength(judged("rate", "M09", "rate", rate(rows))) == ("a", CAVEAT)
    coarse = [[round(x, 2) for x in row] for row in rows]
    assert judged("rate", "M09", "rate", rate(coarse)).outcome is Outcome.NOT_APPLICABLE
    assert judged("rate", "M09", "rate", rate(honest())).outcome is Outcome.PASS


def test_short_trials_show_their_modes_together(judged):
    two = [[x * (1.15 if k % 2 else 1) for k, x in enumerate(row)] for row in honest(n=40)]
    assert strength(judged("rate", "M09", "rate", rate(two))) == ("a", CAVEAT)
    assert judged("rate", "M09", "rate", rate(honest(n=40))).outcome is Outcome.PASS
    levels = [[x * (1 + 0.1 * k) for x in row] for k, row in enumerate(honest(n=40))]
    assert judged("rate", "M09", "rate", rate(levels)).outcome is Outcome.PASS  # each trial has one mode
    assert judged("rate", "M09", "rate", rate(two[:1])).outcome is Outcome.NOT_APPLICABLE
    assert judged("rate", "M09", "rate", rate(honest(9, n=9))).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize("quantity", ["flops", "mfu"])
def test_modes_behind_operations_per_second_are_modes(judged, quantity):
    source = random.Random(4)
    rows = [[x * source.choice((1, 1, 1.24)) for x in row] for row in honest(n=60)]
    unit = {"flops": "TFLOP/s", "mfu": "%"}[quantity]
    metric = {"quantity": quantity, "unit": unit, "value": "40.1", "work_per_iteration": 4.0}
    patch = {"claims": {"rate": {"quantity": quantity, "unit": unit, "value": "40.1"}}, **rate(rows, metric)}
    assert strength(judged("rate", "M09", "rate", patch)) == ("a", CAVEAT)
    even = {**patch, **rate(honest(), metric)}
    assert judged("rate", "M09", "rate", even).outcome is Outcome.PASS
