"""Which statement about sound measurement is checked by which rule, as data in coverage.json."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from msgspec import Struct


class Statement(Struct, frozen=True):
    """A statement of a source on how performance is to be reported, and the codes of the rules that check it.

    Attributes:
        source: text that makes the statement, or what it was asked for.
        statement: the statement in words.
        codes: codes of its rules; one that is not in the book is not implemented yet.
    """

    source: str
    statement: str
    codes: tuple[str, ...]


@cache
def statements() -> tuple[Statement, ...]:
    """Return all statements, in the order of the file."""
    rows = json.loads(Path(__file__).with_name("coverage.json").read_text(encoding="utf-8"))
    return tuple(Statement(row["source"], row["statement"], tuple(row["codes"])) for row in rows)
