"""Regular expressions that are compiled when they are first used: eighty at import cost every start 20 ms."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any


class Pattern:
    """A regular expression with the methods of `re.Pattern`."""

    def __init__(self, text: str, flags: int = 0) -> None:
        self._text, self._flags = text, flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._text, self._flags)

    @property
    def pattern(self) -> str:
        """The expression as written."""
        return self._text

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match anywhere."""
        return self._compiled.search(text)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Return the match that begins at `start`."""
        return self._compiled.match(text, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match of the whole text."""
        return self._compiled.fullmatch(text)

    def findall(self, text: str) -> list[Any]:
        """Return all matches, or their only group."""
        return self._compiled.findall(text)

    def finditer(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        """Yield all matches from `start` on."""
        return self._compiled.finditer(text, start)

    def split(self, text: str) -> list[str | None]:
        """Return what lies between the matches."""
        return self._compiled.split(text)

    def sub(self, replacement: str | Callable[[re.Match[str]], str], text: str) -> str:
        """Return the text with every match replaced, by a text or by what is made of the match."""
        return self._compiled.sub(replacement, text)
