"""Small drawings as inline SVG: numbers and classes of our own alone, no text of a document, no style, no address."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 880, 260
LEFT, RIGHT, TOP, BOTTOM = 76, 14, 14, 30
MOST_DOTS = 2_000


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with its interval, where there is one."""

    value: float
    low: float | None = None
    high: float | None = None


def series(dots: Sequence[Dot], cuts: Sequence[int] = (), labels: tuple[str, str] = ("", "")) -> str:
    """Draw values in their order, with intervals, and a line where their level changes.

    Args:
        dots: finite values.
        cuts: first index of each later segment.
        labels: what stands below the first and the last value; digits and dashes alone.
    """
    step = max(1, math.ceil(len(dots) / MOST_DOTS))
    kept = [(index, dot) for index, dot in enumerate(dots) if index % step == 0]
    ends = [end for _, dot in kept for end in (dot.value, dot.low, dot.high) if end is not None and math.isfinite(end)]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    pad = (high - low) * 0.08 or abs(high) * 0.05 or 1.0
    low, high = low - pad, high + pad

    def x(index: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ((index + 0.5) / max(1, len(dots)))

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    parts = [f'<svg class="drawing" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">']
    for tick in _ticks(low, high):
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:.6g}</text>')
    changes = [x(cut - 0.5) for cut in cuts]
    parts += [f'<line class="cut" x1="{mid:.1f}" x2="{mid:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>' for mid in changes]
    for index, dot in kept:
        if dot.low is not None and dot.high is not None and math.isfinite(dot.low) and math.isfinite(dot.high):
            at = f'x1="{x(index):.1f}" x2="{x(index):.1f}"'
            parts.append(f'<line class="span" {at} y1="{y(dot.high):.1f}" y2="{y(dot.low):.1f}"/>')
    radius = 4 if len(kept) <= 100 else 1.6
    parts += [f'<circle class="dot" cx="{x(index):.1f}" cy="{y(dot.value):.1f}" r="{radius}"/>' for index, dot in kept]
    for text, edge, anchor in ((labels[0], LEFT, "start"), (labels[1], WIDTH - RIGHT, "end")):
        if text and set(text) <= set("0123456789-: "):
            parts.append(f'<text class="tick" x="{edge}" y="{HEIGHT - 8}" text-anchor="{anchor}">{text}</text>')
    return "".join([*parts, "</svg>"])


def _ticks(low: float, high: float) -> list[float]:
    rough = (high - low) / 4
    if not 0 < rough < math.inf:
        return []
    power = 10 ** math.floor(math.log10(rough))
    step = next((factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough), 10 * power)
    first = math.ceil(low / step)
    return [round(index * step, 12) for index in range(first, math.floor(high / step) + 1)]
