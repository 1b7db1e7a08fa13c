"""What the words around a table say of results of the MLPerf suites: part, round, division, submitter, entries."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct

from ....rules.facts.suite.words import says_unverified
from ....schemas.pattern import Pattern
from ..report_file import ReportFile
from .grids import Grid, plain
from .text import CODE, kinds, uncommented

_Value = TypeVar("_Value", str, int)
MOST_TEXT = 100_000
SCENARIOS = {"singlestream": "SingleStream", "multistream": "MultiStream", "server": "Server", "offline": "Offline"}
SCENARIOS |= {"interactive": "Interactive"}
_SUITE = r"\bMLPerf\s?[®™]?\s?(?:\(R\)|\(TM\))?"
NAMED = Pattern(
    rf"{_SUITE}[ ,:]{{0,3}}(?:(?P<part>Training|Inference|HPC)\b)?[ :,]{{0,3}}"
    r"(?:(?:Data ?-?cent(?:er|re)|Edge|suite)\b)?"
    r"[ :,(]{0,3}(?:(?:round|version) )?(?:v\.? ?(?P<round>[0-9]\.[0-9])(?![0-9.-])"
    r"(?:(?:,| and| to|/) (?:in )?v(?P<more>[0-9]\.[0-9]))?)?"
    r"[ ,]{0,2}(?P<late>Training|Inference|HPC)?",
    re.IGNORECASE,
)
"""A mention of the suite, with its part and its round as far as they stand with it."""
_NO_RESULT = Pattern(
    rf"{_SUITE}[ -]?(?:like|style|inspired|derived|based|compatible|compliant|ish)\b"
    rf"|{_SUITE}(?:[^.;|]|\.(?=[0-9])){{0,40}}\b(?:code|implementations?|scripts?|harness|loadgen|loggings?|containers?|recipes?|reposi"
    r"tor(?:y|ies)|repos?|rules|hyper-?parameters|settings?|configurations?|reference models?|workloads?|data ?sets?)\b"
    rf"|\b(?:outside(?: of)?|based on|modell?ed on|inspired by|following|similar to|adapted from|taken from|"
    rf"borrowed from|unlike|no|not(?: an?)?|non-?) (?:the )?{_SUITE}",
    re.IGNORECASE,
)
_DISOWNED = Pattern(
    r"(?:^|[.;,:(] ?|\b(?:are|were|and|but|so|hence|therefore) )(?:not|no) MLPerf "
    r"(?:results|scores|numbers|submissions)\b",
    re.IGNORECASE,
)
"""Words that say of a table that it shows none."""
_ROUND = Pattern(r"\bv([0-9]\.[0-9])(?![0-9.-])", re.IGNORECASE)
_DIVISION = Pattern(
    r"\b(?P<one>closed|open)(?: and (?:the )?(?P<two>closed|open))?[ -]+divisions?\b|"
    r"\bdivision: ?(?P<stated>closed|open)\b",
    re.IGNORECASE,
)
_HEADING = Pattern(r"(#{1,6})\s+(.*)")
_ITEM = Pattern(r"(?:[*+-] |> ?|: )+")
_BESIDE = Pattern(r"[^.;|]{0,24}?\b(?P<beside>closed|open)\b", re.IGNORECASE)
ENTRY = Pattern(r"(?<![0-9.-])[0-9]\.[0-9]-[0-9]{4}(?![0-9-])")
_OF_FOOTNOTE = Pattern(r"(?<![0-9.-])[0-9]\.[0-9]-[0-9]{4}(?![0-9-])|\bMLCommons\b")
_RESULT = Pattern(
    r"\b(?:closed|open)[ -]division|\bdivision:|\bclosed\b|\bsubmitt(?:ers?|ed)\b|\bsubmissions?\b|\b(?:un)?verified\b|"
    rf"\brounds?\b|(?<![0-9.-])[0-9]\.[0-9]-[0-9]{{4}}(?![0-9-])|{_SUITE}[^.;|]{{0,40}}\b(?:results?|scores?|"
    r"entr(?:y|ies))\b",
    re.IGNORECASE,
)
_NAME = r"(?P<{}>[A-Z][\w&'-]*(?: (?:[A-Z][\w&'-]*|of|and|for)){{0,4}}?(?: [A-Z][\w&'-]*)?)"
_SUBMITTERS = (
    rf"\b[Ss]ubmitter(?: of all (?:rows|results))?:? {_NAME.format('name')}(?=[.,;:)]|$| \(|\n)",
    rf"\b[Rr]esults(?: of|:) {_NAME.format('name')}(?=,| MLPerf| in )",
    rf"(?:^|(?<=[.!?>] )){_NAME.format('name')} (?:therefore )?(?:submitted|today announced its results)\b",
    rf"\b(?:from|are) {_NAME.format('name')}'s? (?:own\b|MLPerf\b)",
    rf"\b(?:[Rr]esults are|[Tt]he results are) {_NAME.format('name')}'s? own\b",
)
_ORGANISATIONS = tuple(Pattern(text) for text in _SUBMITTERS)
_NO_NAMES = frozenset(("We", "The", "They", "It", "Our", "This", "These", "All", "Both", "MLPerf", "Each", "Results"))
_CATEGORY = Pattern(
    r"\bcategory:? (?:is )?[\"“*_]*(?P<stated>available(?:[ -](?:on[- ]premises?|(?:in )?cloud))?|preview|RDI|research)"
    r"|\bavailable (?P<where>cloud|on[- ]premises?|systems)\b|"
    r"\bdivision, (?P<short>available(?: cloud| on-premise)?|preview|RDI)\b|\((?P<marked>preview|RDI)\)",
    re.IGNORECASE,
)
VERIFIED = Pattern(r"\bverified\b", re.IGNORECASE)
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
_WORDS = {word: number for number, word in enumerate(_NUMBERS, 1)} | {"twelve": 12, "sixteen": 16}
_LISTED = Pattern(
    rf"\b([0-9]{{1,5}}|{'|'.join(_WORDS)})(?:,| and| or| to| ?[-–/])(?: of| on| with)? ?\Z", re.IGNORECASE
)
_VENDOR = r"(?:NVIDIA|AMD|Intel|Google|Qualcomm|Habana|Huawei|Apple)"
COUNT = Pattern(
    rf"\b(?P<count>[0-9]{{1,5}}|{'|'.join(_WORDS)})(?: ?[x×] ?| )"
    rf"(?:(?P<device>{_VENDOR} [A-Z][\w-]*(?: (?=[A-Z]*[0-9])[\w-]+|(?: [A-Z]{{2,4}})? [A-Z][a-z]+(?: [0-9]+[A-Z])?)?)|"
    r"(?:(?:NVIDIA|AMD|Intel|Google) )?(?:[\w-]+ )?(?:accelerators?|GPUs?|TPUs?|chips?|cards?)\b(?![- ]minutes))|"
    rf"\bwith (?P<with>[0-9]{{1,5}}) ?[x×] ?(?=[A-Z])(?!{_VENDOR})",
)


class Paragraph(Struct, frozen=True):
    """A paragraph of a text: its first line, from 1, its words, and the heading that it stands under, as a number."""

    line: int
    text: str
    section: int


class Heading(Struct, frozen=True):
    """A heading: its line, its level from 1, its words."""

    line: int
    level: int
    text: str


class Outline(Struct, frozen=True):
    """A text: its headings, its paragraphs, and those of them that name entries or the owner of the suite."""

    headings: tuple[Heading, ...]
    paragraphs: tuple[Paragraph, ...]
    notes: tuple[str, ...]


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
    titles, before, above, notes = _placed(text, grid)
    near = (heads, grid.sentence, titles[-1] if titles else grid.title)
    shows = any(_is_mention(each) for each in near)
    told = any(_is_mention(text) for text in above) and any("mlperf" in text.casefold() for text in before)
    own = shows or told or any(_is_mention(text) for text in before)
    under = any(_is_mention(text) for text in titles[:-1])
    nearest = before[-1] if before else grid.sentence
    denied = _NO_RESULT.search(nearest) is not None and not any(_is_mention(text) for text in (heads, nearest))
    if denied or _DISOWNED.search(nearest) or not (own or under):
        return None
    levels = (heads, grid.sentence, grid.title, *reversed(before), *(reversed(titles[:-1])), *above)
    levels = tuple(dict.fromkeys(text for text in levels if text))
    if not any(_RESULT.search(text) for text in levels) or not (_has_trait(grid) or _is_mention(heads)):
        return None
    part = _part((*levels, *notes), grid)
    footnote = " ".join(text for text in notes if _OF_FOOTNOTE.search(text))
    labels = tuple(" ".join(cell.text for cell in row[:2]) for row in grid.rows[:50])
    entered = any(ENTRY.search(cell.text) for row in grid.rows for cell in row)
    return SuiteWords(part, levels, tuple(notes), footnote[:4000], labels, entered) if part else None


@lru_cache(maxsize=4096)
def _is_mention(text: str) -> bool:
    """Whether a text names results of the suite, in a sentence that does not call them something else."""
    return any(
        match["part"]
        or match["late"]
        or match["round"]
        or re.search(r"^[^.;]{0,30}\bresults\b", sentence[match.end() :])
        for sentence in re.split(r"(?<=[.;!?]) ", text)
        if not _NO_RESULT.search(sentence)
        for match in NAMED.finditer(sentence)
    )


def _has_trait(grid: Grid) -> bool:
    """Whether a table shows what results of a suite have: scenarios, entries, a submitter, a time to train."""
    texts = [cell.text for row in (grid.header, *grid.rows) for cell in row] + [grid.title]
    if any(
        ENTRY.search(text) or re.search(r"\btime to train\b|\bsubmitters?\b", text, re.IGNORECASE) for text in texts
    ):
        return True
    return any(scenario_in(text) for text in texts) or any(says_unverified(text) for text in texts)


@lru_cache(maxsize=4096)
def scenario_in(text: str) -> str | None:
    """Return the one scenario that a short text names."""
    words = re.sub(r"single[ -]stream", "singlestream", re.sub(r"multi[ -]stream", "multistream", text.casefold()))
    found = {SCENARIOS[word] for word in re.findall(r"[a-z]+", words) if word in SCENARIOS}
    return found.pop() if len(found) == 1 else None


def outline(file: ReportFile) -> Outline | None:
    """Return the headings and paragraphs of a text that names the suite; None of any other."""
    if "mlperf" not in file.text[: 1 << 20].casefold():
        return None
    lines = uncommented(file.lines)
    code = kinds(lines)
    headings: list[Heading] = []
    paragraphs: list[Paragraph] = []
    held: list[str] = []
    first = size = 0

    def close() -> None:
        nonlocal size
        words = plain(" ".join(held))
        size += len(words)
        if words and size <= MOST_TEXT:
            paragraphs.append(Paragraph(first, words, headings[-1].line if headings else 0))
        held.clear()

    for number, line in enumerate(lines, 1):
        text = line.strip()
        heading = _HEADING.match(text) if number - 1 not in code else None
        prose = bool(text) and heading is None and "|" not in text and "<table" not in text.casefold()
        item = _ITEM.match(text)
        if not prose or item is not None:
            close()
        if heading is not None:
            headings.append(Heading(number, len(heading[1]), plain(heading[2][:1000])))
        elif prose and code.get(number - 1) != CODE:
            first = first if held else number
            held.append(text[item.end() if item is not None else 0 :][:2000])
    close()
    notes = tuple(each.text for each in paragraphs if _OF_FOOTNOTE.search(each.text))
    return Outline(tuple(headings), tuple(paragraphs), notes)


def _placed(text: Outline, grid: Grid) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return the headings above a table, highest first, the text before it in its section, in theirs, and the notes."""
    at = grid.header[0].line
    chain: list[Heading] = []
    for each in text.headings:
        if each.line < at:
            chain = [*(other for other in chain if other.level < each.level), each]
    own, parents = chain[-1].line if chain else 0, {each.line for each in chain[:-1]}
    before = [each.text for each in text.paragraphs if each.section == own and each.line < at]
    above = [each.text for each in text.paragraphs if each.section in parents]
    below = [each.text for each in text.paragraphs if each.section == own and each.line > at]
    return [each.text for each in chain], before, above, list(dict.fromkeys((*below, *text.notes)))


