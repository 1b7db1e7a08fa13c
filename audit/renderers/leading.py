"""What opens a report: the value claimed beside what follows from the evidence, and the one drawing that shows it.

The drawings hold text of ours, numbers and identifiers alone, escaped; colours are classes of the page's style sheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from msgspec import Struct

from ...rules.case import Case, Side
from ...rules.facts.comparison.pairing import paired_quality
from ...schemas.submission import Claim
from ..report import ClaimReport, Finding
from ..terminal import safe
from .reasons import figures

WIDTH = 400
_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})(?: to ({_NUMBER}))?", re.IGNORECASE)
PAIRS = frozenset({"W0801", "W0803", "W0804", "W0806"})
"""Rules that find speed and quality to be of two configurations."""
LONGEST = 48
FURTHEST = 1e6
"""A bar that is so many times another shows nothing of it."""


class Leading(Struct, frozen=True):
    """The value claimed beside what follows from the evidence.

    Attributes:
        claimed: as printed, with its unit.
        found: what follows from the evidence, a line for each configuration.
        svg: a drawing of both, or empty.
        words: what the drawing shows.
    """

    claimed: str
    found: str
    svg: str = ""
    words: str = ""


class _Bar(Struct, frozen=True):
    name: str
    shown: str
    low: float
    high: float


def leading(claim: ClaimReport, case: Case) -> Leading | None:
    """Return what opens the report of a claim, or None where no finding sets a value against the claimed one."""
    stated = case.submission.claims.get(claim.id)
    first = next((item for item in claim.findings if item.outcome == "violation"), None)
    if stated is None or first is None:
        return None
    if first.code in PAIRS:
        return _pair(claim, stated, case)
    return _values(claim, stated, first)


def _values(claim: ClaimReport, stated: Claim, finding: Finding) -> Leading | None:
    if finding.claimed is None or finding.recomputed is None:
        return None
    left, right = _RANGE.fullmatch(finding.claimed), _RANGE.fullmatch(finding.recomputed)
    is_value = finding.claimed == stated.value
    claimed = claim.value if is_value else finding.claimed
    if left is None or right is None:
        return Leading(claimed, figures(finding.recomputed))
    unit = stated.unit if is_value and stated.unit is not None else ""
    numbers = (float(right[1]), float(right[2] or right[1]))
    if unit == "%" and stated.form == "ratio" and stated.quantity == "rate" and min(numbers) > 0.1:
        # the recomputed ratio of two rates, as the percentage by which one is above the other
        numbers = (100 * (numbers[0] - 1), 100 * (numbers[1] - 1))
    elif unit == "%" and stated.form == "ratio":
        unit = ""
    digits = max(3, len(left[1].replace(".", "").lstrip("-0")))
    shown = " to ".join(dict.fromkeys(f"{number:.{digits}g}" for number in numbers)) + (f" {unit}" if unit else "")
    bars = (
        _Bar("claimed", claimed, float(left[1]), float(left[2] or left[1])),
        _Bar("from the evidence", shown, min(numbers), max(numbers)),
    )
    drawable = all(bar.low >= 0 for bar in bars) and max(bar.high for bar in bars) > 0
    least = min(bar.high for bar in bars)
    is_telling = drawable and (least == 0 or max(bar.high for bar in bars) / least < FURTHEST) and (unit or is_value)
    svg = _bars(bars) if is_telling else ""
    return Leading(claimed, shown, svg, f"Claimed {claimed}; from the evidence {shown}." if svg else "")


def _bars(bars: Sequence[_Bar]) -> str:
    """Draw bars from zero, one below the other; what is known as a range ends in one."""
    scale = (WIDTH - 4) / max(bar.high for bar in bars)
    parts = []
    for row, bar in enumerate(bars):
        top, colour = 46 * row, f"arm{1 - row}"
        parts.append(f'<text x="0" y="{top + 12}" class="fill-ink">{_words(f"{bar.name}: {bar.shown}")}</text>')
        parts.append(_rect(0, top + 19, bar.low * scale, 16, f"fill-{colour}"))
        if bar.high > bar.low:
            parts.append(
                _rect(bar.low * scale, top + 19, max((bar.high - bar.low) * scale, 2), 16, f"fill-{colour}-half")
            )
    foot = 46 * len(bars) - 4
    parts.append(f'<line x1="0" y1="15" x2="0" y2="{foot}" class="stroke-ink"/>')
    return _svg(foot + 4, parts)


def _rect(x: float, y: float, width: float, height: float, classes: str) -> str:
    return f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" class="{classes}"/>'


def _pair(claim: ClaimReport, stated: Claim, case: Case) -> Leading | None:
    paired = paired_quality(stated, case)
    fast, good = case.subject(stated), case.side(paired)
    rate, quality = case.metric(stated.measured), case.quality(paired)
    if fast is None or good is None or quality is None or quality.value is None or fast.id == good.id:
        return None
    name = quality.metric or "quality"
    speed = f"{rate.value} {rate.unit}" if rate is not None and rate.value is not None else claim.value
    claimed = f"{speed} with {name} {quality.value}"
    slower, worse = _rate(good, rate.quantity if rate is not None else ""), _quality(fast, name)
    found = (
        f"{speed}: {f'{name} {worse}' if worse else f'{name} not given'}\n"
        f"{name} {quality.value}: {slower + ' ' + rate.unit if slower and rate is not None else 'speed not given'}"
    )
    if rate is None or not all(map(_is_number, filter(None, (rate.value, quality.value, slower, worse)))):
        return Leading(claimed, found)
    points = [(rate.value or "", quality.value, "claimed together, never measured together", "claimed")]
    points += [(slower, quality.value, good.id, "arm1")] if slower else []
    points += [(rate.value or "", worse, fast.id, "arm0")] if worse else []
    svg = _scatter(points, f"{rate.quantity} ({rate.unit})", name) if len(points) > 1 else ""
    return Leading(claimed, found, svg, f"Speed and {name} of each configuration, and the pair that is claimed.")


def _rate(side: Side, quantity: str) -> str:
    return next((m.value for m in side.arm.performance.values() if m.quantity == quantity and m.value), "")


def _quality(side: Side, name: str) -> str:
    return next((q.value for q in side.arm.quality.values() if q.metric == name and q.value), "")


def _is_number(text: str | None) -> bool:
    return text is not None and re.fullmatch(_NUMBER, text, re.IGNORECASE) is not None


def _scatter(points: Sequence[tuple[str, str, str, str]], across: str, up: str) -> str:
    """Draw points with their names; the first one is hollow."""
    xs, ys = [float(x) for x, *_ in points], [float(y) for _, y, *_ in points]
    right, left, top, floor = WIDTH - 24, 46, 30, 150
    widest = max(*xs, 1e-30)
    low, high = min(ys), max(ys)
    margin = (high - low) / 3 or abs(high) / 10 or 1.0
    low, high = low - margin, high + margin
    parts = [
        f'<line x1="{left}" y1="{floor}" x2="{right}" y2="{floor}" class="stroke-ink"/>',
        f'<line x1="{left}" y1="{top - 10}" x2="{left}" y2="{floor}" class="stroke-ink"/>',
        f'<text x="{right}" y="{floor + 34}" text-anchor="end" class="fill-ink">{_words(across)}</text>',
        f'<text x="0" y="12" class="fill-ink">{_words(up)}</text>',
    ]
    for number, (x, y, name, kind) in enumerate(points):
        at, height = (
            left + (right - left) * max(float(x), 0) / widest,
            floor - (floor - top) * (float(y) - low) / (high - low),
        )
        anchor, shift = ("end", 6) if at > WIDTH * 0.55 else ("start", -6)
        below = -12 if kind == "claimed" else 20
        classes = "hollow stroke-ink" if kind == "claimed" else f"fill-{kind}"
        parts.append(f'<line x1="{at:.1f}" y1="{height:.1f}" x2="{at:.1f}" y2="{floor}" class="stroke-grid"/>')
        parts.append(f'<line x1="{left}" y1="{height:.1f}" x2="{at:.1f}" y2="{height:.1f}" class="stroke-grid"/>')
        parts.append(f'<circle cx="{at:.1f}" cy="{height:.1f}" r="5.5" class="{classes}"/>')
        place = f'x="{at + shift:.1f}" y="{height + below:.1f}" text-anchor="{anchor}"'
        parts.append(f'<text {place} class="fill-ink">{_words(name)}</text>')
        parts.append(f'<text x="{at:.1f}" y="{floor + 16}" text-anchor="middle" class="fill-ink">{_words(x)}</text>')
        if y not in {other for _, other, *_ in points[:number]}:
            parts.append(
                f'<text x="{left - 6}" y="{height + 4:.1f}" text-anchor="end" class="fill-ink">{_words(y)}</text>'
            )
    return _svg(floor + 40, parts)


def _words(text: str) -> str:
    return escape(safe(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"))


def _svg(height: float, parts: Sequence[str]) -> str:
    head = f'<svg class="lead-chart" viewBox="0 0 {WIDTH} {height}">'
    return head + "".join(parts) + "</svg>"
