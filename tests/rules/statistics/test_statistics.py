"""The statistics against tables and exact arithmetic, and against the invariants that any of them keeps."""

import math
from fractions import Fraction

import pytest
from dlaudit.rules.statistics.crossing import first_crossing, meets
from dlaudit.rules.statistics.intervals import (
    geometric_mean,
    log_t_interval,
    log_welch_ratio,
    median,
    median_interval,
    median_ranks,
    quantile,
    rounded,
)
from dlaudit.rules.statistics.student import t_cdf, t_quantile
from hypothesis import given
from hypothesis import strategies as st

positive = st.floats(min_value=1e-6, max_value=1e6)


@pytest.mark.parametrize(
    ("df", "expected"), [(1, 12.7062), (2, 4.3027), (4, 2.7764), (9, 2.2622), (29, 2.0452), (49, 2.0096)]
)
def test_t_quantile_is_that_of_the_printed_table(df, expected):
    assert t_quantile(0.975, df) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("df", [1, 2, 2.5, 7, 100, 1e5])
@pytest.mark.parametrize("p", [0.005, 0.1, 0.5, 0.9, 0.999])
def test_t_quantile_agrees_with_scipy(df, p):
    stats = pytest.importorskip("scipy.stats")
    assert t_quantile(p, df) == pytest.approx(float(stats.t.ppf(p, df)), rel=1e-9, abs=1e-9)


def test_t_quantile_refuses_what_has_none():
    for p, df in [(0, 3), (1, 3), (0.9, 0), (0.9, math.inf), (math.nan, 3)]:
        with pytest.raises(ValueError):
            t_quantile(p, df)


def test_t_cdf_of_one_degree_is_the_arctangent():
    for t in (-3.0, -0.2, 0.0, 0.7, 40.0):
        assert t_cdf(t, 1) == pytest.approx(0.5 + math.atan(t) / math.pi, abs=1e-12)


@pytest.mark.parametrize(
    ("n", "lower", "upper", "coverage"),
    [
        (6, 1, 6, 0.96875),
        (10, 2, 9, 0.978515625),
        (20, 6, 15, 0.9586105346679688),
        (25, 8, 18, 0.9567147493362427),
        (30, 10, 21, 0.9572260547429323),
        (50, 18, 33, 0.9671608624357315),
        (100, 40, 61, 0.9647997997822951),
    ],
)
def test_median_ranks_are_the_exact_ones(n, lower, upper, coverage):
    ranks = median_ranks(n)
    assert (ranks.lower, ranks.upper) == (lower, upper)
    assert ranks.coverage == pytest.approx(coverage, abs=1e-12)


def test_five_values_have_no_median_interval():
    assert median_ranks(5) is None
    assert median_interval([1, 2, 3, 4, 5]) is None


def test_median_ranks_of_a_long_series_keep_their_coverage():
    for n in (1001, 4000, 100_000):
        ranks = median_ranks(n)
        tail = Fraction(0)
        if n <= 4000:
            tail = sum((Fraction(math.comb(n, k), 2**n) for k in range(ranks.lower)), Fraction(0))
            assert ranks.coverage == pytest.approx(float(1 - 2 * tail), abs=1e-9)
        assert 0.95 <= ranks.coverage < 0.96
        assert ranks.lower + ranks.upper == n + 1


@given(st.lists(positive, min_size=1, max_size=40), st.floats(min_value=0, max_value=1))
def test_quantile_lies_between_the_extremes_and_ignores_order(values, p):
    result = quantile(values, p)
    assert min(values) <= result <= max(values)
    assert quantile(values[::-1], p) == result


@given(st.lists(positive, min_size=1, max_size=40), st.floats(min_value=0, max_value=1))
def test_quantile_is_numpy_type_7(values, p):
    numpy = pytest.importorskip("numpy")
    assert quantile(values, p) == pytest.approx(float(numpy.quantile(values, p)), rel=1e-9)


