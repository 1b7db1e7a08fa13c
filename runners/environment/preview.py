"""What a study would change on the machine, and what of it the machine does not allow: looked at, and not changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ...schemas.spec import Spec
from ..trial import address_layout, memory_nodes
from ..trial.kernel_lists import cpu_list
from .control import unnamed_gpus, wanted
from .diagnosis import abilities
from .knobs import cpu_frequency_mhz
from .knobs.interface import Refused
from .setting import Setting, plain, spelt
from .wording import state

OF_THE_PROCESS = ("affinity", "threads", "numa_nodes", "aslr")
"""Knobs that a trial's process turns for itself."""


class Foreseen(msgspec.Struct, frozen=True):
    """What would become of one request."""

    knob: str
    words: str
    """Knob and value, as the spec spells them."""
    line: str
    """For the user."""
    refused: str | None = None
    """Why it cannot be had, as far as that shows without trying."""


def of_process(spec: Spec) -> Iterator[Foreseen]:
    """Yield the requests that each trial's own process would carry out, tried in a process that ends at once."""
    for knob in OF_THE_PROCESS:
        if spec.controls.asks(knob):
            words = f"{knob} = {spelt(getattr(spec.controls, knob))}"
            refused = _refusal(knob, spec)
            line = f"would set {words} in each trial's own process" if refused is None else _cannot(words, refused)
            yield Foreseen(knob, words, line, refused)


def foreseen(spec: Spec, sysroot: Path = Path("/")) -> tuple[Foreseen, ...]:
    """Return for every request, in the order in which they are carried out, what would become of it."""
    found = [*of_process(spec)]
    settings = wanted(spec, sysroot)
    can = {one.name: one for one in abilities.knobs_of_host(sysroot)} if settings else {}
    if any(setting.knob.SCOPE != "host" for setting in settings):
        can |= {one.name: one for one in abilities.of_gpus()}
    found += [_of_machine(setting, can) for setting in settings]
    why = unnamed_gpus(spec)
    if why is not None:
        words = f"gpus = {spelt(spec.controls.gpus)}"
        found.append(Foreseen("gpus", words, f"{words} names none: {why}"))
    return tuple(found)


def _of_machine(setting: Setting, can: dict[str, abilities.Ability]) -> Foreseen:
    knob = setting.knob
    try:
        if setting.refused is not None:
            raise setting.refused
        now = state(knob, knob.read(setting.target))
    except Refused as refused:
        return Foreseen(knob.NAME, setting.words, _cannot(setting.words, str(refused)), str(refused))
    if _stands_so(setting, now):
        return Foreseen(knob.NAME, setting.words, f"{setting.words}: stands so already")
    ability = can.get(knob.NAME)
    if ability is not None and ability.can_set in ("no", "never"):
        why = f"{ability.by}; {ability.todo}" if ability.todo else ability.by
        return Foreseen(knob.NAME, setting.words, f"{_cannot(setting.words, why)}; now: {now}", why)
    condition = ", if permitted" if ability is not None and ability.can_set == "if permitted" else ""
    line = f"would set {setting.words}{condition}, and put it back at the end; now: {now}"
    return Foreseen(knob.NAME, setting.words, line)


def _stands_so(setting: Setting, now: str) -> bool:
    value = setting.requested
    if setting.knob is cpu_frequency_mhz:
        return now == f"{value} to {value} MHz"
    return now == (("on" if value else "off") if isinstance(value, bool) else str(plain(value)))


def _cannot(words: str, why: str) -> str:
    return f"cannot set {words}: {why}"


def _refusal(knob: str, spec: Spec) -> str | None:
    """Return why a trial's process cannot turn a knob of its own, or None."""
    controls = spec.controls
    if knob == "affinity":
        return abilities.in_a_child(lambda: _affinity_refusal(frozenset(controls.affinity)))
    if knob == "numa_nodes":
        why = abilities.in_a_child(lambda: memory_nodes.bind(controls.numa_nodes))
        return why and why.partition(": ")[2]
    return address_layout.refusal() if knob == "aslr" and controls.aslr is False else None


def _affinity_refusal(cpus: frozenset[int]) -> str | None:
    """Move this process to processors; return why not all of them take it, or None."""
    if not hasattr(os, "sched_setaffinity"):
        return "this platform has no sched_setaffinity"
    permitted = f"it may use {cpu_list(frozenset(os.sched_getaffinity(0)))}"
    try:
        os.sched_setaffinity(0, cpus)
        missing = cpus - os.sched_getaffinity(0)
    except (OSError, OverflowError, ValueError):
        missing = cpus
    return f"this process may not use processors {cpu_list(missing)}; {permitted}" if missing else None
