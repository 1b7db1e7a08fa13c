"""What the studies of a hand-in ran, held against the specs of the tender."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from ...schemas.manifest import Predicate
from ..lint.lint import Linted
from .tender import SPEC_LIMIT_BYTES, Issued, nearest


@dataclass(frozen=True, slots=True)
class Ran:
    """What a study ran: the nearest workload of the tender, and what differs from it."""

    title: str
    workload: str
    changed: tuple[str, ...]
    nonce: str | None


def of_studies(linted: Sequence[Linted], issued: Issued) -> dict[tuple[str, str], Ran]:
    """Return what each study ran, by the path of its document and its name there."""
    found = {}
    for item in linted:
        refs = item.case.submission.manifests
        for name, study in item.case.studies.items():
            if study.record is not None:
                below = refs[name].path.rpartition("/")[0] if name in refs else ""
                found[item.path, name] = _ran(Path(item.path).parent, below, study.record, issued)
    return found


def _ran(folder: Path, below: str, record: Predicate, issued: Issued) -> Ran:
    title, nonce = record.study.title, record.study.nonce
    try:
        with open_beneath(folder, f"{below}/{record.study.spec}".removeprefix("/")) as file:
            ran = file.read(SPEC_LIMIT_BYTES)
    except UserError:
        return Ran(title, "", ("spec, which is not there",), nonce)
    if sha256_hex(ran) != record.study.spec_sha256:
        return Ran(title, "", ("spec: its file is not the one that ran",), nonce)
    workload, changed = nearest(issued, ran, record.study.spec)
    files = {file for arm in record.arms.values() if arm.workload is not None for file in arm.workload.files.values()}
    if not changed and files != set(issued.content.workloads[workload].files.values()):
        changed = ("code",)
    return Ran(title, workload, changed, nonce)
