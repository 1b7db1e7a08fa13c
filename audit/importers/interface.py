"""The interface of an importer: what it recognises, which fields it maps, and the function that reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from ...rules.trace import Trace
from .draft import Draft
from .report_file import ReportFile
from .tree import Tree

if TYPE_CHECKING:
    from ..workers import Workers

Form = Literal["json", "json lines", "table", "lines"]


class Signature(Struct, frozen=True):
    """How a report is recognised by what stands in it, never by its name.

    Attributes:
        form: the file's form: one JSON document, a JSON object a line, a CSV or TSV table, or lines of text.
        needs: what must be there, each an alternative or several with `|` between them. json, json lines: paths of
            keys as `benchmarks.0.stats`, in the document or its first line; table: names of columns, in small letters;
            lines: pieces of text outside fenced blocks of code (of the first 64 KiB where a whole folder is looked
            through).
        without: what must not be there, in the same words, where another format looks alike.
    """

    form: Form
    needs: tuple[str, ...]
    without: tuple[str, ...] = ()


class Field(Struct, frozen=True):
    """One row of the field map: a field of the report, where it goes in the submission, and what to know about it."""

    source: str
    target: str
    note: str = ""


class Together(Struct, frozen=True):
    """Which files of a folder are one report, of those that an importer reads, and how they are read as one.

    Attributes:
        place: from a file's path to the folder that its report is; files with one such folder belong together.
        read: from several files of one report, in the order of their paths, to one draft.
        beside: whether a file of another format tells of the report in whose folder it lies.
    """

    place: Callable[[str], str]
    read: Callable[[tuple[ReportFile, ...]], Draft]
    beside: Callable[[ReportFile], bool] | None = None


class Importer(Struct, frozen=True):
    """An importer.

    Attributes:
        name: what `--from` calls it, in small letters with hyphens.
        title: the format in a few words.
        doc: what it reads, what it leaves out, how the format is known, in Markdown; the module's docstring.
        signatures: what it recognises; any of them suffices.
        fields: the field map.
        read: from one file to a draft.
        read_folder: from a whole folder to one draft, with processes that may read it; None where each file is a report
            of its own.
        together: how files of a folder that are one report are read as one; None where each is a report of its own.
        recognises: asked where no signature of any importer fits, for formats that no fixed words tell.
        read_log: from one run's log, as its document names it, to its trace; None where the format has none.
    """

    name: str
    title: str
    doc: str
    signatures: tuple[Signature, ...]
    fields: tuple[Field, ...]
    read: Callable[[ReportFile], Draft]
    read_folder: Callable[[Tree, Workers | None], Draft] | None = None
    together: Together | None = None
    recognises: Callable[[ReportFile], bool] | None = None
    read_log: Callable[[ReportFile], Trace] | None = None
