"""Plots as inline SVG, written by hand: scales, axes, marks. The bytes depend on the numbers alone.

A plot holds no style, which a page with a strict policy would ignore, no identifier and no address; colours are classes
that the page's style sheet sets, so that one drawing serves a light page, a dark one and paper. It is 460 units wide:
type of 12 units is readable where the plot fills a phone of 400 pixels, and not coarse where two stand side by side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...terminal import safe

WIDTH = 460.0
ARMS = 6
"""Colours of arms; beyond them they begin anew, with another mark."""
LINE_HEIGHT = 15.0
LETTER = 6.4
"""About the width of a letter."""
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to places on the page, linear or logarithmic."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """Return the place of a value; what lies outside stands at the edge."""
        value = min(max(value, self.low), self.high)
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[float]:
        """Return round values to label, at most about so many."""
        if self.log:
            return _log_ticks(self.low, self.high, most)
        raw = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(one * power for one in _STEPS if one * power >= raw * (1 - 1e-9))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def _log_ticks(low: float, high: float, most: int) -> list[float]:
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for parts in ((1, 2, 5), (1, 3), (1,)):
        found = [part * 10.0**decade for decade in decades for part in parts]
        kept = [value for value in found if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]
        if len(kept) <= most + 1:
            return kept
    return kept[:: math.ceil(len(kept) / most)]


def spanning(
    values: Iterable[float], start: float, end: float, *, log: bool = False, zero: bool = False, margin: float = 0.06
) -> Scale:
    """Return the scale that holds some values with a margin on either side.

    Args:
        values: at least one; all positive where the scale is logarithmic.
        start: place of the lowest one.
        end: place of the highest one.
        log: whether it is logarithmic.
        zero: whether it begins at zero.
        margin: share of the span.
    """
    known = list(values)
    low, high = min(known), max(known)
    if log:
        factor = max((high / low) ** margin, 1.05)
        return Scale(low / factor, high * factor, start, end, log=True)
    if zero:
        return Scale(0.0, high * (1 + margin) if high > 0 else 1.0, start, end)
    room = margin * (high - low) or 0.05 * abs(high) or 1.0
    return Scale(low - room, high + room, start, end)


def short(value: float) -> str:
    """Return a number for an axis: four digits, with the prefix of its thousands."""
    size = abs(value)
    for factor, prefix in _PREFIXES:
        if size >= 9_999.5 and size >= factor > 1:
            return f"{value / factor:.4g}{prefix}"
    return f"{value:.4g}" if size >= 1e-4 or not size else f"{value:.2g}"


def arm_class(index: int) -> str:
    """Return the name of an arm's colour."""
    return f"arm{index % ARMS}"


def text(x: float, y: float, words: str, *, anchor: str = "start", kind: str = "ink", size: float = 12) -> str:
    """Return words at a place: `anchor` is start, middle or end, `kind` a colour."""
    how = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{_n(x)}" y="{_n(y)}"{how} class="fill-{kind}" font-size="{_n(size)}">{escaped(words)}</text>'


def line(first: Point, last: Point, kind: str, width: float = 1.0, dashes: str = "", opacity: float = 1.0) -> str:
    """Return a straight line."""
    return path([first, last], kind, width, dashes, opacity)


def path(points: Sequence[Point], kind: str, width: float = 1.5, dashes: str = "", opacity: float = 1.0) -> str:
    """Return a line through some points."""
    steps = "L".join(f"{_n(x)} {_n(y)}" for x, y in points)
    how = (f' stroke-dasharray="{dashes}"' if dashes else "") + (f' opacity="{_n(opacity)}"' if opacity < 1 else "")
    return f'<path d="M{steps}" fill="none" class="stroke-{kind}" stroke-width="{_n(width)}"{how}/>'


def area(points: Sequence[Point], kind: str, opacity: float = 1.0) -> str:
    """Return a filled shape."""
    steps = "L".join(f"{_n(x)} {_n(y)}" for x, y in points)
    return f'<path d="M{steps}Z" class="fill-{kind}" opacity="{_n(opacity)}"/>'


