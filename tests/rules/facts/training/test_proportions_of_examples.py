"""The fact `training.proportions_of_examples`."""

import pytest
from dlaudit.rules.facts.training.proportions_of_examples import attainable, bounded, printed_share, testable
from hypothesis import given
from hypothesis import strategies as st

testable.__test__ = False


@given(st.integers(1, 5000), st.data(), st.integers(0, 5))
def test_every_count_is_attainable(examples, data, decimals):
    right = data.draw(st.integers(0, examples))
    printed = printed_share(f"{100 * right / examples:.{decimals}f}", "%")
    assert attainable(printed, examples)
    if testable(printed, examples):
        assert printed.ulp * examples < 1


@pytest.mark.parametrize("name", ["top-1 accuracy", "Top-5", "exact match", "recall@10", "F1", "mIoU", "mAP"])
def test_shares_are_bounded(name):
    assert bounded(name)


@pytest.mark.parametrize("name", ["loss", "perplexity", "FID", "BLEU", "reward", "Elo", "mapping error m"])
def test_other_metrics_are_not(name):
    assert not bounded(name)