def _part(texts: Iterable[str], grid: Grid) -> str:
    """Return the part of the suite that the nearest text names, else the one that scenarios or times to train tell."""
    for text in texts:
        found = {(match["part"] or match["late"] or "").casefold() for match in NAMED.finditer(text)} - {""}
        if found:
            parts = {"inference" if name == "inference" else "training" for name in found}
            return parts.pop() if len(parts) == 1 else ""
    heads = " ".join(cell.text for cell in grid.header)
    if any(scenario_in(cell.text) for row in (grid.header, *grid.rows) for cell in row):
        return "inference"
    return "training" if re.search(r"\btime to train\b", heads, re.IGNORECASE) else ""


def one_of(found: list[set[_Value]]) -> _Value | None:
    """Return what the nearest text that says something says, where it says one thing."""
    told = next((each for each in found if each), set())
    return next(iter(told)) if len(told) == 1 else None


@lru_cache(maxsize=4096)
def rounds_in(text: str) -> set[str]:
    """Return the rounds that a text names behind the suite's name."""
    found = [(match["round"], match["more"]) for match in NAMED.finditer(text)]
    return {name for pair in found for name in pair if name}


def round_of_heading(text: str) -> str | None:
    """Return the one round that a heading or a cell names."""
    found = set(_ROUND.findall(text)) | rounds_in(text)
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=4096)
def divisions_in(text: str) -> set[str]:
    """Return the divisions that a text says that results are of."""
    found = {
        match[name].casefold() for match in _DIVISION.finditer(text) for name in ("one", "two", "stated") if match[name]
    }
    for match in NAMED.finditer(text):
        beside = _BESIDE.match(text, match.end())
        if beside is not None and (match["round"] or match["part"]):
            found.add(beside["beside"].casefold())
    return found


