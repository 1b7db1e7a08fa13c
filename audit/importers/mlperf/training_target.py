"""The target of a result of MLPerf Training: the round's, or what its logs and all rounds of the benchmark agree on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ....rules.trace import Logged

if TYPE_CHECKING:
    from ....rules.tables.suites import SuiteTarget
    from ..fields import TargetFields

LOGGED = ("eval_target", "target_accuracy")


def target_of(
    benchmark: str, round_name: tuple[str, str] | None, runs: Iterable[Logged], *, closed: bool
) -> TargetFields | None:
    """Return the target of a result; None where nothing tells its value or its direction.

    In the closed division of a known round it is the round's. Else the logs give its value (a log calls a loss an
    accuracy, too), or all rounds of the benchmark that have one; metric and direction are those of all rounds.

    Args:
        benchmark: as the logs or the path name it.
        round_name: suite and round, where known.
        runs: its runs.
        closed: whether it is one of the closed division.
    """
    from ....rules.tables.suites import round_of

    if round_name is not None and closed:
        found = round_of(*round_name)
        targets = found.targets.get(benchmark, ()) if found is not None else ()
        if len(targets) == 1:
            return _fields(targets[0], targets[0].value)
    of_rounds = _of_every_round(benchmark)
    kinds = {(target.metric, target.direction): target for targets in of_rounds for target in targets}
    if len(kinds) != 1:
        return None
    (kind,) = kinds.values()
    logged = (event.number for run in runs for event in run.trace.of(*LOGGED))
    value = next((number for number in logged if number is not None and math.isfinite(number)), None)
    if value is None and round_name is None and closed and len(of_rounds) == 1:
        value = kind.value
    return _fields(kind, value) if value is not None else None


def _of_every_round(benchmark: str) -> set[tuple[SuiteTarget, ...]]:
    """Return the different targets that rounds have for a benchmark; of some nothing is known, which counts as one."""
    from ....rules.facts.suite.result import rounds_with

    return {entry.targets.get(name, ()) for name, entry in rounds_with("training", benchmark)}


def _fields(target: SuiteTarget, value: float) -> TargetFields:
    return {"metric": target.metric, "value": f"{value:.12g}", "direction": target.direction}