def test_a_run_that_never_reached_the_target_counts_as_infinite():
    assert median([1.0, 2.0, math.inf]) == 2.0
    assert median([1.0, math.inf]) == math.inf
    assert median_interval([1.0, 2.0, 3.0, 4.0, 5.0, math.inf]).upper == math.inf


def test_nan_and_nothing_are_refused():
    for values in ([], [1.0, math.nan]):
        with pytest.raises(ValueError):
            median(values)
    for values in ([0.0, 1.0, 2.0], [1.0, math.inf, 2.0], [1.0, -1.0, 2.0]):
        with pytest.raises(ValueError):
            log_t_interval(values)


@given(st.lists(positive, min_size=3, max_size=20), positive)
def test_log_t_interval_holds_the_geometric_mean_and_scales_with_the_unit(values, factor):
    interval = log_t_interval(values)
    centre = geometric_mean(values)
    assert interval.lower <= centre * (1 + 1e-9)
    assert centre <= interval.upper * (1 + 1e-9)
    scaled = log_t_interval([v * factor for v in values])
    assert scaled.upper == pytest.approx(interval.upper * factor, rel=1e-6)


def test_log_t_interval_by_hand():
    interval = log_t_interval([math.exp(1), math.exp(2), math.exp(3)])
    half = 4.302652729749462 * 1 / math.sqrt(3)
    assert math.log(interval.lower) == pytest.approx(2 - half)
    assert math.log(interval.upper) == pytest.approx(2 + half)
    assert log_t_interval([1.0, 2.0]) is None


@given(st.floats(min_value=1e-30, max_value=1e30))
def test_rounding_is_idempotent_and_close(value):
    assert rounded(rounded(value)) == rounded(value)
    assert rounded(value) == pytest.approx(value, rel=5e-6)


def test_first_crossing_is_an_observation_not_an_interpolation():
    crossing = first_crossing([10, 20, 30, 40], [0.5, 0.9, 0.96, 0.94], 0.95, "higher")
    assert (crossing.index, crossing.position, crossing.value, crossing.previous) == (2, 30, 0.96, 20)
    assert first_crossing([1, 2], [0.4, 0.2], 0.3, "lower").position == 2
    assert first_crossing([1], [0.4], 0.4, "lower").previous is None
    assert first_crossing([], [], 1, "higher") is None
    assert first_crossing([1, 2], [math.nan, 0.1], 0.5, "higher") is None


@given(st.lists(st.floats(min_value=0, max_value=1), max_size=30), st.floats(min_value=0, max_value=1))
def test_nothing_before_the_first_crossing_meets_the_target(values, target):
    crossing = first_crossing(range(len(values)), values, target, "higher")
    before = values if crossing is None else values[: crossing.index]
    assert not any(meets(v, target, "higher") for v in before)


def test_the_ratio_of_two_arms_is_welch_on_logs():
    stats = pytest.importorskip("scipy.stats")
    a, b = [10.0, 10.4, 9.9, 10.2, 10.1], [8.0, 8.3, 7.7]
    interval = log_welch_ratio(a, b)
    logs = [[math.log(value) for value in arm] for arm in (a, b)]
    expected = stats.ttest_ind(*logs, equal_var=False).confidence_interval(0.95)
    assert math.log(interval.lower) == pytest.approx(float(expected.low))
    assert math.log(interval.upper) == pytest.approx(float(expected.high))
    assert log_welch_ratio(a, b[:2]) is None
    assert log_welch_ratio([2.0] * 3, [1.0] * 3).lower == pytest.approx(2.0)


@given(st.lists(positive, min_size=3, max_size=8), st.lists(positive, min_size=3, max_size=8))
def test_swapping_the_arms_inverts_the_ratio(a, b):
    there, back = log_welch_ratio(a, b), log_welch_ratio(b, a)
    assert there.lower * back.upper == pytest.approx(1)
    assert there.upper * back.lower == pytest.approx(1)
