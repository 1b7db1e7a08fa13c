"""The words that tell what a column of ratios is of, and what it is relative to."""

from __future__ import annotations

import re

from msgspec import Struct

from ....schemas.pattern import Pattern
from .grids import Grid
from .roles import BESIDE, RATIOS, VALUES, Role
from .words import in_english

BASELINES = {
    *("baseline", "base", "before", "old", "original", "reference", "ref", "vanilla", "unoptimized", "unoptimised"),
    *("eager", "default", "naive"),
}
OURS = {"ours", "our", "proposed", "optimized", "optimised", "new", "after"}
_RELATIVE = Pattern(
    r"\b(?:vs\.?|versus|over|against|relative to|compared (?:to|with)|with respect to|w\.?r\.?t\.?|than|"
    r"normali[sz]ed (?:to|by)|from)\s+(?P<base>[^()\[\];]{1,60})"
)
_SAID = Pattern(
    r"speed-?\s?ups?\b[^.;|]{0,40}?\b(?:over|vs\.?|versus|against|relative to|compared (?:to|with)|with respect to|"
    r"normali[sz]ed to)\s+(?P<base>[^.;,()|]{1,60})"
)
_PREVIOUS = Pattern(
    r"\b(?:previous|prior|preceding|last)\s+(?:row|line|one|step|release|version|entry|change|configuration|stage|generation)\b"
    r"|\b(?:row|line|one|step|version|release|entry)\s+(?:above|before)\b|^previous$"
)
_FIRST = Pattern(r"\bfirst (?:row|line|entry|configuration)\b|\b(?:row|line) (?:1|one)\b|\btop row\b")
_FILLERS = {
    *("the", "a", "an", "of", "our", "its", "row", "method", "variant", "version", "speed", "up", "speedup", "and"),
    *("in", "on", "with", "for", "by", "to", "x", "times", "case", "implementation", "code", "relative", "vs", "over"),
    *("net", "cumulative", "measured", "improvement", "gain", "throughputs", "step"),
    *("steps", "increase", "factor", "ratio"),
}
SUMMARY = Pattern(
    r"^(?:the )?(?:overall )?(?:geo\.?\s?-?mean|geometric mean|harmonic mean|mean|avg\.?|average|median|total|sum)\b"
)
_ALTERNATIVES = Pattern(
    r"\b(?:methods?|implementations?|variants?|config(?:uration)?s?|approach(?:es)?|settings?|frameworks?|backends?|"
    r"engines?|librar(?:y|ies)|optimi[sz]ations?|solutions?|algorithms?|modes?|compilers?|runtimes?|strateg(?:y|ies)|"
    r"schemes?|systems?)\b"
)
_CHOICES = {
    *("precision", "quantisation", "attention", "optimizer", "sharding", "offload", "compression", "compile", "system"),
    *("devices", "nodes", "nodes_x_devices", "tensor_parallel", "pipeline_parallel", "context_parallel"),
    *("data_parallel", "expert_parallel", "activation_checkpointing", "library"),
}
_FOLLOWING = {"global_batch", "accumulation", "per_device_batch", "micro_batch"}
"""Options that change with the number of devices."""


class Relation(Struct, frozen=True):
    """What words say of a column of ratios.

    Attributes:
        base: the words of its base; empty where none are said.
        of: the words of what it is of.
        previous: whether each row is relative to the row before it.
        first: whether each row is relative to the first.
    """

    base: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()
    previous: bool = False
    first: bool = False


def relation(heading: str, caption: str) -> Relation:
    """Return what the heading of a column of ratios says of it; its base as the caption says it where it does not."""
    text = in_english(heading)
    match = _RELATIVE.search(text)
    own = text[: match.start()] if match is not None else text
    of = words(re.sub(r"\([^()]*\)", " ", own))
    if match is None:
        match = _SAID.search(caption.casefold())
    if match is None:
        return Relation(of=of)
    base = match["base"]
    return Relation(words(base), of, _PREVIOUS.search(base) is not None, _FIRST.search(base) is not None)


def words(text: str) -> frozenset[str]:
    """Return the words of a text that name something."""
    return frozenset(re.findall(r"[a-z0-9][a-z0-9.+]*", text.casefold().replace("-", " "))) - _FILLERS


def names_baseline(texts: tuple[str, ...]) -> bool:
    """Whether one of the cells that say what a row is names it as the baseline."""
    return any(BASELINES & set(re.findall(r"[a-z]+", text)) for text in texts)


class Identity(Struct, frozen=True):
    """What each row of a table is: its cells that are no numbers of it, with blank ones as in the row above.

    Attributes:
        columns: which columns they are.
        rows: their texts, by row.
        choices: the positions of the columns whose cells are choices for one and the same work.
        following: those of the columns that change with such a choice.
    """

    columns: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    choices: frozenset[int]
    following: frozenset[int]

    def differing(self, one: int, other: int) -> tuple[int, ...]:
        """Return the positions at which two rows differ."""
        pairs = zip(self.rows[one], self.rows[other], strict=True)
        return tuple(at for at, (left, right) in enumerate(pairs) if left != right)

    def is_choice(self, one: int, other: int) -> bool:
        """Whether two rows differ in nothing but a choice for the same work."""
        differing = frozenset(self.differing(one, other))
        return bool(differing & self.choices) and differing <= self.choices | self.following


def identity(grid: Grid, roles: tuple[Role, ...]) -> Identity:
    """Return what each row of a table is."""
    kept = tuple(
        index
        for index, role in enumerate(roles)
        if role.role not in (*VALUES, *RATIOS, *BESIDE, "ignore")
        and (role.role != "extra" or index == 0 or not _numeric(grid, index))
    )
    above = [""] * len(kept)
    rows = []
    for row in grid.rows:
        texts = [row[index].text.casefold() for index in kept]
        # A blank cell stands for the one above, but only where some cell of the row says what it is.
        above = [text or last for text, last in zip(texts, above, strict=True)] if any(texts) else texts
        rows.append(tuple(above))
    choices = frozenset(
        at
        for at, index in enumerate(kept)
        if roles[index].role in _CHOICES or _ALTERNATIVES.search(grid.header[index].text.casefold()) is not None
    )
    following = frozenset(at for at, index in enumerate(kept) if roles[index].role in _FOLLOWING)
    return Identity(kept, tuple(rows), choices, following)


def _numeric(grid: Grid, index: int) -> bool:
    texts = [row[index].text for row in grid.rows if row[index].text]
    return bool(texts) and sum(text[:1].isdigit() for text in texts) * 2 > len(texts)
