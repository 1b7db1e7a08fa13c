"""The numbers of a table's columns: the mark of decimals, and the unit, are those that the whole column tells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ....rules.language.columns import power_in
from ....rules.language.reading import read
from ....schemas.pattern import Pattern
from .cells import Number, duration, number
from .grids import Cell, Grid
from .precisions import variants_of
from .roles import BESIDE, RATIOS, VALUES, Role
from .units import Dimension, Measure, in_time, measure, rate_in, shifted

FEWEST_ROWS = 3
"""Rows of a table that has one of ratios: the two that it relates, and itself."""
Style = Literal["point", "comma", "mixed", "open"]
DIMENSIONS: dict[str, Dimension] = {
    "rate": "rate",
    "time": "time",
    "latency": "time",
    "flops": "flops",
    "memory": "bytes",
    "accuracy": "percent",
    "mfu": "percent",
}
BINARY = "iB"
BOUNDS = {"over", "at_least", "up_to", "less_than"}
_GROUPED = Pattern(r"(?<![0-9.,'’ ])[0-9]{1,3}(?:[ '’][0-9]{3})+(?![0-9'’])(?! [0-9])")
_PARTED = Pattern(r"[0-9][ '’][0-9]")
_TOKEN = Pattern(r"[0-9][0-9.,]*[0-9]|[0-9]")
_CLOCK = Pattern(r"\b(h{1,2}:mm:ss|m{1,2}:ss|h{1,2}:mm)\b")


class Numbers(Struct, frozen=True):
    """The numbers of a table.

    Attributes:
        roles: what its columns hold, with the units of most of their cells; `ignore` where one cannot be read.
        columns: of each column the numbers of its cells, each with its unit where it has one.
        left_out: what to say of the columns that cannot be read.
        ratio_rows: the rows that relate others, of which no cell is a measured number.
    """

    roles: tuple[Role, ...]
    columns: tuple[tuple[Number | None, ...], ...]
    left_out: tuple[str, ...]
    ratio_rows: frozenset[int] = frozenset()


def read_numbers(grid: Grid, roles: tuple[Role, ...], said: frozenset[str], caption: dict[str, Measure]) -> Numbers:
    """Return the numbers of a table.

    Args:
        grid: the table.
        roles: what its columns hold.
        said: the headings of which the user says it: a power of ten in them says nothing more.
        caption: the units that the text above it states, by roles.
    """
    every = [_closed([row[index].text for row in grid.rows]) for index in range(len(roles))]
    held = {index for index, role in enumerate(roles) if role.role in (*VALUES, *RATIOS, *BESIDE)}
    related = rows_of_ratios(grid, {index for index, role in enumerate(roles) if role.role in VALUES})
    styles = {i: _style(every[i], len(variants_of(grid.header[i].text)) > 1) for i in held}
    foreign = "comma" in styles.values()
    points = any(style == "point" and "." in _all_marks(every[i]) for i, style in styles.items())
    if foreign and points:
        styles = {i: "open" if style == "comma" else style for i, style in styles.items()}
    found: list[tuple[Number | None, ...]] = []
    kept: list[Role] = []
    left: list[str] = []
    for index, role in enumerate(roles):
        head = grid.header[index]
        name = f"{head.text} (line {head.line})"
        style = styles.get(index, "point")
        if style == "open" or (foreign and style == "point" and any(_doubtful(text) for text in every[index])):
            left.append(f"{name}: whether a comma or a point parts thousands or decimals is not told: left out")
            found.append((None,) * len(grid.rows))
            kept.append(Role("ignore"))
            continue
        digits = _decimals(every[index]) if style == "mixed" and len(variants_of(head.text)) < 2 else 0
        texts = [_pointed(text, style, digits) for text in every[index]]
        if role.role not in VALUES:
            found.append(tuple(number(text) for text in texts))
            kept.append(role)
            continue
        aside = related | (_sizes(grid) if role.role == "memory" else frozenset())
        texts = ["" if n in aside else text for n, text in enumerate(texts)]
        column = _Column(role, head.text.casefold(), head.text in said, caption.get(role.role))
        settled, numbers, why = column.read(texts)
        left.extend([f"{name}: {why}: left out"] if why else [])
        found.append(numbers)
        kept.append(settled)
    return Numbers(tuple(kept), tuple(found), tuple(left), related)


def rows_of_ratios(grid: Grid, held: Collection[int]) -> frozenset[int]:
    """Return the rows that relate others: of ratios alone, or named as a speed-up, beside rows that are neither.

    Args:
        grid: the table.
        held: its columns of measured numbers.
    """
    if len(grid.rows) < FEWEST_ROWS:
        return frozenset()
    found = {n for n, row in enumerate(grid.rows) if relates(row, held)}
    return frozenset(found) if len(grid.rows) - len(found) >= FEWEST_ROWS - 1 else frozenset()


def relates(row: Sequence[Cell], held: Collection[int]) -> bool:
    """Whether a row holds ratios alone, or, named as a speed-up, numbers without units."""
    values = [number(row[i].text) for i in held if any(sign.isdigit() for sign in row[i].text)]
    units = [value.unit.casefold() if value is not None else "" for value in values]
    if not units:
        return False
    names = [read(cell.text, "cell") for i, cell in enumerate(row) if i not in held]
    named = [name for name in names if name.is_only("row_of_changes")]
    signed = all(unit.startswith(("x", "×")) for unit in units)
    alike = all(unit.startswith(("%", "x", "×")) for unit in units)
    # a change or a gain without a unit may be a difference
    factors = any(name.has("heading.speedup") for name in named) and all(value and not value.unit for value in values)
    return signed or (bool(named) and alike) or factors


def _sizes(grid: Grid) -> frozenset[int]:
    """Return the rows that say how much memory a device has, which nothing uses: "spec sheet", "available"."""
    return frozenset(n for n, row in enumerate(grid.rows) if read(row[0].text, "cell").has("row.of_card"))


def _closed(texts: list[str]) -> list[str]:
    """Return the cells of a column without the spaces and apostrophes that part thousands in all of them."""
    texts = [re.sub(r"[\u00a0\u2009\u202f]", " ", text) for text in texts]
    if not any(_PARTED.search(text) for text in texts):
        return texts
    closed = [_GROUPED.sub(lambda match: re.sub(r"[ '’]", "", match[0]), text) for text in texts]
    return texts if any(_PARTED.search(text) for text in closed) else closed


def _mark(token: str) -> str:
    """Return what the marks of a number tell: `.` or `,` for decimals, `?.` or `?,` where they part three digits."""
    marks = "".join(c for c in token if c in ".,")
    if not marks:
        return ""
    *groups, last = re.split(r"[.,]", token)
    grouped = all(len(group) == 3 for group in groups[1:]) and 1 <= len(groups[0]) <= 3 and groups[0] != "0"
    if len(marks) == 1:
        return f"?{marks}" if grouped and len(last) == 3 else marks
    if len(set(marks)) == 1:
        return {",": ".", ".": ","}[marks[0]] if grouped and len(last) == 3 else "!"
    return marks[-1] if grouped and len(set(marks[:-1])) == 1 else "!"


def _marks(text: str) -> list[str]:
    return [mark for token in _TOKEN.findall(text) if (mark := _mark(token))]


def _all_marks(texts: list[str]) -> set[str]:
    return {mark for text in texts for mark in _marks(text)}


def _doubtful(text: str) -> bool:
    return any(mark.startswith("?") for mark in _marks(text))


def _style(texts: list[str], listed: bool) -> Style:
    """Return which mark parts the decimals of a column, by all its numbers.

    Numbers that end in three digits behind one mark tell nothing; where no other does, a comma parts thousands and a
    point decimals, but not both in one column. A column whose heading names several variants may hold lists.
    """
    marks = Counter(mark for text in texts for mark in _marks(text))
    if marks[","] and (marks["."] or listed):
        return "mixed"
    if marks[","]:
        return "comma" if 2 * marks[","] >= sum(any(c.isdigit() for c in text) for text in texts) else "mixed"
    return "open" if marks["?,"] and marks["?."] and not marks["."] else "point"


def _decimals(texts: list[str]) -> int:
    """Return how many decimals all numbers with a point have, and all with a comma: then these are decimals, too."""
    tokens = [token for text in texts for token in _TOKEN.findall(text) if _mark(token) in {".", ","}]
    counts = {len(re.split(r"[.,]", token)[-1]) for token in tokens}
    pointed = sum("." in token for token in tokens)
    return counts.pop() if len(counts) == 1 and 2 * pointed > len(tokens) else 0


def _pointed(text: str, style: Style, digits: int = 0) -> str:
    """Return a cell with a point for decimals and commas for thousands; nothing where its mark is in doubt.

    Args:
        text: the cell.
        style: of its column.
        digits: decimals of all numbers of a mixed column, where they tell that a comma stands before them, too.
    """
    if digits and set(_marks(text)) == {","} and len(_TOKEN.findall(text)) == 1:
        return text.replace(",", ".")
    if style == "comma":
        return _TOKEN.sub(lambda match: match[0].translate(str.maketrans(".,", ",.")), text)
    return "" if style == "mixed" and not set(_marks(text)) <= {"."} else text


class _Column(Struct, frozen=True):
    """A column of measured values: its role, its heading, whether the user gave the role, the unit of the caption."""

    role: Role
    head: str
    said: bool
    caption: Measure | None

    def read(self, texts: list[str]) -> tuple[Role, tuple[Number | None, ...], str]:
        """Return its role with the unit of most cells, its numbers with their units, and why it is left out, if so."""
        dimension = DIMENSIONS.get(self.role.role)
        clock = _CLOCK.search(self.head) if dimension == "time" else None
        found = [self._number(text, dimension, clock[1] if clock is not None else "") for text in texts]
        if dimension is None:
            return self.role, tuple(found), ""
        if dimension == "percent":
            shared = self._share(found)
            if not self.said and self._beyond(shared, found):
                nothing = (None,) * len(found)
                why = f"more than 100 % is no {self.role.metric or 'share'}"
                return replace(self.role, role="ignore"), nothing, why
            return shared, _alike(found), ""
        held = [(value, in_time(value.unit, dimension)) for value in found if value is not None]
        other = {value.unit for value, unit in held if unit is not None and unit.dimension not in {dimension, "scale"}}
        if other:
            left = replace(self.role, role="ignore")
            return left, (None,) * len(found), self._unfit({value.unit for value, _ in held if value.unit})
        own, power = self._own(dimension)
        if power and any(unit is not None and unit.exponent and not unit.sized for _, unit in held):
            return replace(self.role, role="ignore"), (None,) * len(found), "heading and cells both scale its numbers"
        read = _Units(dimension, own or self._unknown(held, dimension), power).settled(found)
        return self._with_unit(read), read, ""

    def _unfit(self, stated: set[str]) -> str:
        """Return why cells with some units are left out."""
        if len(stated) > 1:
            return f"its cells carry different units ({', '.join(sorted(stated)[:3])})"
        unit = next(iter(stated))
        if unit.casefold() in {"%", "x", "×"}:
            return f"its cells are ratios or shares ({unit}), and its heading reads as a {self.role.role}"
        return f"its cells are in {unit}, which is no unit of a {self.role.role}"

    def _share(self, found: list[Number | None]) -> Role:
        """Return the role of a quality with percent as its unit, where numbers or heading say so."""
        values = [value for value in found if value is not None]
        signed = any(value.unit.startswith("%") for value in values)
        if (
            self.role.unit not in {None, "1"}
            or self.said
            or read(self.head, "header").has("quality_of_no_share", affirmed=False)
        ):
            return self.role
        least = 1.0 if self.role.role == "accuracy" else 1.5
        percent = signed or any(float(value.printed) > least for value in values)
        return replace(self.role, unit="%") if percent else self.role

    def _beyond(self, shared: Role, found: list[Number | None]) -> bool:
        """Whether most numbers of a quality are more than all of it, and no % says that they are shares of it."""
        values = [value for value in found if value is not None]
        stated = "%" in self.head or any(value.unit.startswith("%") for value in values)
        if (
            shared.role != "accuracy"
            or shared.unit != "%"
            or stated
            or read(self.head, "header").has("more_than_all", affirmed=False)
        ):
            return False
        return sum(float(value.printed) > 100 for value in values) * 2 > len(values)

    def _number(self, text: str, dimension: Dimension | None, clock: str) -> Number | None:
        spent = duration(text, clock) if dimension == "time" else None
        found = spent or number(text)
        if found is None or found.qualifier in BOUNDS or not re.search(r"[^\W_]|%", found.unit):
            return None if found is None or found.qualifier in BOUNDS else replace(found, unit="")
        return found

    def _own(self, dimension: Dimension) -> tuple[Measure | None, int]:
        """Return the unit that the heading or the caption states, and the power of ten of bare numbers."""
        if self.role.unit is None:
            return self.caption, 0 if self.said else power_in(self.head)
        known = measure(self.role.unit) or Measure(dimension, self.role.unit)
        if self.said or dimension != "rate":
            return known, 0
        stated = rate_in(self.head)
        return known, power_in(self.head) + (stated.exponent if stated is not None else 0)

    def _unknown(self, held: list[tuple[Number, Measure | None]], dimension: Dimension) -> Measure | None:
        """Return a unit that is none of the known ones, where all cells carry it."""
        units = {value.unit for value, unit in held if unit is None}
        alike = len(units) == 1 and "" not in units and all(unit is None for _, unit in held)
        return Measure(dimension, units.pop()) if alike else None

    def _with_unit(self, read: tuple[Number | None, ...]) -> Role:
        units = Counter(value.unit for value in read if value is not None and value.unit)
        return replace(self.role, unit=units.most_common(1)[0][0]) if units else self.role


def _alike(found: list[Number | None]) -> tuple[Number | None, ...]:
    """Return qualities without those that may be fractions beside others in percent.

    One that names its quality is a fraction: "0.51 mIoU" beside "74.1%".
    """
    percent = any(value is not None and value.unit.startswith("%") for value in found)
    return tuple(
        None
        if value is None
        or re.search(r"\bper\b|/", value.unit)
        or (percent and not value.unit and abs(float(value.printed)) <= 1.5)
        else replace(value, unit="1" if percent and _is_named_fraction(value) else "")
        for value in found
    )


def _is_named_fraction(value: Number) -> bool:
    return bool(value.unit) and not value.unit.startswith("%") and abs(float(value.printed)) <= 1


class _Units(Struct, frozen=True):
    """The units of a column: what it measures, the unit of numbers without one, and the power of ten of those."""

    dimension: Dimension
    own: Measure | None
    power: int

    def settled(self, found: list[Number | None]) -> tuple[Number | None, ...]:
        """Return the numbers in the unit of their column, as far as a power of ten or whole minutes lead there."""
        placed = [(value, self._unit(value)) if value is not None else None for value in found]
        stated = any(item is not None and item[1] is not None and item[0].unit for item in placed)
        tops: dict[str, int] = {}
        for item in placed:
            if item is not None and item[1] is not None and item[1].sized:
                tops[item[1].base] = max(tops.get(item[1].base, -99), item[1].exponent)
        if self.own is not None and self.dimension == "time" and self.own.base in tops:
            tops[self.own.base] = self.own.exponent
        numbers = [self._at(item, tops, stated) if item is not None else None for item in placed]
        return _in_one_time(numbers) if self.dimension == "time" else tuple(numbers)

    def _unit(self, value: Number) -> Measure | None:
        """Return the unit of a number: its own, else that of the column; None where neither is known."""
        own = self.own
        if not value.unit:
            return Measure(own.dimension, own.base, own.exponent + self.power) if own is not None else None
        unit = in_time(value.unit, self.dimension)
        if unit is None or unit.dimension != "scale":
            return unit or (own if own is not None and value.unit == own.base else None)
        if self.dimension == "bytes":
            return Measure("bytes", "B", unit.exponent) if unit.exponent % 3 == 0 else None
        if self.dimension not in {"rate", "flops"}:
            return None
        base = own or Measure(self.dimension, "")
        return Measure(base.dimension, base.base, base.exponent + unit.exponent)

    def _at(self, item: tuple[Number, Measure | None], tops: dict[str, int], stated: bool) -> Number | None:
        value, unit = item
        if unit is None:
            known = not value.unit and not stated
            return replace(value, printed=shifted(value.printed, self.power), unit="") if known else None
        top = tops.get(unit.base, 0) if unit.sized else 0
        top = unit.exponent if unit.base == BINARY else top  # 512 MiB are no 0.512 GiB
        by = unit.exponent - top
        spread = shifted(value.spread, by) if value.spread is not None else None
        return replace(value, printed=shifted(value.printed, by), spread=spread, unit=unit.at(top) if unit.base else "")


def _in_one_time(numbers: list[Number | None]) -> tuple[Number | None, ...]:
    """Return durations in the unit of most of them, where they are whole numbers of it: 3600 s are 60 min."""
    units = Counter(value.unit for value in numbers if value is not None)
    if len(units) < 2:
        return tuple(numbers)
    most = units.most_common(1)[0][0]
    size = _SECONDS.get(most)

    def told(value: Number | None) -> Number | None:
        if value is None or value.unit == most or size is None or value.unit not in _SECONDS or value.spread:
            return value
        whole = Decimal(value.printed) * _SECONDS[value.unit] / size
        fits = _SECONDS[value.unit] < size and whole == int(whole)
        return replace(value, printed=str(int(whole)), unit=most) if fits else value

    return tuple(told(value) for value in numbers)


_SECONDS = {"s": 1, "min": 60, "h": 3600, "days": 86400}
