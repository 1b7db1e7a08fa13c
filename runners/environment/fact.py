"""A fact about the machine: a value, or the honest reason why there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One fact. Exactly one field is set."""

    value: Any = None
    unverifiable: str | None = None
    """Why nothing here could tell."""
    not_permitted: str | None = None
    """Who would have to permit it."""

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return self.unverifiable is None and self.not_permitted is None

    def text(self) -> str | None:
        """Return the value as text, or None."""
        return str(self.value) if self.known else None


Facts = dict[str, Fact]


def unverifiable(reason: str) -> Fact:
    """Return the fact that nothing can be told."""
    return Fact(unverifiable=reason)


def read_text(sysroot: Path, path: str, limit: int = 1_000_000) -> Fact:
    """Return the stripped content of a file below `sysroot` as a fact.

    Args:
        sysroot: root of the tree, `/` on a real machine.
        path: absolute path as the kernel documents it, such as `/proc/cpuinfo`.
        limit: bytes read at most.
    """
    try:
        with (sysroot / path.lstrip("/")).open("rb") as file:
            return Fact(file.read(limit).decode("utf-8", "replace").strip())
    except PermissionError:
        return Fact(not_permitted=f"{path} is not readable for this user")
    except FileNotFoundError:
        return unverifiable(f"{path} does not exist")
    except OSError as error:
        return unverifiable(f"{path}: {error.strerror}")
