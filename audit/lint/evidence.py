"""Evidence: what stands behind the claims of a submission, read and verified."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ...rules.case import Published, ResultFile
from ...rules.tables.own import OwnTable
from ...rules.trace import Trace
from ..tables import in_force
from .document import Document
from .draft import Drafted
from .logs import logs
from .result_files import result_files
from .settings import Settings
from .studies import Cited, read_studies
from .waivers_beside import waivers_beside


class Evidence(Struct, frozen=True):
    """What stands behind a submission's claims.

    Attributes:
        studies: cited studies by the submission's names for them.
        traces: logs of runs that stay in foreign files, by arm and run.
        tables: tables of devices and data sets that whoever judges keeps.
        published: the document that the claims were taken from, where one is named.
        waivers_beside: place and words of files of waivers that came with the submission.
    """

    studies: Mapping[str, Cited]
    traces: Mapping[tuple[str, str], Trace]
    tables: tuple[OwnTable, ...]
    waivers_beside: tuple[tuple[str, str], ...]
    published: Published | None = None
    results: Mapping[str, ResultFile] = {}


def gather(drafted: Drafted, document: Document, settings: Settings, published: Published | None) -> Evidence:
    """Return what stands behind the claims of a document; the source that they were taken from is given."""
    submission, folder, waivers = drafted.submission, document.folder, settings.waivers
    imported = document.draft
    studies = read_studies(submission.manifests, folder, settings.trust)
    own = imported.traces if imported is not None else logs(submission, folder, settings.plugins)
    cited = {key: trace for study in studies.values() for key, trace in study.traces.items()}
    return Evidence(
        studies,
        {**own, **cited} if cited else own,
        in_force(settings.tables, folder, settings.profile),
        waivers_beside(folder, waivers.source.name if waivers is not None else None),
        published,
        result_files(submission, folder),
    )
