"""Which form a document has: told by what stands in it, and by its name only between forms that look alike."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....schemas.pattern import Pattern
from .archives import PARTS
from .notebook import is_notebook

if TYPE_CHECKING:
    from ..report_file import ReportFile

SEARCHED = 1 << 18
"""Characters from the first on that tell the form of a text."""
SUFFIXES = {"html": "html", "htm": "html", "md": "markdown", "markdown": "markdown", "rst": "rst", "tex": "latex"}
_HTML = ("<!doctype html", "<html")
_MARKDOWN = Pattern(r"^(?:#{1,6} |```|~~~|> |[ |:]*-+[ :]*\|[ :|-]*$)|\]\(|\*\*|`[^`\n]+`|<[a-zA-Z/][^<>\n]{0,200}>", 8)
_LINKED = Pattern(r"\[(?:!?\[)?[^\[\]{}\"\n]{0,400}\][\](\[: A-Za-z]")
_LATEX = Pattern(
    r"^[^%\n]{0,200}\\(?:documentclass|begin\{(?:document|tabular\*?|table\*?|abstract)\}|section\*?\{)", re.MULTILINE
)
_RST = Pattern(
    r"^\.\. [a-zA-Z][a-zA-Z-]*::|^\.\. _[^\n]+:[ ]*$|^:[a-z-]+:`|"
    r"^(?P<over>[=~*#^-])(?P=over){3,}\n[^\n]+\n(?P=over){4,}$",
    re.MULTILINE,
)


def packed_form(data: bytes) -> str:
    """Return the form of a document that is no text: pdf, docx or xlsx; empty for any other file."""
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        return next((form for form, part in PARTS.items() if part.encode() in data), "")
    return ""


def form_of(file: ReportFile) -> str:
    """Return the form of a document."""
    if packed := packed_form(file.raw):
        return packed
    if file.json is not None:
        return "notebook" if is_notebook(file.json.value) else "text"
    head = file.text[:SEARCHED]
    begin = head[:2_000].lstrip().casefold()
    named = SUFFIXES.get(file.short_name.rpartition(".")[2].casefold(), "")
    if begin.startswith(_HTML) or "<html" in begin:
        return "html"
    if named and (named != "html" or "<" in begin):
        return named
    if _LATEX.search(head):
        return "latex"
    if _RST.search(head):
        return "rst"
    return "markdown" if _MARKDOWN.search(head) else "text"


def is_document(file: ReportFile) -> bool:
    """Whether a file may be a document: no JSON but a notebook, and no broken JSON, which Markdown may look like."""
    if file.json is not None:
        return is_notebook(file.json.value)
    return file.broken is None or _LINKED.match(file.text[:2_000].lstrip()) is not None


def is_read_as_blocks(file: ReportFile) -> bool:
    """Whether a file is a document of a form that is not read line by line, so that parts of it may not be read."""
    return is_document(file) and form_of(file) not in {"markdown", "html", "text"}
