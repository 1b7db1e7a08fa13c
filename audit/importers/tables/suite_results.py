"""The results of the MLPerf suites that a table quotes: of each number the identity that the document states."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from ....rules.facts.quantities.unit_parts import unit_parts
from ....rules.facts.suite.words import UNVERIFIED, VERIFIED, apart, says_unverified
from ....rules.language.reading import read
from ....schemas.pattern import Pattern
from ..drafting import stated
from .arms import Arm, Series
from .grids import Cell
from .roles import BESIDE, RATIOS, VALUES
from .series import Columns, Row
from .suite_words import (
    ENTRY,
    OfRuns,
    SuiteWords,
    calls_derived,
    categories_in,
    counts_in,
    devices_in,
    divisions_in,
    entries_of_size,
    is_multiple,
    is_only,
    keyed_scenario,
    of_runs,
    one_of,
    organisation_in,
    round_of_heading,
    rounds_in,
    scenario_in,
)

if TYPE_CHECKING:
    from ..fields import ClaimFields, SuiteResultFields

_MARK = Pattern(r"\[[a-z0-9]{1,3}\]|[*†‡]+$")
_SEPARATORS = (" - ", "(", "|", ":")
_DIVISORS = frozenset({"devices", "nodes", "power", "energy"})
_COMMON = frozenset({"ssd", "gnn", "transformer", "flux"})
"""Names of benchmarks that are words of other things, too: in prose they name none."""


def is_result(claim: ClaimFields, words: SuiteWords) -> bool:
    """Whether a number of a table of results is one of what its suite measures, or is made of it."""
    if words.part == "training":
        return claim["quantity"] == "time" and claim["scope"] == "training_run"
    return claim["quantity"] in {"rate", "latency", "time", "energy"} and claim["scope"] != "training_run"


def quoted_result(
    series: Series, arm: Arm, column: int, claim: ClaimFields, base: tuple[Series, Arm, int] | None = None
) -> ClaimFields:
    """Return what a claim of a number has where the number is a result of a suite; nothing where it is none.

    Args:
        series: the table.
        arm: the arm of the row.
        column: the column that holds the result.
        claim: the claim of it, or of a ratio that is made of it.
        base: of a ratio, where the result stands that it is relative to. The share that one scenario's number is of
            another one's is no comparison of results.
    """
    words = series.context.suite
    if words is None or not is_result(claim, words) or _is_beside(series, column):
        return {}
    named = _of(series, arm, column, words)
    identity = named.identity()
    if base is not None and _of(*base, words).identity().get("scenario") != identity.get("scenario"):
        return {}
    over = claim.get("base", {}).get("definition")
    notes = [claim["statement"], *([f"({named.head}; over: {over})"] if over else []), *named.notes(claim)]
    found: ClaimFields = {"suite": words.part, "mode": words.part, "statement": " ".join(notes)[:4000]}
    if claim["compares"] == "none" and claim["form"] == "absolute":
        found["purpose"] = "leaderboard"
    told = named.of_runs() if words.part == "training" and claim["form"] == "absolute" else None
    if told is not None:
        found["statistic"] = told.statistic
    if _is_derived(claim):
        found["basis"] = "derived"
    if identity.get("division"):
        found["division"] = identity["division"]
    if identity:
        found["suite_result"] = identity
    return found


def _is_beside(series: Series, column: int) -> bool:
    """Whether a column stands beside one whose head names the suite, and its own names nothing of it: "Production"."""
    heads = [cell.text for cell in series.columns.grid.header]
    values = [heads[at] for at, role in enumerate(series.columns.roles) if role.role in VALUES]
    own = heads[column]
    named = any("mlperf" in text.casefold() for text in values)
    return named and not ("mlperf" in own.casefold() or round_of_heading(own) or scenario_in(own))


def runs_of(series: Series, arm: Arm, column: int) -> int | None:
    """Return of how many runs a time to train is, where words call it one run's, or the fastest of several."""
    words = series.context.suite
    if words is None or words.part != "training":
        return None
    named = _of(series, arm, column, words)
    if any(read(note).has("suite.one_run") for note in named.marked()):
        return 1
    told = named.of_runs()
    return told.runs if told is not None and told.statistic == "min" else None


def is_reference(found: Columns, row: int, words: SuiteWords) -> bool:
    """Whether a row of a table with entries is that of the suite's reference, as its first cell says."""
    return words.entered and is_only(found.grid.rows[row][0].text, "suite.reference_row")


def devices_of(found: Columns, row: Row, words: SuiteWords) -> int | None:
    """Return how many accelerators the system of a row has: as the row says, else as the text around says of all."""
    if row.devices is not None or any(counts_in(cell.text) for cell in found.grid.header[1:]):
        return row.devices
    return one_of([counts_in(text) for text in (*_named(found, row.index), *words.every)])


