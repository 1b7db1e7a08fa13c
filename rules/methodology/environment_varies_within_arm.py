"""M25: trials of one arm under several environments, summarised as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import log

from msgspec import Struct

from ...schemas.evidence import Metric, Trial
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.environments import same_power
from ..facts.comparison.options import Same
from ..facts.comparison.wording import same_version, same_words
from ..facts.device.conditions import arms_of
from ..facts.document.words import words_in
from ..facts.series.raw_numbers import samples_of
from ..outcome import C2, C3, CAVEAT, UNDERMINES, Branch, Violation
from ..registry import Threshold, rule
from ..statistics.intervals import median
from ..statistics.means import difference_p
from ..tables.names import plain

OF_MACHINES = frozenset({"host", "device", "power limit"})
LEAST_GROUP = 3
MOST_GROUPS = 8


class Field(Struct, frozen=True):
    """What the trials of an arm say of one condition: the trials by value, as text."""

    name: str
    groups: Mapping[str, tuple[str, ...]]


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    alpha: float = Threshold(0.01, "two-sided p, divided by the comparisons made", "judgement")


@rule(
    "M25",
    "environment-varies-within-arm",
    effect=UNDERMINES,
    confidence=C2,
    applies="has(trials)",
    origin="S4, MEAS",
    thresholds=Thresholds,
)
def environment_varies_within_arm(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Trials of one arm that ran under different drivers, devices or hosts, and one number for all of them.

    ## What it does
    Collects driver, firmware, framework, host, devices and power limit trial by trial, as far as each says, and looks
    for values that differ. Where two groups of at least three trials are there, compares their medians (Welch's test on
    logarithms, p below .01, divided by the comparisons made).

    ## Why it misleads
    The number is the mean of two machines, and its interval tells how they differ, not how well it is known.

    ## Branches
    - (a) caveat, C3: a condition that at least two trials of an arm state differs between them.
    - (b) undermines, C2: the trials group by it.
    - Silent about hosts, devices and their limits where machines are the declared source of variation, and for a
      quality, whose seeds may well run on several machines.

    ## Flagged
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"trials": {
      "t1": {"software": {"driver": "550.54.15"}}, "t2": {"software": {"driver": "550.54.15"}},
      "t3": {"software": {"driver": "550.54.15"}},
      "t4": {"software": {"driver": "470.82.01"}, "samples": {"step_time_s": [0.911, 0.913, 0.910, 0.912]}},
      "t5": {"software": {"driver": "470.82.01"}, "samples": {"step_time_s": [0.912, 0.914, 0.911, 0.913]}},
      "t6": {"kind": "throughput", "outcome": "completed", "software": {"driver": "470.82.01"},
             "samples": {"step_time_s": [0.913, 0.915, 0.912, 0.914]}}}}}}
    ```

    ## Accepted
    On `training-pair` for claim `speedup`:
    ```json
    {"arms": {"fused": {"trials": {"t1": {"software": {"driver": "550.54.15"}},
      "t2": {"software": {"driver": "550.54.15"}}}}}}
    ```

    ## How to fix
    Run all trials in one environment, or report each group by itself.

    ## References
    Benchmarking chapter of the deep-learning performance course; measured on published reports.
    """
    for side in arms_of(claim, case):
        silent = OF_MACHINES if claim.quantity == "accuracy" else frozenset()
        found = [field for field in _fields(side) if field.name not in silent]
        if not found:
            continue
        metric = _metric(claim, case, side)
        declared = [claim.interval, metric.interval if metric is not None else None]
        unit = metric.n.unit if metric is not None and metric.n is not None else ""
        if words_in(unit, *(item.varies for item in declared if item is not None)).has("machine"):
            found = [field for field in found if field.name not in OF_MACHINES]
        values = _medians(case, side, claim)
        for field in found:
            yield _violation(side, field, values, thresholds.alpha / len(found))


