"""Results of MLPerf Training and MLPerf HPC, of all rounds from v0.5: logs with their system descriptions.

A result folder, a submitter's folder or a whole round (`results/SYSTEM/BENCHMARK/result_N.txt` beside
`systems/SYSTEM.json`) becomes one submission: each result an arm with its runs and a claim of its own. A folder of logs
prints no score; the claim's number is the one that the suite prescribes, the mean time of the runs without the fastest
and the slowest (four each of forty), computed from their starts and stops. Where it cannot be computed, or the suite
scores otherwise (weak scaling), the claim has no number. The target is that of the round where the path names the round
and the division is closed, or the one that the logs give.

A folder `power/result_N/` for each log, with a log of each node and switch, gives the result its energy and a second
claim. That claim's number is prescribed, too: the mean energy, in kilojoules, of the same runs that the mean time
counts; the energy of a run is the mean power of its window times the run's own time. The power of the arm is the mean
over the runs that succeeded; readings and window are those of the node's log that is farthest below what the suite
asks. A power log that is missing or cannot be read leaves out the numbers that would rest on it.

The events stay in their files: the draft names each file with its digest, and rules read the log itself. Lines that
bear the marker and cannot be read are kept with their place. Files of a result's folder that are no log are listed. A
folder under a benchmark's name that holds nothing else is a result without logs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, msgpack
from msgspec.structs import replace

from ....rules.facts.runs.names import is_run_name, is_waiver_name
from ....rules.trace import Trace
from ....schemas.collector import collector_paused
from ....schemas.digest import sha256_hex
from ....schemas.errors import UserError
from ....schemas.pattern import Pattern
from ..draft import Draft, Origin, identifier
from ..drafting import Drafting
from ..interface import Field, Importer, Signature
from ..report_file import ReportFile, open_report
from ..tree import Tree
from .mllog import MARKER, read_lines
from .run_logs import RunLog, keep_freed_memory, log_of, read_log
from .system_description import LIMIT_BYTES, Described, description, system_id, system_of
from .training_power import place_of, put_energy
from .training_result import Result, put_result

if TYPE_CHECKING:
    from ...workers import Workers
    from ..fields import FolderFileFields, SubmissionFields

NAME = "mlperf-training"
EARLIEST = b":::MLPv0.5"
FEWEST_A_PROCESS = 8
SCALING, PRUNED = "scaling.json", "/pruned_results"
NOTES = (".md", ".rst", ".sh", ".py", ".yaml", ".yml")
_ROUND = Pattern(r"(?:^|[/_-])(training|hpc)_results_v([0-9]{1,2}\.[0-9])(?![0-9])")

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
    Field("power/result_N/node_K.txt", "energy.updates, energy.duration_s, energy.nodes", "readings, their window"),
    Field("power_reading, conversion_eff", "energy.mean_power_w, performance.energy", "power times the run's time"),
    Field("power/result_N/sw_K.txt: interconnect_power_est", "energy.mean_power_w, energy.source", "estimate added"),
    Field("scaling.json: scaling_factor", "claims.factor", "where it is below 1"),
    Field("the path's round, as in training_results_v5.1", "suite_result.round, target, folder.benchmarks"),
)


class Part(Struct, frozen=True):
    """What one folder of a tree holds.

    Attributes:
        folder: its path.
        files: its files, without their events.
        value: arms, claims and systems of its result, for the draft; empty where it holds none.
        origins: where their values stand.
        traces: the logs of its runs, by arm and run.
        unused: files and logs of power that no field takes.
    """

    folder: str
    files: tuple[RunLog, ...]
    value: SubmissionFields
    origins: Mapping[str, Origin]
    traces: Mapping[tuple[str, str], Trace]
    unused: tuple[str, ...] = ()


class Plan(Struct, frozen=True):
    """What a process needs to read a folder of a tree.

    Attributes:
        root: the tree's folder.
        keys: the id of each folder's result.
        energies: the id of the claim on its energy, where it has a folder of power logs.
        systems: system descriptions by path without .json.
        sizes: bytes of every file.
        declared: folders that stand for a result whatever they hold.
    """

    root: Path
    keys: Mapping[str, str]
    energies: Mapping[str, str]
    systems: Mapping[str, Described]
    sizes: Mapping[str, int]
    declared: frozenset[str]


def read(file: ReportFile) -> Draft:
    """Return the submission of one log: a result of one run."""
    log = log_of(file.short_name, file.data)
    if log.tells_power:
        what = "this is the power log of a node or a switch, which tells nothing of the run"
        raise UserError(what, "hand in the folder of its result", f"{file.name}:1")
    draft = Drafting(f"{file.short_name}: one run of an MLPerf training result")
    key = identifier(file.short_name.rpartition(".")[0] or file.short_name)
    result = Result(key, "", (log,), "", _benchmark_of_marker(file.data), _round_of_marker((log,)), False)
    traces = put_result(draft, result, None, 0)
    root = file.name.removesuffix(file.short_name).rstrip("/")
    return Draft(draft.value, draft.origins, (), traces, {file.short_name: file}.get, file.data, root)


def read_trace(file: ReportFile) -> Trace:
    """Return the trace of one log."""
    return Trace(*read_lines(file.data), file=file.name)


def read_logged(tree: Tree, path: str) -> Trace:
    """Return the trace of a log of a folder."""
    log = read_log(tree, path)
    return Trace(log.events, log.malformed, log.path)


def read_folder(tree: Tree, workers: Workers | None) -> Draft:
    """Return the submission of a folder, which other processes read where that pays, and keep its logs."""
    folders: dict[str, list[str]] = {folder: [] for folder in _declared_empty(tree)}
    metered: dict[str, None] = {}
    for entry in tree.entries:
        if _may_be_log(entry.path, tree):
            place = place_of(entry.path)
            folder = place.folder if place is not None else entry.path.rpartition("/")[0]
            folders.setdefault(folder, []).append(entry.path)
            if place is not None:
                metered[folder] = None
    kept = _own_work(folders)
    folders = {folder: paths for folder, paths in folders.items() if folder not in kept}
    systems, sizes = _systems(tree), {entry.path: entry.bytes for entry in tree.entries}
    keys = _keys(folders)
    plan = Plan(
        tree.root.resolve(),
        keys,
        _energies(keys, (folder for folder in metered if folder in keys)),
        systems,
        sizes,
        _declared(folders),
    )
    parts, shares = _parts(plan, dict(sorted(folders.items())), workers)
    rounds = {_round(f"{plan.root}/{part.folder}") for part in parts if part.value}
    suites = {each[0] for each in rounds if each is not None}
    title = suites.pop() if len(suites) == 1 else "MLPerf Training"
    draft = Drafting(f"{plan.root.name}: results of {title}", "full")
    for part in parts:
        _merge(draft.fields, part.value)
        draft.origins |= part.origins
    logs = [log for part in parts for log in part.files]
    named: dict[str, FolderFileFields] = {log.path: _file_of(log) for log in logs}
    for described in systems.values():
        name = described.file.name
        named[name] = {"bytes": sizes[name], "sha256": described.file.sha256, "role": "description"}
    waivers = (entry for entry in tree.entries if entry.path not in named and is_waiver_name(entry.path))
    named |= {entry.path: {"bytes": entry.bytes, "role": "other"} for entry in waivers}
    draft.fields["folder"] = {"name": plan.root.name or "/", "files": named}
    members = _members(rounds - {None})
    if members:
        draft.fields["folder"]["benchmarks"] = members
    listing = "".join(f"{log.sha256}  {log.path}\n" for log in sorted(logs, key=lambda log: log.path))
    listing += "".join(f"{sha256_hex(each.file.data)}  {each.file.name}\n" for each in systems.values())
    return Draft(
        draft.value,
        draft.origins,
        (*(name for part in parts for name in part.unused), *(path for paths in kept.values() for path in paths)),
        _traces(plan, draft.value, parts, workers, shares),
        partial(_file, tree),
        listing.encode(),
        str(tree.root),
        {name: (claim["measured"]["arm"],) for name, claim in draft.claims.items()},
        keepers={plan.keys[folder]: number for number, share in enumerate(shares) for folder in share},
    )


def _merge(whole: SubmissionFields, part: SubmissionFields) -> None:
    """Add arms, claims and systems of a folder that the whole does not have."""
    for key, arm in part.get("arms", {}).items():
        whole.setdefault("arms", {}).setdefault(key, arm)
    for key, claim in part.get("claims", {}).items():
        whole["claims"].setdefault(key, claim)
    for key, system in part.get("systems", {}).items():
        whole.setdefault("systems", {}).setdefault(key, system)


def _traces(
    plan: Plan, value: dict[str, Any], parts: list[Part], workers: Workers | None, shares: list[list[str]]
) -> Mapping[tuple[str, str], Trace]:
    """Return the logs of all runs; processes that keep them are told the submission that they belong to."""
    if workers is None or not shares:
        return {key: trace for part in parts for key, trace in part.traces.items()}
    from ..kept_logs import Logs, belong_to

    # none is waited for
    workers.begin(belong_to, [plan.root for _ in shares], msgpack.encode(value), read_logged)
    return Logs(plan.root, value, {}, read_logged)


def _parts(plan: Plan, folders: Mapping[str, list[str]], workers: Workers | None) -> tuple[list[Part], list[list[str]]]:
    """Read folders; return what each holds, in their order, and those that each other process has read."""
    most = sum(map(len, folders.values())) // FEWEST_A_PROCESS
    if workers is None or most < 2:
        return [_part(plan, *each) for each in folders.items()], []
    sizes = {folder: sum(plan.sizes[path] for path in paths) for folder, paths in folders.items()}
    shares = workers.shares(sizes, most)
    read = workers.begin(_share, [[(folder, folders[folder]) for folder in share] for share in shares], plan)
    found = {part.folder: part for parts in read() for part in parts}
    return [found[folder] for folder in folders], shares


@collector_paused()
def _share(folders: list[tuple[str, list[str]]], plan: Plan) -> list[Part]:
    """Read some folders in a process of its own, which keeps their logs."""
    from ..kept_logs import keep

    keep_freed_memory()
    parts = [_part(plan, *each) for each in folders]
    keep({key: trace for part in parts for key, trace in part.traces.items()})
    return [replace(part, traces={}) for part in parts]


def _part(plan: Plan, folder: str, paths: list[str]) -> Part:
    """Read one folder.

    It holds a result where a file bears the marker or is named as a run, where it is empty, or where it is declared.
    """
    tree = Tree(plan.root)
    read_files = (read_log(tree, path) for path in paths)
    files = tuple(
        replace(log, marker="", events=(), malformed=()) if _is_note(log.path, plan.keys) else log for log in read_files
    )
    bare = tuple(replace(log, events=(), malformed=()) for log in files)
    power = tuple(log for log in files if place_of(log.path) is not None)
    logs = tuple(log for log in files if log.marker and not log.tells_power and place_of(log.path) is None)
    if paths and not logs and not power and folder not in plan.declared and not any(map(is_run_name, paths)):
        return Part(folder, bare, {}, {}, {})
    parent, _, below = f"/{folder}".rpartition("/results/")
    names = below.split("/") if below else folder.split("/")
    system = plan.systems.get(f"{parent}/systems/{names[0]}".lstrip("/")) if below else None
    round_name = _round(f"{plan.root}/{folder}") or _round_of_marker(logs)
    key = plan.keys[folder]
    factor = _factor(tree, f"{folder}/{SCALING}", plan.sizes)
    result = Result(key, folder, logs, names[0] if below else "", names[-1], round_name, "weak" in names, factor)
    draft = Drafting("")
    traces = put_result(draft, result, system, plan.sizes.get(system.file.name, 0) if system is not None else 0)
    unused = put_energy(draft, result, plan.energies[folder], power, traces) if power else []
    return Part(folder, bare, draft.fields, draft.origins, traces, tuple(unused))


def _factor(tree: Tree, path: str, sizes: Mapping[str, int]) -> str | None:
    """Return a factor that makes a result faster than it was measured; None where no file gives one.

    One above 1 corrects to the convergence of the reference, and the claim's number is the score without it.
    """
    if not 0 < sizes.get(path, 0) <= LIMIT_BYTES:
        return None
    file = open_report(path, tree.bytes_of(path))
    value = file.json.value if file.json is not None else None
    factor = value.get("scaling_factor") if isinstance(value, dict) else None
    if isinstance(factor, bool) or not isinstance(factor, int | float) or not 0 < factor < 1:
        return None
    return f"{factor:.12g}"


def _keys(folders: Iterable[str]) -> dict[str, str]:
    """Return an id for the result of each folder: its path below `results/`."""
    taken: dict[str, object] = {}
    keys = {}
    for folder in sorted(folders):
        below = f"/{folder}".rpartition("/results/")[2] if "/results/" in f"/{folder}" else folder
        keys[folder] = identifier(".".join(below.split("/")) or "result", taken)
        taken[keys[folder]] = folder
    return keys


def _energies(keys: Mapping[str, str], folders: Iterable[str]) -> dict[str, str]:
    """Return an id for the claim on the energy of each folder's result."""
    taken: dict[str, object] = {key: folder for folder, key in keys.items()}
    names = {}
    for folder in folders:
        names[folder] = identifier(f"{keys[folder][:48]}.energy", taken)
        taken[names[folder]] = folder
    return names


