"""A folder that was handed in: the regular files beneath it, in the order of their paths. Links are not followed."""

from __future__ import annotations

import os
import re
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from .report_file import HEAD_BYTES, LIMIT_BYTES, ReportFile, open_report

MOST_FILES = 100_000
MOST_DEPTH = 32
_ODD = re.compile(r"[\\:\x00-\x1f\x7f\ud800-\udfff]")


class Entry(Struct, frozen=True, order=True):
    """A file: its path below the folder with / between the parts, and its size in bytes."""

    path: str
    bytes: int


class Tree(Struct, frozen=True, dict=True):
    """A folder.

    Attributes:
        root: as the user named it.
        without: paths of files that are taken for not there.
    """

    root: Path
    without: frozenset[str] = frozenset()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Its regular files, without hidden files and folders.

        Raises:
            UserError: there are more than can be judged at once, or a folder cannot be read.
        """
        return self._seen

    @property
    def empty(self) -> tuple[str, ...]:
        """Paths of the folders that hold nothing at all."""
        return self._walked[1]

    @cached_property
    def _seen(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self._walked[0] if entry.path not in self.without)

    @cached_property
    def has_results(self) -> bool:
        """Whether any file or empty folder lies below a folder named results."""
        paths = (*(entry.path for entry in self.entries), *self.empty)
        return any("/results/" in f"/{path}" for path in paths)

    @cached_property
    def _walked(self) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
        found: list[Entry] = []
        bare: list[str] = []
        waiting = [("", 0)]
        while waiting:
            folder, depth = waiting.pop()
            where = str(self.root / folder)
            if depth > MOST_DEPTH:
                raise UserError(f"folders lie more than {MOST_DEPTH} deep", "hand in a smaller part", where)
            try:
                folders, files = _listed(self.root, folder)
            except OSError as error:
                raise UserError(f"cannot be read: {error.strerror}", "check its permissions", where) from None
            waiting += [(path, depth + 1) for path in folders]
            found += files
            bare += [folder] if not folders and not files else []
            if len(found) > MOST_FILES:
                raise UserError(f"more than {MOST_FILES:,} files", "hand in a smaller part", str(self.root))
        return tuple(sorted(found)), tuple(sorted(bare))

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


def _listed(root: Path, folder: str) -> tuple[list[str], list[Entry]]:
    """Return the folders and the files of one folder; without links, and what is hidden or has an odd name."""
    folders: list[str] = []
    files: list[Entry] = []
    with os.scandir(root / folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") or entry.is_symlink() or _ODD.search(entry.name):
                continue
            path = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir():
                folders.append(path)
            elif entry.is_file():
                files.append(Entry(path, entry.stat().st_size))
    return folders, files
