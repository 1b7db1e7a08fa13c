"""Tables, and parts of them, that stand in comments: no reader sees them, none of them is read, and each is named."""

from __future__ import annotations

from collections.abc import Iterator

from ....schemas.pattern import Pattern
from ..documents.comments import uncommented
from ..report_file import ReportFile

_MARKUP = Pattern(r"<(?:table|thead|tr|t[dh])\b")
MOST = 5


def commented_tables(file: ReportFile) -> tuple[str, ...]:
    """Return what to say of the tables in comments of a Markdown or HTML text, a sentence each; at most of five."""
    found = list(_begins(file.lines))
    told = [f"the table, or part of one, in a comment in line {line}: no reader sees it" for line in found[:MOST]]
    return (*told, *([f"{len(found) - MOST} further tables in comments"] if len(found) > MOST else ()))


def _begins(lines: tuple[str, ...]) -> Iterator[int]:
    """Yield the first of each run of lines that are, or would be, rows of a table but for a comment."""
    shown, last = uncommented(lines), -1
    for number, line in enumerate(lines):
        if line != shown[number] and _cells(line) > _cells(shown[number]):
            if number != last + 1:
                yield number + 1
            last = number


def _cells(line: str) -> int:
    """Return how many signs of cells a line has: pipes between words, and tags of rows and cells."""
    pipes = line.count("|")
    return (pipes if pipes > 1 else 0) + sum(1 for _ in _MARKUP.finditer(line.casefold()))
