"""How many requests a service answered, and how many kept the objective, over what was offered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .drawing import WIDTH, bottom_axis, dot, left_axis, legend, line, path, plot, spanning
from .figures import Shown, bounds_of, number, value_of
from .plots import Plot, table

LEFT, RIGHT, BOTTOM = 54.0, WIDTH - 14, 236.0


class Kept(NamedTuple):
    """One load: requests a second, offered also as clients."""

    arm: Shown
    offered: float
    answered: float
    kept: float
    bounds: tuple[float, float] | None


def offered(arm: Shown) -> float:
    """Return the requests a second, or the clients, of an arm's load; 0 where it is not told."""
    rate = arm.side.arm.performance.get("rate")
    load = rate.load if rate is not None else None
    return (load.request_rate or load.concurrency or 0.0) if load is not None else 0.0


def over_load(arms: Sequence[Shown]) -> Plot | None:
    """Draw answered requests and those that kept the objective.

    None below two loads, or where loads are offered in two ways.
    """
    rows = sorted(_rows(arms), key=lambda row: row.offered)
    if len({row.offered for row in rows}) < 2 or len({_is_open(row.arm) for row in rows}) > 1:
        return None
    is_open = _is_open(rows[0].arm)
    says = "An upright line is the interval over the trials."
    best = max(rows, key=lambda row: row.kept)
    says = f"Most requests kept the objective in {best.arm.name}: {number(best.kept)} a second. {says}"
    told = [
        (
            row.arm.name,
            number(row.offered),
            number(row.answered),
            number(row.kept),
            f"{number(row.bounds[0])} to {number(row.bounds[1])}" if row.bounds is not None else "",
        )
        for row in rows
    ]
    heads = ("arm", "offered" if is_open else "clients", "answered", "kept the objective", "interval")
    return Plot("Requests that keep the objective", _drawn(rows, is_open=is_open), says, table(heads, told))


def _drawn(rows: Sequence[Kept], *, is_open: bool) -> str:
    most = rows[-1].offered
    heights = [value for row in rows for value in (row.answered, row.kept, *(row.bounds or ()))]
    across = spanning([row.offered for row in rows], LEFT, RIGHT, zero=True)
    up = spanning([*heights, *([most] if is_open else [])], BOTTOM, 30, zero=True)
    parts = [
        *left_axis(up, LEFT, "requests/s", RIGHT),
        *bottom_axis(across, BOTTOM, "requests/s offered" if is_open else "clients", 30),
    ]
    if is_open:
        parts.append(line((across.at(0.0), up.at(0.0)), (across.at(most), up.at(most)), "target", 1.3, "4 3"))
    for kind, heights in (("arm0", [row.answered for row in rows]), ("arm1", [row.kept for row in rows])):
        points = [(across.at(row.offered), up.at(height)) for row, height in zip(rows, heights, strict=True)]
        parts += [path(points, kind, 1.6), *(dot(x, y, kind, 4) for x, y in points)]
    for row in rows:
        if row.bounds is not None:
            low, high = ((across.at(row.offered), up.at(end)) for end in row.bounds)
            parts.append(line(low, high, "arm1", 1.4, "", 0.6))
    named = [("arm0", "answered"), ("arm1", "kept the objective"), *([("target", "offered")] if is_open else [])]
    entries, below = legend(named, BOTTOM + 56)
    return plot(below, [*parts, *entries])


def _rows(arms: Sequence[Shown]) -> Iterator[Kept]:
    for arm in arms:
        answered, goodput = (arm.side.arm.performance.get(name) for name in ("request_rate", "goodput"))
        done, kept = value_of(answered), value_of(goodput)
        if offered(arm) and done is not None and kept is not None:
            yield Kept(arm, offered(arm), done, kept, bounds_of(goodput))


def _is_open(arm: Shown) -> bool:
    rate = arm.side.arm.performance.get("rate")
    return rate is not None and rate.load is not None and rate.load.loop != "closed"
