"""The smallest difference that a test would have found, against the exact power of statsmodels."""

import math

import pytest
from dlaudit.rules.statistics.detectable import least_detectable, least_detectable_share
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize("n", [3, 4, 5, 10, 30])
def test_equal_arms_are_those_of_statsmodels(n):
    power = pytest.importorskip("statsmodels.stats.power")
    values = [float(i) for i in range(n)]
    mean = sum(values) / n
    deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1))
    exact = power.TTestIndPower().solve_power(nobs1=n, alpha=0.05, power=0.8)
    assert least_detectable(values, values) / deviation == pytest.approx(exact, rel=0.02)


def test_the_published_size_of_a_medium_effect():
    """64 values a side find half a standard deviation (Cohen 1988)."""
    values = [(-1.0) ** i * math.sqrt(63 / 64) for i in range(64)]
    assert least_detectable(values, values) == pytest.approx(0.5, abs=0.005)


def test_shares_are_those_of_statsmodels():
    power, proportion = (
        pytest.importorskip("statsmodels.stats.power"),
        pytest.importorskip("statsmodels.stats.proportion"),
    )
    gap = least_detectable_share(0.76, 50000, 0.76, 50000)
    effect = proportion.proportion_effectsize(0.76 + gap, 0.76)
    assert power.NormalIndPower().power(effect, 50000, 0.05) == pytest.approx(0.8, abs=0.01)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20), st.floats(0.1, 10))
def test_it_scales_with_the_scatter(values, factor):
    one, scaled = least_detectable(values, values), least_detectable([factor * value for value in values], [0.0, 0.0])
    assert one >= 0
    assert scaled >= 0
    assert least_detectable(values, values, power=0.9) >= one


def test_no_scatter_hides_nothing():
    assert least_detectable([1.0, 1.0], [2.0, 2.0]) == 0


@pytest.mark.parametrize(("left", "n"), [(1.2, 10), (-0.1, 10), (0.5, 0)])
def test_what_is_no_share_is_refused(left, n):
    with pytest.raises(ValueError, match="no shares"):
        least_detectable_share(left, n, 0.5, 10)