def box(x: float, y: float, width: float, height: float, kind: str, opacity: float = 1.0) -> str:
    """Return a filled rectangle."""
    how = f' opacity="{_n(opacity)}"' if opacity < 1 else ""
    size = f'width="{_n(max(0.0, width))}" height="{_n(max(0.0, height))}"'
    return f'<rect x="{_n(x)}" y="{_n(y)}" {size} class="fill-{kind}"{how}/>'


def dot(x: float, y: float, kind: str, radius: float = 3.0, opacity: float = 1.0, shape: int = 0) -> str:
    """Return a mark: a disc, and for further shapes a square, a triangle or a diamond."""
    how = f' opacity="{_n(opacity)}"' if opacity < 1 else ""
    if not shape % 4:
        return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" class="fill-{kind}"{how}/>'
    r = radius * 1.15
    corners = {
        1: [(-r, -r), (r, -r), (r, r), (-r, r)],
        2: [(0.0, -r * 1.2), (r * 1.1, r * 0.8), (-r * 1.1, r * 0.8)],
        3: [(0.0, -r * 1.3), (r * 1.3, 0.0), (0.0, r * 1.3), (-r * 1.3, 0.0)],
    }[shape % 4]
    return area([(x + dx, y + dy) for dx, dy in corners], kind, opacity)


def dots(points: Sequence[Point], kind: str, width: float = 3.0, opacity: float = 0.6) -> str:
    """Return many small discs as one path, whose bytes are a quarter of single ones."""
    steps = "".join(f"M{_n(x)} {_n(y)}h0" for x, y in points)
    how = f'stroke-width="{_n(width)}" stroke-linecap="round" opacity="{_n(opacity)}"'
    return f'<path d="{steps}" fill="none" class="stroke-{kind}" {how}/>'


def bottom_axis(scale: Scale, y: float, label: str, top: float, most: int = 6) -> list[str]:
    """Return a horizontal axis with its grid from `top` down to `y`."""
    parts = []
    for value in scale.ticks(most):
        x = scale.at(value)
        parts.append(line((x, top), (x, y), "grid", 0.75))
        parts.append(text(x, y + 16, short(value), anchor="middle", kind="soft", size=11))
    middle = (scale.start + scale.end) / 2
    return [*parts, text(middle, y + 34, label, anchor="middle", kind="soft", size=11.5)]


def left_axis(scale: Scale, x: float, label: str, right: float, most: int = 5) -> list[str]:
    """Return a vertical axis with its grid from `x` to `right`, and its label above it."""
    parts = []
    for value in scale.ticks(most):
        y = scale.at(value)
        parts.append(line((x, y), (right, y), "grid", 0.75))
        parts.append(text(x - 6, y + 4, short(value), anchor="end", kind="soft", size=11))
    return [*parts, text(2, min(scale.start, scale.end) - 9, label, kind="soft", size=11.5)]


def legend(entries: Sequence[tuple[str, str]], y: float, left: float = 2.0) -> tuple[list[str], float]:
    """Return (colour, words) entries beside each other, as many a line as fit, and the place below them."""
    parts, x = [], left
    for kind, words in entries:
        needed = 16 + LETTER * len(words) + 12
        if x > left and x + needed > WIDTH:
            x, y = left, y + LINE_HEIGHT + 2
        parts += [box(x, y - 9, 10, 10, kind), text(x + 15, y, words, size=11.5)]
        x += needed
    return parts, y + LINE_HEIGHT


def plot(height: float, parts: Iterable[str]) -> str:
    """Return the whole drawing."""
    return f'<svg class="plot" viewBox="0 0 {_n(WIDTH)} {_n(height)}" aria-hidden="true">{"".join(parts)}</svg>'


def cut(words: str, most: int) -> str:
    """Return words of at most so many letters: beginning and end, since names of a sweep differ at their end."""
    if len(words) <= most:
        return words
    end = most // 2
    return f"{words[: most - end - 1]}…{words[-end:]}"


def escaped(words: str) -> str:
    """Return words as they may stand in SVG: no markup, and nothing that steers."""
    return safe(words).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
