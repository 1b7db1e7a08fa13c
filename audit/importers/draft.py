"""What an importer makes of a report: a submission with the place of each value in the report."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

from ...rules.trace import Trace
from ...schemas.model import escape
from ...schemas.pattern import Pattern
from ...schemas.source import Source
from .report_file import ReportFile

LARGEST = 2**53 - 1
LONGEST_NUMBER, LONGEST_TEXT = 40, 4000
_TOKEN = Pattern(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?(?![0-9.eE])")
_NO_ID = Pattern(r"[^A-Za-z0-9._-]+")


class Origin(Struct, frozen=True):
    """Where a value stands in a foreign file: a line and column, or a JSON Pointer, from which they follow."""

    file: str
    line: int = 1
    column: int = 1
    pointer: str = ""


def no_file(name: str) -> ReportFile | None:
    """Return no file: there is none to quote."""
    return None


class Draft(Struct, frozen=True):
    """A submission that was read from foreign files.

    Attributes:
        value: the submission, as its schema has it.
        origins: where the values of some pointers stand; a pointer without one stands where its parent does.
        unused: fields of the report that no field of a submission takes, as the report names them.
        traces: logs of runs, by arm and run: they stay out of `value`.
        files: the foreign files that were read, by name, for the text of a line.
        listing: what the digest of the report is taken over: a single file's bytes, or a folder's list of digests.
        apart: arms by the claim that they alone stand behind, where a folder holds results that have nothing to do with
            each other: each is then judged by itself.
        root: the folder that the user named, where names of files are taken beneath one.
        guesses: what was guessed of columns that no format names, by their headings, in the words of a map of roles.
        keepers: number of the process that keeps the logs of an arm, where others than this one have read them.
    """

    value: dict[str, Any]
    origins: Mapping[str, Origin] = field(default_factory=dict)
    unused: tuple[str, ...] = ()
    traces: Mapping[tuple[str, str], Trace] = field(default_factory=dict)
    files: Callable[[str], ReportFile | None] = no_file
    listing: bytes = b""
    root: str = ""
    apart: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    guesses: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    keepers: Mapping[str, int] = field(default_factory=dict)

    def shown(self, name: str) -> str:
        """Return a file's path as the user would name it."""
        return f"{self.root}/{name}" if self.root else name


LONGEST_ID = 56
"""Characters of an id that a name makes: a submission takes 64, and others are made of it."""


def identifier(text: str, taken: Mapping[str, object] | None = None) -> str:
    """Return an id of a submission from a name of the report; another one where it is taken."""
    name = _NO_ID.sub("-", text).strip("-._")[:LONGEST_ID] or "x"
    if not name[0].isalnum():
        name = f"x{name}"
    if taken is None or name not in taken:
        return name
    numbered = (f"{name[: LONGEST_ID - 1 - len(str(number))]}-{number}" for number in range(2, len(taken) + 3))
    return next(other for other in numbered if other not in taken)


def at(*steps: str | int) -> str:
    """Return the JSON Pointer of unescaped steps."""
    return "".join("/" + escape(str(step)) for step in steps)


def in_json(source: Source, *steps: str | int) -> Origin:
    """Return the origin of a value in a JSON report."""
    return Origin(source.name, pointer=at(*steps))


def printed(source: Source, *steps: str | int) -> str | None:
    """Return a number of a JSON report with the digits that stand there, or None where no finite number does."""
    place = source.place(at(*steps))
    match = _TOKEN.match(source.line(place.line), place.column - 1)
    return match[0] if match is not None and len(match[0]) <= LONGEST_NUMBER else None


def printed_text(text: str) -> str | None:
    """Return the number that a cell prints, without thousands separators, or None where it prints none."""
    plain = text.strip().replace(",", "").replace("\u00a0", "").removeprefix("+")
    plain = re.sub(r"^(-?)0+(?=[0-9])", r"\1", plain)
    return plain if _TOKEN.fullmatch(plain) and len(plain) <= LONGEST_NUMBER else None
