"""What stands around a table and holds for all its rows: heading, sentence before it, name of the file."""

from __future__ import annotations

import re

from msgspec import Struct

from ....rules.language import lexicon
from ....rules.language.reading import read
from ....schemas.pattern import Pattern
from .basis import of_caption
from .devices import device_in, one_device_in
from .grids import Grid
from .precisions import precision_of, variants_of
from .suite_words import SuiteWords
from .units import Measure, captioned_in
from .words import with_unit

_MACHINE = Pattern(r"\((?P<count>[0-9]{1,4}) ?x ?(?P<device>[^()]{2,40})\)")
_ENDS = frozenset(".;,()|")
"""Signs that end what a comparison names as its base."""
MOST_OF_A_BASE = 40
_TORCH = Pattern(r"(?<![a-z0-9])pt(?:(1)(1[0-3])|([0-9])([0-9]{1,2})([0-9]))(?![0-9])")
"""A release in three digits; of the first major release those from 1.10 on are named without a patch."""
_CUDA = Pattern(r"(?<![a-z0-9])cu([0-9]{2})([0-9])(?![0-9])")


class Context(Struct, frozen=True):
    """What holds for all rows of a table.

    Attributes:
        words: heading, sentence and file name.
        caption: heading and sentence.
        mode: training or inference, or none where neither is said.
        precision: the one that is named, or nothing.
        device: name of the device, or nothing.
        devices: how many each system has, where that is said.
        machine: the system in words.
        framework: name and version of the framework, or nothing.
        runtime: name and version of the runtime.
        layout: order of the axes in memory.
        compiled: whether the file's name says so.
        basis: how its numbers came about, where the headings or the sentence say that they were not measured.
        suite: what is said of results of an MLPerf suite, where the table plainly holds such.
        units: of rates, times and latencies, the unit that heading and sentence state, where it is one.
    """

    words: str
    caption: str
    mode: str = "none"
    precision: str = ""
    device: str = ""
    devices: int | None = None
    machine: str = ""
    framework: str = ""
    runtime: str = ""
    layout: str = ""
    compiled: bool | None = None
    units: dict[str, Measure] = {}
    basis: str = ""
    suite: SuiteWords | None = None


def context(grid: Grid, file_name: str) -> Context:
    """Return what the surroundings of a table say."""
    named = re.sub(r"[_]+", " ", file_name.rpartition(".")[0] or file_name)
    caption = ". ".join(dict.fromkeys(text for text in (grid.title, grid.sentence) if text))
    words = f"{caption} {named}".casefold()
    loose = re.sub(r"[-.]+", " ", named)
    machine, device = _MACHINE.search(grid.title), _device(caption, loose)
    devices = int(machine["count"]) if machine is not None else _count(grid.title)
    parts = set(re.split(r"[-. ]+", named.casefold()))
    torch, cuda = _TORCH.search(named), _CUDA.search(named)
    return Context(
        words,
        caption[:4000],
        _mode(grid.title.casefold(), words),
        _precision(grid.sentence, grid.title, loose),
        (machine["device"] if machine is not None else device).strip(),
        devices or None,
        grid.title.rpartition(":")[2].strip() if machine is not None else "",
        f"torch {'.'.join(filter(None, torch.groups()))}" if torch is not None else "",
        f"CUDA {'.'.join(cuda.groups())}" if cuda is not None else "",
        next((each for each in ("nhwc", "nchw") if each in parts), ""),
        True if parts & lexicon.word_set("compiles") else None,
        _units(caption.casefold(), grid.stated.casefold()),
        of_caption(grid),
    )


def _count(title: str) -> int | None:
    """Return how many devices a heading says that everything ran on: "on 8 GPUs"."""
    reading = read(title, "heading")
    counts = [count for count in reading.counts("devices") if reading.tokens.low(count.first - 1) == "on"]
    return int(counts[0].value) if len(counts) == 1 else None


def _device(caption: str, named: str) -> str:
    """Return the device that the caption names, else the name of the file; a caption that names two tells none.

    A name of a file that compares says nothing of one row: "m1-vs-geforce".
    """
    if not device_in(caption) and not lexicon.word_set("versus").isdisjoint(named.split()):
        return ""
    return one_device_in(caption) if device_in(caption) else device_in(named)


def is_other(named: tuple[str, ...], context: Context) -> bool:
    """Whether what a number is of is not what the caption gives a precision to.

    Such are another precision, or, where the caption says which framework has that precision, another one or the base.

    Args:
        named: the column, then the cells that say what the row is.
        context: what stands around the table.
    """
    if any(set(variants_of(text)) - {context.precision} for text in named):
        return True
    titled = _frameworks(context.words)
    if not titled:
        return False
    own = frozenset().union(*map(_frameworks, named))
    return bool(own - titled) or not lexicon.words("columns", "baselines").isdisjoint(read(named[0]).words())


def _frameworks(text: str) -> frozenset[str]:
    return lexicon.words("columns", "frameworks").intersection(read(text).words())


def _units(caption: str, stated: str) -> dict[str, Measure]:
    """Return the units that a caption states by what they measure, else those that the document states of all times."""
    told = {role: captioned_in(caption, f"caption.{role}") for role in ("rate", "time", "latency")}
    found = {role: units.pop() for role, units in told.items() if len(units) == 1}
    times = _of_times(caption) or _of_times(stated)
    return {"time": times, "latency": times, **found} if times is not None else found


def _of_times(text: str) -> Measure | None:
    """Return the unit of time that a text gives of all its times: "All times are in ms", "values in seconds"."""
    text = with_unit(text)
    found = {unit for role in ("time", "numbers") for unit in captioned_in(text, f"caption.{role}")}
    return found.pop() if len(found) == 1 and all(unit.base == "s" for unit in found) else None


def _mode(title: str, words: str) -> str:
    for text in (title, words):
        for mode in ("inference", "training"):
            if read(text, "caption").has(f"caption.{mode}", affirmed=False):
                return mode
    return "none"


def _without_bases(text: str) -> str:
    """Return a text without what it compares with: "INT8 against the FP32 model" is of INT8."""
    for item in reversed(read(text, "caption").mentions("relative_to")):
        last = min(len(text), item.end + MOST_OF_A_BASE)
        first = item.end + text.startswith(".", item.end)  # vs.
        end = next((at for at in range(first, last) if text[at] in _ENDS), last)
        text = f"{text[: item.start]} {text[end:]}"
    return text


def _precision(sentence: str, title: str, named: str) -> str:
    """Return the precision of all rows; the sentence before the table rules over the heading, one or several."""
    for text in (_without_bases(sentence.casefold()), title, named):
        found = set(variants_of(text))
        if len(found) == 1:
            return precision_of(found.pop())
        if found and text is not title and text is not named:
            return ""
    return ""
