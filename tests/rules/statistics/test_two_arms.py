"""The decision between two arms: agreement with the rules, nominal error by simulation, and what it refuses."""

import gc
import math
import random

import pytest
from dlaudit.rules.statistics.means import deviation, difference_bounds, difference_p
from dlaudit.rules.statistics.multiplicity import holm_levels
from dlaudit.rules.statistics.planning import trials_per_arm
from dlaudit.rules.statistics.ranks import rank_sum_p, shift
from dlaudit.rules.statistics.two_arms import Contrast, decide, trials_needed
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestIndPower

MARGIN = math.log(1.05)


def arm(source, n=5, deviation=0.01, shift=0.0):
    return [shift + source.gauss(0, deviation) for _ in range(n)]


@pytest.mark.parametrize(("effect", "n"), [(1.0, 17), (0.5, 64), (2.0, 6)])
def test_planned_trials_are_those_of_statsmodels(effect, n):
    assert trials_per_arm(1, effect) == n
    assert abs(TTestIndPower().solve_power(effect_size=effect, alpha=0.05, power=0.8) - n) < 1


@pytest.mark.parametrize(("effect", "alpha", "power", "n"), [(0.51, 0.001, 0.999, 316), (4.01, 0.001, 0.95, 6)])
def test_a_plan_has_an_answer_where_the_library_has_no_power(effect, alpha, power, n):
    assert any(math.isnan(TTestIndPower().power(effect, k, alpha)) for k in range(3, n + 1))
    assert trials_per_arm(1, effect, alpha, power) == n


@pytest.mark.parametrize(("deviation", "difference", "trials"), [(0, 1, 3), (1, 1e300, 3), (1, 1e-9, None)])
def test_plans_of_no_spread_and_of_no_difference(deviation, difference, trials):
    assert trials_per_arm(deviation, difference) == trials


@given(st.lists(st.integers(0, 9), min_size=2, max_size=7), st.lists(st.integers(10, 19), min_size=2, max_size=7))
def test_rank_sum_is_the_exact_test_of_scipy_without_ties(left, right):
    left, right = sorted(set(left)), sorted(set(right))
    exact = stats.mannwhitneyu(left, right, method="exact").pvalue
    assert rank_sum_p(left, right) == pytest.approx(exact)


def test_runs_that_missed_count_as_infinite_and_tie_with_each_other():
    missed = [-math.inf] * 5
    assert decide([Contrast(missed, [-1.0] * 5, MARGIN)])[0].outcome == "worse"
    assert decide([Contrast([-1.0] * 5, missed, MARGIN)])[0].outcome == "better"
    assert decide([Contrast(missed, missed, MARGIN)])[0].outcome == "cannot tell"


@given(st.lists(st.floats(0.0001, 1), min_size=1, max_size=8))
def test_holm_rejects_what_statsmodels_rejects(ps):
    ps = [round(p, 6) + 1e-9 for p in ps]  # none lies on a level, where rounding decides
    rejected = [p < level for p, level in zip(ps, holm_levels(ps, 0.05), strict=True)]
    gc.freeze()  # statsmodels collects garbage at every call: it need not go over all that lives
    try:
        assert rejected == list(multipletests(ps, alpha=0.05, method="holm")[0])
    finally:
        gc.unfreeze()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=3, max_size=8), st.lists(st.floats(-1, 1), min_size=3, max_size=8))
def test_arms_are_compared_as_the_rules_compare_them(new, old):
    (decision,) = decide([Contrast(new, old, MARGIN)])
    if deviation(new) + deviation(old) > 1e-6:
        assert decision.p == pytest.approx(difference_p(new, old), rel=1e-6, abs=1e-12)
        assert decision.bounds == pytest.approx(difference_bounds(new, old), rel=1e-6, abs=1e-9)
    low, high = difference_bounds(new, old, 0.9)
    assert (decision.outcome == "equivalent") is (low >= -MARGIN and high <= MARGIN)


@pytest.mark.parametrize(
    ("new", "old", "outcome", "p"),
    [(0.1, 0.1, "equivalent", 1), (0.14, 0.1, "equivalent", 0), (0.3, 0.1, "better", 0), (0.1, 0.3, "worse", 0)],
)
def test_arms_that_do_not_vary_are_told_apart_by_their_difference(new, old, outcome, p):
    (decision,) = decide([Contrast([new] * 3, [old] * 7, MARGIN)])
    assert (decision.outcome, decision.p) == (outcome, pytest.approx(p, abs=1e-12))
    assert decision.bounds == pytest.approx((new - old, new - old))


