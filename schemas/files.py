"""Files: atomic writes, digests, and opening what a document names without leaving its folder."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import stat
from pathlib import Path
from typing import BinaryIO

from .errors import UserError

# No separators but /, no drive letters, no control characters: one path means the same on every system.
_STEP = re.compile(r"[^/\\:\x00-\x1f\x7f]{1,255}\Z")
_CHUNK_BYTES = 1024 * 1024


def write_atomic(path: Path | str, data: bytes, mode: int = 0o666) -> None:
    """Write a file so that a reader, or a crash, meets the old content or the new, never a part.

    Args:
        path: the file; its folder must exist.
        data: the whole content.
        mode: permissions before the process's umask is taken off.

    Raises:
        UserError: the folder does not exist or cannot be written, or something else than a regular file has that name.
    """
    name, path = str(path), Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        what = "cannot be written: there is something else than a regular file of that name"
        raise UserError(what, "give another name", name)
    temporary = path.with_name(f".{path.name[:200]}.{os.urandom(8).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        with open(os.open(temporary, flags, mode), "wb") as file:  # noqa: PTH123
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", "check the folder and its permissions", name) from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make a rename outlive a power loss; Windows cannot open folders, and does so itself."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256_file(file: BinaryIO | Path | str) -> str:
    """Return the SHA-256 of a file, or of the rest of an open one, as 64 lower-case hexadecimal digits.

    Raises:
        UserError: it cannot be read.
    """
    if isinstance(file, (str, Path)):
        with open_regular(str(file)) as opened:
            return sha256_file(opened)
    digest = hashlib.sha256()
    while chunk := file.read(_CHUNK_BYTES):
        digest.update(chunk)
    return digest.hexdigest()


def open_regular(path: str) -> BinaryIO:
    """Open a regular file that the user named; symbolic links are followed.

    Raises:
        UserError: there is no such file, or it is a folder, a pipe or a device.
    """
    # Without O_NONBLOCK, opening a named pipe waits for its writer.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        return _regular(os.open(path, flags), path)
    except (OSError, ValueError) as error:
        raise _unreadable(error, path) from None


def open_beneath(root: Path | str, relative: str) -> BinaryIO:
    """Open a regular file that a document names, by its path below the document's folder.

    No part of the path may be a symbolic link, `.` or `..`, so nothing outside the folder is ever opened.

    Args:
        root: the folder; the user named it, so it may itself be a symbolic link.
        relative: POSIX path below it.

    Raises:
        UserError: the path is not of that kind, or there is no such regular file.
    """
    steps = relative.split("/")
    where = f"{root}/{relative[:400]}"
    if any(step in (".", "..") or not _STEP.match(step) for step in steps):
        todo = "name a file below the document's folder, with / between the parts"
        raise UserError(f"the path {relative[:100]!r} is not allowed", todo, str(root))
    try:
        if os.open in os.supports_dir_fd:
            return _regular(_walk(root, steps), where)
        return _regular(_open_checked(Path(root), steps), where)
    except (OSError, ValueError) as error:
        raise _unreadable(error, where) from None


def _walk(root: Path | str, steps: list[str]) -> int:
    """Open each part of a path in the folder opened before: nobody can swap one for a link in between."""
    flags = os.O_RDONLY | os.O_CLOEXEC
    folder = os.open(root, flags | os.O_DIRECTORY)
    try:
        for step in steps[:-1]:
            inner = os.open(step, flags | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(steps[-1], flags | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    finally:
        os.close(folder)


def _open_checked(root: Path, steps: list[str]) -> int:
    """Open a path where folders cannot be (Windows): no part is a link, and the file opened is the one checked."""
    real = root.resolve(strict=True)
    path = real.joinpath(*steps)
    if path.resolve(strict=True) != path:
        raise PermissionError(0, "a link, or a name spelt otherwise, on the way")
    checked = path.lstat()
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    if not os.path.samestat(checked, os.fstat(descriptor)):
        os.close(descriptor)
        raise PermissionError(0, "exchanged while it was opened")
    return descriptor


def _regular(descriptor: int, where: str) -> BinaryIO:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UserError("not a regular file", "give a file, not a folder, pipe or device", where)
    return open(descriptor, "rb")


def _unreadable(error: OSError | ValueError, where: str) -> UserError:
    if isinstance(error, FileNotFoundError):
        return UserError("no such file", "check the path", where)
    if isinstance(error, ValueError):
        return UserError("the path holds a NUL character", "check the path", where[:400].replace("\0", "\\0"))
    linked = isinstance(error, NotADirectoryError) or error.errno == errno.ELOOP
    reason = "a symbolic link, or a file where a folder should be" if linked else error.strerror
    return UserError(f"cannot be read: {reason}", "check the path and its permissions", where)
