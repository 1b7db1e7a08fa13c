"""The tender as it was when vendors were called: kept beside it, so that a later change shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...schemas.files import write_atomic
from ...schemas.source import read
from .tender import Issued

CALLED = "tender.called.yaml"


def keep(issued: Issued) -> None:
    """Keep the tender as it is called."""
    write_atomic(issued.path.parent / CALLED, issued.path.read_bytes())


def changed(issued: Issued) -> tuple[str, ...]:
    """Return the keys in which a tender differs from what was called; none where no call is kept beside it."""
    path = issued.path.parent / CALLED
    if not path.is_file():
        return ()
    return tuple(_changed(read(path).value, read(issued.path).value, ""))


def _changed(then: Any, now: Any, at: str) -> Iterator[str]:
    if isinstance(then, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*then, *now)):
            yield from _changed(then.get(key), now.get(key), f"{at}.{key}" if at else str(key))
    elif then != now:
        yield at
