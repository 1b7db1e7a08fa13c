"""The fact `training.convergence`: Target-reaching runs, and which points of a scaling claim they cover."""

import pytest
from dlaudit.rules.facts.training.convergence import in_order, meets, scale_differs
from dlaudit.schemas.evidence import Evaluation, Target
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("metric", "value", "values", "differs"),
    [
        ("accuracy", "75.9", [0.61, 0.76], True),
        ("accuracy", "0.759", [61.0, 76.0], True),
        ("accuracy", "0.759", [0.61, 0.76], False),
        ("accuracy", "75.9", [61.0, 76.0], False),
        ("loss", "3.30", [0.9, 0.8], False),
        ("accuracy", "0.759", [], False),
    ],
)
def test_shares_beside_percentages(metric, value, values, differs):
    assert scale_differs(values, Target(metric=metric, value=value, direction="higher")) is differs


@pytest.mark.parametrize(("values", "differs"), [([1.4, 0.98, 0.057], False), ([100.0, 31.0, 5.7], True)])
def test_an_error_rate_may_begin_above_1(values, differs):
    assert scale_differs(values, Target(metric="eval_accuracy", value="0.058", direction="lower")) is differs


def test_not_a_number_meets_nothing():
    for direction in ("higher", "lower"):
        assert not meets(float("nan"), Target(metric="loss", value="3", direction=direction))


@given(st.permutations(range(6)))
def test_evaluations_stand_in_the_order_of_their_counter(order):
    items = [Evaluation(split="test", samples=float(i), metrics={}) for i in order]
    assert [item.samples for item in in_order(items)] == [0, 1, 2, 3, 4, 5]
