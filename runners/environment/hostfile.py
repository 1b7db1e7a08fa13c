"""Files by which a Linux kernel shows and takes settings, below the root of a file tree.

Reading needs no rights. Writing needs root; where the kernel refuses for want of it, the same is tried once through
`sudo -n tee FILE`, which one line for sudoers permits for one file.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from . import account, system
from .knobs.interface import Refused

TEE_S = 10.0
PROCESSORS = "/sys/devices/system/cpu"


def read(root: str, path: str) -> str:
    """Return the stripped content of a file.

    Args:
        root: root of the file tree, `/` on a real machine.
        path: the file's absolute path on a real machine.

    Raises:
        Refused: there is no such file, or it cannot be read.
    """
    try:
        with open(f"{root}/{path}", "rb", buffering=0) as file:  # noqa: PTH123 (half the time: knobs are read ten times a second)
            return file.read().decode(errors="replace").strip()
    except PermissionError:
        raise Refused("not_permitted", f"{path} is not readable for this account", permission(path)) from None
    except OSError as error:
        raise Refused("unverifiable", _why(path, error)) from None


def write_all(root: str, values: Mapping[str, str]) -> None:
    """Write files, all or none: where one is refused, those written before get their old content back.

    Args:
        root: root of the file tree.
        values: content by path.

    Raises:
        Refused: the kernel takes one of them not.
    """
    before: dict[str, str] = {}
    try:
        for path, value in values.items():
            before[path] = read(root, path)
            if before[path] != value:
                _write(root, path, value)
    except Refused:
        for path, old in reversed(list(before.items())[:-1]):  # backwards: limits that bound each other
            with suppress(Refused):
                _write(root, path, old)
        raise


def processor_files(root: str, name: str) -> tuple[str, ...]:
    """Return the paths of one file of every processor that is online and has it, such as `cpufreq/scaling_governor`."""
    paths = (f"{PROCESSORS}/{cpu}/{name}" for cpu in numbered(root, PROCESSORS, "cpu"))
    return tuple(path for path in paths if _below(root, path).exists())


def numbered(root: str, folder: str, prefix: str = "") -> tuple[str, ...]:
    """Return the names of a folder's entries that are a prefix and a number, by number; nothing where there is none."""
    try:
        names = os.listdir(_below(root, folder))  # noqa: PTH208 (names alone: a Path each takes as long as its reading)
    except OSError:
        return ()
    ours = [name for name in names if name.startswith(prefix) and name[len(prefix) :].isdigit()]
    return tuple(sorted(ours, key=lambda name: int(name[len(prefix) :])))


def takes_values(root: str, path: str) -> bool:
    """Whether a file has an account that may write it; the kernel shows by this what it does not let anybody set."""
    try:
        return bool(_below(root, path).stat().st_mode & stat.S_IWUSR)
    except OSError:
        return False


def permission(path: str) -> str:
    """Return how to get the right to write a file, in one clause."""
    inside = system.container(Path("/"))
    if inside.known and inside.value != "none":
        return "start the container as root with --privileged, or set it on the host"
    line = f"{account.name()} ALL=(root) NOPASSWD: {shutil.which('tee') or '/usr/bin/tee'} {path}"
    return f"run as root, or put this line into /etc/sudoers.d/dlaudit: {line}"


def _write(root: str, path: str, value: str) -> None:
    file = _below(root, path)
    try:
        with file.open("r+", encoding="utf-8") as open_file:  # never made: a typing error is no new file
            open_file.write(value)
            open_file.truncate()
    except PermissionError:
        if not _by_sudo(file, value):
            raise Refused("not_permitted", f"{path} is not writable for this account", permission(path)) from None
    except OSError as error:
        if error.errno == errno.EROFS:
            raise Refused("not_permitted", f"{path} lies in a read-only file system", permission(path)) from None
        raise Refused("unverifiable", _why(path, error)) from None


def _by_sudo(file: Path, value: str) -> bool:
    """Try the same through `sudo -n tee`; return whether it was done."""
    sudo, tee = shutil.which("sudo"), shutil.which("tee")
    if sudo is None or tee is None:
        return False
    try:
        done = subprocess.run(
            [sudo, "-n", tee, str(file)],
            input=value.encode(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=TEE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _below(root: str, path: str) -> Path:
    return Path(root) / path.lstrip("/")


def _why(path: str, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{path} does not exist"
    return f"{path}: {error.strerror}"
