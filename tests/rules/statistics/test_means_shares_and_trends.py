"""Means, shares, trends and binomial tails against published values, enumeration, scipy and statsmodels."""

import math
from itertools import permutations

import pytest
from dlaudit.rules.facts.comparison.arm_decision import of_the_arm
from dlaudit.rules.statistics.binomial import upper_tail
from dlaudit.rules.statistics.means import deviation, difference_bounds, mean_bounds
from dlaudit.rules.statistics.proportions import newcombe_bounds, normal_quantile, wilson_bounds
from dlaudit.rules.statistics.trend import trend
from hypothesis import given, settings
from hypothesis import strategies as st

# The two groups of the clinical example that R's package "equivalence" and statsmodels test themselves with.
CLINIC_A = [2.84, 2.51, 2.41, 2.95, 3.14, 3.79, 4.14, 3.85, 3.02, 3.45, 5.37, 3.81, 4.19, 3.16, 3.84]
CLINIC_B = [2.6, 2.82, 2.18, 3.46, 4.01, 3.04, 3.47, 4.06, 2.91, 3.59, 4.51, 3.16, 3.86, 3.31, 3.02]

values = st.floats(min_value=-1e3, max_value=1e3)
samples = st.lists(values, min_size=2, max_size=12)


def test_welch_interval_is_the_published_one():
    low, high = difference_bounds(CLINIC_A, CLINIC_B, 0.90)
    assert low == pytest.approx(-0.2666862980722534, abs=1e-9)
    assert high == pytest.approx(0.596019631405587, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(samples, samples, st.sampled_from([0.8, 0.9, 0.99]))
def test_welch_interval_is_scipys(left, right, confidence):
    stats = pytest.importorskip("scipy.stats")
    scale = max(abs(value) for value in left + right) or 1.0
    if deviation(left) + deviation(right) < 1e-6 * scale:
        return
    expected = stats.ttest_ind(left, right, equal_var=False).confidence_interval(confidence)
    assert difference_bounds(left, right, confidence) == pytest.approx(tuple(map(float, expected)), rel=1e-6, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(samples, st.sampled_from([0.8, 0.9, 0.99]))
def test_mean_interval_is_scipys(sample, confidence):
    stats = pytest.importorskip("scipy.stats")
    if deviation(sample) == 0:
        return
    expected = stats.ttest_1samp(sample, 0).confidence_interval(confidence)
    assert mean_bounds(sample, confidence) == pytest.approx(tuple(map(float, expected)), rel=1e-6, abs=1e-9)


def test_what_does_not_vary_is_a_point():
    assert mean_bounds([0.5, 0.5, 0.5]) == (0.5, 0.5)
    assert difference_bounds([1.0, 1.0], [0.25, 0.25]) == (0.75, 0.75)


def test_tiny_and_huge_spreads_neither_overflow_nor_divide_by_zero():
    low, high = difference_bounds([1e-200, 2e-200, 3e-200], [0.0, 0.0, 0.0])
    assert 0 <= high - low < 1e-150
    assert all(math.isfinite(bound) for bound in difference_bounds([1e150, -1e150, 0.0], [1.0, 2.0, 3.0]))


@pytest.mark.parametrize("bad", [[], [1.0], [1.0, math.nan], [1.0, math.inf]])
def test_means_refuse_what_has_no_variance(bad):
    for refused in (lambda: mean_bounds(bad), lambda: deviation(bad), lambda: difference_bounds([1.0, 2.0], bad)):
        with pytest.raises(ValueError):
            refused()


def test_wilson_interval_is_the_reference_one():
    low, high = wilson_bounds(38065 / 50000, 50000)
    assert low == pytest.approx(0.7575434965258423, abs=1e-12)
    assert high == pytest.approx(0.7650163556310894, abs=1e-12)


def test_newcombe_interval_is_that_of_the_paper():
    """Newcombe 1998, table II, method 10: 56/70 against 48/80, 9/10 against 3/10, 10/10 against 0/10."""
    for left, n_left, right, n_right, low, high in (
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (10, 10, 0, 10, 0.6075, 1.0),
    ):
        found = newcombe_bounds(left / n_left, n_left, right / n_right, n_right)
        assert found == pytest.approx((low, high), abs=5e-5)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 400), st.integers(1, 400), st.floats(0, 1), st.floats(0, 1), st.sampled_from([0.8, 0.9, 0.95]))
