"""Who holds a device: one process at a time, by the kernel's locks, in a file that names its holder.

The files lie in /run/lock, or in /tmp where not everybody may write there, so that the processes of all accounts meet.
DLAUDIT_LOCKS names another folder, such as one that several containers share. A holder that put the device back empties
its file; a file that still names a holder whom the kernel no longer knows tells that it was killed.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ...schemas.errors import EnvironmentRefused, UserError
from . import account

SHARED = stat.S_ISVTX | stat.S_IRWXU | stat.S_IRWXG | stat.S_IRWXO
CONTENT_LIMIT = 1000


class Held(EnvironmentRefused):
    """Another process holds the device."""


@dataclass(slots=True)
class Hold:
    """Devices that this process holds: what it finds on them, and what it leaves."""

    left: tuple[str, ...] = ()
    """What holders that were killed while they changed a device left behind, a clause each."""
    put_back: bool = True
    """Whether the devices are as they were; where not, their files go on naming this holder."""
    descriptors: list[int] = field(default_factory=list)

    def changing(self) -> None:
        """Say in the files that the devices are being changed, should this process be killed."""
        for descriptor in self.descriptors:
            _write(descriptor, changes=True)

    def settled(self) -> None:
        """Say in the files that the devices are as they were."""
        for descriptor in self.descriptors:
            _write(descriptor, changes=False)


@contextmanager
def held(targets: Sequence[str]) -> Iterator[Hold]:
    """Hold devices against every other dlaudit; the kernel lets go of them whatever ends this process.

    Args:
        targets: UUIDs of GPUs, or `host`.

    Yields:
        what earlier holders left; the caller notes in it what it leaves itself.

    Raises:
        Held: another process holds one of them; the message names it.
        UserError: the lock file cannot be made.
    """
    hold = Hold()
    with ExitStack() as stack:
        for target in sorted(set(targets)):
            descriptor = _acquire(target)
            stack.callback(_release, descriptor, hold)
            before = _holder(descriptor)
            if before.get("changes"):
                hold.left += (f"{target} was not put back by {_describe(before)}",)
            _write(descriptor, changes=False)
            hold.descriptors.append(descriptor)
        yield hold


def folder() -> Path:
    """Return the folder of the lock files: the same for every account of the machine."""
    named = os.environ.get("DLAUDIT_LOCKS")
    if named:
        return Path(named)
    preferred = Path("/run/lock")
    try:
        everybody = preferred.stat().st_mode & SHARED == SHARED
    except OSError:
        everybody = False
    return preferred if everybody else Path("/tmp")  # noqa: S108 (the one folder of all accounts)


def _acquire(target: str) -> int:
    """Open and lock the file of a target; return its descriptor."""
    name = "".join(letter if letter.isalnum() or letter in "-." else "_" for letter in target)
    path = folder() / f"dlaudit-{name}.lock"
    try:
        descriptor = _open(path)
    except OSError as error:
        raise UserError(
            f"the lock file cannot be made: {error.strerror}", "name a folder in DLAUDIT_LOCKS", str(path)
        ) from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = _describe(_holder(descriptor))
        os.close(descriptor)
        raise Held(f"{target} is in use by {holder}; wait for it, or measure on another device") from None
    return descriptor


def _open(path: Path) -> int:
    """Open a file for every account, and make it where it is missing.

    An existing file is opened without O_CREAT: in a folder like /tmp the kernel refuses that for another account's.
    """
    flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
    with suppress(FileNotFoundError):
        return os.open(path, flags)
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        return os.open(path, flags)
    os.fchmod(descriptor, 0o666)  # whatever the umask
    return descriptor


def _write(descriptor: int, *, changes: bool) -> None:
    holder = {"user": account.name(), "pid": os.getpid(), "since": _now(), "changes": changes}
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, json.dumps(holder).encode(), 0)
    os.fsync(descriptor)


def _release(descriptor: int, hold: Hold) -> None:
    if hold.put_back:
        with suppress(OSError):
            os.ftruncate(descriptor, 0)
    os.close(descriptor)


def _holder(descriptor: int) -> dict[str, object]:
    """Return what the file says; nothing where it says nothing, or nothing of ours."""
    try:
        value = json.loads(os.pread(descriptor, CONTENT_LIMIT, 0))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _describe(holder: dict[str, object]) -> str:
    """Return who it is; anybody can write to the file, so nothing of it is trusted beyond plain words."""
    parts = {key: "".join(c for c in str(holder.get(key, ""))[:40] if c.isalnum() or c in "-_.:") for key in holder}
    if not parts.get("pid"):
        return "another dlaudit"
    return f"the dlaudit of {parts.get('user') or 'somebody'} (process {parts['pid']}, since {parts.get('since')})"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
