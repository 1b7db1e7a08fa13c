"""The records of a JSON document: objects whose values belong together, in a list, by name, or as lists of a length."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from ....schemas import strict_json
from ....schemas.source import JsonValue, Source
from ..draft import at
from .headings import ABOUT, UNITS, is_statistic, names_phase

MOST_LEAVES = 200_000
MOST_DEPTH = 8
ALIKE = 0.5
"""Share of the keys of two objects that both have, from which on they are records of one kind."""
LEAST_ROWS = 2


class Leaf(Struct, frozen=True):
    """A single value of a record.

    Attributes:
        path: the keys that lead to it from its record.
        text: as printed.
        line: where it stands.
        column: where in the line.
        pointer: the JSON Pointer to it, of a document.
        unit: that stands beside it, or nothing.
        inherited: whether it stands above the record, and holds for others, too.
    """

    path: tuple[str, ...]
    text: str
    line: int
    column: int
    pointer: str = ""
    unit: str = ""
    inherited: bool = False


class Record(Struct, frozen=True):
    """Values that belong together.

    Attributes:
        names: the keys that lead to them, where those tell records apart.
        leaves: the values.
    """

    names: tuple[str, ...]
    leaves: tuple[Leaf, ...]


class Records(Struct, frozen=True):
    """Records of one kind: where they stand, in keys, and whether their order is a series."""

    path: tuple[str, ...]
    rows: tuple[Record, ...]
    series: bool = False


class Places:
    """Where the values of JSON documents begin, by line and column."""

    def __init__(self, text: str, line: int = 0) -> None:
        """Begin with a document, or with the one line of a file that it is."""
        self._text, self._line = text, line
        self._positions = strict_json.Positions(text)
        self._starts = list(accumulate((len(row) + 1 for row in text.split("\n")), initial=0))
        self.left = MOST_LEAVES

    def leaf(self, path: tuple[str, ...], steps: tuple[str | int, ...], value: JsonValue, unit: str = "") -> Leaf:
        """Return a value with its text as printed."""
        self.left -= 1
        pointer = at(*steps)
        offset = self._positions.offset(pointer)
        row = bisect_right(self._starts, offset)
        place = (self._line or row, offset - self._starts[row - 1] + 1)
        text = value if isinstance(value, str) else self._printed(offset)
        return Leaf(path, text[:4000], *place, "" if self._line else pointer, unit)

    def _printed(self, offset: int) -> str:
        end = offset
        while end < len(self._text) and end < offset + 64 and self._text[end] not in ",]} \t\r\n":
            end += 1
        return self._text[offset:end]


def records_of(sources: list[tuple[int, Source]]) -> list[Records]:
    """Return the records of a document, or of the lines that are one each."""
    found: list[Records] = []
    top: list[Record] = []
    left = MOST_LEAVES
    for line, source in sources:
        places = Places(source.data.decode("utf-8-sig", errors="replace"), line)
        places.left = left
        if not line:
            return _walk(places, source.value, (), (), (), 0)
        held = _walk(places, source.value, (), (), (), 0)
        top += [row for each in held if not each.path for row in each.rows]
        found += [each for each in held if each.path]
        left = places.left
        if left <= 0:
            break
    return _merged([Records((), tuple(top)), *found])


def _merged(found: list[Records]) -> list[Records]:
    """Return records with those of one kind put together: the lists of several parents."""
    by_path: dict[tuple[tuple[str, ...], bool], list[Record]] = {}
    for each in found:
        by_path.setdefault((each.path, each.series), []).extend(each.rows)
    return [Records(path, tuple(rows), series) for (path, series), rows in by_path.items() if rows]


def _walk(
    places: Places,
    value: JsonValue,
    steps: tuple[str | int, ...],
    path: tuple[str, ...],
    above: tuple[Leaf, ...],
    depth: int,
) -> list[Records]:
    """Return the records of a value; each has what stands above it in the parents, too."""
    if depth > MOST_DEPTH or places.left <= 0:
        return []
    if isinstance(value, list):
        held = [(index, item) for index, item in enumerate(value) if isinstance(item, dict)]
        found: list[Records] = []
        rows: list[Record] = []
        leaves: tuple[Leaf, ...]
        for index, item in held:
            leaves, inner = _flat(places, item, (*steps, index), (), above, depth)
            rows += [Record((), (*leaves, *above))] if leaves else []
            found += [replace(each, path=(*path, *each.path)) for each in inner]
        return _merged([Records(path, tuple(rows)), *found])
    if not isinstance(value, dict):
        return []
    if series := _lists(value):
        return [Records(path, tuple(_rows(places, series, steps, above)), series=True)]
    if named := _named(value):
        rest = {key: item for key, item in value.items() if key not in named}
        shared, inner = _flat(places, rest, steps, (), above, depth)
        found, rows = list(inner), []
        for key, item in named.items():
            context, at_ = (*above, *_inherited(shared)), (*steps, key)
            leaves = ()
            if _named(item):
                deeper = _walk(places, item, at_, (), context, depth + 1)
            else:
                leaves, deeper = _flat(places, item, at_, (), context, depth)
            if leaves:
                rows.append(Record((key,), (*leaves, *_inherited(shared), *above)))
            found += [
                replace(
                    each, path=(*path, *each.path), rows=tuple(Record((key, *r.names), r.leaves) for r in each.rows)
                )
                for each in deeper
            ]
        own = [Records((*path, ""), (Record((), (*shared, *above)),))] if shared else []
        return _merged([Records(path, tuple(rows)), *own, *found])
    leaves, inner = _flat(places, value, steps, (), above, depth)
    own = [Records(path, (Record((), (*leaves, *above)),))] if leaves else []
    return _merged([*own, *(replace(each, path=(*path, *each.path)) for each in inner)])


def _flat(
    places: Places,
    value: Mapping[str, JsonValue],
    steps: tuple[str | int, ...],
    path: tuple[str, ...],
    above: tuple[Leaf, ...],
    depth: int,
) -> tuple[tuple[Leaf, ...], list[Records]]:
    """Return the single values of an object and of those inside it, and the records that are kept in it."""
    leaves: list[Leaf] = []
    later: list[tuple[str, JsonValue]] = []
    unit = next((item for key, item in value.items() if key.casefold() in UNITS and isinstance(item, str)), "")
    for key, item in value.items():
        if places.left <= 0:
            break
        if unit and item == unit and key.casefold() in UNITS:
            continue
        if isinstance(item, str | bool | int) or (isinstance(item, float) and math.isfinite(item)):
            leaves.append(places.leaf((*path, key), (*steps, key), item, unit if not isinstance(item, str) else ""))
        elif isinstance(item, dict | list):
            later.append((key, item))
    found: list[Records] = []
    held = (*above, *_inherited(leaves))
    for key, item in later:
        if isinstance(item, dict) and not _named(item) and not _lists(item) and depth < MOST_DEPTH:
            inner, deeper = _flat(places, item, (*steps, key), (*path, key), held, depth + 1)
            leaves += inner
            found += deeper
        else:
            found += _walk(places, item, (*steps, key), (*path, key), held, depth + 1)
    return tuple(leaves), found


def _inherited(leaves: Iterable[Leaf]) -> tuple[Leaf, ...]:
    return tuple(replace(leaf, inherited=True) for leaf in leaves)


def _named(value: Mapping[str, JsonValue]) -> dict[str, dict[str, JsonValue]]:
    """Return the objects of an object that are records of one kind, by name; nothing where they are parts of one."""
    held = {key: item for key, item in value.items() if isinstance(item, dict) and key.casefold() not in ABOUT}
    if len(held) < LEAST_ROWS or all(names_phase(key) or is_statistic(key) for key in held):
        return {}
    kept = [set(item) for item in held.values()]
    common, every = set.intersection(*kept), set.union(*kept)
    if not common or len(common) < ALIKE * min(map(len, kept)) or len(common) < 0.2 * len(every):
        return {}
    # {"ttft": {"mean": .., "p99": ..}, "tpot": {..}} are the numbers of one record
    return {} if all(is_statistic(key) for key in every) else held


def _lists(value: Mapping[str, JsonValue]) -> dict[str, list[JsonValue]]:
    """Return the lists of numbers of an object, where it is a table by columns: all are of one length."""
    lists = {key: item for key, item in value.items() if isinstance(item, list) and item and _is_number(item[0])}
    lengths = {len(item) for item in lists.values()}
    scalars = [item for item in value.values() if not isinstance(item, list)]
    whole = len(lists) > 1 and len(lengths) == 1 and max(lengths) >= LEAST_ROWS and not scalars
    return lists if whole and all(_is_number(each) for item in lists.values() for each in item) else {}


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _rows(
    places: Places, lists: Mapping[str, list[JsonValue]], steps: tuple[str | int, ...], above: tuple[Leaf, ...]
) -> Iterator[Record]:
    for index in range(len(next(iter(lists.values())))):
        leaves = tuple(places.leaf((key,), (*steps, key, index), item[index]) for key, item in lists.items())
        if places.left <= 0:
            return
        yield Record((), (*leaves, *above))
