"""Draft: from a document to the valid submission that it is, that an importer drafted, or that a study implies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Any

from msgspec import Struct

from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from ...schemas.model import to_model
from ...schemas.printed_forms import readings
from ...schemas.source import Source, parse
from ...schemas.spec import Spec
from ...schemas.submission import Submission
from ...schemas.validation import Problem, validate
from .. import implied
from .document import Document
from .references import dangling

SPEC_LIMIT_BYTES = 1 << 20


class Drafted(Struct, frozen=True):
    """A submission with the text that its places are in, and the other way in which it may be read."""

    source: Source
    submission: Submission
    otherwise: Submission | None = None


def draft(document: Document) -> Drafted | Sequence[Problem]:
    """Return a document's submission, or everything that is wrong with the document.

    Raises:
        UserError: an importer's draft is not valid, or a study's spec is not what its manifest names.
    """
    if document.kind == "manifest":
        problems: Sequence[Problem] = validate(document.kind, document.source.value)
        return problems or _of_study(document.source, document.folder)
    own, *otherwise = readings(document.source.value)
    problems = (*validate(document.kind, own), *dangling(own))
    if problems and document.draft is not None:
        what = f"no valid submission could be made of it: at {problems[0].pointer}, {problems[0].what}"
        raise UserError(what, "write one by hand; `dlaudit draft` writes the draft", document.source.name)
    if problems:
        return problems
    other = to_model(otherwise[0], Submission) if otherwise else None
    return Drafted(document.source, to_model(own, Submission), other)


def _of_study(manifest: Source, folder: Path) -> Drafted:
    """Return the submission that a valid manifest implies.

    Args:
        manifest: the manifest.
        folder: the study's folder, where its spec lies.
    """
    assert isinstance(manifest.value, dict)
    value: dict[str, Any] = manifest.value
    spec, name = _spec(value["predicate"]["study"], folder), PurePath(manifest.name).name
    submission = implied.submission(value, sha256_hex(manifest.data), spec, name)
    source = parse(json.dumps(submission, indent=1).encode(), f"claims implied by {name}")
    return Drafted(source, to_model(source.value, Submission))


def _spec(study: dict[str, Any], folder: Path) -> Spec:
    with open_beneath(folder, study["spec"]) as file:
        data = file.read(SPEC_LIMIT_BYTES)
    where = str(folder / study["spec"])
    if sha256_hex(data) != study["spec_sha256"]:
        raise UserError("this is not the spec that the manifest names", "restore it, or lint a submission", where)
    source = parse(data, study["spec"])
    problems = validate("spec", source.value)
    if problems:
        raise UserError(problems[0].what, problems[0].todo, where)
    return to_model(source.value, Spec)
