"""A document of any form, read into blocks."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ....schemas.errors import UserError
from .blocks import Written
from .captions import captioned
from .forms import form_of

if TYPE_CHECKING:
    from ..report_file import ReportFile

LIMIT_BYTES = 64 << 20
_HERE = {"markdown": "markdown", "html": "markup", "text": "text"}
"""Forms that small parsers read, in this process."""


def written(file: ReportFile) -> Written:
    """Return the document that a file is.

    Raises:
        UserError: it is too large, not what its first bytes say, or its parser is not installed.
    """
    form = form_of(file)
    if len(file.data) > LIMIT_BYTES:
        what = f"a document of more than {LIMIT_BYTES >> 20} MiB"
        raise UserError(what, "hand in the part with the claims, or the numbers as CSV", file.name)
    if form == "notebook" and file.json is not None:
        from . import notebook

        found = notebook.read(file.json)
    elif form in _HERE:
        found = import_module(f".{_HERE[form]}", __package__).read(file.lines)
    else:
        from .child import read_apart

        found = read_apart(form, file.raw, file.name)
    return replace(found, blocks=tuple(captioned(found.blocks)))
