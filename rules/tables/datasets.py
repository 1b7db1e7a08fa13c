"""The table of data sets: how many examples each split has, and which metrics are a count over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import msgspec

from ..caching import remembered

TABLE = Path(__file__).with_name("datasets.json")


class Dataset(msgspec.Struct, frozen=True):
    """One data set; each field is described in datasets.schema.json. None is not known."""

    title: str
    names: tuple[str, ...]
    modality: str
    train: int | None = None
    validation: int | None = None
    test: int | None = None
    evaluated: int | None = None
    native_shape: tuple[int, ...] = ()
    customary_shape: tuple[int, ...] = ()
    customary_length: int | None = None
    metrics: dict[str, bool] = {}
    logged: tuple[int, ...] = ()
    note: str = ""


class Datasets(msgspec.Struct, frozen=True):
    """Data sets by id, with the index of their names in plain characters."""

    datasets: dict[str, Dataset]
    index: dict[str, str]

    def named(self, name: str) -> str | None:
        """Return the id of the data set of a name, whatever its case, spaces and punctuation; None where none fits."""
        return self.index.get(plain(name))


class _File(msgspec.Struct, frozen=True):
    datasets: dict[str, Dataset]


@cache
def datasets() -> Datasets:
    """Return the table that ships with the rules."""
    return indexed(msgspec.json.decode(TABLE.read_bytes(), type=_File).datasets)


def indexed(entries: Mapping[str, Dataset]) -> Datasets:
    """Return data sets with the index of their names."""
    return Datasets(dict(entries), dict(_index(entries.items())))


def _index(entries: Iterable[tuple[str, Dataset]]) -> Iterable[tuple[str, str]]:
    return ((plain(name), key) for key, entry in entries for name in entry.names)


@remembered(4096)
def plain(name: str) -> str:
    """Return a name without case, spaces and punctuation."""
    return "".join(character for character in name.casefold() if character.isalnum())


def datasets_of(value: object) -> dict[str, Dataset]:
    """Return the data sets of a document that its schema accepts."""
    return msgspec.convert(value, _File).datasets
