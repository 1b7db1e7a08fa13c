"""The words that tell what a column of ratios is of, and what it is relative to."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from ....rules.language import lexicon
from ....rules.language.reading import read
from .grids import Grid
from .roles import BESIDE, RATIOS, VALUES, Role
from .words import in_english

_LONGEST = 60
"""Characters behind "relative to" that tell a base."""
_OF_NAMES = frozenset("0123456789_")
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
    own, base = said_of(heading, caption)
    of, said = words(_outside_brackets(own)), read(base)
    previous = said.has("row_before", affirmed=False) or said.is_only("nothing_but_previous")
    return Relation(words(base), of, previous, said.has("first_row", affirmed=False))


def said_of(heading: str, caption: str) -> tuple[str, str]:
    """Return what the heading of a column of ratios says that they are of, and the words of their base, or nothing."""
    column = read(in_english(heading), "header")
    own, base = column.source, ""
    for item in column.mentions("relative_to")[:1]:
        own, base = column.source[: item.start], _up_to("()[];", column.source[item.end :])
    if not base:
        told = read(caption, "caption")
        own = column.source
        base = next((_up_to(".;,()|", caption[i.end :]) for i in told.mentions("speedup_relative_to")), "")
    return own, base


def _up_to(ends: str, text: str) -> str:
    """Return what stands before the first of some signs."""
    text = text.lstrip(". ")[:_LONGEST]
    return text[: min((at for end in ends if (at := text.find(end)) >= 0), default=len(text))].strip()


def _outside_brackets(text: str) -> str:
    """Return a text without what stands in round brackets."""
    head, opened, rest = text.partition("(")
    _, closed, behind = rest.partition(")")
    return f"{head} {_outside_brackets(behind)}" if opened and closed else text


def words(text: str) -> frozenset[str]:
    """Return the words of a text that name something."""
    plain = "".join(sign if (sign.isascii() and sign.isalnum()) or sign in ".+" else " " for sign in text.casefold())
    return frozenset(word.lstrip(".+") for word in plain.split()) - {""} - lexicon.words("columns", "ratio_fillers")


def baselines() -> frozenset[str]:
    """Return the words that call something the base of a comparison."""
    return lexicon.words("columns", "baselines")


def ours() -> frozenset[str]:
    """Return the words that call something the work of the authors."""
    return lexicon.words("columns", "ours")


def sums_up(cell: str) -> bool:
    """Whether a cell names its row as a total or a mean of others."""
    return _OF_NAMES.isdisjoint(cell.partition(" ")[0]) and _sums_up(cell)


@lru_cache(maxsize=4096)
def _sums_up(cell: str) -> bool:
    return read(cell, "cell").begins("row_that_sums_up")


def names_baseline(texts: tuple[str, ...]) -> bool:
    """Whether one of the cells that say what a row is names it as the baseline."""
    return any(baselines() & set(read(text, "cell").words()) for text in texts)


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
        if roles[index].role in _CHOICES or read(grid.header[index].text, "header").has("kind_of_alternative")
    )
    following = frozenset(at for at, index in enumerate(kept) if roles[index].role in _FOLLOWING)
    return Identity(kept, tuple(rows), choices, following)


def _numeric(grid: Grid, index: int) -> bool:
    texts = [row[index].text for row in grid.rows if row[index].text]
    return bool(texts) and sum(text[:1].isdigit() for text in texts) * 2 > len(texts)
