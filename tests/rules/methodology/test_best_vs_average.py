"""M23, best-vs-average: A ratio that sets the best run of the new arm against the average of its base."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome
from support.series import series, two

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def test_the_cautionary_tale(judged):
    """30 % from the best run against the average of the other, 4 % like for like, measured on synthetic input."""
    fast = series(1.0, spread=0.002)
    fast["t1"]["samples"]["step_time_s"] = [0.8, 0.99, 0.99, 0.99, 0.99, 0.99]
    slow = series(1.04, spread=0.002)
    slow["t1"]["samples"]["step_time_s"] = [1.0, 1.06, 1.04, 1.04, 1.05, 1.05]
    patch = two(fast, slow, {"value": "30", "unit": "%"})
    best = judged("training-pair", "M23", "speedup", patch)
    assert (best.outcome, best.branch.effect) == (VIOLATION, REFUTES)
    assert float(best.branch.recomputed) == pytest.approx(1.04, abs=0.01)
    small = judged("training-pair", "S05", "speedup", patch)
    assert (small.outcome, small.branch.effect) == (VIOLATION, CAVEAT)


@pytest.mark.parametrize(
    "claim",
    [{"value": "1.43"}, {"value": "43", "unit": "%"}, {"value": "1.5", "qualifier": "up_to"}, {"value": "1.4"}],
)
def test_like_for_like_passes(judged, claim):
    assert judged("training-pair", "M23", "speedup", {"claims": {"speedup": claim}}).outcome is PASS


def test_raw_numbers_that_give_the_ratio_in_no_way_are_no_cherry_picking(judged):
    result = judged("training-pair", "M23", "speedup", {"claims": {"speedup": {"value": "2.2"}}})
    assert result.outcome is NOT_APPLICABLE


@pytest.mark.parametrize("column", ["", "loss"])
def test_raw_numbers_that_nothing_links_are_not_used(judged, column):
    """Neither a column nor the counts of trials and iterations say that the number is of them."""
    patch = {"arms": {"fused": {"performance": {"rate": {"column": column or None, "n": None}}}}}
    assert judged("training-pair", "M23", "speedup", patch).outcome is NOT_APPLICABLE


def test_a_best_against_an_average_by_their_own_words(judged):
    """The declared statistics alone show it, with or without raw numbers; best against best is like for like."""
    best = {"performance": {"rate": {"statistic": "best_of"}}}
    result = judged("training-pair", "M23", "speedup", {"arms": {"fused": best}})
    assert (result.branch.branch, result.branch.at) == ("b", "/arms/fused/performance/rate/statistic")
    no_raw = {name: {"trials": None} for name in ("fused", "plain")}
    result = judged("training-pair", "M23", "speedup", {"arms": {**no_raw, "fused": {**best, "trials": None}}})
    assert result.branch.branch == "b"
    both = judged("training-pair", "M23", "speedup", {"arms": {"fused": best, "plain": best}})
    assert not hasattr(both.branch, "branch")
