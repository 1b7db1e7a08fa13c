"""The journal of a session: the originals of every knob, on disk before the first change.

A file of lines, each brought to the disk before what it tells happens:

    {"dlaudit": "journal/1", "host": ..., "study": ..., "entries": [{"knob", "target", "original"}, ...]}
    {"applying": 0}       the first entry is about to be changed
    {"restored": 0}       it has been put back

Whoever writes a journal holds the kernel's lock on it. A journal without a holder belongs to a process that was killed:
`recover` puts back what was changed and not restored, the last change first, and removes it. What cannot be put back
stays in its journal, so that a later start, with more rights, can.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ...schemas.errors import UserError
from ...schemas.state import state_folder
from . import lock
from .knobs import registry
from .knobs.interface import Refused, Restoration

KIND = "journal/1"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """The original of one knob on one target."""

    knob: str
    target: str
    original: Any


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line."""

    dlaudit: str
    host: str
    study: str
    pid: int
    entries: tuple[Entry, ...]


class _Step(msgspec.Struct, frozen=True, kw_only=True):
    applying: int | None = None
    restored: int | None = None


@dataclass(frozen=True, slots=True)
class Recovered:
    """One knob that an earlier process left changed."""

    study: str
    """The study that had changed it."""
    knob: str
    target: str
    restoration: Restoration
    journal: Path
    """Where the original stays if it could not be put back."""


class Journal:
    """A journal that is being written, by its file's descriptor."""

    def __init__(self, path: Path, descriptor: int, entries: Sequence[Entry]) -> None:
        self.path, self._descriptor, self.entries = path, descriptor, tuple(entries)
        self._changed: list[int] = []

    @property
    def changed(self) -> tuple[int, ...]:
        """Return the entries that are changed, in the order of their changes."""
        return tuple(self._changed)

    def applying(self, index: int) -> None:
        """Note that an entry is about to be changed.

        Raises:
            UserError: it cannot be noted, and so may not be changed.
        """
        try:
            _append(self._descriptor, {"applying": index})
        except OSError as error:
            raise UserError(f"the journal cannot be written: {error.strerror}", "make room", str(self.path)) from None
        self._changed.append(index)

    def restored(self, index: int) -> None:
        """Note that an entry has been put back; without the note it would be put back once more, to no harm."""
        with suppress(OSError):
            _append(self._descriptor, {"restored": index})
        self._changed.remove(index)

    def close(self) -> None:
        """Let go of the journal, and remove it where everything has been put back."""
        if not self._changed:
            self.path.unlink(missing_ok=True)
        os.close(self._descriptor)


def folder() -> Path:
    """Return where the journals of this account lie."""
    return state_folder() / "controls"


def begin(study: str, entries: Sequence[Entry]) -> Journal:
    """Bring the originals to the disk.

    Raises:
        UserError: they cannot be written; then nothing may be changed.
    """
    place = folder()
    header = Header(dlaudit=KIND, host=_host(), study=study, pid=os.getpid(), entries=tuple(entries))
    path = place / f"{time.time_ns():020d}-{os.getpid()}.jsonl"
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _alone(place):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _append(descriptor, msgspec.to_builtins(header))
            _sync(place)
    except OSError as error:
        raise UserError(
            f"the originals cannot be kept on disk, so nothing may be changed: {error.strerror}",
            "make the folder writable, or ask for no controls",
            str(path),
        ) from None
    return Journal(path, descriptor, entries)


def recover() -> tuple[Recovered, ...]:
    """Put back whatever killed processes of this account left changed on this machine; the newest journal first.

    What a living process holds is left alone.
    """
    place = folder()
    if not place.is_dir():
        return ()
    found: list[Recovered] = []
    with _alone(place):
        for path in sorted(place.glob("[0-9]*.jsonl"), reverse=True):
            found += _recover_one(path)
    return tuple(found)


