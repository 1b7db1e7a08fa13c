"""Whether a logged run met the targets of its round: all of them at one counter, in its own metrics."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise

from ..tables.suites import SuiteTarget
from ..trace import Event, Logged

Values = dict[str, float]


def met(run: Logged, targets: tuple[SuiteTarget, ...]) -> bool | None:
    """Return whether any evaluation of a run meets all targets; None where its log does not tell."""
    points = list(evaluated(run, targets))
    if not points:
        return None
    if any(all(_meets(values.get(target.metric), target) for target in targets) for values in points):
        return True
    whole = any(all(target.metric in values for target in targets) for values in points)
    unreadable = any(not list(_named(event, targets)) for event in _events(run, targets))
    return False if whole and not unreadable else None


def best(run: Logged, target: SuiteTarget) -> float | None:
    """Return the best logged value of a target's metric."""
    found = [values[target.metric] for values in evaluated(run, (target,)) if target.metric in values]
    return (max(found) if target.direction == "higher" else min(found)) if found else None


def contested(run: Logged, targets: tuple[SuiteTarget, ...]) -> tuple[Event, Event] | None:
    """Return two values of one evaluation, of which the first meets the target and the second does not.

    None where another evaluation meets it, or half of all evaluations hold two values: these are of two things.
    """
    events = _events(run, targets)
    if len(targets) != 1 or len({event.counter for event in events}) == len(events):
        return None
    by_counter: dict[object, dict[bool, Event]] = {}
    values: dict[object, set[float]] = {}
    for event in events:
        for _, value in _named(event, targets) if event.counter is not None else ():
            values.setdefault(event.counter, set()).add(value)
            by_counter.setdefault(event.counter, {}).setdefault(_meets(value, targets[0]), event)
    double = sum(len(found) > 1 for found in values.values())
    split = [found for found in by_counter.values() if len(found) > 1]
    if len(split) != 1 or 2 * double >= len(values) or any(list(found) == [True] for found in by_counter.values()):
        return None
    return split[0][True], split[0][False]


def evaluated(run: Logged, targets: tuple[SuiteTarget, ...]) -> Iterable[Values]:
    """Yield the values of the targets' metrics, by counter; what is not finite is left out.

    A log may write several metrics under one key: a value is then that of the target nearest to it in size, where the
    targets lie far apart.
    """
    named: dict[object, Values] = {}
    for event in _events(run, targets):
        at = event.counter or ("line", event.line if len(targets) == 1 else 0)
        for name, value in _named(event, targets):
            if math.isfinite(value):
                named.setdefault(at, {})[name] = value
    return named.values()


def _events(run: Logged, targets: tuple[SuiteTarget, ...]) -> tuple[Event, ...]:
    return run.trace.of(*{target.metric for target in targets}) or run.trace.of("eval_accuracy", "eval_error")


def _named(event: Event, targets: tuple[SuiteTarget, ...]) -> Iterable[tuple[str, float]]:
    if isinstance(event.value, dict):
        for target in targets:
            value = event.value.get(target.metric)
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield target.metric, float(value)
        return
    number = event.number
    if number is None:
        return
    if event.key in {target.metric for target in targets} or len(targets) == 1:
        name = event.key if len(targets) > 1 else targets[0].metric
        yield name, number
    elif number > 0 and _far_apart(targets):
        yield min(targets, key=lambda target: abs(math.log(number / target.value))).metric, number


def _far_apart(targets: tuple[SuiteTarget, ...]) -> bool:
    sizes = sorted(abs(target.value) for target in targets)
    return all(low > 0 and high / low > 20 for low, high in pairwise(sizes))


def _meets(value: float | None, target: SuiteTarget) -> bool:
    """Whether a value meets a target; a share written in percent counts as the share."""
    if value is None:
        return False
    if target.value <= 1 < value and target.direction == "lower" and value / 100 <= target.value:
        return True
    return value >= target.value if target.direction == "higher" else value <= target.value
