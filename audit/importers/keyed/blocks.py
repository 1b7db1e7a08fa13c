"""Results as a console prints them: lines of a name and its number, below each other, under a title."""

from __future__ import annotations

from collections.abc import Iterator

from ..logs.lexer import Named, behind_head, lex
from ..logs.lines import is_document
from ..report_file import ReportFile
from .headings import is_statistic
from .records import Leaf, Record, Records

MOST_LINES = 20_000
SHARE = 0.5
"""Share of a line that names and numbers are: the rest of a sentence is more."""
LONGEST_HEAD = 40


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
        line = text[behind_head(text) :].strip()
        head, leaves = _leaves(text, line, number)
        if leaves and head:
            yield Record((title, head) if title else (head,), tuple(leaves))
            continue
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
            title = words[:80] if _is_title(words) else title
    if held:
        yield Record((title,) if title else (), tuple(held))


def _leaves(text: str, line: str, number: int) -> tuple[str, list[Leaf]]:
    """Return the numbers of a line that is nothing else, with what stands before them.

    A name and its number are parted by a sign. Statistics are of what stands before the first: "Latency: min = 3 ms".
    """
    named = [each for each in lex(text).named if _is_stated(text, each)]
    told = sum(len(each.key) + len(each.value) + len(each.unit) + 2 for each in named)
    if not named:
        return "", []
    head = line.partition(named[0].key)[0].strip(" :=|-,;\t[")
    head = head if any(sign.isalpha() for sign in head) else ""
    if told + len(head) < SHARE * len(" ".join(line.split())) or len(head) > LONGEST_HEAD or told < len(head):
        return "", []
    above = head if is_statistic(named[0].key) else ""
    leaves = []
    for each in named:
        path = (above, each.key) if above and is_statistic(each.key) else (each.key,)
        printed = each.value.replace(",", "") + (f" {each.unit}" if each.unit else "")
        leaves.append(Leaf(path, printed, number, each.column))
    return "" if above else head, leaves


def _is_stated(text: str, each: Named) -> bool:
    """Whether a sign parts a number from its name, and no word behind it may be a unit that is not known."""
    end = each.column - 1 + len(each.value)
    parted = text[: each.column - 1].rstrip(" \t'\"")[-1:] in {":", "="}
    return parted and (bool(each.unit) or not text[end : end + 2].strip()[:1].isalpha())


def _is_title(words: str) -> bool:
    """Whether a line may name what stands below it: it has words, and no number that was measured."""
    return (
        len(words) < 120
        and any(sign.isalpha() for sign in words)
        and not any(n.value.count(".") for n in lex(words).named)
    )
