"""What a reader of a Markdown text sees of its lines: no comments, and which of them are code."""

from __future__ import annotations

from ....schemas.pattern import Pattern

CODE, EXAMPLE = "code", "example"
"""Kinds of lines: of a block of code, and of one that is Markdown itself."""
_FENCE = Pattern(r"[ >]{0,20}(?P<mark>`{3,}|~{3,}) {0,3}(?P<word>[^`~ {}]{0,40})[^`]{0,400}")
_NOWHERE = Pattern(r" {0,3}\[[^\[\]]{0,40}\]: {0,4}(?:#|<>) {0,4}[(\"'].*")
"""A link that is defined, and leads nowhere: a comment of those who write no HTML."""
_MARKDOWN = {"markdown", "md", "html", "text/markdown"}


def uncommented(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the lines with comments as blanks, so that columns stay.

    A comment that opens a line goes to its end, on whatever line that is, and without one to the last line. One behind
    other text counts where it ends in its line. In blocks of code nothing is a comment. A line that defines a link to
    nowhere is one.
    """
    if not any("<!--" in line or "]:" in line for line in lines):
        return lines
    found, inside, code = [], False, kinds(lines)
    for number, line in enumerate(lines):
        if number in code:
            found.append(line)
        else:
            text, inside = _without_comments(line, inside)
            found.append("" if "]:" in text and _NOWHERE.fullmatch(text) is not None else text)
    return tuple(found)


def _without_comments(line: str, inside: bool) -> tuple[str, bool]:
    """Return a line with its comments as blanks, and whether one goes on behind it."""
    kept: list[str] = []
    at, opens = 0, True
    while True:
        if not inside:
            start = line.find("<!--", at)
            opens = opens and start >= 0 and not line[at:start].strip(" \t>")
            if start < 0 or (not opens and line.find("-->", start + 4) < 0):
                break
            kept.append(line[at:start])
            at, inside = start, True
        end = line.find("-->", at)
        kept.append(" " * ((end + 3 if end >= 0 else len(line)) - at))
        at = end + 3 if end >= 0 else len(line)
        if end < 0:
            break
        inside = False
    return "".join(kept) + line[at:], inside


def kinds(lines: tuple[str, ...]) -> dict[int, str]:
    """Return the lines that stand in blocks of code, by number from 0; a block that does not end goes to the last."""
    found: dict[int, str] = {}
    mark = kind = ""
    for number, line in enumerate(lines):
        if not mark and "```" not in line and "~~~" not in line:
            continue
        fence = _FENCE.fullmatch(line) if "```" in line or "~~~" in line else None
        if not mark:
            if fence is not None:
                mark = fence["mark"]
                kind = EXAMPLE if fence["word"].casefold() in _MARKDOWN else CODE
                found[number] = kind
            continue
        found[number] = kind
        if fence is not None and fence["mark"].startswith(mark) and not line.strip(" >" + mark[0]):
            mark = ""
    return found
