"""Signing a study: the very bytes of its manifest.json, into manifest.dsse.json beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ...schemas.errors import UserError, VerificationFailed
from ...schemas.files import write_atomic
from ...schemas.manifest import Manifest
from ...schemas.model import to_model
from ...schemas.source import parse
from ..terminal import safe
from . import dsse
from .subjects import check_subjects
from .verify import ENVELOPE, MANIFEST, MAX_MANIFEST_BYTES, read_bounded, schema_problems


def sign_study(folder: Path, signer: dsse.Signer, detached: bool = False) -> Path:
    """Sign a study, or add a signature to it, and return the envelope's path.

    Args:
        folder: the folder that holds manifest.json.
        signer: who signs.
        detached: whether the manifest was brought here without its raw files, which then cannot be checked.

    Raises:
        UserError: the manifest cannot be read, or the envelope beside it is over other bytes.
        VerificationFailed: the manifest or its raw files do not hold, so nobody should sign them.
    """
    manifest = read_bounded(folder / MANIFEST, MAX_MANIFEST_BYTES)
    document = parse(manifest, str(folder / MANIFEST))
    problems = schema_problems(document)
    if not problems and not detached:
        problems = check_subjects(folder, to_model(document.value, Manifest).subject)
    if problems:
        raise VerificationFailed(
            f"{folder}: nothing was signed: " + "; ".join(safe(problem.message) for problem in problems[:5])
        )
    path = folder / ENVELOPE
    envelope = dsse.sign(dsse.STATEMENT_TYPE, manifest, signer)
    if path.exists() or path.is_symlink():
        envelope = _added(dsse.read(read_bounded(path, dsse.MAX_ENVELOPE_BYTES), str(path)), envelope, path)
    write_atomic(path, dsse.write(envelope))
    return path


def _added(existing: dsse.Envelope, signed: dsse.Envelope, path: Path) -> dsse.Envelope:
    """Return the existing envelope with the new signature in it; the same key signs once."""
    if (existing.payload, existing.payload_type) != (signed.payload, signed.payload_type):
        raise UserError(
            "this envelope was signed over other bytes than manifest.json",
            "remove it where manifest.json is what you mean to sign",
            str(path),
        )
    new = signed.signatures[0]
    others = tuple(item for item in existing.signatures if item.keyid != new.keyid)
    if len(others) >= dsse.MAX_SIGNATURES:
        raise UserError(f"the envelope carries {dsse.MAX_SIGNATURES} signatures already", where=str(path))
    return replace(existing, signatures=(*others, new))
