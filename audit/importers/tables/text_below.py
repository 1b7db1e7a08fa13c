"""The text below a table, up to the next heading or table."""

from __future__ import annotations

LONGEST = 2_000
MOST_LINES = 40


def text_below(lines: tuple[str, ...], first: int) -> str:
    """Return the text that stands from a line on; what leads over to a next table is that one's.

    Args:
        lines: the lines of the document.
        first: the number of the line behind the table, from 0.
    """
    paragraphs: list[str] = []
    follows = False
    for line in lines[first : first + MOST_LINES]:
        text = line.strip()
        if text.startswith("#"):
            break
        if "|" in text or "<table" in text.casefold():
            return " ".join(paragraphs[:-1])[:LONGEST]
        if text and follows:
            paragraphs[-1] += f" {text[:LONGEST]}"
        elif text:
            paragraphs.append(text[:LONGEST])
        follows = bool(text)
    return " ".join(paragraphs)[:LONGEST]