def test_newcombe_interval_is_that_of_statsmodels(n_left, n_right, left, right, confidence):
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    k_left, k_right = round(left * n_left), round(right * n_right)
    expected = proportion.confint_proportions_2indep(
        k_left, n_left, k_right, n_right, method="newcomb", alpha=1 - confidence
    )
    found = newcombe_bounds(k_left / n_left, n_left, k_right / n_right, n_right, confidence)
    assert found == pytest.approx(tuple(map(float, expected)), abs=1e-9)


def test_shares_refuse_what_is_none():
    for share, n in ((-0.1, 10), (1.1, 10), (0.5, 0), (math.nan, 10), (0.5, math.inf)):
        with pytest.raises(ValueError):
            wilson_bounds(share, n)
    for p in (0, 1, math.nan):
        with pytest.raises(ValueError):
            normal_quantile(p)
    assert normal_quantile(0.95) == pytest.approx(1.6448536269514722, abs=1e-12)


@settings(max_examples=80, deadline=None)
@given(st.permutations(list(range(12))), st.integers(2, 12))
def test_trend_without_ties_is_scipys_exact_test(order, n):
    stats = pytest.importorskip("scipy.stats")
    series = order[:n]
    found = trend(series)
    rises, falls = (
        stats.kendalltau(range(n), series, method="exact", alternative=side) for side in ("greater", "less")
    )
    assert found.tau == pytest.approx(float(rises.statistic), abs=1e-12)
    assert (found.p_rises, found.p_falls) == pytest.approx((float(rises.pvalue), float(falls.pvalue)), abs=1e-12)


@pytest.mark.parametrize("series", [[1, 1, 2, 2, 3, 3], [2, 1, 2, 3, 3, 3], [5, 5, 5, 5, 1], [1, 2, 3, 2, 1, 2]])
def test_trend_with_ties_is_enumeration(series):
    def net(arrangement):
        return sum((b > a) - (b < a) for i, a in enumerate(arrangement) for b in arrangement[i + 1 :])

    everything = [net(arrangement) for arrangement in permutations(series)]
    found = trend(series)
    assert found.p_rises == pytest.approx(sum(s >= net(series) for s in everything) / len(everything), abs=1e-12)
    assert found.p_falls == pytest.approx(sum(s <= net(series) for s in everything) / len(everything), abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 60), min_size=31, max_size=200))
def test_trend_of_a_long_series_is_the_normal_one_with_continuity(series):
    stats = pytest.importorskip("scipy.stats")
    found, expected = trend(series), stats.kendalltau(range(len(series)), series, method="asymptotic")
    if len(set(series)) == 1:
        assert (found.tau, found.p_rises, found.p_falls) == (0.0, 1.0, 1.0)
        return
    assert found.tau == pytest.approx(float(expected.statistic), abs=1e-9)
    greater = float(stats.kendalltau(range(len(series)), series, method="asymptotic", alternative="greater").pvalue)
    assert greater - 1e-12 <= found.p_rises <= greater + 0.02


def test_eight_worsening_points_are_beyond_chance_and_four_are_not():
    assert trend([1, 2, 3, 4, 5, 6, 7, 8]).p_rises == pytest.approx(1 / math.factorial(8))
    assert trend([1, 2, 3, 4]).p_rises == pytest.approx(1 / 24)
    assert trend([1, 2, 3]).p_rises > 0.05
    assert trend([3, 3, 3, 3, 3, 3, 3, 3]).p_rises == 1.0


def test_trend_of_twenty_thousand_points_takes_no_quadratic_time():
    series = [((i * 7919) % 20011) / 20011 for i in range(20000)]
    assert 0 < trend(series).p_rises < 1


def test_trend_refuses_what_has_none():
    for bad in ([], [1.0], [1.0, math.nan, 2.0], [1.0, math.inf]):
        with pytest.raises(ValueError):
            trend(bad)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 300), st.integers(0, 300), st.floats(0.01, 0.99))
def test_binomial_tail_is_scipys(n, k, p):
    stats = pytest.importorskip("scipy.stats")
    assert upper_tail(k, n, p) == pytest.approx(float(stats.binom.sf(k - 1, n, p)), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(
    ("shown", "trials", "expected"),
    [
        *[(1, 1, False), (2, 2, True), (2, 3, True), (1, 5, False), (2, 5, False), (3, 10, True), (3, 11, False)],
        *[(4, 13, True), (2, 100, False), (13, 100, True), (0, 3, False), (3, 0, False)],
    ],
)
def test_a_flaw_of_one_trial_is_none_of_the_arm(shown, trials, expected):
    assert of_the_arm(shown, trials) is expected
