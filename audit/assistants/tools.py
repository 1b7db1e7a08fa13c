"""What assistants may ask for: functions from a file beneath one folder, or a submission in words, to text.

Whatever is handed in names the document that it was taken from, and is looked up there first: each statement,
quotation, name and number. What does not stand in it is an error that names it, and nothing is judged. The documents
themselves are read as `dlaudit lint` reads them. No tool writes a file, and none opens a connection.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from ...schemas.printed_forms import readings
from ...schemas.source import Source, parse
from ...schemas.validation import BASE, kinds, local_schema, validate
from ..lint.document import Document as Judged
from ..lint.document import kind_of
from ..lint.lint import Linted, lint
from ..lint.published import LIMIT_PACKED_BYTES, published
from ..lint.settings import Settings
from .grounding import Document, ungrounded

HANDED_IN = "submission"
TODO = "copy it as it is printed, or leave it out"


class Tools:
    """The tools, for the files beneath one folder."""

    def __init__(self, root: Path) -> None:
        """Name the folder; no file outside it is read."""
        self.root = root.resolve()

    def draft(self, path: str) -> str:
        """Return the shortest submission that says what was read of a document: YAML, with a comment at each decision.

        Args:
            path: a document or a report of another tool, from the folder of the server.
        """
        from ..commands.draft import text_of

        return text_of(self._path(path))

    def lint(self, path: str = "", submission: str = "", source: str = "") -> str:
        """Return the verdict on the claims of a document, or of a submission that was taken from one.

        Args:
            path: a document, a report, a study or a submission, from the folder of the server; or
            submission: a submission in YAML or JSON, with
            source: the document that it was taken from, in which all that it says is looked up.
        """
        from ..renderers.text import render

        return "\n".join(render(item.report) for item in self._judged(path, submission, source))

    def questions(self, path: str = "", submission: str = "", source: str = "") -> str:
        """Return questions for the authors of a document, in neutral words: what holds, then at most eight questions.

        Args:
            path: a document, a report, a study or a submission, from the folder of the server; or
            submission: a submission in YAML or JSON, with
            source: the document that it was taken from, in which all that it says is looked up.
        """
        from ..renderers.questions import render_markdown

        return render_markdown(self._judged(path, submission, source))

    def explain(self, rule: str) -> str:
        """Return what a rule does, why what it finds misleads, and what would be accepted.

        Args:
            rule: its code or its name: W0801, option-set-mismatch.
        """
        from ..commands.explain import explained

        return explained(rule)

    def schema(self, kind: str = "submission") -> str:
        """Return the JSON Schema of a document.

        Args:
            kind: submission, common for what it refers to, or the name of another document.
        """
        names = (*kinds(), "common")
        if kind not in names:
            raise UserError(f"there is no schema {kind!r}", f"choose one of: {', '.join(names)}")
        return json.dumps(local_schema(f"{BASE}{kind}.schema.json"), indent=1)

    def _judged(self, path: str, submission: str, source: str) -> list[Linted]:
        if bool(path) == bool(submission):
            raise UserError("a path or a submission is needed", "give a file, or a submission with its source")
        text = self._submission(path) if path else parse(submission.encode(), HANDED_IN)
        if text is None:
            from ..lint.paths import lint_paths

            return lint_paths([str(self._path(path))], Settings())
        return [self._grounded(text, source, self._path(path).parent if path else self.root)]

    def _submission(self, path: str) -> Source | None:
        """Return the submission that a file is; None where it is anything else."""
        file = self._path(path)
        if not file.is_file() or file.suffix not in {".yaml", ".yml", ".json"}:
            return None
        found = parse(file.read_bytes(), path)
        return found if kind_of(found) == "submission" else None

    def _grounded(self, text: Source, source: str, folder: Path) -> Linted:
        """Judge a submission after all that it says was found in its document.

        Raises:
            UserError: something does not stand there, or the submission is not valid.
        """
        value: Any = text.value
        own, *_ = readings(value)
        problems = validate("submission", own)
        if problems:
            raise UserError(_listed(f"{each.pointer}: {each.what}; {each.todo}" for each in problems), "correct these")
        named = source or (value.get("source") or {}).get("file", "")
        if not named:
            raise UserError("it does not name the document that it was taken from", "give source")
        document = self._document(named if source else str((folder / named).relative_to(self.root)))
        missing = ungrounded(own, document)
        if missing:
            raise UserError(_listed(f"{each.pointer}: {each.what}" for each in missing), TODO)
        return lint(Judged(text, "submission", folder), Settings())

    def _document(self, name: str) -> Document:
        with open_beneath(self.root, name) as file:
            found = published(name, file.read(LIMIT_PACKED_BYTES + 1))
        texts = tuple(text for text in (found.text, found.shown) if text is not None)
        if not texts:
            raise UserError("it cannot be read as text", "give a document", name)
        return Document(name.rpartition("/")[2], texts)

    def _path(self, path: str) -> Path:
        """Return a path beneath the folder of the server.

        Raises:
            UserError: it lies elsewhere, or is not there.
        """
        found = (self.root / path).resolve()
        if not found.is_relative_to(self.root):
            raise UserError(f"{path!r} lies outside the folder of the server", "give a path beneath it")
        if not found.exists():
            raise UserError("no such file", "check the path", path)
        return found


def _listed(lines: Iterable[str]) -> str:
    return "; ".join(lines)
