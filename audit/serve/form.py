"""What a browser sends with the form: one file or one text, taken out of multipart/form-data within bounds."""

from __future__ import annotations

from email.parser import BytesParser
from email.policy import HTTP

from ...schemas.errors import UserError
from .reader import SUFFIXES, Given

LIMIT_BYTES = 24 << 20
MOST_PARTS = 8
KINDS = {"guess": "", "md": "Markdown", "tex": "LaTeX", "html": "HTML", "csv": "CSV", "tsv": "TSV"}


def fields(content_type: str, body: bytes) -> dict[str, tuple[str, bytes]]:
    """Return (file name, bytes) of each field of a form.

    Raises:
        UserError: it is none.
    """
    if not content_type.lower().startswith("multipart/form-data"):
        raise UserError("this is not a form of this page", "use the page")
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    parts = list(message.iter_parts()) if message.is_multipart() else []
    if not 0 < len(parts) <= MOST_PARTS:
        raise UserError("this is not a form of this page", "use the page")
    found = {}
    for part in parts:
        name = part.get_param("name", header="content-disposition")
        payload = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(payload, bytes):
            found[name] = (str(part.get_filename() or ""), payload)
    return found


def given(found: dict[str, tuple[str, bytes]]) -> Given:
    """Return what is to be read: the file, or else the text that was pasted.

    Raises:
        UserError: there is neither, or the file has an ending that nothing reads.
    """
    name, data = found.get("file", ("", b""))
    if data:
        suffix = name.rpartition(".")[2].lower()
        if suffix not in SUFFIXES:
            raise UserError("a file of this kind is not read here", f"give one of: {', '.join(sorted(SUFFIXES))}")
        return Given(f"dropped.{suffix}", data)
    text = found.get("text", ("", b""))[1]
    if not text.strip():
        raise UserError("nothing was uploaded", "choose a file, or paste a table or a paragraph")
    kind = found.get("kind", ("", b"guess"))[1].decode("ascii", "replace")
    return Given(f"pasted.{kind if kind in KINDS and kind != 'guess' else guessed(text)}", text)


def guessed(text: bytes) -> str:
    """Return the ending that fits a pasted text: a table of tabs, LaTeX, HTML, or Markdown."""
    first = text.lstrip().split(b"\n", 1)[0]
    if b"\\begin{" in text or b"\\hline" in text:
        return "tex"
    if b"<table" in text.lower() or b"<html" in text.lower():
        return "html"
    if b"\t" in first:
        return "tsv"
    if first.count(b",") >= 2 and b"|" not in first and b". " not in first:
        return "csv"
    return "md"
