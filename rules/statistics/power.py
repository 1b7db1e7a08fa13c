"""Power of t tests, exactly: the noncentral t distribution."""

from __future__ import annotations

import math

from .beta import regularised_beta
from .proportions import normal_quantile
from .student import t_quantile
from .tails import z_tail


def two_sample_power(effect: float, n: float, alpha: float = 0.05) -> float:
    """Return the power of the two-sided t test of two arms with n values each; n may be fractional.

    Args:
        effect: difference of the means over the standard deviation (Cohen's d); of a ratio of times, its logarithm over
            the standard deviation of the logarithms.
        n: values in each arm.
        alpha: two-sided error.
    """
    return _power(effect * math.sqrt(n / 2), 2 * n - 2, alpha)


def one_sample_power(effect: float, n: float, alpha: float = 0.05) -> float:
    """Return the power of the two-sided t test of one mean, for an effect in standard deviations."""
    return _power(effect * math.sqrt(n), n - 1, alpha)


def values_per_arm(effect: float, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the number of values in each arm, as a real number, at which the two-sided t test has the wanted power.

    Raises:
        ValueError: no effect, which no number of values finds.
    """
    if effect == 0:
        raise ValueError("no number of values finds no effect")
    reach = normal_quantile(1 - alpha / 2) + normal_quantile(power)
    known_deviation = 2 * (reach / effect) ** 2
    low, high = max(1.5, known_deviation), known_deviation + 10
    while two_sample_power(effect, high, alpha) < power:
        high *= 2
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (middle, high) if two_sample_power(effect, middle, alpha) < power else (low, middle)
    return (low + high) / 2


def _power(noncentrality: float, freedom: float, alpha: float) -> float:
    critical = t_quantile(1 - alpha / 2, freedom)
    upper = 1 - noncentral_t_cdf(critical, freedom, noncentrality)
    return upper + 1 - noncentral_t_cdf(critical, freedom, -noncentrality)


def noncentral_t_cdf(t: float, freedom: float, noncentrality: float) -> float:
    """Return P(T <= t) of a noncentral t variable, for t above 0.

    Source: Lenth, algorithm AS 243, Applied Statistics 38 (1989): a Poisson mixture of incomplete beta functions.

    Raises:
        ValueError: t that is not above 0.
    """
    if t <= 0:
        raise ValueError("only for t above 0")
    x, half = t * t / (t * t + freedom), noncentrality**2 / 2
    total = z_tail(noncentrality)
    first = max(0, math.floor(half) - 12 * math.ceil(math.sqrt(half + 1)))
    last = math.ceil(half) + 12 * math.ceil(math.sqrt(half + 1)) + 20
    for j in range(first, last):
        even = math.exp(-half + (j * math.log(half) if half else (0.0 if j == 0 else -math.inf)) - math.lgamma(j + 1))
        odd = math.exp(-half + (j * math.log(half) if half else (0.0 if j == 0 else -math.inf)) - math.lgamma(j + 1.5))
        total += even * regularised_beta(j + 0.5, freedom / 2, x) / 2
        total += noncentrality / math.sqrt(8) * odd * regularised_beta(j + 1, freedom / 2, x)
    return min(1.0, max(0.0, total))
