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

LIMIT_BYTES = 16 << 20
_MODULES = {"markdown": "markdown", "html": "markup", "text": "text"}


def written(file: ReportFile) -> Written:
    """Return the document that a file is.

    Raises:
        UserError: it is too large, or not what its first bytes say.
    """
    form = form_of(file)
    if len(file.data) > LIMIT_BYTES:
        what = f"a document of more than {LIMIT_BYTES >> 20} MiB"
        raise UserError(what, "hand in the part with the claims, or the numbers as CSV", file.name)
    found: Written = import_module(f".{_MODULES[form]}", __package__).read(file.lines)
    return replace(found, blocks=tuple(captioned(found.blocks)))
