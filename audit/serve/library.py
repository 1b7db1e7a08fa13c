"""What a folder holds, judged: documents, claims, studies with their raw samples, comparisons. Pages look up here.

Whatever a page asks for is found by a key in a dictionary; no part of an address is ever a path.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...rules.case import Side, Study
from ...schemas.errors import UserError
from ...schemas.evidence import Trial
from ...schemas.files import open_beneath
from ...schemas.strict_json import loads
from ..lint.lint import Linted, lint
from ..lint.read import read_documents
from ..lint.settings import Settings
from ..report import ClaimReport, Verdict

SHOWN_WAYS = frozenset({"violation", "caveat"})
COMPARISON_LIMIT_BYTES = 4 << 20
MOST_FILES = 100_000


@dataclass(frozen=True, slots=True)
class Entry:
    """One judged document."""

    key: str
    path: str
    """Below the folder that is shown."""
    linted: Linted
    date: str
    """Day on which its newest study ended, or on which it was published, ISO 8601; empty where neither is known."""


@dataclass(frozen=True, slots=True)
class Row:
    """One claim of a document, as the list shows it."""

    entry: Entry
    claim: ClaimReport
    ways: tuple[str, ...]
    """Ways of fooling the masses that the evidence shows of it."""


@dataclass(frozen=True, slots=True)
class Point:
    """A metric of an arm in one study."""

    date: str
    value: float
    low: float | None
    high: float | None
    study: str
    entry: Entry
    device: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison that `dlaudit compare --format json` wrote."""

    key: str
    path: str
    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Library:
    """Everything that is shown."""

    entries: Mapping[str, Entry]
    comparisons: Mapping[str, Comparison]
    problem: str
    """Why nothing could be read; empty where something could."""

    def rows(self) -> Iterator[Row]:
        """Yield every claim, the newest documents first."""
        for entry in sorted(self.entries.values(), key=lambda entry: (entry.date, entry.path), reverse=True):
            for claim in entry.linted.report.claims:
                yield Row(entry, claim, tuple(way for way, found in claim.ways.items() if found in SHOWN_WAYS))

    def trends(self) -> dict[str, list[Point]]:
        """Return each metric of each arm over the studies that have it, in the order of time; each study once."""
        found: dict[str, dict[str, Point]] = {}
        for entry in self.entries.values():
            for study in entry.linted.case.studies.values():
                for name, point in _points(entry, study):
                    found.setdefault(name, {}).setdefault(point.study, point)
        return {name: sorted(points.values(), key=lambda point: point.date) for name, points in sorted(found.items())}


def fingerprint(folder: Path) -> str:
    """Return what changes when a file of a folder does: names, sizes and times, no content."""
    digest = sha256()
    for home, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names)[:MOST_FILES]:
            path = Path(home, name)
            try:
                found = path.lstat()
            except OSError:
                continue
            digest.update(f"{path}\0{found.st_size}\0{found.st_mtime_ns}\0".encode(errors="surrogateescape"))
    return digest.hexdigest()


def read_library(folder: Path, settings: Settings) -> Library:
    """Read and judge what a folder holds; what cannot be read is an entry with its problem."""
    try:
        documents = read_documents([str(folder)])
    except UserError as error:
        return Library({}, _comparisons(folder), str(error))
    entries, problems = {}, []
    for document in documents:
        path = _below(folder, document.source.name)
        key = sha256(path.encode(errors="surrogateescape")).hexdigest()[:16]
        try:
            linted = lint(document, settings)
        except UserError as error:
            problems.append(f"{path}: {error}")
            continue
        entries[key] = Entry(key, path, linted, _date(linted))
    return Library(entries, _comparisons(folder), "; ".join(problems))


def _below(folder: Path, name: str) -> str:
    try:
        return Path(name).relative_to(folder).as_posix()
    except ValueError:
        return Path(name).name


def _date(linted: Linted) -> str:
    studies = linted.case.studies.values()
    ends = [study.record.study.ended for study in studies if study.record is not None]
    publication = linted.case.submission.publication
    return max(ends, default="")[:10] or (publication.date if publication is not None else None) or ""


def _points(entry: Entry, study: Study) -> Iterator[tuple[str, Point]]:
    if study.record is None:
        return
    for arm, side in _sides(entry, study):
        for name, metric in side.arm.performance.items():
            if metric.value is None:
                continue
            low, high = (metric.interval.low, metric.interval.high) if metric.interval is not None else (None, None)
            device = side.system.name if side.system is not None else ""
            ends = float(low) if low is not None else None, float(high) if high is not None else None
            day, value = study.record.study.ended, float(metric.value)
            yield f"{arm}: {name}, {metric.unit}", Point(day, value, *ends, study.record.study.id, entry, device)


def _sides(entry: Entry, study: Study) -> Iterator[tuple[str, Side]]:
    assert study.record is not None
    for arm in study.record.arms:
        side = entry.linted.case.cited(study, arm)
        if side is not None:
            yield arm, side


def trials(side: Side) -> Sequence[tuple[str, Trial]]:
    """Return the trials of an arm that hold raw numbers."""
    return [(name, trial) for name, trial in side.arm.trials.items() if trial.samples or trial.samples_file]


def columns(side: Side, trial: Trial) -> Mapping[str, Sequence[float]]:
    """Return the raw columns of a trial; none where its file is not the one that was recorded."""
    return side.study.read(trial) if side.study is not None else trial.samples


def side_of(entry: Entry, name: str) -> Side | None:
    """Return an arm of a document by the id that the case gives it."""
    return next((side for side in entry.linted.case.sides() if side.id == name), None)


def verdict_named(words: str) -> Verdict | None:
    """Return the verdict of this name, as addresses spell it."""
    return next((verdict for verdict in Verdict if verdict.name == words), None)


def _comparisons(folder: Path) -> dict[str, Comparison]:
    found = {}
    for home, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names)[:MOST_FILES]:
            path = Path(home, name)
            if name.endswith(".json") and (comparison := _comparison(folder, path)) is not None:
                found[comparison.key] = comparison
    return found


def _comparison(folder: Path, path: Path) -> Comparison | None:
    relative = path.relative_to(folder).as_posix()
    try:
        if path.stat().st_size > COMPARISON_LIMIT_BYTES:
            return None
        with open_beneath(folder, relative) as file:
            data = file.read(COMPARISON_LIMIT_BYTES)
        value: Any = loads(data, relative) if b'"comparison/1"' in data else None
    except (UserError, OSError):
        return None
    if not isinstance(value, dict) or value.get("dlaudit") != "comparison/1" or not _is_whole(value):
        return None
    return Comparison(sha256(relative.encode(errors="surrogateescape")).hexdigest()[:16], relative, value)


def _is_whole(value: Mapping[str, Any]) -> bool:
    """Whether a comparison has the parts that its page shows; it has no schema of its own."""
    rows = value.get("comparisons")
    if not isinstance(rows, list):
        return False
    for row in rows:
        if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in ("old", "new", "outcome")):
            return False
        metrics = row.get("metrics")
        if not isinstance(metrics, dict) or not all(isinstance(each, dict) for each in metrics.values()):
            return False
    return True
