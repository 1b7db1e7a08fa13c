"""Results of MLPerf Training and MLPerf HPC, of all rounds from v0.5: logs with their system descriptions.

A result folder, a submitter's folder or a whole round (`results/SYSTEM/BENCHMARK/result_N.txt` beside
`systems/SYSTEM.json`) becomes one submission: each result an arm with its runs and a claim of its own. A folder of logs
prints no score; the claim's number is the one that the suite prescribes, the mean time of the runs without the fastest
and the slowest (four each of forty), computed from their starts and stops. Where it cannot be computed, or the suite
scores otherwise (weak scaling), the claim has no number. The target is that of the round where the path names the round
and the division is closed, or the one that the logs give.

The events stay in their files: the draft names each file with its digest, and rules read the log itself. Lines that
bear the marker and cannot be read are kept with their place. Files of a result's folder that are no log are listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial

from msgspec import Struct

from ...rules.trace import Trace
from ...schemas.digest import sha256_hex
from .draft import Draft, Drafting, identifier
from .handed import Handed, handed
from .interface import Field, Importer, Signature
from .mllog import MARKER, read_lines
from .mlperf_result import Result, put_result
from .run_logs import RunLog, log_of, read_logs
from .system_description import LIMIT_BYTES, Described, description
from .tree import Tree

NAME = "mlperf-training"
_ROUND = re.compile(r"(?:^|[/_-])(training|hpc)_results_v([0-9]{1,2}\.[0-9])(?![0-9])")
_RUN_NAME = re.compile(r"result_?[0-9A-Za-z_-]*\.(?:txt|log|out)\Z")

FIELDS = (
    Field("results/SYSTEM/BENCHMARK/", "claims, arms", "a result: one claim and one arm; the path is kept as folder"),
    Field("result_N.txt", "runs.N.file", "name, size, digest, digest without blank lines"),
    Field("run_start, run_stop", "claims.value, performance.score", "mean without fastest and slowest, in minutes"),
    Field("run_stop.status", "runs.N.status, trials.N.outcome"),
    Field("eval_accuracy, eval_error, ...", "trials.N.evaluations", "with the counters that stand beside them"),
    Field("seed", "trials.N.seed", "where a run logs one"),
    Field("submission_org, submission_benchmark, submission_division", "claims.suite_result"),
    Field("global_batch_size", "options.global_batch"),
    Field("opt_name", "options.optimizer"),
    Field("opt_base_learning_rate, opt_weight_decay", "options.learning_rate, options.weight_decay"),
    Field("gradient_accumulation_steps", "options.accumulation"),
    Field("any other option", "options.extra", "where all runs log one value"),
    Field("every line with the marker", "the run's trace", "key, value, time, counters; not in the draft"),
    Field("systems/SYSTEM.json", "description, systems, software", "as written, and parsed where it can be"),
    Field("the path's round, as in training_results_v5.1", "suite_result.round, target, folder.benchmarks"),
)


class Sorted(Struct, frozen=True):
    """The files of a folder by what they are: logs and other files of result folders, and empty result folders."""

    results: Mapping[str, tuple[RunLog, ...]]
    strange: tuple[RunLog, ...]


def read(file: Handed) -> Draft:
    """Return the submission of one log: a result of one run."""
    log = log_of(file.short_name, file.data)
    draft = Drafting(f"{file.short_name}: one run of an MLPerf training result")
    key = identifier(file.short_name.rpartition(".")[0] or file.short_name)
    traces = put_result(draft, Result(key, "", (log,), "", "", _round_of_marker((log,)), False), None, 0)
    root = file.name.removesuffix(file.short_name).rstrip("/")
    return Draft(draft.value, draft.origins, (), traces, {file.short_name: file}.get, file.data, root)


def read_log(file: Handed) -> Trace:
    """Return the trace of one log."""
    return Trace(*read_lines(file.data), file=file.name)


def read_folder(tree: Tree, jobs: int) -> Draft:
    """Return the submission of a folder."""
    names = [entry.path for entry in tree.entries if _may_be_log(entry.path, tree)]
    logs = read_logs(tree, names, jobs)
    found = _sorted(logs, tree)
    systems = _systems(tree)
    sizes = {entry.path: entry.bytes for entry in tree.entries}
    draft = Drafting(f"{tree.root.resolve().name}: results of MLPerf Training", "full")
    traces = _put(draft, str(tree.root.resolve()), found.results, systems, sizes)
    named: dict[str, object] = {log.path: _file_of(log) for log in logs}
    for described in systems.values():
        name = described.file.name
        named[name] = {"bytes": sizes[name], "sha256": described.file.sha256, "role": "description"}
    draft.value["folder"] = {"name": tree.root.resolve().name or "/", "files": named}
    rounds = {_round(f"{tree.root.resolve()}/{path}") for path in found.results} - {None}
    members = _members(rounds)
    if members:
        draft.value["folder"]["benchmarks"] = members
    listing = "".join(f"{log.sha256}  {log.path}\n" for log in logs)
    listing += "".join(f"{sha256_hex(each.file.data)}  {each.file.name}\n" for each in systems.values())
    apart = {key: (key,) for key in draft.value["arms"]}
    files_of = partial(_file, tree)
    return Draft(draft.value, draft.origins, (), traces, files_of, listing.encode(), str(tree.root), apart)


def _file(tree: Tree, path: str) -> Handed:
    return handed(path, tree.bytes_of(path))


def _may_be_log(path: str, tree: Tree) -> bool:
    """Whether a file may be a run's log: in a results folder where there is one, anywhere else where there is none."""
    if tree.has_results:
        return "/results/" in f"/{path}"
    return not path.endswith(".json")


