"""Whether two arms did the same work, and what else differs between them."""

from __future__ import annotations

from dataclasses import dataclass

from ...rules.case import Side
from ...rules.facts.comparison.options import FREE, class_of, compare
from ...schemas.conditions import Software
from ...schemas.evidence import Metric, RanWorkload
from . import service
from .differing import Differing, fields, shown

PACKAGES_SHOWN = 6
DIGITS = 12
"""Of a digest."""
SYSTEM = ("device", "device_variant", "devices_per_node", "nodes", "host_processor", "host_cores", "operating_system")
WORK_OF_ITERATION = frozenset({"global_batch", "batch_schedule", "input_shape", "input_length"})
"""Keys of options that set how much work an iteration is."""
PER_WORK = frozenset({"rate", "energy"})
COUNTED = frozenset({"scheduling"})
"""Controls whose value is a count of what happened, which never comes out the same twice."""
SOFTWARE = ("driver", "runtime", "framework", "language", "container", "tool")


@dataclass(frozen=True, slots=True)
class Likeness:
    """What differs between two arms."""

    work: tuple[Differing, ...]
    """Options that change what is computed, and of a service its load, and what was not said to vary."""
    varied: tuple[Differing, ...]
    """The same, where the caller said that they are what is compared."""
    conditions: tuple[Differing, ...]
    """Layout, recipe, hardware, software, controls: they may explain a difference."""
    unknown: tuple[str, ...]
    """Options that change what is computed and are known on one side only."""


def likeness(old: Side, new: Side, vary: frozenset[str]) -> Likeness:
    """Compare what two arms ran, on what, under which controls.

    Args:
        old: one arm.
        new: the other.
        vary: keys of options that are meant to differ, such as `precision.compute`; a key covers those beneath it.
    """
    compared = compare(old.arm.options, new.arm.options, (old.arm.option_set, new.arm.option_set))
    options = [
        (key, Differing(key.removeprefix(FREE), shown(left), shown(right))) for key, left, right in compared.different
    ]
    computed = {key: item for key, item in options if class_of(key) in {"HARD", "STAT"}}
    computed |= {item.what: item for item in service.load_of(old, new)}
    meant = {key for key in computed if not vary.isdisjoint((key, key.removeprefix(FREE), key.split(".")[0]))}
    return Likeness(
        tuple(item for key, item in computed.items() if key not in meant),
        tuple(item for key, item in computed.items() if key in meant),
        (*(item for key, item in options if class_of(key) in {"RECIPE", "LAYOUT"}), *_conditions(old, new)),
        tuple(key for key in compared.unknown if class_of(key) in {"HARD", "STAT"}),
    )


def same_measure(old: Metric, new: Metric, varied: frozenset[str]) -> tuple[Differing, ...]:
    """Return what differs in how two metrics are defined: their unit, their work, their scope, their objective.

    Args:
        old: the metric of one arm.
        new: that of the other.
        varied: keys of options that are meant to differ and do. Where the batch is among them, an iteration's work
            varies with it; a rate, which is taken per sample, is still of one thing, a time per iteration is not.
    """
    follows = old.quantity in PER_WORK and bool(varied & WORK_OF_ITERATION)
    names = ("quantity", "unit", "scope") if follows else ("quantity", "unit", "scope", "work_per_iteration")
    return (*fields(old, new, names), *service.objectives(old, new))


def _conditions(old: Side, new: Side) -> tuple[Differing, ...]:
    found = [*fields(old.system, new.system, SYSTEM), *fields(old.arm.software, new.arm.software, SOFTWARE)]
    found += _packages(old.arm.software, new.arm.software)
    found += _code(old.arm.workload, new.arm.workload)
    found += fields(old.arm.measurement, new.arm.measurement, ("scope", "synchronisation"))
    found += _controls(old, new)
    return (*found, *service.conditions_of(old, new))


def _packages(old: Software | None, new: Software | None) -> list[Differing]:
    if old is None or new is None or not old.packages or not new.packages:
        return []
    names = sorted({*old.packages, *new.packages})
    left, right = old.packages, new.packages
    found = [
        Differing(name, left.get(name, "absent"), right.get(name, "absent"))
        for name in names
        if left.get(name) != right.get(name)
    ]
    more = len(found) - PACKAGES_SHOWN
    return found if more <= 0 else [*found[:PACKAGES_SHOWN], Differing(f"{more} more packages", "", "")]


def _code(old: RanWorkload | None, new: RanWorkload | None) -> list[Differing]:
    """Return the files of the arms' own code that differ, by the beginning of their digests."""
    if old is None or new is None:
        return []
    names = sorted({*old.files, *new.files})
    pairs = [(name, old.files.get(name, "absent"), new.files.get(name, "absent")) for name in names]
    found = [Differing(name, left[:DIGITS], right[:DIGITS]) for name, left, right in pairs if left != right]
    more = len(found) - PACKAGES_SHOWN
    return found if more <= 0 else [*found[:PACKAGES_SHOWN], Differing(f"{more} more files of the code", "", "")]


def _controls(old: Side, new: Side) -> list[Differing]:
    left = old.arm.environment.controls if old.arm.environment is not None else {}
    right = new.arm.environment.controls if new.arm.environment is not None else {}
    found = []
    for knob in sorted((left.keys() & right.keys()) - {"seed"}):
        states = [_state(side[knob].found, side[knob].verified) for side in (left, right)]
        counted = knob in COUNTED and all(side[knob].verified == "not_requested" for side in (left, right))
        if states[0] != states[1] and not counted:
            found.append(Differing(knob, *states))
    return found


def _state(found: object, verified: str) -> str:
    return f"{shown(found)} ({verified})" if found is not None else verified
