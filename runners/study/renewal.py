"""A study that goes on where something changed: it is refused with the difference, or an arm begins anew on demand.

An arm belongs to the code, the options and the environment that it began with. A new arm takes the place of one that
changed, under a name of its own: what the old arm had not yet run is not run, and the new one runs all its trials,
after the others. The plan only grows by it; the machine, and what the spec says of all arms, stay as they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from ...schemas.errors import UserError
from ...schemas.model import to_model
from ...schemas.spec import Spec
from ...schemas.validation import load
from ..environment import collect
from . import folder as files
from . import program, sweep
from .plan import Plan, PlannedArm

OF_ARMS = ("at", "arms", "workload")
"""Parts of a spec in which a new arm may differ."""
OTHER_FOLDER = "start a new study in another folder"


def standing(folder: Path) -> tuple[Spec, Plan]:
    """Return the spec and the plan of the study in a folder, with the arms that began anew.

    Raises:
        UserError: a file of it is missing or damaged.
    """
    path = folder / files.PLAN
    try:
        plan = msgspec.convert(files.read_json(path), Plan)
    except (OSError, msgspec.ValidationError) as error:
        raise UserError(f"the file is damaged ({error})", OTHER_FOLDER, str(path)) from None
    source = next(iter(sorted(folder.glob("spec.*"))), folder / "spec.yaml")
    spec = sweep.expanded(to_model(load(source, "spec").value, Spec))
    arms = dict(spec.arms)
    for name, arm in plan.arms.items():
        if arm.instead_of is not None:
            old = spec.arms[arm.instead_of]
            arms[name] = replace(old, label=f"{old.label or arm.instead_of}, begun anew in session {arm.session}")
    return replace(spec, arms=arms), plan


def check_rest(first: Spec, plan: Plan, now: Spec, folder: Path) -> None:
    """Make sure that two specs differ in nothing but the options and workloads of their arms.

    Args:
        first: the spec of the study.
        plan: of the study so far.
        now: the spec that is given.
        folder: of the study.

    Raises:
        UserError: they do.
    """
    began = {name: arm for name, arm in plan.arms.items() if arm.instead_of is None}
    old, new = (
        {key: getattr(spec, key) for key in Spec.__struct_fields__ if key not in OF_ARMS} for spec in (first, now)
    )
    found = [f"arms {', '.join(began)} then, {', '.join(now.arms)} now"] if began.keys() != now.arms.keys() else []
    found += _differences(old, new)
    if found:
        what = f"the folder holds a study of another spec: {'; '.join(found)}"
        raise UserError(what, "give that spec, or another --out", str(folder))


def changed(
    plan: Plan, given: Plan, folder: Path, programs: Mapping[str, program.Program], facts: collect.Collected
) -> dict[str, list[str]]:
    """Return the arms that are not what they began as, by their names in the spec, each with the differences.

    Args:
        plan: of the study so far.
        given: the plan of the spec as it is now.
        folder: of the study.
        programs: what each arm of the spec runs now.
        facts: about machine and software now.

    Raises:
        UserError: the machine is another.
    """
    found: dict[str, list[str]] = {}
    for name, asked in given.arms.items():
        current = _latest(plan, name)
        arm = plan.arms[current]
        first = collect.restore(files.read_json(folder / files.ENVIRONMENT / f"{arm.session}.json"))
        facts_changed = collect.differences(first, facts)
        if facts_changed.keys() & collect.MACHINE:
            raise _refused(facts_changed.values(), folder)
        began = msgspec.convert({name: first.programs.get(current, {})}, dict[str, program.Program])
        found[name] = [
            *_differences(_request(arm), _request(asked)),
            *program.differences(began, programs),
            *facts_changed.values(),
        ]
    return {name: clauses for name, clauses in found.items() if clauses}


def check_same(changes: Mapping[str, list[str]], folder: Path) -> None:
    """Refuse to go on where an arm changed.

    Raises:
        UserError: one did.
    """
    if changes:
        clauses = dict.fromkeys(clause for found in changes.values() for clause in found)
        raise _refused(clauses, folder, "measure it as a new arm with --new-arm, ")


def extended(plan: Plan, given: Plan, arms: Iterable[str], session: int) -> Plan:
    """Return the plan with new arms in place of some of the spec, and their trials after all others."""
    names = dict(plan.arms)
    trials = list(plan.trials)
    for old in arms:
        new = _unused(old, names)
        names[new] = replace(given.arms[old], instead_of=old, session=session)
        trials += [
            replace(trial, arm=new, trial=new + trial.trial.removeprefix(old))
            for trial in given.trials
            if trial.arm == old
        ]
    return replace(plan, arms=names, trials=tuple(trials))


def _latest(plan: Plan, name: str) -> str:
    """Return the arm that stands for one of the spec now."""
    return [name, *(new for new, arm in plan.arms.items() if arm.instead_of == name)][-1]


def _unused(old: str, names: Mapping[str, Any]) -> str:
    taken = {name.lower() for name in names}
    return next(name for number in count(2) if (name := f"{old}-{number}").lower() not in taken)


def _request(arm: PlannedArm) -> dict[str, Any]:
    return {key: getattr(arm, key) for key in ("workload", "options", "ranks", "nodes", "interference")}


def _refused(clauses: Iterable[str], folder: Path, otherwise: str = "") -> UserError:
    what = f"since the study began something changed: {'; '.join(clauses)}"
    return UserError(what, f"put it back, {otherwise}or {OTHER_FOLDER}", str(folder))


def _differences(old: Any, new: Any) -> list[str]:
    before, now = (dict(_leaves(msgspec.to_builtins(value))) for value in (old, new))
    return [
        f"{key} {before.get(key, 'absent')} then, {now.get(key, 'absent')} now"
        for key in dict.fromkeys([*before, *now])
        if before.get(key) != now.get(key)
    ]


def _leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield what is no object, by its dotted place; where it lies in its document does not count."""
    if not isinstance(value, dict):
        yield place, value
        return
    for key, item in value.items():
        if key != "at":
            yield from _leaves(item, f"{place}.{key}" if place else key)
