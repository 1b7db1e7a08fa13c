"""Which importer reads a file: told by what stands in it, and what is missing where none does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial

from msgspec import Struct

from .interface import Importer, Signature
from .report_file import ReportFile

NEAR = 0.5
"""Share of what a format needs from which on a file counts as nearly one."""


class Detection(Struct, frozen=True):
    """What a file is.

    Attributes:
        importer: that reads it, or None.
        nearest: where none reads it, the importer that comes nearest.
        missing: what the file lacks for that one.
    """

    importer: Importer | None
    nearest: Importer | None = None
    missing: tuple[str, ...] = ()


def detect(file: ReportFile, importers: Iterable[Importer]) -> Detection:
    """Return the importer whose signature fits; of several, the one that asks for most."""
    importers = tuple(importers)
    best: tuple[int, Importer] | None = None
    near: tuple[float, Importer, tuple[str, ...]] | None = None
    for importer in importers:
        for signature in importer.signatures:
            missing = lacking(file, signature)
            if missing is None:
                continue
            if not missing:
                if best is None or len(signature.needs) > best[0]:
                    best = (len(signature.needs), importer)
                continue
            share = 1 - len(missing) / len(signature.needs)
            if share >= NEAR and (near is None or share > near[0]):
                near = (share, importer, missing)
    if best is not None:
        return Detection(best[1])
    for importer in importers:
        if importer.recognises is not None and importer.recognises(file):
            return Detection(importer)
    return Detection(None, near[1], near[2]) if near is not None else Detection(None)


def known(file: ReportFile, importers: Iterable[Importer]) -> Importer | None:
    """Return the importer that reads a file, as `detect` does, without what is missing where none does."""
    if not file.data or file.data.isspace():
        return None
    importers = tuple(importers)
    holds = {form: _holder(file, form) for form in {each.form for one in importers for each in one.signatures}}
    best: tuple[int, Importer] | None = None
    for importer in importers:
        for signature in importer.signatures:
            has = holds[signature.form]
            fits = has is not None and all(_any(need, has) for need in signature.needs)
            if has is None or not fits or any(_any(word, has) for word in signature.without):
                continue
            if best is None or len(signature.needs) > best[0]:
                best = (len(signature.needs), importer)
    if best is not None:
        return best[1]
    return next((each for each in importers if each.recognises is not None and each.recognises(file)), None)


def lacking(file: ReportFile, signature: Signature) -> tuple[str, ...] | None:
    """Return what a file lacks of a signature; None where it has another form, or what must not be there."""
    holds = _holder(file, signature.form)
    if holds is None or any(_any(word, holds) for word in signature.without):
        return None
    return tuple(need for need in signature.needs if not _any(need, holds))


def _any(words: str, holds: Callable[[str], bool]) -> bool:
    return any(holds(word) for word in words.split("|"))


def _holder(file: ReportFile, form: str) -> Callable[[str], bool] | None:
    """Return the test whether a file of a form holds something, or None where it has not that form."""
    if form == "json":
        return partial(_follow, file.json.value) if file.json is not None else None
    if form == "json lines":
        return partial(_follow, file.json_lines[0][1]) if file.json_lines else None
    if form == "table":
        if not file.table:
            return None
        names = {cell.casefold() for cell in file.table[0][1]}
        return names.__contains__
    head = _without_code(file.data)
    return lambda text: text.encode() in head


def _without_code(data: bytes) -> bytes:
    """Return a text without its fenced blocks of code: a document that shows lines of a log is none."""
    if b"\n```" not in data:
        return data
    parts = re.split(rb"^```.*$", data, flags=re.MULTILINE)
    return b"\n".join(parts[::2])


def _follow(value: object, path: str) -> bool:
    for step in path.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return False
    return True