def _named(found: Columns, row: int) -> tuple[str, ...]:
    """Return the cells of a row that hold no measured number."""
    cells = zip(found.grid.rows[row], found.roles, strict=True)
    return tuple(cell.text for cell, role in cells if role.role not in (*VALUES, *RATIOS, *BESIDE))


def _of(series: Series, arm: Arm, column: int, words: SuiteWords) -> _Of:
    grid = series.columns.grid
    row, named = grid.rows[arm.row.index], _named(series.columns, arm.row.index)
    return _Of(words, arm, grid.header[column].text, grid.header, row, named)


def _is_derived(claim: ClaimFields) -> bool:
    """Whether a number is made of results: a ratio, or one for each device or watt."""
    return claim["form"] != "absolute" or any(part.kind in _DIVISORS for part in unit_parts(claim.get("unit"))[1:])


class _Of(Struct, frozen=True):
    """A number of a table of results.

    Attributes:
        words: what stands around the table.
        arm: the arm that its row became.
        head: the heading of its column.
        header: all headings.
        row: its row.
        beside: the cells of the row that name something.
    """

    words: SuiteWords
    arm: Arm
    head: str
    header: tuple[Cell, ...]
    row: tuple[Cell, ...]
    beside: tuple[str, ...]

    def identity(self) -> SuiteResultFields:
        """Return the identity as far as it is stated."""
        id_, verified = self._entry(), self._verified()
        found: SuiteResultFields = {
            "organisation": self._of_column("organisation") or self._stated(organisation_in),
            "benchmark": self._benchmark(),
            "round": self._round(),
            "division": self._division(),
            "scenario": self._scenario() if self.words.part == "inference" else None,
            "system": self._system(),
            "devices": self._devices(),
            "verified": verified,
            "id": id_ if verified is not False else None,
            "category": self._category(),
            "footnote": self.words.footnote or None,
        }
        if verified and id_ is None and _entries(self.words.every):
            found["verified"] = None  # which of the entries it is is not told
        return stated(found)

    def notes(self, claim: ClaimFields) -> list[str]:
        """Return the notes that a reader sees with the number: those of its marks, and what it is derived from."""
        notes = self.marked()
        clauses = _clauses(self.words.every[1:])
        if _is_derived(claim):
            notes = [text for text in clauses if calls_derived(text) and not read(text).has(VERIFIED, False)][:3]
        elif not notes and self._verified() is False:
            notes = [text for text in clauses if says_unverified(text)][:2]
        told = self.of_runs() if self.words.part == "training" and claim["form"] == "absolute" else None
        if told is not None and told.statistic == "min":
            notes.append(told.clause)
        if claim["quantity"] == "energy":
            notes += [text for text in clauses if read(text).has("suite.power_source")][:3]
        return list(dict.fromkeys(notes))

    def of_runs(self) -> OfRuns | None:
        """Return of which of how many runs a time is called, by its notes, else by the text around.

        None where neither says it, or several things are said.
        """
        for texts in (self.marked(), self.words.levels):
            found = [told for clause in _clauses(tuple(texts)) for told in of_runs(clause)]
            if found:
                return found[0] if len({told.statistic for told in found}) == 1 else None
        return None

    def _of_column(self, name: str) -> str | None:
        for head, cell in zip(self.header, self.row, strict=True):
            if is_only(head.text, f"suite.head.{name}") and cell.text.strip(" -–—"):
                return _plain(cell)
        return None

    def _stated(self, read: Callable[[str], set[str]], first: tuple[str, ...] = ()) -> str | None:
        return one_of([read(text) for text in (*first, *self.words.every)])

    def _round(self) -> str | None:
        told = self._of_column("round") or ""
        stated = round_of_heading(self.head) or round_of_heading(told)
        if stated is None:
            stated = one_of([rounds_in(text) for text in (*self.beside, *self.words.every)])
        return f"v{stated}" if stated is not None else None

    def _division(self) -> str | None:
        told = (self._of_column("division") or "").casefold()
        if told in {"closed", "open"}:
            return told
        return one_of([divisions_in(text) for text in (self.head, *self.beside, *self.words.every)])

    def _scenario(self) -> str | None:
        titled = [text for text in self.words.levels if len(text) <= 60]
        texts = (self.head, self._of_column("scenario") or "", *self.beside, *titled)
        found = next((name for text in texts if (name := scenario_in(text))), None)
        if found is not None:
            return found
        return next((name for text in self.words.every if (name := keyed_scenario(text))), None)

    def _category(self) -> str | None:
        told = self._of_column("category") or ""  # a category may also be "vision", and availability a date
        return told if read(told).kinds("availability") else self._stated(categories_in, self.beside)

    def _benchmark(self) -> str | None:
        told = self._of_column("benchmark")
        if told is not None:
            whole = (told, told.partition(",")[0].strip())
            return next((part for part in whole if _known(self.words.part, part)), told)
        texts = (*self.beside, self.head)
        parts = [part.strip(" )") for text in texts for part in _parts(text)]
        found = next((part for part in parts if _known(self.words.part, part)), None)
        found = found or one_of([set(_named_in(self.words.part, text)) for text in self.beside])
        if found is not None or any(_named_in(self.words.part, text) for text in self.words.labels):
            return found
        return one_of([set(_named_in(self.words.part, text)) for text in self.words.levels])

    def _system(self) -> str | None:
        told = self._of_column("system")
        if told is not None:
            return told.partition(" (")[0]
        texts = (*self.beside, self.head)
        named = next((text for text in texts if counts_in(text) or is_multiple(text)), None)
        if named is not None:
            return named.partition(", ")[0].partition(" (")[0]
        device, size = self._stated(devices_in), self._devices()
        counted = device is not None and size is not None and not device.startswith(f"{size}x ")
        return device.partition("x ")[2] if counted and device is not None else device

    def _devices(self) -> int | None:
        if self.arm.row.devices is not None:
            return self.arm.row.devices
        return one_of([counts_in(text) for text in (*self.beside, self.head, *self.words.every)])

    def _entry(self) -> str | None:
        """Return the number of its entry: the row's, the column's, the only one, or the one of its size or system."""
        own = {name for cell in self.row for name in ENTRY.findall(cell.text)} or set(ENTRY.findall(self.head))
        if own or self.words.entered:
            return own.pop() if len(own) == 1 else None
        every = _entries(self.words.every)
        if len(every) < 2:
            return next(iter(every), None)
        size, system = self._devices(), (self._system() or "").casefold()
        found = set()
        for text in self.words.every:
            found |= entries_of_size(text, size)
            if system and text.casefold().startswith(f"{system}:"):
                found |= set(ENTRY.findall(text))
        return found.pop() if len(found) == 1 else None

    def _verified(self) -> bool | None:
        """Return whether it is called verified: by its row and the notes of its marks, its column, the document."""
        own = " ".join((*(cell.text for cell in self.row), *self.marked()))
        stated = _is_verified(own)
        stated = _is_verified(self.head) if stated is None else stated
        # what is said of the others' results is not said of a row of the authors' own
        mixed = self.words.entered or any(read(label).has("suite.ours") for label in self.words.labels)
        if stated is not None or (mixed and self._entry() is None):
            return stated
        # that results are verified is no word on the entry of this one, unless a column for entries leaves it out
        of_all = _document_verified(self.words.every)
        if self.words.entered and of_all is False:
            return None  # what is said of the rows without an entry
        told = self._entry() is not None or bool(_entries(self.words.every))
        return (
            of_all
            if told or not of_all or any(is_only(head.text, "suite.head.entry") for head in self.header)
            else None
        )

    def marked(self) -> list[str]:
        """Return the notes that the marks in its row lead to."""
        marks = [mark for cell in self.row for mark in _MARK.findall(cell.text)]
        return [note for note in self.words.notes if any(note.startswith(mark) for mark in marks)]


