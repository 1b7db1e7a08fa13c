"""A comparison as text, JSON, Markdown, or annotations of GitHub Actions."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from ...rules.statistics.intervals import median, rounded
from ...rules.statistics.two_arms import trials_needed
from ..terminal import safe
from .comparison import ArmComparison, Row, Terms
from .differing import Differing
from .notes import change, notes, number

FORMATS = ("text", "json", "markdown", "github")
MARKS = {"better": "✅", "equivalent": "✅", "worse": "❌", "cannot tell": "❔", "not comparable": "❔"}
USUAL, ROUNDING = 0.95, 1e-9
COMMANDS = {"worse": "error", "cannot tell": "warning", "not comparable": "warning"}


def render(form: str, comparisons: Sequence[ArmComparison], terms: Terms, problems: Sequence[str]) -> str:
    """Return comparisons in one of the formats.

    Args:
        form: text, json, markdown or github.
        comparisons: what was compared.
        terms: on which terms.
        problems: what does not hold of the studies' signatures, raw files or ledgers.
    """
    if form == "json":
        return json.dumps(as_value(comparisons, terms, problems), indent=1) + "\n"
    parts = {"text": _text, "markdown": _markdown, "github": _github}[form]
    lines = [line for comparison in comparisons for line in parts(comparison, terms)]
    return "\n".join([*(_problem(form, problem) for problem in problems), *lines]).rstrip("\n") + "\n"


def as_value(comparisons: Sequence[ArmComparison], terms: Terms, problems: Sequence[str]) -> dict[str, Any]:
    """Return comparisons as a JSON value; numbers that were computed have six significant digits."""
    return {
        "dlaudit": "comparison/1",
        "terms": {
            "margin": terms.margin,
            "quality_margin": terms.quality_margin,
            "alpha": terms.alpha,
            "vary": sorted(terms.vary),
        },
        "problems": list(problems),
        "comparisons": [_value(comparison, terms) for comparison in comparisons],
    }


def _value(comparison: ArmComparison, terms: Terms) -> dict[str, Any]:
    like = comparison.likeness
    return {
        "old": comparison.old,
        "new": comparison.new,
        "outcome": comparison.outcome,
        "different_work": [_pair(item) for item in like.work],
        "varied": [_pair(item) for item in like.varied],
        "different_conditions": [_pair(item) for item in like.conditions],
        "unknown": list(like.unknown),
        "unlike_metrics": {name: [_pair(item) for item in items] for name, items in comparison.unlike},
        "without_values": dict(comparison.without_values),
        "sessions": comparison.sessions or None,
        "metrics": {row.metric: _row_value(row, terms) for row in comparison.rows},
    }


def _pair(item: Differing) -> dict[str, str]:
    return {"what": item.what, "old": item.old, "new": item.new}


def _row_value(row: Row, terms: Terms) -> dict[str, Any]:
    gain = change(row)
    return {
        "outcome": row.decision.outcome,
        "unit": row.unit,
        "scale": row.scale,
        "more_is_better": row.more_is_better,
        "old": [_finite(value) for value in row.old],
        "new": [_finite(value) for value in row.new],
        "change": _finite(gain[0]) if gain is not None else None,
        "interval": [_finite(gain[1]), _finite(gain[2])] if gain is not None else None,
        "confidence": rounded(row.decision.confidence),
        "p": rounded(row.decision.p),
        "load": _load_value(row),
        "trials_needed": trials_needed(row.contrast, terms.alpha),
    }


def _load_value(row: Row) -> dict[str, Any] | None:
    """Return what the trials lost to others, as shares of their time; None where it does not matter."""
    if row.load is None:
        return None
    return {
        "old": [rounded(share) for share in row.load.old],
        "new": [rounded(share) for share in row.load.new],
        "explains": row.load.explains,
        "undisturbed": row.load.quiet.outcome if row.load.quiet is not None else None,
    }


def _finite(value: float) -> float | None:
    return rounded(value) if math.isfinite(value) else None


def _text(comparison: ArmComparison, terms: Terms) -> Iterator[str]:
    yield f"old  {safe(comparison.old)}"
    yield f"new  {safe(comparison.new)}"
    yield ""
    rows = [("metric", "old", "new", "new/old", "interval", "answer")]
    rows += [(safe(row.metric), *_cells(row), row.decision.outcome) for row in comparison.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    if comparison.rows:
        for row in rows:
            yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        yield ""
    yield f"answer: {comparison.answer}"
    yield from (f"  {line}" for line in notes(comparison, terms))
    yield ""


def _cells(row: Row) -> tuple[str, str, str, str]:
    gain = change(row)
    values = (_middle(row.old, row.unit), _middle(row.new, row.unit))
    if gain is None:
        return (*values, "-", "-")
    shown = [f"{value:+.4g}" if row.scale == "difference" else number(value) for value in gain]
    level = f" ({100 * row.decision.confidence:.4g} %)" if abs(row.decision.confidence - USUAL) > ROUNDING else ""
    return (*values, shown[0], f"{shown[1]} to {shown[2]}{level}")


def _middle(values: Sequence[float], unit: str) -> str:
    missed = sum(math.isinf(value) for value in values)
    middle = median(values)
    text = (
        f"{f'{middle:.0f}' if 1e4 <= middle < 1e9 else f'{middle:.4g}'} {safe(unit)}".rstrip() + f" (n={len(values)})"
    )
    return f"{text}, {missed} missed" if missed else text


def _markdown(comparison: ArmComparison, terms: Terms) -> Iterator[str]:
    yield f"## {MARKS[comparison.outcome]} {comparison.answer}"
    yield ""
    yield f"{_code(comparison.old)} → {_code(comparison.new)}"
    yield ""
    if comparison.rows:
        yield "| metric | old | new | new/old | interval | answer |"
        yield "|---|---|---|---|---|---|"
        for row in comparison.rows:
            cells = " | ".join(_code(cell) for cell in _cells(row))
            yield f"| {_code(row.metric)} | {cells} | {MARKS[row.decision.outcome]} {row.decision.outcome} |"
        yield ""
    for note in notes(comparison, terms):
        yield f"- {_code(note)}"
    yield ""


def _code(text: str) -> str:
    from ..renderers.markdown import code

    return code(text, cell=True)


def _github(comparison: ArmComparison, terms: Terms) -> Iterator[str]:
    title = f"dlaudit compare: {comparison.answer}"
    lines = [f"{comparison.old} -> {comparison.new}"]
    lines += [f"{row.metric}: {row.decision.outcome}, {' '.join(_cells(row)[2:])}" for row in comparison.rows]
    body = "%0A".join(safe(line).replace("%", "%25") for line in [*lines, *notes(comparison, terms)])
    yield f"::{COMMANDS.get(comparison.outcome, 'notice')} title={title.replace(':', '%3A')}::{body}"


def _problem(form: str, problem: str) -> str:
    if form == "github":
        return f"::error title=dlaudit compare::{safe(problem).replace('%', '%25')}"
    return f"- {_code('broken: ' + problem)}" if form == "markdown" else f"broken: {safe(problem)}"