def pending() -> tuple[tuple[Path, tuple[Entry, ...]], ...]:
    """Return what `recover` would put back, by journal, the newest first; nothing is changed."""
    place = folder()
    found: list[tuple[Path, tuple[Entry, ...]]] = []
    for path in sorted(place.glob("[0-9]*.jsonl"), reverse=True) if place.is_dir() else ():
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            continue  # another start has put it back meanwhile
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            header, changed = _read(path)
        except BlockingIOError:
            continue  # its holder lives
        finally:
            os.close(descriptor)
        if header is None:
            found.append((path, (Entry(knob="a damaged journal", target="", original=None),)))
        elif header.host == _host() and changed:
            found.append((path, tuple(header.entries[index] for index in changed)))
    return tuple(found)


def restore(entry: Entry) -> Restoration:
    """Put one original back; a refusal is an answer too."""
    knob = registry.named(entry.knob)
    if knob is None:
        return Restoration("failed", f"this version of dlaudit has no knob {entry.knob}")
    try:
        return knob.restore(entry.target, entry.original)
    except Refused as refused:
        return Restoration("failed", str(refused))
    except Exception as error:  # whatever it is, the others are to be put back too
        return Restoration("failed", f"{type(error).__name__}: {error}"[:400])


def _recover_one(path: Path) -> list[Recovered]:
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return []
        header, changed = _read(path)
        if header is None:
            damaged = Restoration("failed", "the journal is damaged; put the machine right, then remove the file")
            return [Recovered("", "all", "", damaged, path)]
        if header.host != _host():
            return []
        if not header.entries:
            path.unlink()
            return []
        return _restore_all(path, descriptor, header, changed)
    finally:
        os.close(descriptor)


def _restore_all(path: Path, descriptor: int, header: Header, changed: Sequence[int]) -> list[Recovered]:
    """Restore the entries of a journal in the opposite order of their changes.

    All devices that it names are held meanwhile, and so is cleared what the lock files say of the killed process.
    """
    found, left = [], 0
    try:
        with lock.held([lock_name(entry.target) for entry in header.entries]) as hold:
            hold.changing()
            for index in reversed(changed):
                entry = header.entries[index]
                restoration = restore(entry)
                found.append(Recovered(header.study, entry.knob, entry.target, restoration, path))
                if restoration.restored == "failed":
                    hold.put_back = False
                    left += 1
                else:
                    _append(descriptor, {"restored": index})
    except lock.Held:
        return found  # a living process uses the device: it is put back by a start after that one's end
    if not left:
        path.unlink()
    return found


def lock_name(target: str) -> str:
    """Return under which name a target is locked: a path is the host's."""
    return "host" if target.startswith("/") else target


def _read(path: Path) -> tuple[Header | None, list[int]]:
    """Return what a journal says: its header, None if damaged, and which entries are changed, in that order."""
    lines = path.read_bytes().split(b"\n")[:-1]  # what follows the last line feed was cut off
    if not lines:  # not even begun: nothing was changed
        return Header(dlaudit=KIND, host=_host(), study="", pid=0, entries=()), []
    try:
        header = msgspec.json.decode(lines[0], type=Header)
        steps = [msgspec.json.decode(line, type=_Step) for line in lines[1:]]
    except msgspec.DecodeError:
        return None, []
    changed: list[int] = []
    for step in steps:
        if step.applying is not None and 0 <= step.applying < len(header.entries):
            changed.append(step.applying)
        elif step.restored in changed:
            changed.remove(step.restored)
    return header, changed


def _append(descriptor: int, value: dict[str, Any]) -> None:
    data = memoryview(json.dumps(value, separators=(",", ":")).encode() + b"\n")
    while data:
        data = data[os.write(descriptor, data) :]
    os.fsync(descriptor)


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Keep others from making or recovering journals meanwhile."""
    descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _sync(place: Path) -> None:
    descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _host() -> str:
    """Return the machine's identity: a home folder may be shared by several."""
    try:
        return Path("/etc/machine-id").read_text().strip() or platform.node()
    except OSError:
        return platform.node()
