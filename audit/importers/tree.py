"""A folder that was handed in: the regular files beneath it, in the order of their paths. Links are not followed."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path

from msgspec import Struct

from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from .handed import HEAD_BYTES, LIMIT_BYTES, Handed, handed

MOST_FILES = 100_000
MOST_DEPTH = 32


class Entry(Struct, frozen=True, order=True):
    """A file: its path below the folder with / between the parts, and its size in bytes."""

    path: str
    bytes: int


class Tree(Struct, frozen=True, dict=True):
    """A folder.

    Attributes:
        root: as the user named it.
    """

    root: Path

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Its regular files, without hidden files and folders.

        Raises:
            UserError: there are more than can be judged at once, or a folder cannot be read.
        """
        found: list[Entry] = []
        waiting = [("", 0)]
        while waiting:
            folder, depth = waiting.pop()
            if depth > MOST_DEPTH:
                raise UserError(
                    f"folders lie more than {MOST_DEPTH} deep", "hand in a smaller part", str(self.root / folder)
                )
            try:
                with os.scandir(self.root / folder) as entries:
                    for entry in entries:
                        if entry.name.startswith(".") or entry.is_symlink():
                            continue
                        path = f"{folder}/{entry.name}" if folder else entry.name
                        if entry.is_dir():
                            waiting.append((path, depth + 1))
                        elif entry.is_file():
                            found.append(Entry(path, entry.stat().st_size))
            except OSError as error:
                what = f"cannot be read: {error.strerror}"
                raise UserError(what, "check its permissions", str(self.root / folder)) from None
            if len(found) > MOST_FILES:
                raise UserError(f"more than {MOST_FILES:,} files", "hand in a smaller part", str(self.root))
        return tuple(sorted(found))

    def shown(self, path: str) -> str:
        """Return a file's path as the user would name it."""
        return str(self.root / path)

    def bytes_of(self, path: str, limit_bytes: int = LIMIT_BYTES) -> bytes:
        """Return the bytes of a file.

        Raises:
            UserError: it cannot be opened, or holds more than `limit_bytes`.
        """
        with open_beneath(self.root, path) as file:
            data = file.read(limit_bytes + 1)
        if len(data) > limit_bytes:
            raise UserError(f"larger than {limit_bytes:,} bytes", "hand in a smaller part", self.shown(path))
        return data

    def head(self, path: str) -> bytes:
        """Return the first 64 KiB of a file."""
        with open_beneath(self.root, path) as file:
            return file.read(HEAD_BYTES)

    def file(self, path: str) -> Handed:
        """Return a file, under its path below the folder.

        Raises:
            UserError: it cannot be read, or is no text.
        """
        return handed(path, self.bytes_of(path))
