"""Which form a document has: told by what stands in it, and by its name only between forms that look alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....schemas.pattern import Pattern

if TYPE_CHECKING:
    from ..report_file import ReportFile

SEARCHED = 1 << 18
"""Characters from the first on that tell the form of a text."""
_HTML = ("<!doctype html", "<html")
_MARKDOWN = Pattern(r"^(?:#{1,6} |```|~~~|> |[ |:]*-+[ :]*\|[ :|-]*$)|\]\(|\*\*|`[^`\n]+`|<[a-zA-Z/][^<>\n]{0,200}>", 8)


def form_of(file: ReportFile) -> str:
    """Return the form of a document: markdown, html or text."""
    head = file.text[:SEARCHED]
    begin = head[:2_000].lstrip().casefold()
    suffix = file.short_name.rpartition(".")[2].casefold()
    if (
        any(begin.startswith(mark) for mark in _HTML)
        or "<html" in begin
        or (suffix in {"html", "htm"} and "<" in begin)
    ):
        return "html"
    if suffix in {"md", "markdown"} or _MARKDOWN.search(head):
        return "markdown"
    return "text"
