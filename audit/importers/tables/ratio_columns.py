"""Columns of ratios under headings that name no speed-up: "vs baseline", "Latency reduction", "Throughput uplift"."""

from __future__ import annotations

from msgspec.structs import replace

from ....rules.language.columns import is_quality
from ....rules.language.reading import Reading, read
from ....rules.language.tokens import NUMBER
from .cells import Number, number
from .grids import Grid
from .precisions import precision_of
from .roles import Role
from .words import in_english

SPEEDS = frozenset({"rate", "time", "latency", "flops"})
_UNITS = ("x", "×", "%", "times")


def relative(roles: list[Role], grid: Grid) -> list[Role]:
    """Return the roles with columns of ratios of measured speeds, where no heading calls them speed-ups."""
    if not any(role.role in SPEEDS for role in roles):
        return roles
    found = list(roles)
    for index, role in enumerate(roles):
        heading = in_english(grid.header[index].text)
        column = read(heading, "header")
        quotient = column.is_only("ratio_of_numbers")
        if role.role not in {*SPEEDS, "extra"} or not (quotient or (_relates(column) and _are_ratios(grid, index))):
            continue
        named = next((precision_of(heading[item.end :]) for item in column.mentions("base_of_a_ratio")), "")
        base = named if any(other.variant == named for other in roles if named) else None
        found[index] = Role("speedup", base=base, stem=role.stem or heading)
    left = any(role.role in SPEEDS for role in found)
    return found if left else roles


def _relates(column: Reading) -> bool:
    if is_quality(column.source) or column.has("no_speed", affirmed=False):
        return False
    return column.has("base_of_a_ratio", affirmed=False) or column.has("change_of_speed", affirmed=False)


def _are_ratios(grid: Grid, index: int) -> bool:
    """Whether most cells of a column with digits carry x or %."""
    cells = [row[index].text for row in grid.rows if any(sign.isdigit() for sign in row[index].text)]
    head = grid.header[index].text
    read = [value for text in cells if (value := in_percent(number(text), head)) is not None and is_ratio(value)]
    return len(read) * 3 >= len(cells) * 2 and len(read) > 0


def in_percent(found: Number | None, heading: str) -> Number | None:
    """Return the number of a cell, in per cent where its heading says so and the cell nothing else: "Speedup (%)"."""
    tokens = read(heading.replace("％", "%"), "header").tokens
    signs = [token.low for at, token in enumerate(tokens) if at == 0 or tokens.kind(at - 1) != NUMBER]
    percent = "%" in signs or read(heading, "header").has("percent")
    stated = found is not None and not found.unit and percent and "×" not in heading and "x" not in signs
    return replace(found, unit="%") if stated and found is not None else found


def is_ratio(value: Number) -> bool:
    """Whether a number carries x or %."""
    return value.unit.casefold().startswith(_UNITS)


def is_vague(roles: tuple[Role, ...], grid: Grid, index: int) -> bool:
    """Whether a column of ratios may be one of something else than a speed: its heading says neither."""
    if read(in_english(grid.header[index].text), "header").has("named_speed", affirmed=False):
        return False
    beside = (other for at, other in enumerate(roles) if at != index)
    return any(other.role in {"memory", "accuracy", "energy", "mfu", "difference"} for other in beside) or any(
        role.role == "extra" and at not in {0, index} and _numbers(grid, at) for at, role in enumerate(roles)
    )


def _numbers(grid: Grid, index: int) -> bool:
    texts = [row[index].text for row in grid.rows if row[index].text]
    return bool(texts) and sum(number(text) is not None for text in texts) * 2 > len(texts)