def _declared_empty(tree: Tree) -> list[str]:
    """Return the empty folders that stand where results do."""
    return [folder for folder in tree.empty if _stands_for_a_result(folder)]


def _stands_for_a_result(folder: str) -> bool:
    return "/results/" in f"/{folder}" and len(f"/{folder}".partition("/results/")[2].split("/")) >= 2


def _declared(folders: Iterable[str]) -> frozenset[str]:
    """Return the folders that stand where results do, bear a benchmark's name, and have no folder beneath them."""
    from ....rules.facts.suite.result import benchmark_names
    from ....rules.tables.datasets import plain

    names, above = benchmark_names("training"), {parent for folder in folders for parent in _above(folder)}
    return frozenset(
        folder
        for folder in folders
        if folder not in above and _stands_for_a_result(folder) and plain(folder.rpartition("/")[2]) in names
    )


def _own_work(folders: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the folders beneath a result's: raw output, from which its logs were made, or runs that it leaves out."""
    results = {folder for folder, paths in folders.items() if any(map(is_run_name, paths))}
    beneath = {folder for folder, paths in folders.items() if paths and not results.isdisjoint(_above(folder))}
    left = {folder for folder in beneath if folder not in results or folder.endswith(PRUNED)}
    return {folder: folders[folder] for folder in left}


def _above(folder: str) -> Iterable[str]:
    parts = folder.split("/")
    return ("/".join(parts[:count]) for count in range(1, len(parts)))


def _file(tree: Tree, path: str) -> ReportFile:
    return open_report(path, tree.bytes_of(path))


def _may_be_log(path: str, tree: Tree) -> bool:
    """Whether a file may be a run's log: in a results folder where there is one, anywhere else where there is none."""
    if tree.has_results:
        return "/results/" in f"/{path}"
    return not path.endswith(".json")


def _is_note(path: str, folders: Iterable[str]) -> bool:
    """Whether a file is a note or a script, or lies beside the folders of the systems: they may quote the marker."""
    folder = path.rpartition("/")[0]
    if path.casefold().endswith(NOTES):
        return True
    beside = f"/{folder}".endswith("/results") and any(other.startswith(f"{folder}/") for other in folders)
    return beside and not is_run_name(path)


def _file_of(log: RunLog) -> FolderFileFields:
    entry: FolderFileFields = {"bytes": log.bytes, "sha256": log.sha256, "role": "run"}
    place = place_of(log.path)
    if log.tells_power or (place is not None and place.meter and log.marker):
        return {**entry, "role": "power", "format": NAME}
    if place is not None:
        return {**entry, "role": "other"}
    if log.marker:
        return {**entry, "format": NAME}
    if log.bytes == 0 or is_run_name(log.path):
        return {**entry, "nearest": NAME, "missing": [MARKER.decode() + "LOG"]}
    return {**entry, "role": "other"}


def _systems(tree: Tree) -> dict[str, Described]:
    """Return the system descriptions of a folder by path without .json."""
    found: dict[str, Described] = {}
    taken: dict[str, object] = {}
    for entry in tree.entries:
        if entry.path.endswith(".json") and entry.bytes <= LIMIT_BYTES and "/systems/" in f"/{entry.path}":
            described = description(entry.path, tree.bytes_of(entry.path))
            if described is not None:
                path = entry.path.removesuffix(".json")
                key = system_id(described, path.rpartition("/")[2], taken)
                taken.setdefault(key, system_of(described, key))
                found[path] = replace(described, key=key)
    return found


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
    if markers and all(marker.startswith(EARLIEST.decode()) for marker in markers):
        return "MLPerf Training", "v0.5"
    return ("MLPerf Training", "v0.6") if markers == {":::MLL"} else None


def _benchmark_of_marker(data: bytes) -> str:
    """Return the benchmark that lines of the first round name behind their marker."""
    _, marker, rest = data.partition(EARLIEST)
    words = rest[:200].split(b" ")
    return words[1].decode(errors="replace") if marker and len(words) > 1 else ""


def _members(rounds: Iterable[tuple[str, str] | None]) -> list[str]:
    """Return the benchmarks of some rounds, where the table of suites knows all of them."""
    from ....rules.tables.suites import round_of

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
    read_log=read_trace,
)
