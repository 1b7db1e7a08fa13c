"""What is compared: the arms of a study or of a submission, read from `PATH` or `PATH@ARM`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...rules.case import Case, Side, Study
from ...runners.study import sweep
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from ...schemas.model import to_model
from ...schemas.source import parse, read_bytes
from ...schemas.spec import Spec
from ...schemas.submission import ManifestRef, Submission
from ...schemas.validation import check
from ..lint.read import read_documents
from ..lint.studies import read_studies

MANIFEST_LIMIT_BYTES = 32 << 20


@dataclass(frozen=True, slots=True)
class Subject:
    """One side of a comparison."""

    name: str
    """As it was named on the command line."""
    case: Case
    arms: dict[str, Side]
    """The arms to compare, by their own ids."""
    problems: tuple[str, ...]
    """What does not hold of the study's signature, raw files or ledger."""
    origin: str
    """Id of the study, or path of the submission."""


def read_subject(name: str) -> Subject:
    """Read a study's folder, a manifest or a submission, or one arm of it.

    Raises:
        UserError: it cannot be read, is none of these, holds no arm, or not the arm that was asked for.
    """
    path, _, wanted = name.partition("@") if not Path(name).exists() else (name, "", "")
    found = Path(path)
    manifest = found / "manifest.json" if found.is_dir() else found
    if found.is_dir() and not manifest.exists():
        raise UserError("there is no manifest.json in this folder", "name a study's folder or a submission", path)
    case, problems = _study(manifest) if manifest.name == "manifest.json" else _submission(path)
    arms = {side.id.rpartition(":")[2]: side for side in case.sides()}
    order = [name for name in _order(case, found if found.is_dir() else found.parent) if name in arms]
    arms = {name: arms[name] for name in dict.fromkeys((*order, *arms))}
    if wanted:
        arms = {key: side for key, side in arms.items() if key == wanted}
    if not arms:
        raise UserError(f"there is no arm {wanted!r}" if wanted else "there is no arm in it", "", path)
    record = case.studies["study"].record if not case.submission.arms and "study" in case.studies else None
    return Subject(name, case, arms, problems, record.study.id if record is not None else path)


def _order(case: Case, folder: Path) -> list[str]:
    """Return arms in the order in which they are compared: what claims call the base, then as the specs list them.

    A manifest sorts its arms by name; the spec beside it, where it is the one that ran, has the order that was meant.

    Args:
        case: the submission with its studies, or one study alone.
        folder: folder of the submission or study.
    """
    bases = [side.id.rpartition(":")[2] for claim in case.submission.claims.values() if (side := case.base(claim))]
    cited = case.submission.manifests
    homes = {name: (folder / cited[name].path).parent if name in cited else folder for name in case.studies}
    return [*bases, *(arm for name, study in case.studies.items() for arm in _of_spec(study, homes[name]))]


def _of_spec(study: Study, folder: Path) -> list[str]:
    """Return the arms of a study's spec, its baseline first; none where the spec is not there or not the same."""
    if study.record is None:
        return []
    try:
        with open_beneath(folder, study.record.study.spec) as file:
            data = file.read(MANIFEST_LIMIT_BYTES)
        if sha256_hex(data) != study.record.study.spec_sha256:
            return []
        value = check(parse(data, study.record.study.spec), "spec").value
    except UserError:
        return []
    spec = sweep.expanded(to_model(value, Spec))
    return [*((spec.claims.baseline,) if spec.claims.baseline is not None else ()), *spec.arms]


def _study(manifest: Path) -> tuple[Case, tuple[str, ...]]:
    data = read_bytes(manifest, MANIFEST_LIMIT_BYTES)
    cited = read_studies(
        {"study": ManifestRef(at="", path=manifest.name, sha256=sha256_hex(data))}, manifest.parent, None
    )
    study = cited["study"].study
    if study.record is None:
        raise UserError("; ".join(study.problems) or "this is not a valid manifest", "", str(manifest))
    empty = to_model({"dlaudit": "submission/1", "title": study.record.study.title, "claims": {}}, Submission)
    return Case(empty, {"study": study}), study.problems


def _submission(path: str) -> tuple[Case, tuple[str, ...]]:
    document, *others = read_documents((path,))
    if others:
        raise UserError("it names several submissions", "give one of them", path)
    submission = to_model(check(document.source, "submission").value, Submission)
    cited = read_studies(submission.manifests, document.folder, None)
    studies = {name: item.study for name, item in cited.items()}
    return Case(submission, studies), tuple(text for study in studies.values() for text in study.problems)