@lru_cache(maxsize=256)
def _document_verified(texts: tuple[str, ...]) -> bool | None:
    """Return whether a document calls its results verified, the notes of single numbers apart."""
    return _is_verified(" ".join(text for text in texts if not _MARK.match(text)))


@lru_cache(maxsize=256)
def _clauses(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(line for text in texts for line in text.replace(". ", ".\n").replace("; ", ";\n").split("\n"))


def _parts(text: str) -> list[str]:
    """Return what stands between the separators of a heading or a label."""
    for separator in _SEPARATORS:
        text = text.replace(separator, ",")
    return text.split(",")


@lru_cache(maxsize=256)
def _entries(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(name for text in texts for name in ENTRY.findall(text))


@lru_cache(maxsize=4)
def _names(part: str) -> frozenset[str]:
    from ....rules.facts.suite.result import benchmark_names

    return benchmark_names(part)


@lru_cache(maxsize=4096)
def _known(part: str, text: str, prose: bool = False) -> bool:
    from ....rules.tables.datasets import plain

    name = plain(text)
    return name in _names(part) and not (prose and name in _COMMON)


@lru_cache(maxsize=1024)
def _named_in(part: str, text: str) -> frozenset[str]:
    """Return the benchmarks that a text names, the longest of each."""
    words = [word.strip(".,;:()\"'*|") for word in text.split()][:400]
    found: set[str] = set()
    at = 0
    while at < len(words):
        # what is left empty is a mark between words, such as the bar between cells: no name goes across it
        whole = (n for n in range(5, 0, -1) if all(words[at : at + n]))
        size = next((n for n in whole if _known(part, " ".join(words[at : at + n]), True)), 0)
        if size:
            found.add(" ".join(words[at : at + size]))
        at += size or 1
    return frozenset(found)


def _is_verified(text: str) -> bool | None:
    """Return whether a text calls results verified; None where it says neither, or both."""
    words = apart(read(text), "suite.called_verified", UNVERIFIED)
    without, with_ = says_unverified(text), next(words, None) is not None
    return None if without == with_ else with_


def _plain(cell: Cell) -> str:
    return _MARK.sub("", cell.text).strip()[:400]
