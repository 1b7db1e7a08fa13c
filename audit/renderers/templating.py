"""The templates of HTML pages: whatever comes from a document is text, shown whole and harmless."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..report import Verdict
from ..terminal import safe

if TYPE_CHECKING:
    from jinja2 import Environment

SYMBOLS = {
    Verdict.PASS: ("✓", "pass"),
    Verdict.PASS_WITH_CAVEATS: ("!", "caveats"),
    Verdict.INSUFFICIENT_EVIDENCE: ("?", "insufficient"),
    Verdict.FAIL: ("✗", "fail"),
    None: ("–", "none"),
}
"""The sign and the class of a verdict."""


def environment(folder: Path, names: dict[str, Any]) -> Environment:
    """Return the templates of a folder, which know some names and `verdict_of`; an unknown name is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.globals["verdict_of"] = lambda verdict: (
        *SYMBOLS[verdict],
        "NO VERDICT" if verdict is None else verdict.words,
    )
    found.globals |= names
    return found


def _shown(value: object) -> object:
    """Show every character of a text and let none of them steer; only markup of our own passes as it is."""
    if hasattr(value, "__html__"):
        return value
    return "" if value is None else safe(value)
