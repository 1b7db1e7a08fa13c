"""Names of devices as tokens: a printed name meets one of a table exactly, in any order, and never a part of it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TypeVar

from ...schemas.pattern import Pattern
from ..caching import remembered

_TOKEN = Pattern(r"[a-z0-9]+(?:\.[a-z0-9]+)*\+*")
_COUNT = Pattern(r"\A\s*[0-9]+\s*[x×]\s*(?=[a-z])")
_SIZE = Pattern(r"\b([0-9]+(?:\.[0-9]+)?)[\s_-]*(?:gib|gb|g)\b")
_POWER = Pattern(r"[0-9]+w\Z")
_MARKS = Pattern(r"\((?:r|tm|c)\)|[®™©]")
# fmt: off
_SAYS_NOTHING = frozenset(
    {
        "nvidia", "amd", "intel", "google", "aws", "amazon", "habana", "graphcore", "cerebras", "huawei", "fujitsu",
        "tesla", "instinct", "radeon", "geforce", "cloud", "gpu", "gpus", "tensor", "core", "cores", "accelerator",
        "accelerators", "card", "cards", "chip", "chips", "module", "modules", "superchip", "board", "boards",
        "nvlink", "nvswitch", "single",
    }
)
# fmt: on
MOST_TOKENS = 10
"""A name of more tokens is a sentence: it matches nothing."""

V = TypeVar("V")


@remembered(1024)
def tokens(name: str) -> frozenset[str]:
    """Return the tokens of a printed name without makers, counts and wattages; "80 GB" and "80G" are `80gb`."""
    bare = _COUNT.sub("", _MARKS.sub(" ", name.casefold()))
    found = (match[0] for match in _TOKEN.finditer(_SIZE.sub(r"\1gb", bare)))
    return frozenset(token for token in found if token not in _SAYS_NOTHING and not _POWER.match(token))


def matching(index: Mapping[frozenset[str], V], name: frozenset[str]) -> tuple[tuple[frozenset[str], V], ...]:
    """Return the entries of a table whose tokens all stand in a name, each with the tokens that are left over."""
    if len(name) > MOST_TOKENS:
        return ()
    ordered = sorted(name)
    parts = (frozenset(part) for size in range(1, len(name) + 1) for part in combinations(ordered, size))
    return tuple((name - part, index[part]) for part in parts if part in index)
