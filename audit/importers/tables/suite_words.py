"""What the words around a table say of results of the MLPerf suites: part, round, division, submitter, entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec import Struct

from ....rules.facts.suite.words import says_unverified
from ....rules.language.reading import read
from ....rules.language.suites import organisations, rounds_alone, suite_names
from ....schemas.pattern import Pattern
from .grids import Grid
from .outline import Outline, around

_Value = TypeVar("_Value", str, int)
MOST_ROWS, MOST_NOTE = 50, 4000
BESIDE = 24
"""Characters between the name of the suite and "closed", as in "MLPerf Training v5.0 (closed)"."""
ENTRY = Pattern(r"(?<![0-9.-])[0-9]\.[0-9]-[0-9]{4}(?![0-9-])")


class SuiteWords(Struct, frozen=True):
    """What is said of the results of a table, nearest first.

    Attributes:
        part: training or inference.
        levels: the texts that hold for the table, nearest first: its headings, the text before it, titles, more.
        notes: what else the document says below and in its notes.
        footnote: those of the notes that name entries or the owner of the suite.
        labels: the first two cells of the table's first rows.
        entered: whether rows of the table name their own entries.
    """

    part: str
    levels: tuple[str, ...]
    notes: tuple[str, ...]
    footnote: str = ""
    labels: tuple[str, ...] = ()
    entered: bool = False

    @property
    def every(self) -> tuple[str, ...]:
        """All texts, nearest first."""
        return (*self.levels, *self.notes)


def suite_words(text: Outline, grid: Grid) -> SuiteWords | None:
    """Return what stands around a table of results of a suite; None where the table is not plainly one."""
    heads = " | ".join(cell.text for cell in grid.header)
    beside = around(text, grid)
    title = beside.titles[-1] if beside.titles else grid.title
    nearest = beside.before[-1] if beside.before else grid.sentence
    told = any(map(_shows_results, beside.above)) and any(suite_names(read(text)) for text in beside.before)
    shown = told or any(map(_shows_results, (heads, grid.sentence, title, *beside.before, *beside.titles[:-1])))
    denied = _is_of_something_else(nearest) and not any(map(_shows_results, (heads, nearest)))
    if denied or _disowns(nearest) or not shown:
        return None
    around_it = (heads, grid.sentence, grid.title, *reversed(beside.before), *reversed(beside.titles[:-1]))
    levels = tuple(dict.fromkeys(text for text in (*around_it, *beside.above) if text))
    if not any(map(_tells_of_results, levels)) or not (_has_trait(grid) or _shows_results(heads)):
        return None
    noted = (each.text for each in text.paragraphs if _is_footnote(each.text))
    notes = tuple(dict.fromkeys((*beside.below, *noted)))
    part = _part((*levels, *notes), grid)
    footnote = " ".join(filter(_is_footnote, notes))[:MOST_NOTE]
    labels = tuple(" ".join(cell.text for cell in row[:2]) for row in grid.rows[:MOST_ROWS])
    entered = any(ENTRY.search(cell.text) for row in grid.rows for cell in row)
    return SuiteWords(part, levels, notes, footnote, labels, entered) if part else None


def _shows_results(text: str) -> bool:
    """Whether a text names results of the suite, in a sentence that does not call them something else."""
    reading = read(text)
    names = suite_names(reading)
    if not names:
        return False
    others = [reading.sentence(mention.start) for mention in reading.mentions("suite.no_result")]
    told = [mention.start for mention in reading.mentions("suite.its_results")]
    return any(
        (name.part or name.rounds or name.start in told) and reading.sentence(name.start) not in others
        for name in names
    )


def _is_of_something_else(text: str) -> bool:
    return read(text).has("suite.no_result", affirmed=False)


def _disowns(text: str) -> bool:
    """Whether a text says of a table that it shows no result of the suite."""
    reading = read(text)
    whole = any(reading.opens_clause(mention.start) for mention in reading.mentions("suite.none_at_all"))
    return whole or reading.has("suite.none_here", affirmed=False)


def _tells_of_results(text: str) -> bool:
    return read(text).has("suite.told", affirmed=False) or ENTRY.search(text) is not None


def _is_footnote(text: str) -> bool:
    return ENTRY.search(text) is not None or read(text).has("suite.owner_of_name", affirmed=False)


def _has_trait(grid: Grid) -> bool:
    """Whether a table shows what results of a suite have: scenarios, entries, a submitter, a time to train."""
    texts = [cell.text for row in (grid.header, *grid.rows) for cell in row] + [grid.title]
    return any(
        ENTRY.search(text) or read(text).has("suite.trait") or scenario_in(text) or says_unverified(text)
        for text in texts
    )


def scenario_in(text: str) -> str | None:
    """Return the one scenario that a short text names."""
    found = {word.kind for word in read(text).kinds("scenario")}
    return found.pop() if len(found) == 1 else None


def _part(texts: Iterable[str], grid: Grid) -> str:
    """Return the part of the suite that the nearest text names, else the one that scenarios or times to train tell."""
    for text in texts:
        parts = {name.part for name in suite_names(read(text))} - {""}
        if parts:
            return parts.pop() if len(parts) == 1 else ""
    if any(scenario_in(cell.text) for row in (grid.header, *grid.rows) for cell in row):
        return "inference"
    return "training" if any(read(cell.text).has("suite.trained") for cell in grid.header) else ""


def one_of(found: list[set[_Value]]) -> _Value | None:
    """Return what the nearest text that says something says, where it says one thing."""
    told = next((each for each in found if each), set())
    return next(iter(told)) if len(told) == 1 else None


def rounds_in(text: str) -> set[str]:
    """Return the rounds that a text names behind the suite's name."""
    return {each for name in suite_names(read(text)) for each in name.rounds}


