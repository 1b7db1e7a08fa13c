"""Headings of other languages in English."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from ....rules.language import lexicon
from ....rules.language.units import items

TIMES_IN = r" times in \1 "
_ITEM_S = re.compile(r"(?<![a-z0-9])(per_)?([a-z]{2,20})_s(?![a-z0-9])")


@lru_cache(maxsize=4096)
def in_english(heading: str) -> str:
    """Return a heading in lower case with the usual words of other languages in English, and "tok_s" as tok/s."""
    text = re.sub(r"[_\s]+", " ", _ITEM_S.sub(_rate, heading.casefold())).strip()
    foreign = {word: english for word, english in lexicon.table("columns")["english"].items() if word in text}
    if not foreign:
        return text
    for word, english in foreign.items():
        text = _word(word).sub(f" {english} " if ord(word[0]) > 0x2E7F and english.isalpha() else english, text)
    return re.sub(r"\s+", " ", re.sub(r"\( ", "(", re.sub(r" (?=[)/])", "", re.sub(r"(?<=/) ", "", text)))).strip()


def _rate(found: re.Match[str]) -> str:
    """Return "img_s" as so many a second; "step_s" and "per_token_s" tell the seconds of one."""
    is_rate = not found[1] and items().get(found[2]) in lexicon.word_set("items_of_work")
    return f"{found[2]}/s" if is_rate else found[0]


def with_unit(text: str) -> str:
    """Return a text that names the unit of its times in another language with that in English."""
    return _unit().sub(TIMES_IN, text)


@cache
def _unit() -> re.Pattern[str]:
    said = "|".join(map(re.escape, lexicon.table("columns")["unit_in"]))
    return re.compile(rf"(?:{said})(?:[为是：:]|\s)*\(?(ms|us|µs|s)(?![a-z])")


def _word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-zäöü]){re.escape(word)}(?![a-zäöüß])" if word[0].isascii() else re.escape(word))
