"""The word lists of the reader, read when they are first asked for, and phrases made from them.

A list is a JSON file of `rules/tables/lexicon`. A word is added there, in the spelling that authors use; case, plurals
and hyphens need no second entry where a table says that it is matched by folded words (`folded`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

FOLDER = Path(__file__).parent.parent / "tables"
V = TypeVar("V")


class Word(Protocol):
    """What a phrase is matched against: anything with a lower-case word."""

    @property
    def low(self) -> str:
        """The word in lower case."""


@cache
def table(name: str) -> Any:
    """Return a word list; numbers are exact."""
    return json.loads((FOLDER / "lexicon" / f"{name}.json").read_bytes(), parse_float=Decimal)


@cache
def concepts() -> Mapping[str, Sequence[str]]:
    """Return the phrases of all concepts, whichever file of `concepts` lists them."""
    found: dict[str, Sequence[str]] = {}
    for path in sorted((FOLDER / "lexicon" / "concepts").glob("*.json")):
        found |= json.loads(path.read_bytes())
    return found


@cache
def names_of(file: str, entries: str) -> tuple[str, ...]:
    """Return all names of a table of devices or data sets that stands beside the word lists."""
    found = json.loads((FOLDER / f"{file}.json").read_bytes())[entries]
    return tuple(sorted({name for entry in found.values() for name in entry["names"]}))


def _node(name: str, path: Iterable[str]) -> Any:
    node = table(name)
    for key in path:
        node = node[key]
    return node


@cache
def words(name: str, *path: str) -> frozenset[str]:
    """Return a set of words somewhere in a list: a text of words, a list, or the keys of an object."""
    node = _node(name, path)
    return frozenset(node.split() if isinstance(node, str) else node)


@cache
def word_set(name: str) -> frozenset[str]:
    """Return one of the small sets of words, such as those that begin a condition."""
    return words("sets", name)


@cache
def classes(name: str, *path: str) -> Mapping[str, str]:
    """Return the class of each word, from an object of classes with their words."""
    found: dict[str, str] = {}
    for kind, members in _node(name, path).items():
        for word in members.split() if isinstance(members, str) else members:
            found.setdefault(word, kind)
    return found


@lru_cache(maxsize=8192)
def folded(word: str) -> str:
    """Return a word in lower case, singular and American: "Optimisers" is "optimizer"."""
    low = word.lower()
    irregular = table("spelling")["irregular"]
    if low in irregular:
        return str(irregular[low])
    low = _singular(low)
    for british, american in table("spelling")["endings"].items():
        if low.endswith(british) and len(low) > len(british) + 2:
            return low[: -len(british)] + str(american)
    return str(irregular.get(low, low))


def _singular(low: str) -> str:
    if len(low) < 4 or not low.endswith("s") or low.endswith(("ss", "is", "ous")):
        return low
    if low.endswith("us") and not low.endswith("pus"):
        return low
    if low.endswith("ies") and len(low) > 4:
        return low[:-3] + "y"
    if low.endswith(("xes", "ches", "shes", "sses")):
        return low[:-2]
    return low[:-1]


_ATOMS = re.compile(r"[^\W\d_][^\W\d_']*|[0-9][0-9.]*|[^\s\w-]")


def cut(phrase: str) -> list[str]:
    """Return the lower-case atoms of a phrase, as the tokeniser cuts them; hyphens and underscores are left out."""
    return [atom.rstrip(".") if atom[0].isdigit() else atom for atom in _ATOMS.findall(phrase.lower())]


def first(phrase: str) -> str:
    """Return the first atom of a phrase, without cutting the rest."""
    found = _ATOMS.search(phrase.lower())
    return found[0].rstrip(".") if found is not None and found[0][0].isdigit() else found[0] if found else ""


class Phrases(Generic[V]):
    """Phrases by their first word; the longest match wins. A phrase is cut when its first word is met."""

    def __init__(self) -> None:
        self._met: dict[str, list[tuple[tuple[str, ...], V]]] = {}
        self._uncut: dict[str, list[tuple[str, V]]] = {}

    def add(self, atoms: Sequence[str], value: V) -> None:
        """Add a phrase that is cut."""
        if atoms:
            self._met.setdefault(atoms[0], []).append((tuple(atoms), value))

    def add_phrase(self, phrase: str, value: V) -> None:
        """Add a phrase as it is written."""
        self._uncut.setdefault(first(phrase), []).append((phrase, value))

    def starts(self, word: str) -> bool:
        """Whether a phrase begins with a word."""
        return word in self._met or word in self._uncut

    def _of(self, word: str) -> Sequence[tuple[tuple[str, ...], V]]:
        if word in self._uncut:
            for phrase, value in self._uncut.pop(word):
                self.add(cut(phrase), value)
        return self._met.get(word, ())

    def match(self, tokens: Sequence[Word], at: int, soft: frozenset[str] = frozenset()) -> list[tuple[int, V]]:
        """Return the ends and values of the phrases at a place, longest first; soft tokens are skipped."""
        if at >= len(tokens) or not self.starts(tokens[at].low):
            return []
        found: list[tuple[int, V]] = []
        for atoms, value in self._of(tokens[at].low):
            end = _end_of(tokens, at, atoms, soft)
            if end:
                found.append((end, value))
        found.sort(key=lambda item: -item[0])
        return found


def _end_of(tokens: Sequence[Word], at: int, atoms: Sequence[str], soft: frozenset[str]) -> int:
    """Return where a phrase ends that begins at a place, or 0."""
    end = at + 1
    for atom in atoms[1:]:
        if end < len(tokens) and tokens[end].low != atom and tokens[end].low in soft:
            end += 1
        if end >= len(tokens) or tokens[end].low != atom:
            return 0
        end += 1
    return end


def phrases_of(groups: Mapping[str, Iterable[str]], *, reverse: bool = False) -> Phrases[str]:
    """Return the phrases of an object of classes; reversed ones are matched leftwards."""
    made: Phrases[str] = Phrases()
    for kind, members in groups.items():
        for phrase in members:
            atoms = cut(phrase) if any(c.isalnum() for c in phrase) else [phrase]
            made.add(atoms[::-1] if reverse else atoms, kind)
    return made


@cache
def listed(name: str, *path: str) -> Phrases[str]:
    """Return the phrases of a list, each with itself as its value."""
    made: Phrases[str] = Phrases()
    for phrase in _node(name, path):
        made.add(cut(phrase), phrase)
    return made


SOFT = frozenset("-_")
"""Signs that a phrase skips: "batch_size" and "batch-size" are "batch size"."""
