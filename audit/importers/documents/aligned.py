"""Words that a parser made of a piece of source, back on the lines that they come from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from ....schemas.pattern import Pattern
from .blocks import Block, Kind, Place
from .pieces import Piece

_WORD = Pattern(r"\w+")
MOST_TRIES = 100
_SPACES = Pattern(r"\s+")


def one_line(text: str) -> str:
    """Return a text on one line."""
    return _SPACES.sub(" ", text).strip()


def aligned(kind: Kind, text: str, source: Piece, level: int = 0) -> Block | None:
    """Return a block of words, each line of whose source begins where a word of that line stands.

    Args:
        kind: what it is.
        text: the words, as the parser has them.
        source: what they were made of.
        level: of a heading or an item.
    """
    shown = text.rstrip() if kind in {"code", "console"} else one_line(text)
    return Block(kind, shown, tuple(_places(shown, source)), level) if shown.strip() else None


def _places(text: str, source: Piece) -> Iterator[tuple[int, Place]]:
    yield 0, source.place(_first_of(source.text))
    at = 0
    for start, _ in source.starts[1:]:
        word = next(_WORD.finditer(source.text, start), None)
        found = text.find(word[0], at + 1, at + 1_000) if word is not None else -1
        if word is not None and found > at:
            at = found
            yield at, source.place(word.start())


def _first_of(text: str) -> int:
    return len(text) - len(text.lstrip()) if text.strip() else 0


class Lines:
    """A text of which pieces are asked for by what stands there, one after the other."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.text = "\n".join(lines)
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._at = 0

    def next(self, raw: str) -> Piece:
        """Return the next piece whose first line is that of a source; where none is, what stands at the last."""
        first = raw.strip().partition("\n")[0].strip()
        found = self._word(first) if first else -1
        if found >= 0:
            self._at = found
        return self.piece(self._at, min(self._at + max(len(raw), 1), len(self.text)))

    def _word(self, first: str) -> int:
        """Return where words stand next that are no part of others; -1 where they do not."""
        found = self.text.find(first, self._at)
        for _ in range(MOST_TRIES):
            before, behind = (
                self.text[max(found - 1, 0) : max(found, 0)],
                self.text[found + len(first) : found + len(first) + 1],
            )
            inside = (before.isalnum() and first[0].isalnum()) or (behind.isalnum() and first[-1].isalnum())
            if found < 0 or not inside:
                break
            found = self.text.find(first, found + 1)
        return found

    def piece(self, start: int, end: int) -> Piece:
        """Return what stands between two offsets."""
        line = bisect_right(self._starts, start) - 1
        starts = [(0, Place(line=line + 1, column=start - self._starts[line] + 1))]
        while line + 1 < len(self._starts) and self._starts[line + 1] < end:
            line += 1
            starts.append((self._starts[line] - start, Place(line=line + 1)))
        return Piece(self.text[start:end], tuple(starts))
