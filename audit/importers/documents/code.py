"""Blocks of code: programs, what programs printed, and the tables that were printed into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .blocks import Block, Kind
from .drawn import Line, parts
from .marks import Seen
from .pieces import block, of_lines, tabled

CONSOLES = frozenset({"console", "log", "out", "output", "shell-session", "stdout", "terminal", "text", "txt"})
"""What documents call a block of code that shows what was printed."""
EXAMPLES = frozenset({"markdown", "md", "html", "text/markdown", "rst", "latex", "tex"})
"""What they call one that shows how to write a document."""
PROMPTS = ("$ ", ">>> ", "root@", "% ")


def as_written(text: str) -> Seen:
    """Return code as a reader sees it: as it is written."""
    return text, range(len(text))


def code(lines: Sequence[Line], language: str = "", reads: Callable[[str], Seen] = as_written) -> Iterator[Block]:
    """Yield the blocks of code: its lines, and the tables among them.

    Args:
        lines: of the code.
        language: what the document calls it.
        reads: from what is written to what a reader sees.
    """
    named = language.casefold()
    prompted = any(text.startswith(PROMPTS) for _, _, text in lines)
    kind: Kind = "console" if named in CONSOLES or (prompted and named not in EXAMPLES) else "code"
    for part, rows in parts(lines):
        found = tabled(rows, "example" if named in EXAMPLES else "code") if rows else None
        found = found or block(kind, of_lines(part), reads=reads)
        if found is not None:
            yield found
