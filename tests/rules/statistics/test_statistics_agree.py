"""Our formulas against those of scipy and statsmodels on random values, and what any of them must keep."""

import math

import pytest
from dlaudit.rules.statistics.autocorrelation import autocorrelation, geyer_tau, ljung_box
from dlaudit.rules.statistics.blocks import block_medians, independent_blocks
from dlaudit.rules.statistics.change_points import change_points, noise
from dlaudit.rules.statistics.dip import dip, dip_p, spread_ties
from dlaudit.rules.statistics.early_stopping import least_met
from dlaudit.rules.statistics.intervals import log_t_interval, log_welch_ratio, median_interval
from dlaudit.rules.statistics.mcnemar import mcnemar_p
from dlaudit.rules.statistics.means import difference_bounds, difference_p
from dlaudit.rules.statistics.multiplicity import holm
from dlaudit.rules.statistics.proportions import newcombe_bounds, wilson_bounds
from dlaudit.rules.statistics.slope import theil_sen
from dlaudit.rules.statistics.tails import chi_square_tail, f_tail, r_tail, t_tail, z_tail
from dlaudit.rules.statistics.trend import trend
from dlaudit.rules.statistics.variation import least_variation, lower_bound
from hypothesis import given, settings
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
stats = pytest.importorskip("scipy.stats")
SEEDS = range(8)


