"""Laws of scaling fitted to measured times, on their logarithms: the scatter of a time is relative."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from msgspec import Struct

from .student import t_quantile

Law = Callable[[Sequence[float], float], float]


class Fit(Struct, frozen=True):
    """A fitted law.

    Attributes:
        parameters: the time on one device in the unit of the times, then the law's own.
        intervals: 95 % t interval of each, with points - parameters degrees of freedom; empty without any.
    """

    parameters: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]


def amdahl_time(parameters: Sequence[float], devices: float) -> float:
    """Return the time by Amdahl's law, parameters (time on one device, serial fraction)."""
    one, serial = parameters
    return one * (serial + (1 - serial) / devices)


def scalability_time(parameters: Sequence[float], devices: float) -> float:
    """Return the time by Gunther's law, parameters (time on one device, contention, coherency)."""
    one, contention, coherency = parameters
    return one * (1 + contention * (devices - 1) + coherency * devices * (devices - 1)) / devices


def fit_amdahl(devices: Sequence[float], times: Sequence[float]) -> Fit:
    """Fit Amdahl's law. Raises ValueError for fewer points than parameters, or a time that is not positive."""
    return _fit(amdahl_time, devices, times, (0.1,))


def fit_scalability(devices: Sequence[float], times: Sequence[float]) -> Fit:
    """Fit Gunther's universal scalability law. Raises ValueError as `fit_amdahl`."""
    return _fit(scalability_time, devices, times, (0.05, 0.001))


def _fit(law: Law, devices: Sequence[float], times: Sequence[float], shape: Sequence[float]) -> Fit:
    """Minimise squared differences of logarithms by Levenberg's and Marquardt's method; parameters stay above 0."""
    if len(times) < len(shape) + 1 or not all(0 < time < math.inf for time in times):
        raise ValueError("a fit needs as many positive times as it has parameters")
    logs = [math.log(time) for time in times]
    found = [math.log(times[0] * devices[0]), *(math.log(value) for value in shape)]

    def residuals(at: Sequence[float]) -> list[float]:
        parameters = [math.exp(value) for value in at]
        return [log - math.log(law(parameters, n)) for log, n in zip(logs, devices, strict=True)]

    damping, rest = 1e-3, residuals(found)
    for _ in range(500):
        jacobian = _jacobian(residuals, found)
        step = _solve(_normal(jacobian, damping), [math.fsum(map(_product, row, rest)) for row in jacobian])
        trial = [value - move for value, move in zip(found, step, strict=True)]
        after = residuals(trial)
        if sum(map(_square, after)) <= sum(map(_square, rest)):
            found, rest, damping = trial, after, damping / 5
        else:
            damping *= 5
        if max(map(abs, step)) < 1e-13 or damping > 1e15:
            break
    parameters = tuple(math.exp(value) for value in found)
    freedom = len(times) - len(found)
    if freedom < 1:
        return Fit(parameters, ())
    variance = sum(map(_square, rest)) / freedom
    normal = _normal(_jacobian(residuals, found), 0.0)
    reach = t_quantile(0.975, freedom)
    intervals = []
    for index, value in enumerate(parameters):
        unit = [float(k == index) for k in range(len(found))]
        error = value * math.sqrt(max(0.0, variance * _solve(normal, unit)[index]))
        intervals.append((value - reach * error, value + reach * error))
    return Fit(parameters, tuple(intervals))


def _square(value: float) -> float:
    return value * value


def _product(left: float, right: float) -> float:
    return left * right


def _jacobian(residuals: Callable[[Sequence[float]], list[float]], at: Sequence[float]) -> list[list[float]]:
    """Return the derivatives of the residuals, a row for each parameter, by central differences."""
    rows = []
    for index in range(len(at)):
        ends = [[value + (k == index) * side * 1e-6 for k, value in enumerate(at)] for side in (1, -1)]
        above, below = residuals(ends[0]), residuals(ends[1])
        rows.append([(high - low) / 2e-6 for high, low in zip(above, below, strict=True)])
    return rows


def _normal(jacobian: Sequence[Sequence[float]], damping: float) -> list[list[float]]:
    matrix = [[math.fsum(map(_product, left, right)) for right in jacobian] for left in jacobian]
    for index, row in enumerate(matrix):
        row[index] = row[index] * (1 + damping) + 1e-300
    return matrix


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a small linear system by elimination with pivots."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    n = len(rows)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [value - factor * above for value, above in zip(rows[i], rows[k], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)]
