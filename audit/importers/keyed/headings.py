"""The headings of the values of a record: the last key that says what stands there, with what its parents add."""

from __future__ import annotations

import re
from functools import lru_cache

from ....rules.language import lexicon
from ....rules.language.reading import read
from ....rules.language.units import items, spelled
from ....schemas.pattern import Pattern
from ..tables.units import measure, rate_in

LONGEST = 120
UNITS = frozenset({"unit", "units"})
ABOUT = frozenset({"meta", "metadata"})
"""Keys of objects that say how a file came to be; none is one of its records."""
_CAMEL = Pattern(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])")
_RATE = Pattern(r"([a-z]{2,12})[_ ]s\b")
_NOISE = frozenset(
    {"value", "values", "result", "results", "score", "ms", "s", "us", "ns", "sec", "seconds", "percentile"}
)
_RANK = Pattern(r"p[0-9]{1,3}(?:[._][0-9]{1,3})?|[0-9]{1,2}(?:\.[0-9]{1,3})?(?:th|%)?")


def heading_of(path: tuple[str, ...], unit: str = "") -> str:
    """Return the heading of the value that keys lead to.

    A key of nothing but statistics ("p99", "mean") says what it is with the one above it; a key above that names a
    split or a phase ("test", "inference") stands before it. A count ("samples") is no time, whatever its siblings are.

    Args:
        path: the keys, from the record on.
        unit: that stands beside the value, or nothing.
    """
    cut = len(path) - 1
    while cut > 0 and _is_statistic(path[cut]):
        cut -= 1
    own = " ".join(map(words, path[cut:]))
    before = [words(key) for key in path[:cut] if words(key) in _phases()]
    text = " ".join([*before[-1:], own])
    known = measure(unit) if unit else None
    of_another = known is not None and known.dimension == "time" and items().get(own.casefold()) == own.casefold()
    return f"{text} ({unit})"[:LONGEST] if known is not None and not of_another else text[:LONGEST]


def _is_counted(word: str) -> bool:
    """Whether a word in front of seconds is what is counted in them: of `total_time_s` it is not."""
    return rate_in(f"{word}/s") is not None and (word.casefold() in items() or spelled(word) is not None)


@lru_cache(maxsize=8192)
def words(key: str) -> str:
    """Return a key as a heading writes it: `tok_s` as tok/s, `eval/accuracy` as eval accuracy."""
    text = " ".join(_CAMEL.sub(" ", key.replace("_", " ").replace("\n", " ")).split())
    text = _RATE.sub(lambda found: f"{found[1]}/s" if _is_counted(found[1]) else found[0], text)
    return text if "/" not in text or rate_in(text) is not None else re.sub(r"(?<=[A-Za-z0-9])/(?=[A-Za-z])", " ", text)


def is_setting(path: tuple[str, ...]) -> bool:
    """Whether keys lead to what was asked for, not to what was measured: a limit, a configuration, a time of day."""
    above = (read(words(key), "header") for key in path[:-1])
    asked = any(key.is_only("record.settings") or key.has("heading.speedup", affirmed=False) for key in above)
    return asked or read(words(path[-1]), "header").has("log.no_result", affirmed=False)


@lru_cache(maxsize=4096)
def _is_statistic(key: str) -> bool:
    parts = re.sub(r"[()]", " ", words(key).casefold()).split()
    known = lexicon.classes("columns", "statistics")
    return bool(parts) and all(part in known or part in _NOISE or _RANK.fullmatch(part) for part in parts)


def is_statistic(key: str) -> bool:
    """Whether a key names a statistic, or a value of what stands above it."""
    return _is_statistic(key) or key.casefold() in UNITS


def names_split(heading: str) -> str:
    """Return the split of the data that a heading names; nothing where it names none."""
    splits = {**lexicon.classes("columns", "splits"), **lexicon.classes("columns", "splits_of_logs")}
    return next((splits[word] for word in heading.casefold().split() if word in splits), "")


def names_phase(key: str) -> bool:
    """Whether a key names a split of the data or a phase of the work."""
    return words(key).casefold() in _phases()


@lru_cache(maxsize=1)
def _phases() -> frozenset[str]:
    splits = {**lexicon.classes("columns", "splits"), **lexicon.classes("columns", "splits_of_logs")}
    return frozenset(splits) | {"inference", "prefill", "decode", "forward", "backward", "generation"}