def test_fewer_than_three_trials_cannot_tell():
    contrast = Contrast([1.0, 1.0], [0.0, 0.0], MARGIN)
    (decision,) = decide([contrast])
    assert decision.outcome == "cannot tell"
    assert trials_needed(contrast) == 3


def test_a_nan_is_refused():
    with pytest.raises(ValueError, match=r"NaN|finite"):
        decide([Contrast([math.nan] * 3, [1.0] * 3, MARGIN)])


def test_five_percent_is_found_in_at_least_18_of_20_and_no_difference_in_at_least_17():
    source = random.Random(1)
    slowed = [decide([Contrast(arm(source, shift=-MARGIN), arm(source), MARGIN / 5)])[0].outcome for _ in range(20)]
    equal = [decide([Contrast(arm(source), arm(source), MARGIN)])[0].outcome for _ in range(20)]
    assert slowed.count("worse") >= 18
    assert equal.count("worse") + equal.count("better") <= 3


def test_false_differences_over_four_metrics_stay_below_the_error():
    source = random.Random(2)
    wrong = 0
    for _ in range(1000):
        family = [Contrast(arm(source), arm(source), 0.0) for _ in range(4)]
        wrong += any(decision.outcome in {"better", "worse"} for decision in decide(family))
    assert wrong <= 70


def test_false_equivalence_at_the_margin_stays_below_the_error():
    source = random.Random(3)
    pairs = ([arm(source, shift=MARGIN), arm(source)] for _ in range(1000))
    assert sum(decide([Contrast(new, old, MARGIN)])[0].outcome == "equivalent" for new, old in pairs) <= 70


def disturbed(source, n, shift=0.0):
    """Return trials of which one in five met a neighbour that took up to a third of the processor."""
    return [value - (source.random() < 0.2) * 0.4 * source.random() for value in arm(source, n, 0.025, shift)]


def test_trials_that_lie_far_off_hide_no_loss_and_make_none():
    source = random.Random(4)
    pairs = [(disturbed(source, 20, -MARGIN), disturbed(source, 20)) for _ in range(40)]
    slowed = [decide([Contrast(*pair, MARGIN / 5, repeats=True)], 0.02)[0].outcome for pair in pairs]
    by_means = [decide([Contrast(*pair, MARGIN / 5)], 0.02)[0].outcome for pair in pairs]
    assert slowed.count("worse") >= 32
    assert by_means.count("worse") <= 20
    equal = [
        decide([Contrast(disturbed(source, 10), disturbed(source, 10), 0.0, repeats=True)])[0] for _ in range(1000)
    ]
    assert sum(decision.outcome in {"better", "worse"} for decision in equal) <= 70
    assert sum(decision.bounds[0] <= 0 <= decision.bounds[1] for decision in equal) >= 930


def test_few_trials_and_ways_to_a_target_are_compared_by_their_means():
    source = random.Random(5)
    few = arm(source, 9), arm(source, 9)
    assert decide([Contrast(*few, MARGIN, repeats=True)]) == decide([Contrast(*few, MARGIN)])
    many = arm(source, 10), arm(source, 10)
    assert decide([Contrast(*many, MARGIN, repeats=True)]) != decide([Contrast(*many, MARGIN)])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-99, 99), min_size=10, max_size=14), st.integers(-9, 9))
def test_a_shifted_arm_is_shifted_by_as_much(values, by):
    moved = [value + by for value in values]
    found = shift(moved, values)
    assert found.value == by
    assert found.bounds[0] <= by <= found.bounds[1]
    (decision,) = decide([Contrast(moved, values, 1000.0, repeats=True)])
    assert decision.outcome == "equivalent"


def test_the_shift_of_a_textbook_has_its_interval():
    """Permeability of membranes at term and at 12 to 26 weeks: Hollander, Wolfe & Chicken, table 4.1, example 4.4."""
    term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    early = [1.15, 0.88, 0.90, 0.74, 1.21]
    found = shift(term, early, 0.96)
    assert found.value == pytest.approx(0.305)
    assert found.bounds == pytest.approx((-0.15, 0.76), abs=0.02)


def test_the_trials_needed_follow_the_bulk_of_the_trials():
    source = random.Random(6)
    contrast = Contrast(disturbed(source, 20), disturbed(source, 20), MARGIN)
    by_ranks = trials_needed(Contrast(contrast.new, contrast.old, MARGIN, repeats=True))
    assert by_ranks < trials_needed(contrast)
