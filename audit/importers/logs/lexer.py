"""A line of a log as the numbers that it prints by name: `loss: 2.1 | lr 3e-4`, `[3/90][100/1251] time 0.31`."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from ....rules.language import lexicon
from ....schemas.pattern import Pattern
from ..tables.units import measure

LONGEST = 4_000
LONGEST_KEY = 60
MOST_WORDS, MOST_BARE_WORDS = 7, 3
"""Words of a name that a sign parts from its number, and of one that a space does."""
_ANSI = Pattern(r"\x1b\[[0-9;]{0,12}[A-Za-z]|(?<=[^0-9A-Za-z])\[[0-9]{1,2}m|^\[[0-9]{1,2}m")
_HEAD = Pattern(
    r"\s+|\[?[0-9]{2,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}[T -]?|\[?[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?Z?\]?|"
    r"[0-9]{1,2}/[0-9]{1,2} |\[[IWEFV]\]|[AP]M\b|[IWEF][0-9]{4} [0-9:.]{8,15} +[0-9]{1,18} [\w.]{1,60}:[0-9]{1,5}\]|"
    r"\[?\(?(?:INFO|WARNING|WARN|DEBUG|ERROR)\b\]?\)?:?|\[[\w./-]{1,80}:[0-9]{1,5}[\w:<>]{0,60}\]|"
    r"\[?[Rr]ank ?[0-9]{1,5}\]?:?|\([\w./-]{1,80}(?: |:)[0-9]{1,5}\):?|[\w./-]{1,80}\.py:[0-9]{1,5}:?|"
    r"[\w.:/+-]{1,100}\](?=[ :])|[-|,:\]]+(?= )|[0-9]{5,}\.[0-9]{3} [\w-]{1,30}:"
)
_NUMBER = Pattern(
    r"(?<![\w@.])(?<![0-9]-)(?<![a-z]\()(?:[0-9]{1,4}(?P<clock>(?::[0-9]{2}){1,2}(?:\.[0-9]{1,6})?)|"
    r"(?P<number>[-+]?(?:[0-9]{1,3}(?:,[0-9]{3}){1,5}(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
    r"(?:[eE][-+]?[0-9]{1,3})?|[-+]?(?:nan|NaN|inf)(?![A-Za-z])))(?P<unit>[A-Za-zµ%][A-Za-zµ/%]{0,11})?"
)
_UNIT = Pattern(r" \[?([A-Za-zµ%][\w./%]{0,15})\]?(?! ?[:=])(?![\w(@])")
_COUNTED = Pattern(
    r"\s{0,8}(?:/\s{0,8}(?P<total>[0-9]{1,12}))?\s{0,4}\]?:?\s{0,4}"
    r"(?:[\[(]\s{0,8}(?P<inner>[0-9]{1,12})(?:\s{0,8}/\s{0,8}(?P<all>[0-9]{1,12}))?[^\[\](){}]{0,12}(?:\([^()]{0,12}\))?\s{0,4}[\])])?"
)
_AVERAGE = Pattern(r"\s{0,3}\((?P<plain>[0-9]+(?:\.[0-9]+)?)?[^()A-Za-z]{0,40}\)")
_EVALUATED = frozenset({"test", "validation"})
_FRACTION = Pattern(r"\s?/\s?[0-9][0-9,]{0,15}(?:\s{0,3}\(\s{0,3}(?P<share>[0-9]{1,3}(?:\.[0-9]{0,6})?)\s?%\))?")
_DELIMITER = Pattern(r""":\s|[,|;\t{}\[\]"'│┆║•>]|\s{2,}|\s[-–]\s|\)\s""")
_CAMEL = Pattern(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])")
_WORD = Pattern(r"(?<![\w.])[A-Za-z]+(?![\w.])")
_BAR = Pattern(r"\s{0,8}([0-9]{1,9})/([0-9]{1,9})\s{0,3}(?:\[|━)")


class Named(Struct, frozen=True):
    """A number by its name: key, digits, unit as printed, and the column where it stands."""

    key: str
    value: str
    unit: str
    column: int


class Progress(Struct, frozen=True):
    """How far a training or an evaluation has come.

    Attributes:
        epoch: the epoch.
        step: the step of the whole training.
        inner: the step within the epoch or the evaluation, and how many there are, where that is said.
        of_split: whether the inner count is that of a split, which no step has told to be the epochs yet.
    """

    epoch: float | None = None
    step: int | None = None
    inner: tuple[int, int | None] | None = None
    of_split: bool = False

    def counted(self, what: str, key: str, found: re.Match[str], count: int) -> Progress:
        """Return it with one more count of a line: of epochs, steps, or behind the name of a split."""
        total = int(found["total"]) if found["total"] else None
        within = (int(found["inner"]), int(found["all"]) if found["all"] else None) if found["inner"] else None
        if what == "epoch" or (what == "split" and within is not None):
            return replace(self, epoch=count if self.epoch is None else self.epoch, inner=within or self.inner)
        if what == "split":
            return replace(self, inner=(count, total), of_split=True)
        if total is not None and (self.epoch is not None or self.of_split) and "global" not in plain(key):
            epochs = float(self.inner[0]) if self.epoch is None and self.inner is not None else self.epoch
            return replace(self, epoch=epochs, inner=(count, total))
        if "micro" in plain(key) or (self.step is not None and "global" not in plain(key)):
            return self
        return replace(self, step=count, inner=within or self.inner)