def drawn(seed, n=None):
    """Draw positive values: normal, skewed, with ties, or with one far out, in turn."""
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(12, 70))
    shapes = [
        rng.normal(10, 1, n),
        rng.lognormal(0, 0.5, n),
        np.round(rng.normal(10, 1, n), 1),
        rng.lognormal(0, 0.1, n),
    ]
    values = shapes[seed % 4]
    if seed % 4 == 3:
        values[n // 2] *= 30
    return [float(value) for value in values]


def close(found, expected, tolerance=1e-9):
    return found == pytest.approx(expected, rel=tolerance, abs=tolerance)


@pytest.mark.parametrize("seed", SEEDS)
def test_distributions(seed):
    rng = np.random.default_rng(seed)
    df, q, n = rng.uniform(0.5, 200), rng.uniform(0, 300), int(rng.integers(2, 200))
    assert close(chi_square_tail(q, df), stats.chi2.sf(q, df))
    assert close(lower_bound(0.1, n), 0.1 / math.sqrt(stats.chi2.ppf(0.95, n - 1) / (n - 1)))
    z, top, bottom = rng.normal(0, 4), rng.uniform(1, 40), rng.uniform(1, 40)
    assert close(z_tail(z), stats.norm.sf(z), 1e-12)
    assert close(t_tail(z, df), stats.t.sf(z, df))
    assert close(f_tail(abs(z), top, bottom), stats.f.sf(abs(z), top, bottom))


@pytest.mark.parametrize("seed", SEEDS)
def test_dependence_of_a_series(seed):
    diagnostic = pytest.importorskip("statsmodels.stats.diagnostic")
    stattools = pytest.importorskip("statsmodels.tsa.stattools")
    values = drawn(seed)
    array = np.array(values)
    assert close(autocorrelation(values, 3), stattools.acf(array, nlags=3)[3])
    expected = diagnostic.acorr_ljungbox(array, lags=[min(10, len(values) // 5)])
    found = ljung_box(values, min(10, len(values) // 5))
    assert close(found[0], expected.lb_stat.iloc[0])
    assert close(found[1], expected.lb_pvalue.iloc[0])
    tau, _ = stats.kendalltau(range(len(values)), values)
    assert close(trend(values).tau, tau)
    slope = stats.theilslopes(values)[0]
    assert close(theil_sen(values), slope)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_interval_of_a_median(seed):
    values = drawn(seed)
    expected = stats.quantile_test(values, p=0.5).confidence_interval(0.95)
    found = median_interval(values)
    assert (found.lower, found.upper) == (expected.low, expected.high)


@pytest.mark.parametrize("seed", SEEDS)
def test_two_samples(seed):
    left, right = drawn(seed), drawn(seed + 8)
    assert close(difference_p(left, right), stats.ttest_ind(left, right, equal_var=False).pvalue)
    welch = stats.ttest_ind(np.log(left), np.log(right), equal_var=False).confidence_interval(0.95)
    ratio = log_welch_ratio(left, right)
    assert close([math.log(ratio.lower), math.log(ratio.upper)], [welch.low, welch.high])


@pytest.mark.parametrize("seed", SEEDS)
def test_one_sample(seed):
    values = drawn(seed)
    single = stats.ttest_1samp(np.log(values), 0).confidence_interval(0.95)
    found = log_t_interval(values)
    assert close([math.log(found.lower), math.log(found.upper)], [single.low, single.high])


@pytest.mark.parametrize("scale", [1e-120, 1e120])
def test_a_comparison_of_very_small_or_large_values_has_a_p(scale):
    left, right = drawn(0, 12), drawn(1, 12)
    found = difference_p([scale * value for value in left], [scale * value for value in right])
    assert close(found, difference_p(left, right))


@pytest.mark.parametrize("seed", SEEDS)
def test_shares_and_families(seed):
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    table = pytest.importorskip("statsmodels.stats.contingency_tables")
    rng = np.random.default_rng(seed)
    n, m = (int(value) for value in rng.integers(5, 400, 2))
    k, j = int(rng.integers(0, n + 1)), int(rng.integers(0, m + 1))
    assert close(wilson_bounds(k / n, n), proportion.proportion_confint(k, n, method="wilson"))
    newcombe = proportion.confint_proportions_2indep(k, n, j, m, method="newcomb", compare="diff")
    assert close(newcombe_bounds(k / n, n, j / m, m), newcombe)
    ps = [float(p) for p in rng.random(9) ** 3]
    assert close(list(holm(ps)), list(multitest.multipletests(ps, method="holm")[1]))
    assert close(mcnemar_p(k, j), table.mcnemar([[3, k], [j, 4]], exact=True).pvalue)


def test_a_correlation_has_the_p_of_its_t():
    x, y = drawn(0, 20), drawn(5, 20)
    found = stats.pearsonr(x, y)
    assert close(2 * r_tail(abs(found.statistic), 18), found.pvalue)


def test_the_bound_of_a_variation_is_exceeded_by_chance_as_often_as_it_says():
    rng = np.random.default_rng(4)
    above = sum(least_variation(list(rng.normal(1, 0.05, 10))) > 0.05 for _ in range(2000))
    assert 0.03 < above / 2000 < 0.07


def test_the_autocorrelation_time_is_that_of_the_process():
    rng, x = np.random.default_rng(2), [0.0]
    for value in rng.normal(size=20_000):
        x.append(0.6 * x[-1] + value)
    assert geyer_tau(x) == pytest.approx(4, rel=0.1)
    assert geyer_tau(list(rng.normal(size=5000))) == pytest.approx(1, abs=0.15)
    assert geyer_tau([5.0] * 50) == 1
    assert geyer_tau(x, enough=2) > 2


def best_cut(z, penalty):
    """Return the cut of least cost over all cuts, by trying every one."""
    best, cuts = {0: 0.0}, {0: ()}
    for end in range(3, len(z) + 1):
        costs = []
        for start in (s for s in best if s <= end - 3):
            part = z[start:end]
            costs.append((best[start] + float(((part - part.mean()) ** 2).sum()) + (penalty if start else 0), start))
        best[end], start = min(costs)
        cuts[end] = (*cuts[start], *((start,) if start else ()))
    return cuts[len(z)]


@pytest.mark.parametrize("seed", range(30))
def test_the_cut_into_segments_is_the_best_one(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=int(rng.integers(6, 60)))
    values[: len(values) // 3] += rng.choice([0, 4, 8])
    kept = [float(value) for value in values]
    z = np.clip((values - np.median(values)) / noise(kept), -5, 5)
    assert change_points(kept, penalty=2.0) == best_cut(z, 2 * math.log(len(values)))


def test_a_long_series_is_cut_where_its_level_changes():
    rng = np.random.default_rng(1)
    values = list(rng.normal(size=1700))
    slow = [value + 6 for value in values[:40]] + values[40:1000] + [value - 6 for value in values[1000:]]
    first, second = change_points(slow)
    assert first == 40
    assert abs(second - 1000) <= 8
    assert change_points(values) == ()
    assert change_points([2.0] * 100) == ()


@pytest.mark.parametrize(("gap", "modes"), [(0.0, False), (8.0, True)])
def test_the_dip_sees_two_modes_and_no_more(gap, modes):
    rng = np.random.default_rng(6)
    values = [*rng.normal(0, 1, 60), *rng.normal(gap, 1, 60)]
    assert (dip_p(dip(values), 120) < 0.01) is modes


def test_the_dip_is_that_of_its_inventors_and_of_exact_cases():
    assert dip([1.0, 2.0, 3.0, 4.0]) == pytest.approx(1 / 8)
    assert dip([0.0, 0.0, 1.0, 1.0]) == pytest.approx(1 / 4)
    assert dip([0.0] * 30 + [1.0] * 30) == pytest.approx(1 / 4)
    assert dip([7.0] * 9) == pytest.approx(1 / 18)


def test_coarse_clocks_show_no_modes_once_ties_are_spread():
    rng = np.random.default_rng(8)
    values = [round(float(value), 1) for value in rng.normal(10, 0.4, 200)]
    assert dip_p(dip(values), 200) < 0.01
    assert dip_p(dip(spread_ties(values, 0.1)), 200) > 0.05


def test_the_early_stop_holds_the_error_that_it_names():
    for over in (0, 1, 5):
        met = least_met(over, 0.99)
        assert stats.binom.cdf(over, met + over, 0.01) <= 0.0101
        assert stats.binom.cdf(over, met - 40 + over, 0.01) > 0.01


def test_blocks_are_refused_where_they_would_depend():
    values = [float(k % 7) for k in range(60)]
    assert len(independent_blocks(values, 1.0)) == 5
    assert len(independent_blocks(values * 2, 1.0)) == 10
    assert independent_blocks(values, 4.5) is None
    assert independent_blocks(values[:29], 1.0) is None
    assert len(independent_blocks(values * 2, 5.0)) == 5


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0.1, 10), min_size=6, max_size=80), st.integers(1, 6))
def test_blocks_hold_every_value_once(values, count):
    assert len(block_medians(values, count)) == count
    assert min(values) <= min(block_medians(values, count)) <= max(block_medians(values, count)) <= max(values)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0.1, 10), min_size=4, max_size=60))
def test_a_dip_lies_between_its_bounds_whatever_the_order(values):
    found = dip(values)
    assert 1 / (2 * len(values)) <= found <= 0.25 + 1e-12
    assert dip(values[::-1]) == found


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0.1, 10), min_size=12, max_size=60), st.floats(0.5, 20))
def test_scale_changes_no_cut(values, factor):
    assert change_points([value * 4 for value in values]) == change_points(values)
    assert 1 <= geyer_tau(values) <= len(values)


NAN = [1.0, math.nan, *map(float, range(12))]
REFUSED = {
    "dip of nothing": lambda: dip([]),
    "dip of NaN": lambda: dip(NAN),
    "lag beyond the series": lambda: autocorrelation([1.0, 2.0], 2),
    "correlation of NaN": lambda: autocorrelation(NAN),
    "variance of one value": lambda: difference_bounds([1.0], [2.0]),
    "dips of few values": lambda: dip_p(0.1, 49),
    "chi-square of NaN": lambda: chi_square_tail(math.nan, 2),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_has_no_value_is_refused(what):
    with pytest.raises(ValueError):
        REFUSED[what]()
