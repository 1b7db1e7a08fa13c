"""Where numbers stand in files of results: in JSON by a pointer, in any text by a line."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from math import fsum, isfinite
from statistics import fmean, median

from msgspec import Struct

from ....schemas import strict_json
from ....schemas.errors import UserError
from ....schemas.evidence import Metric, NumberAt, Quality
from ....schemas.extremes import in_bounds, is_no_size
from ....schemas.pattern import Pattern
from ....schemas.place import JsonValue, escaped, join_pointer, split_pointer
from ....schemas.submission import Claim
from ...caching import fact
from ...case import Case
from ...language.printed import span
from ..quantities.performance import Transform, transform

INTEGER_DIGITS = 400
LONGEST_SHOWN, MOST_SHOWN = 40, 6
OF_STATISTIC = 12
"""Significant digits of a statistic: what a sum of floats rounds wrongly stands behind them."""
_DIGITS = r"-?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?"
_NUMBER = Pattern(_DIGITS + r"(?![0-9.eE])")
_IN_LINE = re.compile(rf"(?<![\w.]){_DIGITS}(?![0-9]|[eE][+-]?[0-9])")
_GROUPED = re.compile(r"(?<![\w.,])[0-9]{1,3}(?:,[0-9]{3}){1,10}(?:\.[0-9]{1,40})?(?![\w,]*[0-9])")
LINES = (".jsonl", ".ndjson")
"""How the names of files of JSON lines end."""
STATISTICS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "mean": fmean,
    "median": median,
    "min": min,
    "max": max,
    "total": fsum,
}
"""Statistics that a list of numbers gives, by their names in a submission."""


class Taken(Struct, frozen=True):
    """What a number takes of a list of numbers: a statistic, of what follows from each of them.

    Attributes:
        statistic: its name.
        each: how a value follows from a number; as it stands where None.
    """

    statistic: str
    each: Transform | None = None


class Stands(Struct, frozen=True):
    """What stands at a place of a file.

    Attributes:
        numbers: the numbers there, with the digits that stand there.
        words: what is there instead of another number.
        line: its line, or that of the nearest place that is there.
        column: its column.
        is_there: whether there is such a place.
        taken_from: what the number is of, where it is a statistic of a list that stands there.
    """

    numbers: tuple[str, ...]
    words: str
    line: int
    column: int = 1
    is_there: bool = True
    taken_from: str = ""


class Results(Struct, frozen=True, eq=False, dict=True):
    """The text of a file of results."""

    name: str
    text: str

    def on(self, line: int) -> Stands:
        """Return the numbers on a line."""
        if line > len(self._lines):
            return Stands((), f"it has {len(self._lines):,} lines", len(self._lines), is_there=False)
        text = self._lines[line - 1]
        grouped = (match[0].replace(",", "") for match in _GROUPED.finditer(text))
        numbers = (*(match[0] for match in _IN_LINE.finditer(text)), *grouped)
        shown = ", ".join(numbers[:MOST_SHOWN])
        more = f" and {len(numbers) - MOST_SHOWN:,} more" if len(numbers) > MOST_SHOWN else ""
        return Stands(numbers, f"{shown}{more}" if numbers else "no number", line)

    def at(self, pointer: str, taken: Taken | None = None) -> Stands:
        """Return what stands at a JSON Pointer; a file of JSON lines is the list of its lines.

        Of a list of numbers that is what is taken of it.

        Raises:
            UserError: the file, or the line, is no JSON.
        """
        steps = split_pointer(pointer)
        if not self._is_lines:
            return self._whole.at(steps, taken)
        index = _index(steps[0])
        if index is None or index >= len(self._filled):
            words = f"there are {len(self._filled):,} lines"
            return Stands((), words, self._filled[-1] if self._filled else 1, is_there=False)
        return self._part(self._filled[index]).at(steps[1:], taken)

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def _filled(self) -> list[int]:
        return [number for number, line in enumerate(self._lines, 1) if line.strip()]

    @cached_property
    def _whole(self) -> _Part:
        return _Part(self.name, self.text)

    @cached_property
    def _parts(self) -> dict[int, _Part]:
        return {}

    def _part(self, line: int) -> _Part:
        return self._parts.setdefault(line, _Part(self.name, self._lines[line - 1], line))

    @cached_property
    def _is_lines(self) -> bool:
        """Whether it is a file of JSON lines: by its name, or as its first line is an object and all of it is none."""
        if self.name.casefold().endswith(LINES):
            return True
        is_broken = len(self._filled) > 1 and isinstance(self._whole.value, UserError)
        return is_broken and isinstance(self._part(self._filled[0]).value, dict)


class _Part(Struct, frozen=True, eq=False, dict=True):
    """A JSON text: all of a file, or a line of it."""

    name: str
    text: str
    line: int = 1

    @cached_property
    def value(self) -> JsonValue | UserError:
        """The value, or why there is none."""
        try:
            return strict_json.loads(self.text.encode(), self.name, integer_digits=INTEGER_DIGITS, foreign=True)
        except UserError as error:
            return error

    @cached_property
    def _positions(self) -> strict_json.Positions:
        return strict_json.Positions(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def at(self, steps: list[str], taken: Taken | None = None) -> Stands:
        """Return what stands at the end of some steps; of a list of numbers what is taken of it.

        Raises:
            UserError: it is no JSON.
        """
        if isinstance(self.value, UserError):
            # of a line alone the place counts from its own beginning
            where = self.value.where if self.line == 1 else f"{self.name}:{self.line}"
            raise UserError(self.value.what, self.value.todo, where)
        value, is_there = _value(self.value, steps)
        offset = self._positions.offset(join_pointer([*steps]))
        line = bisect_right(self._starts, offset)
        place = self.line + line - 1, offset - self._starts[line - 1] + 1, is_there
        of_list = _of_list(value, taken) if is_there and taken is not None else None
        if of_list is not None:
            number, taken_from = of_list
            return Stands((number,), f"{taken_from}, {number},", *place, taken_from)
        numbers, words = _number(value, self.text, offset) if is_there else ((), "there is no such place")
        return Stands(numbers, words, *place)


def _value(value: JsonValue, steps: list[str]) -> tuple[JsonValue, bool]:
    """Return the value at the end of some steps, and whether there is one."""
    for step in steps:
        index = _index(step)
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and index is not None and index < len(value):
            value = value[index]
        else:
            return None, False
    return value, True


def _index(step: str) -> int | None:
    """Return the number of an item, from 0; 19 digits are more than any list has."""
    return int(step) if step.isascii() and step.isdigit() and len(step) < 19 and str(int(step)) == step else None


def _of_list(value: JsonValue, taken: Taken) -> tuple[str, str] | None:
    """Return what is taken of a list of finite numbers, and what it is in words; None where it holds anything else."""
    if not isinstance(value, list) or not value:
        return None
    numbers = [item for item in value if isinstance(item, int | float) and not isinstance(item, bool)]
    if len(numbers) < len(value) or not all(in_bounds(item) for item in numbers):
        return None
    own = [taken.each.value(item) for item in numbers] if taken.each is not None else numbers
    given = STATISTICS[taken.statistic](own)
    kind = "rates" if taken.each is not None and taken.each.inverse else "numbers"
    return (f"{given:.{OF_STATISTIC}g}", f"the {taken.statistic} of {len(own):,} {kind}") if isfinite(given) else None


def _number(value: JsonValue, text: str, offset: int) -> tuple[tuple[str, ...], str]:
    """Return the number that a value of a JSON text is, and what it is in words."""
    if isinstance(value, dict | list):
        return (), "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value.strip())
        return ((match[0],) if match else ()), escaped(value, LONGEST_SHOWN)
    if value is None or isinstance(value, bool):
        return (), {None: "null", True: "true", False: "false"}[value]
    match = _NUMBER.match(text, offset) if isfinite(value) else None
    return ((match[0],), escaped(match[0], LONGEST_SHOWN)) if match else ((), "no finite number")


def agrees(stated: str, found: str, digits: int | None = None) -> bool:
    """Whether a number of a file is what a submission states, within the digits that the submission prints."""
    allowed, number = span(stated, digits=digits), Decimal(found)
    return allowed.low <= number <= allowed.high


def stands_at(results: Results, place: NumberAt, taken: Taken | None = None) -> Stands:
    """Return what stands where a number is said to stand; of a list what is taken of it.

    Raises:
        UserError: the file is no JSON, and a pointer is into JSON.
    """
    return results.at(place.pointer, taken) if place.pointer is not None else results.on(place.line or 1)


@fact
def results_of(case: Case, name: str) -> Results | None:
    """Return a file of results that the submission names, or None where it has no text to read."""
    file = case.results.get(name)
    return Results(name, file.text) if file is not None and file.text is not None else None


@fact
def found_for(case: Case, number: Metric | Quality) -> Stands | UserError:
    """Return what stands where a number is said to stand in a file of results, or why that cannot be said."""
    place = number.printed_at
    assert place is not None
    assert place.file is not None
    name = place.file
    results = results_of(case, name)
    if results is None:
        file = case.results.get(name)
        return UserError(file.problem if file is not None else "no such file", "", name)
    try:
        return stands_at(results, place, _taken(number, place.pointer))
    except UserError as error:
        return error


def numbers_in_files(claim: Claim, case: Case) -> tuple[Metric | Quality, ...]:
    """Return the numbers behind a claim that are said to stand in files of results; those of cited studies do not."""
    refs = [ref for ref in (claim.measured, claim.base) if ref is not None and ref.manifest is None]
    found: list[Metric | Quality | None] = [case.metric(ref) for ref in refs]
    if claim.quality is not None and claim.quality.manifest is None:
        found.append(case.quality(claim.quality))
    return tuple(number for number in found if number is not None and is_in_file(number))


def is_in_file(number: Metric | Quality) -> bool:
    """Whether a number is said to stand in a file of results."""
    return number.printed_at is not None and number.printed_at.file is not None


def _taken(number: Metric | Quality, pointer: str | None) -> Taken | None:
    """Return what a number takes of a list; of its own column the values that follow from it: a rate of times."""
    if number.statistic is None or number.statistic not in STATISTICS:
        return None
    if isinstance(number, Metric) and pointer is not None and split_pointer(pointer)[-1] == number.column:
        return Taken(number.statistic, transform(number))
    return Taken(number.statistic)


def read_value(found: Stands) -> str | None:
    """Return the value of a number that states none: the one that stands there alone, if rules can reckon with it."""
    value = str(Decimal(found.numbers[0])) if len(found.numbers) == 1 else ""
    return value if 0 < len(value) <= LONGEST_SHOWN and not is_no_size(value) else None
