"""The second measurement: the spec of the first study, byte for byte, run here into a signed study of its own."""

from __future__ import annotations

from pathlib import Path

from ...runners.record import manifest as manifests
from ...runners.study import execute, homes, impossible, interruption
from ...runners.study import plan as planning
from ...runners.study.folder import write_json
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.source import parse
from ...schemas.validation import InvalidDocument
from ..trust.dsse import Signer
from ..trust.ledger import slice_of
from ..trust.recorder import LedgerRecorder
from ..trust.signing import sign_study
from ..trust.verify import MANIFEST
from .original import Original, check_code


def measure(original: Original, out: Path, code: Path, ledger: Path, signer: Signer | None) -> None:
    """Run the spec of a study and write what came out.

    Args:
        original: the study.
        out: folder of the new study; it must not exist, or be empty.
        code: folder to which the paths of a command are relative.
        ledger: where plan and starts are entered.
        signer: who signs; None leaves it unsigned.

    Raises:
        UserError: the code is another, this machine cannot run it, or it was interrupted.
        EnvironmentRefused: a required control is not granted here.
    """
    spec, name = original.spec, original.record.study.spec
    wrong = impossible.problems(spec, folder=code)
    if wrong:
        raise InvalidDocument(parse(original.spec_bytes, f"{original.folder}/{name}"), "spec", wrong)
    plan = planning.make(spec, sha256_hex(original.spec_bytes), name)
    recorder = LedgerRecorder(ledger)
    with interruption.once(), homes.made(spec, code) as places:
        check_code(original, places)
        out.parent.mkdir(parents=True, exist_ok=True)
        of_spec = spec, plan, original.spec_bytes, original.spec_suffix
        finished = execute.run(*of_spec, out, recorder, spec_folder=code, homes=places)
    if not finished or not recorder.study:
        raise UserError("interrupted before the last trial", "remove the folder and start again", str(out))
    write_json(out / MANIFEST, manifests.build(out, spec, plan, slice_of(recorder.path, recorder.study)))
    if signer is not None:
        sign_study(out, signer)
