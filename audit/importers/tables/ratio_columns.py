"""Columns of ratios under headings that name no speed-up: "vs baseline", "Latency reduction", "Throughput uplift"."""

from __future__ import annotations

import re

from msgspec.structs import replace

from ....schemas.pattern import Pattern
from .cells import Number, number
from .grids import Grid
from .roles import Role, precision_of
from .words import QUALITY, in_english

SPEEDS = frozenset({"rate", "time", "latency", "flops"})
_VERSUS = Pattern(r"\b(?:vs\.?|versus|relative to|compared (?:to|with)|over|against|normali[sz]ed to|of) +(?P<base>.+)")
_GAIN = Pattern(
    r"\b(?:improvements?|uplift|gains?|increase|reduction|boost|sav(?:ed|ings?)|acceleration|faster|slower|slowdown|overhead)\b"
)
_QUOTIENT = Pattern(r"ratio of (?:the )?(?:two )?(?:times|throughputs|latencies|rates|speeds|results)")
_OTHER = Pattern(
    r"memory|\bmem\b|vram|params?\b|size|cost|price|energy|power|watt|joule|utili[sz]ation|compression|sparsity|scaling|"
    r"efficien|peak|overhead|storage|bandwidth|loss|quality|score|error|variance|share|fraction"
)
_PERCENT = Pattern(r"(?<![0-9])(?<![0-9] )[%％]|\bper ?cent\b")
_UNITS = ("x", "×", "%", "times")


def relative(roles: list[Role], grid: Grid) -> list[Role]:
    """Return the roles with columns of ratios of measured speeds, where no heading calls them speed-ups."""
    if not any(role.role in SPEEDS for role in roles):
        return roles
    found = list(roles)
    for index, role in enumerate(roles):
        heading = in_english(grid.header[index].text)
        quotient = _QUOTIENT.fullmatch(heading) is not None
        if role.role not in {*SPEEDS, "extra"} or not (quotient or (_relates(heading) and _are_ratios(grid, index))):
            continue
        match = _VERSUS.search(heading)
        named = precision_of(match["base"]) if match is not None else ""
        base = named if any(other.variant == named for other in roles if named) else None
        found[index] = Role("speedup", base=base, stem=role.stem or heading)
    left = any(role.role in SPEEDS for role in found)
    return found if left else roles


def _relates(heading: str) -> bool:
    if QUALITY.search(heading) or _OTHER.search(heading):
        return False
    return _VERSUS.search(heading) is not None or _GAIN.search(heading) is not None


def _are_ratios(grid: Grid, index: int) -> bool:
    """Whether most cells of a column with digits carry x or %."""
    cells = [row[index].text for row in grid.rows if any(sign.isdigit() for sign in row[index].text)]
    head = grid.header[index].text
    read = [value for text in cells if (value := in_percent(number(text), head)) is not None and is_ratio(value)]
    return len(read) * 3 >= len(cells) * 2 and len(read) > 0


def in_percent(found: Number | None, heading: str) -> Number | None:
    """Return the number of a cell, in per cent where its heading says so and the cell nothing else: "Speedup (%)"."""
    plain = heading.casefold()
    stated = found is not None and not found.unit and _PERCENT.search(plain) and not re.search(r"×|\bx\b", plain)
    return replace(found, unit="%") if stated and found is not None else found


def is_ratio(value: Number) -> bool:
    """Whether a number carries x or %."""
    return value.unit.casefold().startswith(_UNITS)


def is_vague(roles: tuple[Role, ...], grid: Grid, index: int) -> bool:
    """Whether a column of ratios may be one of something else than a speed: its heading says neither."""
    heading = in_english(grid.header[index].text)
    if re.search(r"speed-? ?up|faster|slower|throughput|latency|\btimes?\b", heading):
        return False
    beside = (other for at, other in enumerate(roles) if at != index)
    return any(other.role in {"memory", "accuracy", "energy", "mfu", "difference"} for other in beside) or any(
        role.role == "extra" and at not in {0, index} and _numbers(grid, at) for at, role in enumerate(roles)
    )


def _numbers(grid: Grid, index: int) -> bool:
    texts = [row[index].text for row in grid.rows if row[index].text]
    return bool(texts) and sum(number(text) is not None for text in texts) * 2 > len(texts)