def _sorted(logs: Iterable[RunLog], tree: Tree) -> Sorted:
    """Group logs by folder. A folder of run names without a log is a declared result, and so is an empty one."""
    results: dict[str, list[RunLog]] = {}
    strange: list[RunLog] = []
    declared: list[str] = []
    for log in logs:
        folder, _, name = log.path.rpartition("/")
        if log.marker:
            results.setdefault(folder, []).append(log)
        else:
            strange.append(log)
            declared += [folder] if _RUN_NAME.fullmatch(name) else []
    for folder in tree.empty:
        if "/results/" in f"/{folder}" and len(f"/{folder}".partition("/results/")[2].split("/")) >= 2:
            declared.append(folder)
    for folder in declared:
        results.setdefault(folder, [])
    return Sorted({folder: tuple(results[folder]) for folder in sorted(results)}, tuple(strange))


def _file_of(log: RunLog) -> dict[str, object]:
    entry: dict[str, object] = {"bytes": log.bytes, "sha256": log.sha256, "role": "run"}
    if log.marker:
        return entry | {"format": NAME}
    if log.bytes == 0 or _RUN_NAME.fullmatch(log.path.rpartition("/")[2]):
        return entry | {"nearest": NAME, "missing": [MARKER.decode() + "LOG"]}
    return entry | {"role": "other"}


def _systems(tree: Tree) -> dict[str, Described]:
    """Return the system descriptions of a folder by path without .json."""
    found: dict[str, Described] = {}
    for entry in tree.entries:
        if entry.path.endswith(".json") and entry.bytes <= LIMIT_BYTES and "/systems/" in f"/{entry.path}":
            described = description(entry.path, tree.bytes_of(entry.path))
            if described is not None:
                found[entry.path.removesuffix(".json")] = described
    return found


def _put(
    draft: Drafting,
    root: str,
    results: Mapping[str, tuple[RunLog, ...]],
    systems: Mapping[str, Described],
    sizes: Mapping[str, int],
) -> dict[tuple[str, str], Trace]:
    traces: dict[tuple[str, str], Trace] = {}
    for folder, logs in results.items():
        parent, _, below = f"/{folder}".rpartition("/results/")
        parts = below.split("/") if below else folder.split("/")
        system = systems.get(f"{parent}/systems/{parts[0]}".lstrip("/")) if below else None
        key = identifier(".".join(parts) or "result", draft.value["claims"])
        round_name = _round(f"{root}/{folder}") or _round_of_marker(logs)
        result = Result(key, folder, logs, parts[0] if below else "", parts[-1], round_name, "weak" in parts)
        traces |= put_result(draft, result, system, sizes.get(system.file.name, 0) if system is not None else 0)
    return traces


def _round(path: str) -> tuple[str, str] | None:
    """Return suite and round as a path names them: ("MLPerf Training", "v5.1")."""
    found = _ROUND.findall(path)
    if not found:
        return None
    part, number = found[-1]
    return ("MLPerf HPC" if part == "hpc" else "MLPerf Training"), f"v{number}"


def _round_of_marker(logs: Iterable[RunLog]) -> tuple[str, str] | None:
    """The first two rounds had lines of their own form."""
    markers = {log.marker for log in logs}
    if markers and all(marker.startswith(":::MLPv0.5") for marker in markers):
        return "MLPerf Training", "v0.5"
    return ("MLPerf Training", "v0.6") if markers == {":::MLL"} else None


def _members(rounds: Iterable[tuple[str, str] | None]) -> list[str]:
    """Return the benchmarks of some rounds, where the table of suites knows all of them."""
    from ...rules.tables.suites import round_of

    found = [round_of(*each) for each in rounds if each is not None]
    if not found or any(each is None for each in found):
        return []
    return sorted({member for each in found if each is not None for member in each.members})


IMPORTER = Importer(
    name=NAME,
    title="MLPerf Training and HPC results: logs and system descriptions",
    doc=__doc__,
    signatures=(
        Signature("lines", (":::MLLOG {", '"time_ms":', '"key":'), ('"namespace": "mlperf::',)),
        Signature("lines", (":::MLL ",), (":::MLLOG",)),
        Signature("lines", (":::MLPv0.5",)),
    ),
    fields=FIELDS,
    read=read,
    read_folder=read_folder,
    read_log=read_log,
)
