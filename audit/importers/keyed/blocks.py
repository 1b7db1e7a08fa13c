"""Results as a console prints them: lines of a name and its number, below each other, under a title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ....rules.language.reading import read
from ....schemas.pattern import Pattern
from ..documents.blocks import Written
from ..documents.code import CONSOLES
from ..logs.lexer import Named, behind_head, lex
from ..logs.lines import is_document
from ..report_file import ReportFile
from .headings import is_statistic
from .records import Leaf, Record, Records

MOST_LINES = 20_000
SHARE = 0.5
"""Share of a line that names and numbers are: the rest of a sentence is more."""
LONGEST_HEAD = 40
MOST_WORDS, MOST_OF_LEAD = 8, 5
JOINED = " - "
"""Words of a title without a sign: longer lines are sentences."""
LONGEST_TITLE, KEPT_OF_TITLE = 120, 80
LONGEST_COMMAND = 2_000
MOST_TITLES = 8
OUTPUT = CONSOLES | {"", "bash", "sh", "shell"}
"""Languages of blocks of code in which documents show what was printed."""
PROCESSOR_TIMES = "CPU times:"
"""What a notebook prints, above the wall time, of the time that processors spent on a cell."""
_FILE = Pattern(r"\w\.[A-Za-z]{1,5}:$")
_COMMAND = Pattern(
    r"(?:\([\w.-]{1,40}\) ?)?"
    r"(?:[$>] |(?:[A-Z_]{2,40}=\S{1,200} )*(?:python|torchrun|accelerate|mpirun|srun|\./)\S{0,200} )"
)
_VERDICT = Pattern(r"[A-Za-z ]{1,30}[:=] ?(?:PASS|FAIL|PASSED|FAILED|OK|Pass|Fail|Passed|Failed|True|False|ok)")
"""Whether a check held, which names nothing that stands below."""
_RULE = Pattern(r"={4,200}|-{4,200}|\*{4,200}|#{4,200}|_{4,200}")
REMARKS = frozenset("✓✔✗✘⚠❌✅💡ℹ")
"""Signs that lines begin with which comment on results."""
REMARKED = ("warning", "note:", "hint", "tip:", "recommend")
FEWEST_OF_REMARK = 5
"""Words of an item of a list from which on it is a sentence."""
_HEADING = Pattern(r" {0,3}#{1,6}[ \t]+(?=\S)")
_FENCE = Pattern(r"[ \t>]{0,12}(?:```|~~~)[`~]{0,8}[ \t]*([\w+-]{0,20})")


class Line(Struct, frozen=True):
    """A line that may print results.

    Attributes:
        number: its number.
        text: what stands there.
        of_all: whether it is a title of everything below it, up to the next one.
    """

    number: int
    text: str
    of_all: bool = False


def blocks_of(file: ReportFile) -> list[Records]:
    """Return the blocks of a text as records, those of the same names together; of a document those of its output."""
    found: dict[tuple[tuple[str, ...], ...], list[Record]] = {}
    for record in _records(_lines(file)):
        found.setdefault(tuple(leaf.path for leaf in record.leaves), []).append(record)
    return [Records((), tuple(rows)) for rows in found.values()]


def _lines(file: ReportFile) -> Iterable[Line]:
    """Return the lines that may print results."""
    if file.json is not None:
        return _of_consoles(file.written)
    lines = enumerate(file.lines[:MOST_LINES], 1)
    return _printed(file) if is_document(file) else (Line(number, text) for number, text in lines)


def _of_consoles(written: Written) -> Iterator[Line]:
    """Yield the results that the cells of a notebook printed, those of a cell under the heading that it stands under.

    Between them a notebook prints warnings, progress and the names of objects, which are no titles.
    """
    for block in (block for block in written.blocks if block.kind == "console"):
        yield from (Line(0, title.text) for title in written.titles(block)[-1:])
        offset = 0
        for text in block.text.split("\n"):
            number = block.place(offset).line
            if _leaves(text, text, number)[1] and not _counts(text) and not text.startswith(PROCESSOR_TIMES):
                yield Line(number, text)
            offset += len(text) + 1
        yield Line(0, "")


def _printed(file: ReportFile) -> Iterator[Line]:
    """Yield the lines that blocks of code show as printed; an empty one between two blocks.

    A heading between two blocks is the title of what stands below it, and so are the few words right above a block:
    the name of the script that printed it.
    """
    inside, above = "", list[str]()
    for number, text in enumerate(file.lines[:MOST_LINES], 1):
        fence = _FENCE.match(text)
        if fence is None and inside:
            yield from [Line(number, "" if _counts(text) else text)] if inside == "output" else ()
        elif fence is None:
            headed = _HEADING.match(text)
            if headed:
                yield Line(number, text[headed.end() :], of_all=headed[0].strip() != "#")
            above = [] if headed else [*above, text][-MOST_TITLES:]
        else:
            shows = (fence[1] or "").casefold() in OUTPUT
            inside = "" if inside else "output" if shows else "program"
            lead = _lead(above) if inside else ""
            above = []
            yield Line(number, lead, of_all=bool(lead))


def _lead(above: list[str]) -> str:
    """Return the few words right above a block that name it: an item, or lines of their own; none of a sentence."""
    lines = [" ".join(line.strip("-=*#_+~` :\t").split()) for line in above]
    told = [line for line in lines if not (line and read(line).is_only("claims.leads_to_output"))]
    while told and not told[-1]:
        told.pop()
    paragraph = told[max((at + 1 for at, line in enumerate(told) if not line), default=0) :]
    last = JOINED.join(paragraph)
    return last if len(last.split()) <= MOST_OF_LEAD and not last.endswith(".") else ""


def _counts(text: str) -> bool:
    """Whether a line is of an epoch or a step of a training: one of many, and no result."""
    progress = lex(text).progress
    return progress.epoch is not None or progress.step is not None


def _records(lines: Iterable[Line]) -> Iterator[Record]:
    """Yield what stands between blank lines and titles; a name that comes again begins another record."""
    titles, held, every = Titles(), list[Leaf](), list(lines)
    for at, printed in enumerate(every):
        number, text = printed.number, printed.text
        line = text[behind_head(text) :].strip()
        head, leaves = _leaves(text, line, number) if not _COMMAND.match(line) else ("", [])
        if leaves and head:
            yield Record((*titles.names, head), tuple(leaves))
            continue
        if leaves:
            if {leaf.path for leaf in leaves} & {leaf.path for leaf in held}:
                yield Record(titles.names, tuple(held))
                held = []
            held += leaves
            continue
        words = " ".join(line.strip("-=*#_+~ :\t").split())
        if _VERDICT.fullmatch(words):
            continue
        if line.startswith("---") and words:
            continue  # a heading within a block
        if not line or words or line.startswith("="):
            if held:
                yield Record(titles.names, tuple(held))
            held = []
            framed = 0 < at < len(every) - 1 and all(
                _RULE.fullmatch(every[near].text.strip()) for near in (at - 1, at + 1)
            )
            titles.read(text, words, framed or printed.of_all)
    if held:
        yield Record(titles.names, tuple(held))


class Titles:
    """The titles that hold for a line: the last one, and of keys as `timing:` those that it is indented under."""

    def __init__(self) -> None:
        self._held: list[tuple[int, str]] = []

    @property
    def names(self) -> tuple[str, ...]:
        """What stands above, the outermost first."""
        return tuple(words for _, words in self._held)

    def read(self, text: str, words: str, framed: bool) -> None:
        """Take the title that a line is, in place of those as far in or farther; between two rules it is one of all."""
        if not _is_title(words) or _is_remark(text.strip(), words):
            return
        indent = -1 if framed else len(text) - len(text.lstrip())
        self._held = [each for each in self._held if each[0] < indent][-MOST_TITLES:]
        self._held.append((indent, words[:KEPT_OF_TITLE]))


def _leaves(text: str, line: str, number: int) -> tuple[str, list[Leaf]]:
    """Return the numbers of a line that is nothing else, with what stands before them.

    A name and its number are parted by a sign. Statistics are of what stands before the first: "Latency: min = 3 ms".
    """
    named = [each for each in lex(text).named if _is_stated(text, each)]
    told = sum(len(each.key) + len(each.value) + len(each.unit) + 2 for each in named)
    if not named:
        return "", []
    head = line.partition(named[0].key)[0].strip(" :=|-,;\t[")
    head = head if any(sign.isalpha() for sign in head) else ""
    if told + len(head) < SHARE * len(" ".join(line.split())) or len(head) > LONGEST_HEAD or told < len(head):
        return "", []
    above = head if is_statistic(named[0].key) else ""
    leaves = []
    for each in named:
        path = (above, each.key) if above and is_statistic(each.key) else (each.key,)
        printed = each.value.replace(",", "") + (f" {each.unit}" if each.unit else "")
        leaves.append(Leaf(path, printed, number, each.column))
    return "" if above else head, leaves


def _is_stated(text: str, each: Named) -> bool:
    """Whether a sign parts a number from its name, and no word behind it may be a unit that is not known.

    A name is whole, not the beginning of an aside in brackets, and no file with the number of a line.
    """
    end = each.column - 1 + len(each.value)
    before = text[: each.column - 1]
    sign = before.rstrip(" \t'\"")
    parted = sign[-1:] in {":", "="} and not sign.endswith("==")  # a requirement pins a release
    whole = each.key.count("(") == each.key.count(")") and not _FILE.search(before[-LONGEST_HEAD:])
    is_release = text[end : end + 1] == "." and text[end + 1 : end + 2].isdigit()
    return parted and whole and not is_release and (bool(each.unit) or not text[end : end + 2].strip()[:1].isalpha())


def _is_remark(line: str, words: str) -> bool:
    """Whether a line comments on results: it names nothing that stands below."""
    listed = line.startswith(("- ", "* ", "• ")) and not line.endswith(":")
    said = listed and len(words.split()) >= FEWEST_OF_REMARK
    return said or line[0] in REMARKS or line.endswith("!") or line.casefold().startswith(REMARKED)


def _is_title(words: str) -> bool:
    """Whether a line may name what stands below it: a command, or words with no number that was measured."""
    if _COMMAND.match(words[:LONGEST_COMMAND]):
        return len(words) < LONGEST_COMMAND
    is_prose = len(words.split()) > MOST_WORDS and ":" not in words and "=" not in words
    return (
        len(words) < LONGEST_TITLE
        and not is_prose
        and any(sign.isalpha() for sign in words)
        and not any(n.value.count(".") for n in lex(words).named)
    )