@lru_cache(maxsize=4096)
def organisation_in(text: str) -> set[str]:
    """Return the organisations that a text names as submitters."""
    found = {match["name"].removesuffix("'").strip() for each in _ORGANISATIONS for match in each.finditer(text)}
    return {name for name in found if name and name.split()[0] not in _NO_NAMES}


@lru_cache(maxsize=4096)
def categories_in(text: str) -> set[str]:
    """Return the categories of availability that a text names."""
    found = set()
    for match in _CATEGORY.finditer(text):
        stated = match["stated"] or match["short"] or match["marked"]
        word = stated or ("available" if match["where"] == "systems" else match[0])
        found.add(" ".join(word.casefold().split()))
    return found


@lru_cache(maxsize=4096)
def counts_in(text: str) -> set[int]:
    """Return how many accelerators a text says that systems have; of "4 and 8 accelerators" both."""
    found = set()
    for match in COUNT.finditer(text):
        found.add(_count(match["count"] or match["with"]))
        listed = _LISTED.search(text[max(match.start() - 40, 0) : match.start()])
        found |= {_count(listed[1])} if listed is not None else set()
    return found


@lru_cache(maxsize=4096)
def devices_in(text: str) -> set[str]:
    """Return the accelerators that a text names with their number: "8x NVIDIA H200-SXM-141GB"."""
    return {f"{_count(match['count'])}x {match['device']}" for match in COUNT.finditer(text) if match["device"]}


def _count(text: str) -> int:
    return _WORDS.get(text.casefold()) or int(text)
