"""Names of benchmarks, organisations and kinds of availability as submitters write them, and whether two are one."""

from __future__ import annotations

from functools import cache
from typing import Literal

from ..language.reading import read
from ..tables.datasets import plain
from ..tables.suites import suites

Kind = Literal["preview", "research", "cloud", "onprem", "available"]
KINDS: tuple[Kind, ...] = ("preview", "research", "cloud", "onprem", "available")
"""Kinds of availability; the first that words name counts."""

ONE_BENCHMARK = (frozenset({"ssd", "retinanet"}), frozenset({"gnn", "rgat"}))
"""Two names of one benchmark in logs and result tables."""


@cache
def _members() -> dict[str, str]:
    return {
        plain(member): member
        for suite in suites().values()
        for each in suite.rounds.values()
        for member in each.members
    }


def other_benchmark(left: str, right: str) -> bool:
    """Whether two names are of different members of a suite; names that no suite knows tell nothing."""
    ours, theirs = plain(left), plain(right)
    if ours == theirs or ours.startswith(theirs) or theirs.startswith(ours):
        return False
    return ours in _members() and theirs in _members() and not any({ours, theirs} <= names for names in ONE_BENCHMARK)


def same_organisation(left: str, right: str) -> bool:
    """Whether two names may be of one organisation: one holds the other, or consists of its initials."""
    ours, theirs = plain(left), plain(right)
    return ours in theirs or theirs in ours or ours == _initials(right) or theirs == _initials(left)


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.replace("-", " ").replace("_", " ").casefold().split())


def availability(text: str) -> Kind | None:
    """Return the kind of availability that words name; "available" says neither where nor how."""
    words = read(text)
    return next((kind for kind in KINDS if words.has(f"availability.{kind}", affirmed=False)), None)


def other_availability(left: Kind, right: Kind) -> bool:
    """Whether two kinds exclude each other."""
    return left != right and not ("available" in {left, right} and {left, right} <= {"available", "onprem", "cloud"})
