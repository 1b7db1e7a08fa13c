"""Cited studies: read, verified, and turned into what the rules may read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ...rules.case import Columns, Signature, Study, inline_readings
from ...rules.trace import Trace
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.evidence import SamplesFile, Trial
from ...schemas.files import open_beneath
from ...schemas.manifest import Manifest
from ...schemas.model import to_model
from ...schemas.requests import Requests
from ...schemas.samples import SampleFile, read_samples
from ...schemas.source import Source, parse
from ...schemas.submission import ManifestRef
from ...schemas.validation import validate
from .study_logs import read_logs

if TYPE_CHECKING:
    from ..trust.trustfile import Trust

SAMPLES_LIMIT_BYTES = 256 << 20
_SIGNATURES: dict[str, Signature] = {
    "valid_trusted": "trusted",
    "valid_unlisted": "unlisted",
    "absent": "absent",
    "invalid": "invalid",
}


class Cited(Struct, frozen=True):
    """A cited study with the text of its manifest, for places in it."""

    study: Study
    source: Source | None
    traces: Mapping[tuple[str, str], Trace] = {}
    """Logs of its runs, by the rules' name of the arm and by run."""


def read_studies(refs: Mapping[str, ManifestRef], folder: Path, trust: Trust | None) -> dict[str, Cited]:
    """Read and verify the studies that a submission cites.

    Args:
        refs: the submission's citations.
        folder: folder of the submission; every path is taken beneath it.
        trust: whose signatures count.

    Returns:
        a study per citation; one that cannot be read has no record and says why in its problems.
    """
    return {name: _read_study(name, ref, folder, trust) for name, ref in refs.items()}


def _read_study(name: str, ref: ManifestRef, folder: Path, trust: Trust | None) -> Cited:
    from ..trust.verify import verify_study

    try:
        open_beneath(folder, ref.path).close()  # no link on the way leads out of the folder
        verification = verify_study((folder / ref.path).parent, trust, manifest=Path(ref.path).name)
    except UserError as error:
        return Cited(Study(name, None, "unread", (str(error),)), None)
    problems = [problem.message for problem in verification.problems if problem.weight == "broken"]
    if sha256_hex(verification.manifest) != ref.sha256:
        problems.append(f"{ref.path} is not the file that the submission cites: its SHA-256 differs")
    signature = "invalid" if problems else _SIGNATURES[verification.signature]
    # Of a doctored study the rules read what was signed, so that they can say what the doctoring changed.
    valid = not validate("manifest", verification.value)
    record = to_model(verification.value, Manifest, f"{name}:").predicate if valid else None
    traces: Mapping[tuple[str, str], Trace] = {}
    if record is not None:
        record, traces = read_logs(record, name, folder, ref.path)
    study = Study(
        name,
        record,
        signature,
        tuple(problems),
        raw_reader((folder / ref.path).parent),
        verification.plans_of_spec,
        read_telemetry=telemetry_reader((folder / ref.path).parent),
        read_requests=requests_reader((folder / ref.path).parent),
    )
    return Cited(study, parse(verification.manifest, str(folder / ref.path)), traces)


def raw_reader(folder: Path) -> Callable[[Trial], Columns]:
    """Return a function from a trial to its raw columns, which reads each sample file beneath `folder` once."""
    files = _file_reader(folder)

    def read(trial: Trial) -> Columns:
        if trial.samples_file is None:
            return trial.samples
        found = files(trial.samples_file)
        return found.columns if found is not None else {}

    return read


def requests_reader(folder: Path) -> Callable[[Trial], Requests | None]:
    """Return a function from a trial to the requests that it served, its own or those of a file beneath `folder`."""
    files = _file_reader(folder)

    def read(trial: Trial) -> Requests | None:
        if trial.samples_file is None:
            return trial.requests
        found = files(trial.samples_file)
        return found.requests if found is not None else None

    return read


def telemetry_reader(folder: Path) -> Callable[[Trial], Columns]:
    """Return a function from a trial to its readings of sensors, its own or those of a file beneath `folder`."""
    files = _file_reader(folder)

    def read(trial: Trial) -> Columns:
        file = trial.telemetry.file if trial.telemetry is not None else None
        if file is None:
            return inline_readings(trial)
        found = files(file)
        return found.telemetry if found is not None else {}

    return read


def _file_reader(folder: Path) -> Callable[[SamplesFile], SampleFile | None]:
    @cache
    def content(path: str, digest: str) -> SampleFile | None:
        with open_beneath(folder, path) as file:
            data = file.read(SAMPLES_LIMIT_BYTES)
        if sha256_hex(data) != digest:
            return None
        return read_samples(data, path)

    def read(file: SamplesFile) -> SampleFile | None:
        try:
            return content(file.path, file.sha256)
        except (UserError, OSError):
            return None

    return read
