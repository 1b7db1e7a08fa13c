"""Headings of other languages in English."""

from __future__ import annotations

import re
from functools import lru_cache

from ....rules.language import lexicon


@lru_cache(maxsize=4096)
def in_english(heading: str) -> str:
    """Return a heading in lower case with the usual words of other languages in English."""
    text = re.sub(r"[_\s]+", " ", heading.casefold()).strip()
    foreign = {word: english for word, english in lexicon.table("columns")["english"].items() if word in text}
    if not foreign:
        return text
    for word, english in foreign.items():
        text = _word(word).sub(f" {english} " if ord(word[0]) > 0x2E7F and english.isalpha() else english, text)
    return re.sub(r"\s+", " ", re.sub(r"\( ", "(", re.sub(r" (?=[)/])", "", re.sub(r"(?<=/) ", "", text)))).strip()


def _word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-zäöü]){re.escape(word)}(?![a-zäöüß])" if word[0].isascii() else re.escape(word))
