"""The study that is measured again: what it claims, the spec that it ran, and the code that ran."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ...runners.study import plan as planning
from ...runners.study import program, sweep
from ...runners.study.homes import Homes
from ...runners.study.program import Program
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from ...schemas.manifest import Predicate
from ...schemas.model import to_model
from ...schemas.source import parse
from ...schemas.spec import Spec
from ...schemas.strict_json import LIMIT_BYTES
from ...schemas.submission import Claim, Submission
from ...schemas.validation import check
from .. import implied
from ..compare.subject import Subject, read_subject
from ..trust.trustfile import Trust
from ..trust.verify import MANIFEST, Verification, verify_study

SPEC_LIMIT_BYTES = 1 << 20
SUBMISSION = "submission.json"


@dataclass(frozen=True, slots=True)
class Original:
    """A study as it was handed in."""

    folder: Path
    verification: Verification
    subject: Subject
    record: Predicate
    spec: Spec
    spec_bytes: bytes
    spec_suffix: str
    claims: Mapping[str, Claim]
    claims_from: str
    """Where the claims stand: the submission beside the manifest, or the manifest that they were drafted from."""

    @property
    def sha256(self) -> str:
        """Digest of the manifest."""
        return sha256_hex(self.verification.manifest)


def read_original(path: Path, trust: Trust | None) -> Original:
    """Read a study with its claims.

    Args:
        path: its folder or its manifest.
        trust: whose signatures count.

    Raises:
        UserError: there is no study, its spec is not in it, or a document of it is not valid.
    """
    verification = verify_study(path, trust)
    folder = verification.folder
    subject = read_subject(str(folder))
    record = subject.case.studies["study"].record
    if record is None:
        raise UserError("this is not a valid manifest", "dlaudit verify says why", str(path))
    data = _spec_bytes(folder, record)
    spec = sweep.expanded(to_model(check(parse(data, f"{folder}/{record.study.spec}"), "spec").value, Spec))
    submission, where = _submission(folder, verification, spec)
    suffix = Path(record.study.spec).suffix or ".yaml"
    return Original(folder, verification, subject, record, spec, data, suffix, submission.claims, where)


def _spec_bytes(folder: Path, record: Predicate) -> bytes:
    with open_beneath(folder, record.study.spec) as file:
        data = file.read(SPEC_LIMIT_BYTES)
    if sha256_hex(data) != record.study.spec_sha256:
        what = "this is not the spec that the study ran: its SHA-256 differs from the manifest's"
        raise UserError(what, "ask for the file as it was signed", f"{folder}/{record.study.spec}")
    return data


def _submission(folder: Path, verification: Verification, spec: Spec) -> tuple[Submission, str]:
    """Return the claims on a study: those that were handed in with it, else those that it implies."""
    if (folder / SUBMISSION).exists():
        with open_beneath(folder, SUBMISSION) as file:
            data = file.read(LIMIT_BYTES)
        value = check(parse(data, str(folder / SUBMISSION)), "submission").value
        return to_model(value, Submission), SUBMISSION
    drafted = implied.submission(verification.value, sha256_hex(verification.manifest), spec)
    return to_model(drafted, Submission), f"drafted from {MANIFEST}"


def own_programs(original: Original) -> tuple[str, ...]:
    """Return the programs of its own that a study's spec would start here, as it names them."""
    workloads = [original.spec.workload, *(arm.workload for arm in original.spec.arms.values() if arm.workload)]
    named = [" ".join(each.command) or each.entry for each in workloads]
    return tuple(dict.fromkeys(name for name in named if name))


def check_code(original: Original, places: Homes) -> None:
    """Make sure that the code is the one that was measured.

    Args:
        original: the study.
        places: where the code of each arm lies.

    Raises:
        UserError: it is not.
    """
    then = {
        name: msgspec.convert(
            {key: value for key, value in msgspec.to_builtins(arm.workload).items() if value}, Program
        )
        for name, arm in original.record.arms.items()
        if arm.workload is not None
    }
    plan = planning.make(original.spec, original.record.study.spec_sha256)
    changed = program.differences(then, program.of_plan(plan, places))
    if changed:
        what = f"the code is not the one that was measured: {'; '.join(changed[:4])}"
        folder = next(iter(places.values())).folder
        raise UserError(what, "name the folder with the code that was measured: --code", str(folder))
