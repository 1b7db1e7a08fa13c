"""Control of the machine for one session of a study: every requested knob is set, watched in each trial, and put back.

In this order: what an earlier process left is put back; the devices are locked; the originals are read and written to
the journal; then, each noted before it happens, the changes. After the last trial, and whatever ends the session, the
opposite. A knob that cannot be had is recorded as such, unless the spec requires it: then nothing runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...schemas.errors import EnvironmentRefused
from ...schemas.spec import Spec
from ..trial.events import Restored
from . import amd, gpus, journal, lock
from .knobs import registry
from .knobs.interface import Refused, Restoration, Scope
from .setting import Setting, spelt
from .watch import Watch

Note = Callable[[str], None]
"""Takes a line for the user."""
WORST_FIRST: tuple[Restored, ...] = ("failed", "unverifiable", "reset", "restored", "not_changed")


@dataclass(frozen=True, slots=True)
class Reserved:
    """The devices of a study, held; nothing has been changed on them."""

    settings: tuple[Setting, ...]
    hold: lock.Hold
    recovered: tuple[journal.Recovered, ...]

    def watch(self) -> Watch:
        """Return what watches one trial; takes the first readings."""
        return Watch(self.settings)

    def restorations(self) -> dict[str, Any]:
        """Return by knob whether the earlier state was put back; nothing of knobs that are still turned."""
        return worst([(one.knob.NAME, one.restoration) for one in self.settings if one.restoration is not None])


@contextmanager
def reserved(spec: Spec, note: Note, sysroot: Path = Path("/")) -> Iterator[Reserved]:
    """Put back what killed processes left, and hold the devices that a study works on or turns knobs of.

    Args:
        spec: the spec.
        note: takes lines for the user.
        sysroot: root of the host's file tree.

    Raises:
        EnvironmentRefused: another process holds a device, or the spec requires a knob of a device that is not there.
    """
    recovered = journal.recover()
    for one in recovered:
        note(describe(one))
    settings = wanted(spec, sysroot)
    for setting in settings:
        _note_refusal(setting, note)
    why = None if any(setting.knob.SCOPE != "host" for setting in settings) else unnamed_gpus(spec)
    if why is not None:
        note(f"gpus = {spelt(spec.controls.gpus)} names none, and nothing is read there: {why}")
    names = {journal.lock_name(setting.target) for setting in settings if setting.target} | {*gpus.used(spec)}
    with lock.held(sorted(names)) as hold:
        for line in hold.left:
            note(f"{line}; as that user: dlaudit doctor --restore")
        yield Reserved(settings, hold, recovered)


@contextmanager
def turned(reserved: Reserved, study: str, note: Note) -> Iterator[None]:
    """Set the requested knobs, and put them back at the end, whatever the end is.

    An interruption may come at any time, once; whoever calls sees to it that no second one is raised.

    Args:
        reserved: the devices.
        study: id of the study, for the journal.
        note: takes lines for the user.

    Raises:
        EnvironmentRefused: a required knob cannot be set; what was set has been put back.
    """
    settings = [setting for setting in reserved.settings if setting.refused is None]
    for setting in settings:
        try:
            setting.original = setting.knob.read(setting.target)
        except Refused as refused:
            setting.refused = refused
            _note_refusal(setting, note)
    settings = [setting for setting in settings if setting.refused is None]
    if not settings:
        yield
        return
    entries = [journal.Entry(knob=one.knob.NAME, target=one.target, original=one.original) for one in settings]
    kept = journal.begin(study, entries)
    try:
        try:
            _apply(settings, kept, reserved.hold, note)
            yield
        finally:
            _restore(settings, kept, reserved.hold, note)
    except KeyboardInterrupt:
        _restore(settings, kept, reserved.hold, note)  # it may have come while something was put back
        raise
    finally:
        if reserved.hold.put_back:
            reserved.hold.settled()
        kept.close()


def wanted(spec: Spec, sysroot: Path) -> tuple[Setting, ...]:
    """Return what a spec asks for, target by target; a knob without a target is refused."""
    settings = []
    for knob, value in registry.requested(spec.controls):
        required = spec.controls.requires(knob.NAME)
        try:
            targets = _targets(knob.SCOPE, spec, sysroot)
        except Refused as refused:
            settings.append(Setting(knob, "", "", value, required, refused=refused))
            continue
        settings += [Setting(knob, target, label, value, required) for target, label in targets.items()]
    return tuple(settings)


def unnamed_gpus(spec: Spec) -> str | None:
    """Return why the GPUs that a spec names are not there; None where they are, or none is named."""
    if not spec.controls.gpus:
        return None
    try:
        gpus.meant(spec)
    except Refused as refused:
        try:
            amd.meant(spec)
        except Refused:
            return str(refused)
    return None


def _targets(scope: Scope, spec: Spec, sysroot: Path) -> dict[str, str]:
    """Return on what a knob is turned, each with a label for people."""
    if scope == "host":
        return {str(sysroot): "the host"}
    return amd.meant(spec) if scope == "amd" else gpus.meant(spec)


def describe(one: journal.Recovered) -> str:
    """Return one clause about what a killed process had left changed."""
    what = f"a killed run left {one.knob}" + (f" of {one.target}" if one.target else "") + " changed"
    if one.restoration.restored == "failed":
        return f"{what}, and it cannot be put back: {one.restoration.evidence} ({one.journal})"
    return f"{what}; it has been put back: {one.restoration.evidence}"


def worst(found: Sequence[tuple[str, Restoration]]) -> dict[str, Any]:
    """Return the worst restoration by knob, as `restored` and `evidence`."""
    kept: dict[str, Restoration] = {}
    for name, told in found:
        known = kept.get(name)
        if known is None or WORST_FIRST.index(told.restored) < WORST_FIRST.index(known.restored):
            kept[name] = told
    return {name: {"restored": told.restored, "evidence": told.evidence} for name, told in kept.items()}


def _apply(settings: Sequence[Setting], kept: journal.Journal, hold: lock.Hold, note: Note) -> None:
    for index, setting in enumerate(settings):
        kept.applying(index)
        if index == 0:
            hold.changing()
        try:
            setting.applied = setting.knob.apply(setting.target, setting.requested)
        except Refused as refused:
            kept.restored(index)  # a refused change changed nothing
            setting.refused = refused
            setting.restoration = Restoration("not_changed", "it was not set")
            _note_refusal(setting, note)


def _note_refusal(setting: Setting, note: Note) -> None:
    """Tell the user, or end the study where the spec requires the knob."""
    if setting.refused is None:
        return
    if setting.required:
        raise EnvironmentRefused(f"the spec requires {setting.words}: {setting.refused}")
    note(f"{setting.words} is not set, and recorded so: {setting.refused}")


def _restore(settings: Sequence[Setting], kept: journal.Journal, hold: lock.Hold, note: Note) -> None:
    """Put back, in the opposite order, what was set or was about to be."""
    for index in reversed(kept.changed):
        setting = settings[index]
        setting.restoration = journal.restore(kept.entries[index])
        if setting.restoration.restored == "failed":
            hold.put_back = False
            note(f"{setting.words} cannot be put back: {setting.restoration.evidence}; then: dlaudit doctor --restore")
        else:
            kept.restored(index)
