"""One name for each metric of an arm, where its runs log another spelling of it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ..schemas.evidence import Arm, Trial
from .tables.names import plain


def of_one_name(arm: Arm) -> Arm:
    """Return an arm whose runs log each metric under the name that its target, or its stated quality, gives it.

    Programs log "top1" and "auc" where a report says "top-1 accuracy" and "AUC". A logged name is read as a declared
    one where the two differ in case and signs only, or where it is the key of the stated quality of that metric. It
    stays as it is where it may be two of them, or where the runs log the declared name as well.
    """
    logged = _logged(arm)
    if not logged:
        return arm
    declared = ([arm.target.metric] if arm.target is not None else []) + [item.metric for item in arm.quality.values()]
    if logged <= set(declared):
        return arm
    names = {name: found for name in logged.difference(declared) if (found := _declared(name, arm, declared))}
    names = {
        name: to for name, to in names.items() if to not in logged and sum(other == to for other in names.values()) == 1
    }
    if not names:
        return arm
    return replace(arm, trials={key: _renamed(trial, names) for key, trial in arm.trials.items()})


def _logged(arm: Arm) -> set[str]:
    found: set[str] = set()
    for trial in arm.trials.values():
        found.update(trial.final)
        for evaluation in trial.evaluations:
            found.update(evaluation.metrics)
    return found


def _declared(name: str, arm: Arm, declared: list[str]) -> str | None:
    """Return the one declared metric that a logged name can stand for: the target's where it states it, too."""
    wanted = plain(name)
    alike = {metric for metric in declared if plain(metric) == wanted}
    alike |= {item.metric for key, item in arm.quality.items() if plain(key) == wanted}
    if len({plain(metric) for metric in alike}) != 1:
        return None
    return next(metric for metric in declared if metric in alike)


def _renamed(trial: Trial, names: Mapping[str, str]) -> Trial:
    evaluations = tuple(
        replace(item, metrics={names.get(name, name): value for name, value in item.metrics.items()})
        for item in trial.evaluations
    )
    final = {names.get(name, name): value for name, value in trial.final.items()}
    return replace(trial, evaluations=evaluations, final=final)
