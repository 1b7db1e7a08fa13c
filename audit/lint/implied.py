"""The claims that a study implies: what `dlaudit run` drafts, so that a manifest can be judged without a submission."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from ...schemas.model import to_model
from ...schemas.source import Source, parse
from ...schemas.spec import Spec
from ...schemas.validation import validate
from .. import draft

SPEC_LIMIT_BYTES = 1 << 20


def implied(manifest: Source, folder: Path) -> Source:
    """Return the drafted submission of a valid manifest: median rate per arm, first crossing per convergence check.

    Args:
        manifest: the manifest.
        folder: the study's folder, where its spec lies.

    Raises:
        UserError: the spec in the folder is missing, or is not what the manifest names.
    """
    assert isinstance(manifest.value, dict)
    value: dict[str, Any] = manifest.value
    submission = draft.submission(value, sha256_hex(manifest.data), _spec(value["predicate"]["study"], folder))
    return parse(json.dumps(submission, indent=1).encode(), "claims implied by manifest.json")


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