class Reading(Struct, frozen=True):
    """What a line prints: how far the training is, the split of the data that it is about, and its other numbers."""

    progress: Progress
    split: str
    named: tuple[Named, ...]


def lex(text: str) -> Reading:
    """Return what a line of a log prints."""
    line = _ANSI.sub("", text[:LONGEST]) if "[" in text else text[:LONGEST]
    line = next((part for part in reversed(re.split(r"[\r\x08]", line)) if part.strip()), "")
    at = behind_head(line)
    bar = _BAR.match(line, at)
    progress = Progress(inner=(int(bar[1]), int(bar[2]))) if bar is not None else Progress()
    heads: list[str] = []
    named: list[Named] = []
    for found in _NUMBER.finditer(line, at):
        if found.start() < at:
            continue
        between, counts_it = line[at : found.start()], line[at - 1 : at].isdigit()
        key, before = _key(between)
        heads += [before] if not named else []
        at = found.end()
        if found["number"] is None or not key:
            continue
        is_size = counts_it and between[:1] == " " and between.rstrip().endswith("=")  # "1 epoch = 10 batches"
        what = _progress(key) if not found["unit"] and not is_size else None
        counted = _COUNTED.match(line, at) if what is not None and found["number"].isdigit() else None
        if what == "epoch" and counted is None and progress.epoch is None:
            progress = replace(progress, epoch=_real(found["number"]))
        elif what is not None and counted is not None and (what != "split" or counted["total"] or counted["inner"]):
            progress = progress.counted(what, key, counted, int(found["number"][:15]))
            heads.append(key)
            at = counted.end()
        else:
            value, unit, end = _value(line, found)
            average = _AVERAGE.match(line, max(at, end))
            start = found.start()
            if average is not None and value and not unit and _is_mean(average, heads):
                value, start = average["plain"], average.start()
            at = average.end() if average is not None else max(at, end)
            column = max(text.find(value, start), 0) + 1
            named += [Named(key, value, unit, column)] if value else []
    return Reading(progress, _split(" ".join(heads)), tuple(named))


def _is_mean(average: re.Match[str], heads: list[str]) -> bool:
    """Whether the number in brackets is what an evaluation comes to: the one before it is of its last batch."""
    inner = average[0].strip()[1:-1].strip()
    return inner == average["plain"] and _split(" ".join(heads)) in _EVALUATED


def _value(line: str, found: re.Match[str]) -> tuple[str, str, int]:
    """Return digits and unit of a number, and where they end; of a part of a whole its share, or no digits."""
    number, unit = found["number"], found["unit"] or ""
    if unit:
        return number, unit, found.end()
    part = _FRACTION.match(line, found.end())
    if part is not None:
        return part["share"] or "", "%", part.end()
    behind = _UNIT.match(line, found.end())
    if behind is not None and _is_unit(behind[1]):
        return number, behind[1].replace(".", ""), behind.end()
    return number, "", found.end()


def _real(text: str) -> float | None:
    value = float(text.replace(",", ""))
    return value if 0 <= value < 2**53 else None


def behind_head(line: str) -> int:
    """Return where a line begins behind the time, the level and the place in the code that a logger puts before it."""
    at = 0
    while (found := _HEAD.match(line, at)) is not None and found.end() > at:
        at = found.end()
    return at


def _key(text: str) -> tuple[str, str]:
    """Return the name that stands before a number, and what stands before the name."""
    bare = text.rstrip(" \t:='\"[(")
    cuts = [found.end() for found in _DELIMITER.finditer(bare)]
    cut = cuts[-1] if cuts else 0
    key = bare[cut:].lstrip("*#>-–./:= ").rstrip("#*. ")
    most = MOST_WORDS if text[len(bare) :].strip(" \t'\"[(") else MOST_BARE_WORDS
    known = 1 < len(key) <= LONGEST_KEY and any(sign.isalpha() for sign in key) and key.count(" ") < most
    return (key, bare[:cut]) if known else ("", bare)


@lru_cache(maxsize=4096)
def plain(key: str) -> str:
    """Return a name as words in small letters: `RunningAvgSamplesPerSec`, `eval/acc_norm`."""
    return " ".join(re.sub(r"[_\s]+", " ", _CAMEL.sub(" ", key)).casefold().split())


@lru_cache(maxsize=4096)
def _progress(key: str) -> str | None:
    """Return epoch or step where a name counts the training; `split` where it names nothing but a split."""
    words = re.sub(r"[()#]", " ", plain(key)).split()
    splits, known = _splits(), lexicon.classes("columns", "progress")
    bare = " ".join(word for word in words if word not in splits)
    if not bare:
        return "split" if words else None
    *before, last = bare.split()
    return known.get(bare) or (
        known.get(last) if lexicon.words("columns", "beside_progress").issuperset(before) else None
    )


@lru_cache(maxsize=1)
def _splits() -> dict[str, str]:
    return {**lexicon.classes("columns", "splits"), **lexicon.classes("columns", "splits_of_logs")}


def _split(text: str) -> str:
    """Return the one split that words before the numbers of a line name; nothing where they name none or several."""
    named = {_splits()[word] for word in map(str.casefold, _WORD.findall(text)) if word in _splits()}
    return named.pop() if len(named) == 1 else ""


@lru_cache(maxsize=1024)
def _is_unit(text: str) -> bool:
    found = measure(text.replace(".", ""))  # inf./sec.
    return found is not None and found.dimension != "scale"