def _metric(claim: Claim, case: Case, side: Side) -> Metric | None:
    """Return the number of an arm: the claim's own, or that of its base."""
    subject = case.subject(claim)
    return case.metric(claim.measured if subject is not None and side.id == subject.id else claim.base)


def _violation(side: Side, field: Field, values: Mapping[str, float], alpha: float) -> Violation:
    words = " and ".join(f"{value} ({len(trials)} trials)" for value, trials in list(field.groups.items())[:3])
    more = f", {len(field.groups) - 3} more" if len(field.groups) > 3 else ""
    what = f"the trials of arm {side.id} ran under different {field.name}: {words}{more}"
    if _group_apart(field, values, alpha):
        return Violation("b", UNDERMINES, C2, f"{what}, and their values group by it", side.arm.place("trials"))
    return Violation("a", CAVEAT, C3, what, side.arm.place("trials"))


def _fields(side: Side) -> Iterator[Field]:
    """Yield the conditions in which trials, or logged runs, of an arm differ."""
    stated = {
        name: dict(_stated(trial))
        for name, trial in side.arm.trials.items()
        if trial.outcome == "completed" and (trial.software or trial.environment or trial.device_ids)
    }
    for name, run in side.arm.runs.items():
        host = {"host": run.host} if run.host is not None else {}
        stated[name] = host | ({"device": _set(run.device_ids)} if run.device_ids else {})
    if len(stated) < 2:
        return
    for key in ("driver", "firmware", "framework", "host", "device", "power limit"):
        groups: dict[str, list[str]] = {}
        for name, values in stated.items():
            if key in values:
                groups.setdefault(_representative(key, values[key], groups), []).append(name)
        pairs = combinations(list(groups)[:MOST_GROUPS], 2)
        if any(_same(key, *pair) is Same.DIFFERENT for pair in pairs):
            yield Field(key, {value: tuple(names) for value, names in groups.items()})


def _stated(trial: Trial) -> Iterator[tuple[str, str]]:
    software, environment = trial.software, trial.environment
    for key in ("driver", "firmware", "framework"):
        value = getattr(software, key) if software is not None else None
        if isinstance(value, str):
            yield key, value
    if environment is not None and isinstance(environment.host, str):
        yield "host", environment.host
    if environment is not None and environment.power_limit_w is not None:
        yield "power limit", f"{environment.power_limit_w:g} W"
    if trial.device_ids:
        yield "device", _set(trial.device_ids)


def _set(ids: Sequence[str]) -> str:
    return ", ".join(sorted(set(ids)))


def _representative(key: str, value: str, groups: Mapping[str, object]) -> str:
    """Return the value of the group that a value belongs to: its own, or one that means the same."""
    if value in groups or len(groups) > MOST_GROUPS:
        return value
    return next((known for known in groups if _same(key, known, value) is Same.EQUAL), value)


def _same(key: str, left: str, right: str) -> Same:
    if key == "power limit":
        watts = [float(text.split()[0]) for text in (left, right)]
        return Same.EQUAL if same_power(watts[0], watts[1]) else Same.DIFFERENT
    if key == "device":
        return Same.EQUAL if left == right else Same.DIFFERENT
    if key == "host":
        return Same.EQUAL if plain(left) == plain(right) else same_words(left, right)
    return same_version(left, right)


def _medians(case: Case, side: Side, claim: Claim) -> Mapping[str, float]:
    """Return the logarithm of the median of each trial that holds raw numbers of the claimed metric."""
    metric = _metric(claim, case, side)
    found = samples_of(case, side, metric) if metric is not None else None
    if found is None:
        return {}
    return {name: log(median(values)) for name, values in zip(found.trials, found.values, strict=True)}


def _group_apart(field: Field, values: Mapping[str, float], alpha: float) -> bool:
    groups = [[values[name] for name in names if name in values] for names in field.groups.values()]
    large = [group for group in groups if len(group) >= LEAST_GROUP][:MOST_GROUPS]
    pairs = list(combinations(large, 2))
    return any(difference_p(left, right) < alpha / len(pairs) for left, right in pairs)
