"""One document that was found: validated, turned into a submission where it is a manifest, and judged."""

from __future__ import annotations

from msgspec.structs import replace

from ...schemas.collector import collector_paused
from ...schemas.errors import UserError
from ...schemas.model import to_model
from ...schemas.submission import Submission
from ...schemas.validation import validate
from .collect import Found
from .invalid import invalid_report
from .lint import Linted, Settings, lint
from .references import dangling


@collector_paused()
def judged(found: Found, settings: Settings) -> Linted:
    """Judge one document; an invalid one becomes a report without a verdict, with a finding for every place."""
    submission = None
    problems = validate(found.kind, found.source.value)
    if not problems and found.kind == "submission":
        submission = to_model(found.source.value, Submission)
        problems = dangling(submission)
    if problems and found.draft is not None:
        what = f"no valid submission could be made of it: at {problems[0].pointer}, {problems[0].what}"
        raise UserError(what, "write one by hand; `dlaudit import` writes the draft", found.source.name)
    if problems:
        return invalid_report(found.source, problems, settings)
    if found.kind == "manifest":
        from .implied import implied

        return lint(implied(found.source, found.folder), found.folder, settings)
    linted = lint(found.source, found.folder, settings, found.draft, submission)
    return replace(linted, unread=found.unread) if found.unread else linted
