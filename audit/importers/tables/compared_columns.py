"""Two columns of one quantity beside a speed-up: "PyTorch (ms) | Ours (ms) | Speedup" as variants of it."""

from __future__ import annotations

from itertools import permutations

from msgspec.structs import replace

from ....rules.facts.quantities.per_second import seconds, times_over
from ....rules.facts.quantities.ratios import gain, read_ratio
from ....rules.language.printed import Span, span
from .cells import number
from .grids import Grid
from .ratio_columns import in_percent, relative
from .ratio_words import baselines, ours, relation, sums_up, words
from .roles import Role

TIMED = {"rate", "time", "latency", "flops"}
SLACK = 0.01
LEAST = 2
"""Rows of which all must fit, where no word says that one column is the base of another."""
MOST_ALIKE = 8
_GAINS = {"reduction", "uplift", "boost", "saving", "savings", "faster", "slower", "latency", "time", "runtime"}
Pair = tuple[int, int]


def paired(roles: list[Role], grid: Grid) -> list[Role]:
    """Return the roles with columns as variants of one quantity, where a speed-up beside them is of two of them."""
    roles = relative(roles, grid)
    for index, role in enumerate(roles):
        if role.role != "speedup":
            continue
        for alike in _alike(roles):
            pair = _pair(roles, grid, index, alike)
            if pair is None:
                continue
            base, subject = pair
            names = {i: roles[i].variant or roles[i].stem for i in alike}
            if len(set(names.values())) < len(alike):  # "Mixed precision" beside "Mixed precision XLA"
                names = {
                    i: f"{name} {'' if roles[i].stem == name else roles[i].stem}".strip() for i, name in names.items()
                }
            named = {i: replace(roles[i], variant=name, stem=roles[i].role) for i, name in names.items()}
            roles = [named.get(i, each) for i, each in enumerate(roles)]
            roles[index] = replace(role, base=names[base], variant=names[subject] if subject is not None else "", of="")
            break
    return roles


def _alike(roles: list[Role]) -> list[tuple[int, ...]]:
    """Return the columns of one quantity that differ in a name of their own."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, role in enumerate(roles):
        if role.role in TIMED:
            unit = "a time" if seconds(role.unit) is not None else role.unit
            key = role.role, unit, role.statistic, "" if role.stem == role.role else role.variant
            groups.setdefault(key, []).append(index)
    return [tuple(group) for group in groups.values() if 2 <= len(group) <= MOST_ALIKE]


def _name(role: Role) -> frozenset[str]:
    return words(role.variant or role.stem)


def _pair(roles: list[Role], grid: Grid, index: int, alike: tuple[int, ...]) -> tuple[int, int | None] | None:
    """Return the base and the subject of a speed-up: as its heading names them, as theirs do, or as its numbers fit."""
    role = roles[index]
    told = relation(grid.header[index].text, "")
    base, of = (words(role.base), words(role.variant)) if role.base else (told.base, told.of - _GAINS)
    found = _one(roles, alike, base)
    if found is not None:
        rest = tuple(i for i in alike if i != found)
        return found, rest[0] if len(rest) == 1 else _one(roles, rest, of)
    if base - baselines() or (of and not any(of & (_name(roles[i]) | words(grid.header[i].text)) for i in alike)):
        return None
    bases = [i for i in alike if baselines() & set(roles[i].stem.split(" ")[:1])]
    own = [i for i in alike if ours() & _name(roles[i])]
    if len(bases) == 1:
        rest = tuple(i for i in alike if i != bases[0])
        return bases[0], own[0] if len(own) == 1 and own != bases else rest[0] if len(rest) == 1 else None
    if len(own) == 1 and len(alike) == 2:
        return next(i for i in alike if i not in own), own[0]
    fitting = [pair for pair in permutations(alike, 2) if _fits(roles, grid, index, pair)]
    if not fitting and len(alike) == 2:
        fitting = [pair for pair in permutations(alike, 2) if _fits(roles, grid, index, pair, slips=1)]
    return fitting[0] if len(fitting) == 1 else None


def _one(roles: list[Role], alike: tuple[int, ...], named: frozenset[str]) -> int | None:
    found = [i for i in alike if named and named <= _name(roles[i])]
    return found[0] if len(found) == 1 else None


def _fits(roles: list[Role], grid: Grid, index: int, pair: Pair, slips: int = 0) -> bool:
    """Whether every row that prints a ratio has two numbers that give it as a gain, but for as many as may be slips."""
    more, fitting, missing = roles[pair[0]].role in {"rate", "flops"}, 0, 0
    for row in grid.rows:
        told, base, new = (number(row[i].text) for i in (index, *pair))
        told = in_percent(told, grid.header[index].text)
        if told is None or base is None or new is None or any(sums_up(cell.text) for cell in row):
            continue
        scale = times_over(base.unit or roles[pair[0]].unit, new.unit or roles[pair[1]].unit)
        if scale is None:
            return False
        found = gain(span(new.printed), span(base.printed) * Span(scale, scale), more)
        read = read_ratio(span(told.printed, told.qualifier), told.unit.startswith("%"), False)
        if found is None:
            return False
        fits = any(each.widened(SLACK).meets(found) for each in read)
        fitting, missing = fitting + fits, missing + (not fits)
    return missing <= slips and fitting >= LEAST + slips
