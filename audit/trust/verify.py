"""Verification of a study: envelope, manifest, raw files and ledger.

The order is fixed. First the envelope is judged as bytes. Then manifest.json must be those very bytes, and what is
parsed is what was verified. Then the value must fulfil the closed schema, so that a stripped or an added field is
found. Then every raw file must be there with its digest, and nothing else. Last, the ledger's part must lead to its
head and tell the same story.

A signature proves who and unchanged, not honest. Raw numbers that were made up before signing, and runs on a machine
that the ledger does not know, cannot be seen here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from ...schemas.errors import UserError
from ...schemas.manifest import Manifest
from ...schemas.model import to_model
from ...schemas.source import Source, parse, read_bytes
from ...schemas.validation import validate
from . import dsse
from .difference import manifest_difference
from .judgement import Judgement, Status, judge
from .problem import Problem
from .record import LedgerStatus, Record, check_record
from .subjects import check_subjects, not_signed
from .trustfile import Trust

MANIFEST = "manifest.json"
ENVELOPE = "manifest.dsse.json"
MAX_MANIFEST_BYTES = 32 << 20
_NO_LEDGER = Record("absent", None, None, (), ())


@dataclass(frozen=True, slots=True)
class Verification:
    """What holds of a study."""

    folder: Path
    manifest: bytes
    """The signed payload; where no envelope can be read, the bytes of manifest.json."""
    value: Any
    """The JSON value of `manifest`; None where it cannot be read."""
    signature: Status
    keyids: tuple[str, ...]
    """Keys that made a genuine signature."""
    owners: tuple[str, ...]
    """Owners of the keys that count under the trust file."""
    ledger: LedgerStatus
    plans_of_spec: int | None
    plans_of_options: int | None
    lost: tuple[str, ...]
    not_signed: tuple[str, ...]
    """Files in the folder that no signature covers."""
    problems: tuple[Problem, ...]

    @property
    def is_intact(self) -> bool:
        """Whether nothing contradicts: no byte, field, file or ledger entry. It says nothing about who signed."""
        return self.signature != "invalid" and all(problem.weight != "broken" for problem in self.problems)

    @property
    def tier_ceiling(self) -> Literal["T4", "T2", "T1"]:
        """The best tier that its numbers can have.

        T4 (recomputed; T3 where attested only) under a trusted signature, T2 where nobody trusted signed, T1 where
        something contradicts.
        """
        if not self.is_intact:
            return "T1"
        return "T4" if self.signature == "valid_trusted" else "T2"


def verify_study(
    path: Path, trust: Trust | None = None, now: datetime | None = None, manifest: str = MANIFEST
) -> Verification:
    """Verify a study.

    Args:
        path: the study's folder, or its manifest.json.
        trust: whose signatures count; None where the reader names nobody.
        now: the moment of verification; the current one where None.
        manifest: what its manifest is called; the envelope beside it is called alike.

    Raises:
        UserError: there is no study, or neither its manifest nor its envelope can be read.
    """
    folder = study_folder(path)
    data = read_bounded(folder / manifest, MAX_MANIFEST_BYTES)
    envelope = f"{manifest.removesuffix('.json')}.dsse.json"
    payload, judgement = _judge_envelope(folder / envelope, data, trust, now or datetime.now(UTC))
    problems = list(judgement.problems)
    if payload != data:
        problems.append(manifest_difference(data, payload))
    document = _parsed(payload, judgement.status, problems)
    value: Any = None if document is None else document.value
    record = _NO_LEDGER
    if document is not None:
        invalid = schema_problems(document)
        problems += invalid
        if not invalid:
            model = to_model(value, Manifest)
            problems += check_subjects(folder, model.subject, frozenset({manifest, envelope}))
            record = check_record(model.predicate, value)
            problems += record.problems
    return Verification(
        folder=folder,
        manifest=payload,
        value=value,
        signature=judgement.status,
        keyids=judgement.keyids,
        owners=judgement.owners,
        ledger=record.status,
        plans_of_spec=record.plans_of_spec,
        plans_of_options=record.plans_of_options,
        lost=record.lost,
        not_signed=not_signed(folder),
        problems=tuple(problems),
    )


def study_folder(path: Path) -> Path:
    """Return the folder of a study, named by itself or by its manifest.json.

    Raises:
        UserError: the path is neither.
    """
    if path.is_dir():
        return path
    if path.name != MANIFEST:
        raise UserError(f"this is neither a study's folder nor a {MANIFEST}", "name one of them", str(path))
    return path.parent


def read_bounded(path: Path, limit_bytes: int) -> bytes:
    """Read a regular file of limited size in a study's folder; links are not followed.

    Raises:
        UserError: it is none, or cannot be read.
    """
    if path.is_symlink():
        raise UserError("a link, where a study holds regular files only", where=str(path))
    return read_bytes(path, limit_bytes)


def schema_problems(document: Source) -> list[Problem]:
    """Return what the closed schema refuses in a manifest."""
    return [
        Problem(
            "manifest-invalid",
            f"{problem.pointer or '/'}: {problem.what}" + (f"; {problem.todo}" if problem.todo else ""),
            where=f"{MANIFEST} ({problem.pointer or '/'})",
        )
        for problem in validate("manifest", document.value)[:20]
    ]


def _judge_envelope(path: Path, manifest: bytes, trust: Trust | None, now: datetime) -> tuple[bytes, Judgement]:
    """Return the bytes that count as the manifest, and what their signatures are worth."""
    if not path.exists() and not path.is_symlink():
        message = f"the study is not signed: there is no {ENVELOPE}; sign it with dlaudit sign"
        return manifest, Judgement("absent", (), (), (Problem("signature-absent", message, "untrusted", ENVELOPE),))
    try:
        envelope = dsse.read(read_bounded(path, dsse.MAX_ENVELOPE_BYTES), ENVELOPE)
    except UserError as error:
        broken = Problem("envelope-malformed", error.what, "broken", error.where or ENVELOPE)
        return manifest, Judgement("invalid", (), (), (broken,))
    if envelope.payload_type != dsse.STATEMENT_TYPE:
        message = f"the envelope says that it holds {envelope.payload_type[:80]!r}, not {dsse.STATEMENT_TYPE!r}"
        return envelope.payload, Judgement("invalid", (), (), (Problem("payload-type", message, "broken", ENVELOPE),))
    return envelope.payload, judge(envelope, trust, now, ENVELOPE)


def _parsed(payload: bytes, status: Status, problems: list[Problem]) -> Source | None:
    """Parse the very bytes that were verified."""
    try:
        return parse(payload, MANIFEST)
    except UserError as error:
        if status == "absent":
            raise
        problems.append(Problem("manifest-unreadable", f"the payload cannot be read: {error.what}", where=error.where))
        return None
