"""Results as a console prints them: lines of a name and its number, below each other, under a title."""

from __future__ import annotations

from collections.abc import Iterator

from ..logs.lexer import Named, Reading, behind_head, lex
from ..logs.lines import is_document
from ..report_file import ReportFile
from .headings import is_statistic
from .records import Leaf, Record, Records

MOST_LINES = 20_000
SHARE = 0.5
"""Share of a line that names and numbers are: the rest of a sentence is more."""


def blocks_of(file: ReportFile) -> list[Records]:
    """Return the blocks of a text as records, those of the same names together."""
    if is_document(file):
        return []
    found: dict[tuple[tuple[str, ...], ...], list[Record]] = {}
    for record in _records(file):
        found.setdefault(tuple(leaf.path for leaf in record.leaves), []).append(record)
    return [Records((), tuple(rows)) for rows in found.values()]


def _records(file: ReportFile) -> Iterator[Record]:
    """Yield what stands between blank lines and titles; a name that comes again begins another record."""
    title, held = "", list[Leaf]()
    for number, text in enumerate(file.lines[:MOST_LINES], 1):
        reading, line = lex(text), text[behind_head(text) :].strip()
        leaves = list(_leaves(reading, line, number))
        if leaves:
            if {leaf.path for leaf in leaves} & {leaf.path for leaf in held}:
                yield Record((title,) if title else (), tuple(held))
                held = []
            held += leaves
            continue
        words = line.strip("-=*#_+~ :\t")
        if line.startswith("---") and words:
            continue  # a heading within a block
        if not line or words or line.startswith("="):
            if held:
                yield Record((title,) if title else (), tuple(held))
            held = []
            title = words[:80] if words and len(words) < 120 and any(sign.isalpha() for sign in words) else title
    if held:
        yield Record((title,) if title else (), tuple(held))


def _leaves(reading: Reading, line: str, number: int) -> Iterator[Leaf]:
    """Yield the numbers of a line that is nothing else; statistics are of what stands before the first."""
    named = reading.named
    told = sum(len(each.key) + len(each.value) + len(each.unit) + 2 for each in named)
    if not named or told < SHARE * len(" ".join(line.split())) or not any(sign in line for sign in ":="):
        return
    above = _above(named, line)
    for each in named:
        path = (above, each.key) if above and is_statistic(each.key) else (each.key,)
        yield Leaf(path, each.value.replace(",", "") + (f" {each.unit}" if each.unit else ""), number, each.column)


def _above(named: tuple[Named, ...], line: str) -> str:
    """Return what statistics on a line are of: "Latency: min = 3.1 ms, max = 4.2 ms"."""
    head = line.split(named[0].key, 1)[0].strip(" :=|-\t[")
    return head if 0 < len(head) < 60 and is_statistic(named[0].key) and any(c.isalpha() for c in head) else ""
