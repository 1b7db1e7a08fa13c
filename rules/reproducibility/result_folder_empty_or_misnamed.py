"""R08: a result's folder without its run files, or under a name that its logs contradict."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim, FolderFile
from ..caching import fact
from ..case import Case, Side
from ..facts.runs.names import is_run_name
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..trace import Logged

ITEM = "run files of a declared result"
MOST_NAMED = 5
FORMAT = "mlperf-training"
PROVIDE = """\
arms:
  retinanet:
    folder: results/server/retinanet
    runs:
      result_0: {file: {name: results/server/retinanet/result_0.txt, format: mlperf-training}}
"""


@rule(
    "R08",
    "result-folder-empty-or-misnamed",
    effect=UNDERMINES,
    confidence=C3,
    applies="folder",
    origin="MEAS",
)
def result_folder_empty_or_misnamed(claim: Claim, case: Case) -> Iterator[Branch]:
    """A result handed in without its logs, with files that nothing can read, or under another benchmark's name.

    ## What it does
    Looks at the folder of the result behind a claim: whether run files are there, whether each file that stands for a
    run has a known format, and whether the folder's name is one of the round's benchmarks and the one that its logs
    name. Upper and lower case, hyphens and underscores make no difference. Documentation and hidden files count for
    nothing.

    ## Why it misleads
    An empty folder looks like a result in every listing. A folder under the wrong name puts one benchmark's times into
    another's column.

    ## Branches
    - (a) undermines, C3: no part of the folder's path is the benchmark that its logs name; or they name none, and no
      part is a benchmark of the round.
    - not shown: the result has no run file. Required (run files of a declared result) of claims in a folder that was
      handed in, from the reviewer profile on.
    - not shown: a file that stands for a run is empty, or has no known format; the nearest is named with what it lacks.
    - not shown: logs of a training result bear names of their own, where the suite's tools look for result_0.txt.
    - not applicable: the result has no folder of its own.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"arms": {"retinanet": {"folder": "results/example_server_8xh100/bert"}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, whose folder is the benchmark's.

    ## How to fix
    Put the missing run files back, or rename the folder.

    ## References
    Published result folders that were empty, or held another benchmark's logs.
    """
    side = case.subject(claim)
    if side is None or side.arm.folder is None:
        yield Inapplicable("the result has no folder of its own")
        return
    runs = case.runs_of(side)
    if not any(run.run.file is not None for run in runs):
        message = f"the folder {side.arm.folder} of the result holds no run file"
        yield NotShown(message, side.arm.place("folder"), ITEM, PROVIDE)
    else:
        yield from _named(side, side.arm.folder, runs, case)
        yield from _own_names(runs)
    yield from _unreadable(side.arm.folder, case)


def _named(side: Side, folder: str, runs: tuple[Logged, ...], case: Case) -> Iterator[Branch]:
    parts = {_plain(part) for part in folder.split("/")}
    events = [(run, event) for run in runs for event in run.trace.of("submission_benchmark")]
    logged = {event.value: (run, event) for run, event in events if isinstance(event.value, str)}
    if logged:
        if parts.isdisjoint(_plain(name) for name in logged):
            name, (run, event) = next(iter(logged.items()))
            message = f"the folder {folder} holds logs of the benchmark {name}"
            related = (Related(side.arm.place("folder"), folder),)
            yield Violation("a", UNDERMINES, C3, message, run.trace.place(event), folder, name, related)
        return
    known = case.submission.folder.benchmarks if case.submission.folder is not None else ()
    if known and parts.isdisjoint(map(_plain, known)):
        message = f"no part of {folder} is a benchmark of the round, and the logs name none"
        yield Violation("a", UNDERMINES, C3, message, side.arm.place("folder"), folder, ", ".join(known))


def _own_names(runs: tuple[Logged, ...]) -> Iterator[Branch]:
    """Ask for logs of training under the suite's names, which are all that its own tools read."""
    files = [(run, run.run.file) for run in runs if run.run.file is not None and run.role == "training"]
    odd = [(run, file.name) for run, file in files if file.format == FORMAT and not is_run_name(file.name)]
    if odd:
        run, name = odd[0]
        message = (
            f"{len(odd)} of {len(files)} logs bear names of their own, as {name}; the suite's are result_0.txt, ..."
        )
        related = tuple(Related(other.place("file"), other_name) for other, other_name in odd[1:MOST_NAMED])
        yield NotShown(message, run.place("file"), provide=PROVIDE, related=related)


def _plain(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


def _unreadable(folder: str, case: Case) -> Iterator[Branch]:
    """Yield one branch for all files of the folder that stand for runs and have no known format."""
    found = _unread_runs(case.whole or case).get(folder, [])
    if found:
        path, file = found[0]
        lacks = (
            f"; nearest is {file.nearest}, without {', '.join(file.missing)}" if file.nearest and file.missing else ""
        )
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        related = tuple(Related(other.at, name) for name, other in found[1:MOST_NAMED])
        what = "is empty" if file.bytes == 0 else f"has no known format{lacks}"
        yield NotShown(f"{path} {what}{more}", file.at, provide=PROVIDE, related=related)


@fact
def _unread_runs(case: Case) -> dict[str, list[tuple[str, FolderFile]]]:
    """Return by folder the files that stand for runs and have no known format."""
    found: dict[str, list[tuple[str, FolderFile]]] = {}
    for path, file in case.submission.folder.files.items() if case.submission.folder is not None else ():
        if file.role == "run" and file.format is None:
            found.setdefault(path.rpartition("/")[0], []).append((path, file))
    return found