def round_of_heading(text: str) -> str | None:
    """Return the one round that a heading or a cell names."""
    found = rounds_alone(read(text)) | rounds_in(text)
    return found.pop() if len(found) == 1 else None


def divisions_in(text: str) -> set[str]:
    """Return the divisions that a text says that results are of."""
    reading = read(text)
    found = {word.kind for word in reading.kinds("division")}
    for name in suite_names(reading):
        if name.rounds or name.part:
            found |= {t.low for t in reading.within(name.end, name.end + BESIDE) if t.low in ("closed", "open")}
    return found


def organisation_in(text: str) -> set[str]:
    """Return the organisations that a text names as submitters."""
    return organisations(read(text))


def categories_in(text: str) -> set[str]:
    """Return the categories of availability that a text names."""
    reading = read(text)
    stated = reading.mentions("suite.category_stated")
    words = reading.mentions("suite.category_word")
    return {
        word.text.casefold() for each in stated for word in words if each.start <= word.start and word.end <= each.end
    }


def counts_in(text: str) -> set[int]:
    """Return how many accelerators a text says that systems have; of "4 and 8 accelerators" both."""
    reading = read(text)
    fleet = reading.devices()
    return {fleet.devices} if fleet is not None else {int(count.value) for count in reading.counts("devices")}


def devices_in(text: str) -> set[str]:
    """Return the accelerators that a text names with their number: "8x NVIDIA H200-SXM-141GB"."""
    reading = read(text)
    named = {name.first: name.text for name in reading.all_names if name.kind == "device"}
    counts = [*reading.counts("devices"), *reading.counts("devices_per_node")]
    pairs = ((count, named.get(count.last) or named.get(count.last + 1)) for count in counts)
    return {f"{int(count.value)}x {name}" for count, name in pairs if name is not None}


class OfRuns(Struct, frozen=True):
    """Which of several runs a time is: min or trimmed_mean, of how many where that is told, and the clause."""

    statistic: str
    runs: int | None
    clause: str


def of_runs(clause: str) -> Iterator[OfRuns]:
    """Yield of which of how many runs a clause says that a time is."""
    reading = read(clause)
    for name, concept in (("min", "suite.fastest_run"), ("trimmed_mean", "suite.run_mean_without_ends")):
        for mention in reading.mentions(concept):
            counts = [
                int(count.value) for count in reading.counts("runs") if mention.start <= count.start < mention.end
            ]
            yield OfRuns(name, counts[0] if counts else None, clause)


def is_only(text: str, concept: str) -> bool:
    """Whether a cell says nothing but a concept, what stands in brackets behind it apart."""
    return read(text.partition(" (")[0]).is_only(concept)


def calls_derived(text: str) -> bool:
    """Whether a text says that numbers are made of results."""
    return any(read(text).has(concept, affirmed=False) for concept in ("suite.derived", "suite.quotient"))


def is_multiple(text: str) -> bool:
    """Whether a text counts something that it names: "8 x FC-880"."""
    tokens = read(text).tokens
    return any(
        one.counts and by.low == "x" and named.text[0].isupper()
        for one, by, named in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def keyed_scenario(text: str) -> str | None:
    """Return the scenario that stands behind "Scenario:"."""
    reading = read(text)
    ends = [mention.end for mention in reading.mentions("suite.scenario_key")]
    return next((word.kind for word in reading.kinds("scenario") for end in ends if 0 <= word.start - end <= 1), None)


def entries_of_size(text: str, size: int | None) -> set[str]:
    """Return the entries behind which a number of accelerators stands in brackets: "5.0-0031 (8 accelerators)"."""
    counts = {count.start: int(count.value) for count in read(text).counts("devices")}
    return {match[0] for match in ENTRY.finditer(text) if size and counts.get(match.end() + 2) == size}
