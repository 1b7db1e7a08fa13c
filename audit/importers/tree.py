"""A folder that was handed in: the regular files beneath it, in the order of their paths. Links are not followed.

What a walk finds is told apart: importers see plain files, and nothing else is passed over in silence.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from .report_file import HEAD_BYTES, LIMIT_BYTES, ReportFile, open_report

MOST_FILES = 100_000
MOST_DEPTH = 32
OF_VERSIONS = frozenset({".git", ".hg", ".svn"})
"""Folders in which a version control keeps what it knows."""
LINK, ODD = "a symbolic link, which is not followed", "a name with a control character, a colon or a backslash"
_ODD = re.compile(r"[\\:\x00-\x1f\x7f\ud800-\udfff]")


class Entry(Struct, frozen=True, order=True):
    """A file: its path below the folder with / between the parts, and its size in bytes."""

    path: str
    bytes: int


class Walk(Struct, frozen=True):
    """What lies beneath a folder.

    Attributes:
        plain: regular files that importers may read.
        aside: regular files with an odd or a hidden name, or below such a folder.
        bare: paths of the folders that hold nothing at all.
        links: paths of symbolic links, and what else is no regular file.
        unread: path and reason of folders that were not looked into.
    """

    plain: tuple[Entry, ...]
    aside: tuple[Entry, ...]
    bare: tuple[str, ...]
    links: tuple[str, ...]
    unread: tuple[tuple[str, str], ...]


class Tree(Struct, frozen=True, dict=True):
    """A folder.

    Attributes:
        root: as the user named it.
        without: paths of files that are taken for not there.
    """

    root: Path
    without: frozenset[str] = frozenset()

    def only(self, paths: Iterable[str]) -> Tree:
        """Return the folder with these of its plain files alone."""
        return replace(self, without=frozenset(entry.path for entry in self.walk.plain).difference(paths))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Its plain files.

        Raises:
            UserError: there are more than can be judged at once, or a folder cannot be read.
        """
        return self._seen

    @property
    def empty(self) -> tuple[str, ...]:
        """Paths of the folders that hold nothing at all."""
        return self.walk.bare

    @cached_property
    def _seen(self) -> tuple[Entry, ...]:
        for path, reason in self.walk.unread:
            if not is_aside(path):
                raise UserError(reason, "check its permissions", self.shown(path))
        deep = next((entry for entry in self.walk.plain if entry.path.count("/") > MOST_DEPTH), None)
        if deep is not None:
            where = self.shown("/".join(deep.path.split("/")[: MOST_DEPTH + 1]))
            raise UserError(f"folders lie more than {MOST_DEPTH} deep", "hand in a smaller part", where)
        return tuple(entry for entry in self.walk.plain if entry.path not in self.without)

    @cached_property
    def has_results(self) -> bool:
        """Whether any file or empty folder lies below a folder named results."""
        paths = (*(entry.path for entry in self.entries), *self.empty)
        return any("/results/" in f"/{path}" for path in paths)

    @cached_property
    def walk(self) -> Walk:
        """All that lies beneath it.

        Raises:
            UserError: there are more files than can be judged at once.
        """
        return _walk(self.root)

    def shown(self, path: str) -> str:
        """Return a file's path as the user would name it."""
        return str(self.root / path)

    def bytes_of(self, path: str, limit_bytes: int = LIMIT_BYTES) -> bytes:
        """Return the bytes of a file.

        Raises:
            UserError: it cannot be opened, or holds more than `limit_bytes`.
        """
        with open_beneath(self.root, path) as file:
            # room for as much as the file has, not for as much as it may have: that is fetched anew for each file
            size = os.fstat(file.fileno()).st_size
            data = file.read(size + 1) if size <= limit_bytes else b""
            if size < len(data) <= limit_bytes:
                data += file.read(limit_bytes + 1 - len(data))
        if max(size, len(data)) > limit_bytes:
            raise UserError(f"larger than {limit_bytes:,} bytes", "hand in a smaller part", self.shown(path))
        return data

    def head(self, path: str) -> bytes:
        """Return the first 64 KiB of a file."""
        with open_beneath(self.root, path) as file:
            return file.read(HEAD_BYTES)

    def file(self, path: str) -> ReportFile:
        """Return a file, under its path below the folder.

        Raises:
            UserError: it cannot be read, or is no text.
        """
        return open_report(path, self.bytes_of(path))


def is_aside(path: str) -> bool:
    """Whether a path has a hidden part, or one with an odd name: importers do not see it."""
    return path.startswith(".") or "/." in path or _ODD.search(path) is not None


def _walk(root: Path) -> Walk:
    files: list[Entry] = []
    bare: list[str] = []
    links: list[str] = []
    unread: list[tuple[str, str]] = []
    waiting, folders = [""], 0
    while waiting:
        folder = waiting.pop()
        folders += 1
        try:
            inner, own, other = _listed(root, folder)
        except OSError as error:
            unread.append((folder, f"cannot be read: {error.strerror}"))
            continue
        waiting += inner
        files += own
        links += other
        if not is_aside(folder) and all(map(is_aside, (*inner, *(file.path for file in own)))):
            bare.append(folder)
        if len(files) > MOST_FILES or folders > MOST_FILES:
            raise UserError(f"more than {MOST_FILES:,} files", "hand in a smaller part", str(root))
    apart: tuple[list[Entry], list[Entry]] = ([], [])
    for file in sorted(files):
        apart[is_aside(file.path)].append(file)
    return Walk(tuple(apart[0]), tuple(apart[1]), tuple(sorted(bare)), tuple(sorted(links)), tuple(unread))


def _listed(root: Path, folder: str) -> tuple[list[str], list[Entry], list[str]]:
    """Return the folders, the files, and the links and other things of one folder."""
    folders: list[str] = []
    files: list[Entry] = []
    others: list[str] = []
    with os.scandir(root / folder) as entries:
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                folders += [path] if entry.name not in OF_VERSIONS else []
            elif entry.is_file(follow_symlinks=False):
                files.append(Entry(path, entry.stat(follow_symlinks=False).st_size))
            else:
                others.append(path)
    return folders, files, others
