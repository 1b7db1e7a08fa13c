"""The summary that LoadGen prints after a run: figures by name, verdict, flags, errors."""

from __future__ import annotations

import re

from msgspec import Struct

from ....schemas.pattern import Pattern
from ..draft import LARGEST

LONGEST = 400
MOST_FIGURES = 500
_NUMBER = Pattern(r"-?[0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][-+]?[0-9]{1,3})?\Z")
_ERRORS = Pattern(r"([0-9]{1,12}) ERRORS? encountered", re.IGNORECASE)
_DISCARDED = Pattern(r"Would discard ([0-9]{1,15}) highest latency queries")
_PROCESSED = Pattern(r"Processed at least [0-9]{1,15} queries \(([0-9]{1,15})\)")
_ESTIMATE = Pattern(r"Early stopping \S+ percentile estimate: ([0-9]{1,20})")
EARLY_STOPPING = {
    "early_stopping_queries": _PROCESSED,
    "early_stopping_discarded": _DISCARDED,
    "early_stopping_estimate_ns": _ESTIMATE,
}
_ODD = Pattern(r"[()\"']")
FLAG = "_satisfied"
SKIPPED = frozenset({"warning", "result_is"})

Figure = str | int


class LoadgenSummary(Struct, frozen=True):
    """A summary.

    Attributes:
        figures: by name, whole numbers as numbers, others with their digits.
        lines: line of each figure.
        words: the verdict as printed.
        valid: whether that is VALID.
        flags: conditions of the verdict by name.
        errors: errors counted, or None where the summary does not say.
    """

    figures: dict[str, Figure]
    lines: dict[str, int]
    words: str | None
    valid: bool | None
    flags: dict[str, bool]
    errors: int | None

    def text(self, *names: str) -> str | None:
        """Return the first of some figures that is there, as text."""
        return next((str(self.figures[name]) for name in names if name in self.figures), None)

    def number(self, *names: str) -> float | None:
        """Return the first of some figures that is a number."""
        for name in names:
            if name in self.figures and _NUMBER.match(str(self.figures[name])):
                return float(self.figures[name])
        return None


def read_summary(text: str) -> LoadgenSummary:
    """Read a summary; what a line does not tell is left out."""
    figures: dict[str, Figure] = {}
    lines: dict[str, int] = {}
    flags: dict[str, bool] = {}
    words: str | None = None
    errors: int | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()[:LONGEST]
        if line.startswith("No errors encountered"):
            errors, lines["errors"] = 0, number
        elif (counted := _ERRORS.match(line)) is not None:
            errors, lines["errors"] = int(counted[1]), number
        elif line.startswith("Result is"):
            words = line.partition(":")[2].strip() or None
            if words:
                figures["result"], lines["result"] = words, number
        elif line.startswith("*"):
            for name, pattern in EARLY_STOPPING.items():
                found = pattern.search(line)
                if found is not None and name not in figures:
                    figures[name], lines[name] = _figure(found[1]), number
        else:
            _line(line, number, figures, lines, flags)
    valid = None if words is None else words.casefold() == "valid"
    return LoadgenSummary(figures, lines, words, valid, flags, errors)


def _line(line: str, number: int, figures: dict[str, Figure], lines: dict[str, int], flags: dict[str, bool]) -> None:
    name, separator, value = line.partition(" : ")
    if not separator:
        name, separator, value = line.partition(":")
    key, value = slug(name), value.strip()
    if not separator or not key or not value or key in SKIPPED or len(figures) >= MOST_FIGURES:
        return
    if key.endswith(FLAG) and value.casefold() in {"yes", "no"}:
        flags[key.removesuffix(FLAG)] = value.casefold() == "yes"
    elif key not in figures:
        figures[key], lines[key] = _figure(value), number


def _figure(value: str) -> Figure:
    if value.isascii() and value.isdigit() and len(value) <= 16 and int(value) <= LARGEST:
        return int(value)
    return value


def slug(name: str) -> str:
    """Return a printed name as a key: "99.00 percentile latency (ns)" is 99.00_percentile_latency_ns."""
    plain = _ODD.sub("", name.strip().casefold()).replace("w/o ", "without ").replace("w/ ", "with ")
    return "_".join(plain.replace("-", "_").split())[:120]
