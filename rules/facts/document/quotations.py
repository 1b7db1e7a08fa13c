"""Where words that a submission quotes stand in the document that they were taken from: white space apart."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from ....schemas.pattern import Pattern
from ...caching import fact
from ...case import Case
from ...language.text import normalised

LIKE = 0.5
"""Least share of the words that are looked for in a sentence that is told of as the nearest."""
_GAP = re.compile(r"\[(?:\.\.\.|…)\]")
_LONGEST_GAP = 2000
_BREAK = Pattern(r"[.!?](?=\s)|\n[ \t]*\n|\n(?=[|#>*-])|\|")
_WORD = Pattern(r"[A-Za-z0-9.%]+")
_NUMBER = Pattern(r"[-+]?\d[\d.,]*")
_FACTOR = frozenset("xX×")


class Squeezed(Struct, frozen=True, eq=False, dict=True):
    """A text without white space, marks of format and comments.

    Attributes:
        source: the text.
        solid: its characters.
        places: place of each character in the source.
    """

    source: str
    solid: str
    places: tuple[int, ...]

    def line(self, offset: int) -> int:
        """Return the line of a place in the source, from 1."""
        return bisect_right(self._lines, offset)

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.source))]

    def start(self, line: int) -> int:
        """Return the place in the source where a line begins; the end of the source where it has fewer lines."""
        begins = self._lines
        return begins[line - 1] if line <= len(begins) else len(self.source)

    def find(self, quote: str, begin: int = 0) -> tuple[int, int] | None:
        """Return where a quotation first stands at or after a place: its begin and end in the source.

        `[...]` in it stands for words that are left out.
        """
        at = bisect_left(self.places, begin)
        first = last = -1
        for part in _GAP.split(quote):
            wanted = squeezed(part).solid
            found = self._whole(wanted, at) if wanted else at
            if found < 0 or (first >= 0 and found - at > _LONGEST_GAP):
                return None
            first = found if first < 0 else first
            at, last = found + len(wanted), found + len(wanted) - 1
        return (self.places[first], self.places[last] + 1) if 0 <= first <= last else None

    def _whole(self, wanted: str, at: int) -> int:
        """Return where characters stand that neither begin nor end within a word or a number of the source; else -1."""
        found, number = self.solid.find(wanted, at), _NUMBER.fullmatch(wanted) is not None
        while found >= 0 and not (self._begins(found, number) and self._ends(found + len(wanted), number)):
            found = self.solid.find(wanted, found + 1)
        return found

    def _begins(self, at: int, number: bool) -> bool:
        """Whether a word or a number begins at a character; a number may follow the sign of a factor: x3.04."""
        sign = number and at > 0 and self.solid[at - 1] in _FACTOR
        return self._parted(at) or (sign and self._parted(at - 1))

    def _ends(self, at: int, number: bool) -> bool:
        """Whether a word or a number ends before a character; letters of a unit may follow a number: 33m, 1.75x."""
        return self._parted(at) or (number and self.solid[at].isalpha())

    def _parted(self, at: int) -> bool:
        """Whether a word or a number ends before a character."""
        if at in (0, len(self.solid)):
            return True
        before, after = self.solid[at - 1], self.solid[at]
        if self.places[at] - self.places[at - 1] > 1 and self.source[self.places[at - 1] + 1].isspace():
            return True
        if before in ".," and at > 1 and self.solid[at - 2].isdigit() and after.isdigit():
            return False
        if after in ".," and at + 1 < len(self.solid) and self.solid[at + 1].isdigit() and before.isdigit():
            return False
        return not (before.isalnum() and after.isalnum())


def squeezed(source: str) -> Squeezed:
    """Return a text without white space, marks of format and comments of HTML."""
    shown = _without_comments(source)
    text = normalised(shown)
    kept = [(character, text.place(at)) for at, character in enumerate(text.plain) if not _is_mark(character)]
    return Squeezed(source, "".join(character for character, _ in kept), tuple(place for _, place in kept))


def _is_mark(character: str) -> bool:
    """Whether a character is white space or emphasis, as Markdown writes it."""
    return character.isspace() or character in "*_"


@fact
def source_texts(case: Case) -> tuple[Squeezed, ...]:
    """Return the text of the document that the claims were taken from, as it is written and as a reader sees it.

    Nothing where there is none to read.
    """
    published = case.published
    texts = (published.text, published.shown) if published is not None else ()
    return tuple(squeezed(text) for text in texts if text is not None)


def quoted(texts: Sequence[Squeezed], quote: str, begin: int = 0) -> tuple[Squeezed, tuple[int, int]] | None:
    """Return the first of some texts in which a quotation stands, and where it does."""
    return next(((text, found) for text in texts if (found := text.find(quote, begin)) is not None), None)


def nearest(text: Squeezed, quote: str, after: int = 0) -> tuple[int, str] | None:
    """Return where the sentence begins that shares the most words with a quotation, and that sentence.

    Of those before a place none is looked at. None where none shares half of the words.
    """
    wanted = Counter(_WORD.findall(quote))
    best: tuple[float, int, int, str] = (0.0, 0, 0, "")
    for begin, sentence in _sentences(_without_comments(text.source)):
        words = Counter(_WORD.findall(sentence)) if begin >= after else Counter()
        share = (wanted & words).total() / max(wanted.total(), 1)
        if (share, -words.total()) > best[:2] and share >= LIKE:
            best = (share, -words.total(), begin, sentence)
    return (best[2], " ".join(best[3].split())) if best[3] else None


def nearest_line(text: Squeezed, quote: str, mark: int | None) -> int | None:
    """Return the line of the nearest sentence, or of the mark that a quotation is to follow where none is near."""
    like = nearest(text, quote, mark or 0)
    at = like[0] if like is not None else mark
    return text.line(at) if at is not None else None


def _sentences(source: str) -> list[tuple[int, str]]:
    ends = [match.end() for match in _BREAK.finditer(source)]
    pairs = zip([0, *ends], [*ends, len(source)], strict=True)
    return [
        (begin + len(part) - len(part.lstrip()), part.strip()) for begin, end in pairs if (part := source[begin:end])
    ]


def _without_comments(source: str) -> str:
    """Return a text with blanks for its HTML comments: nobody reads them."""
    parts, at = [], 0
    while (begin := source.find("<!--", at)) >= 0:
        end = source.find("-->", begin + 4)
        end = end + 3 if end >= 0 else len(source)
        hidden = source[begin:end]
        parts += [source[at:begin], re.sub(r"[^\n]", " ", hidden)]
        at = end
    return "".join((*parts, source[at:]))
