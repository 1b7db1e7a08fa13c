"""Results of MLPerf Inference, of all rounds from v0.5: logs of LoadGen with what stands beside them.

A result folder, a submitter's folder or a whole round becomes one submission: each scenario of a benchmark on a system
is an arm with its performance, accuracy, ranging and compliance runs, and a claim of its own, whose number is the one
that the summary prints. Read are, below `results/SYSTEM/BENCHMARK/SCENARIO/`, `performance/run_N` and `accuracy` with
`mlperf_log_summary.txt`, `mlperf_log_detail.txt` in both of its forms and `accuracy.txt`; the digest of the outputs;
the compliance tests (TEST01, TEST04, TEST06, ...) below `compliance/` or beside the runs; the measurement file and
`systems/SYSTEM.json`. A single summary or detailed log is a result of one run.

Where power was measured, a result has a second claim: the mean power of the readings in `run_1/spl.txt` between the
stamps of the run, or where queries come one after the other the energy of each. The records of the session in `power/`
say by which clocks to read them, which meter it was, and which files the session wrote.

Events stay in their files; the draft names each file with its digest. Outputs that were truncated for handing in are
told by their size. Names of folders are kept as they are: whether a round has such a benchmark is for a rule to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, msgpack
from msgspec.structs import replace

from ....rules.facts.runs.names import is_waiver_name
from ....rules.trace import Trace
from ....schemas.collector import collector_paused
from ....schemas.errors import UserError
from ..draft import Draft, Origin, identifier
from ..drafting import Drafting
from ..interface import Field, Importer, Signature
from ..report_file import ReportFile, open_report
from ..tree import Tree
from .inference_place import RECORD, VERDICTS, Place, beside_places, description_path, places_of, result_of, system_of
from .inference_power import READINGS
from .inference_result import InferenceResult, power_key, put_inference
from .inference_run import DETAIL, FORMAT, SUMMARY, logs_of, trace_of
from .run_logs import keep_freed_memory
from .system_description import Described, system_id
from .system_description import system_of as parsed

if TYPE_CHECKING:
    from ...workers import Workers
    from ..fields import FolderFileFields, SubmissionFields

FEWEST_A_PROCESS = 8

FIELDS = (
    Field("results/SYSTEM/BENCHMARK/SCENARIO/", "claims, arms", "a result: one claim and one arm"),
    Field("performance/run_N/", "runs.performance", "performance-2, ... where there are several"),
    Field("performance/ranging/", "runs.ranging"),
    Field("performance/run_1/spl.txt", "claims.value, energy.mean_power_w, energy.updates", "within the run's stamps"),
    Field("performance/ranging/spl.txt", "energy.ranging_power_w, energy.ranging_duration_s"),
    Field("performance/power/client.json, server.json", "energy.session, energy.source", "identity, clocks, digests"),
    Field("performance/power/ptd_logs.txt", "energy.session.printed_mean_power_w, energy.uncertainty"),
    Field("accuracy/", "runs.accuracy"),
    Field("mlperf_log_summary.txt", "runs.summary, runs.verdict", "figures by name, as printed"),
    Field("Samples per second, Tokens per second, ... of the scenario", "claims.value, performance.score"),
    Field("mlperf_log_detail.txt", "the run's trace, runs.window, runs.tool", "not in the draft but for these"),
    Field("accuracy.txt", "runs.accuracy.record, quality", "metrics, examples, digest of the outputs"),
    Field("mlperf_log_accuracy.json", "record.outputs_sha256, record.outputs", "whole, truncated or withheld"),
    Field("compliance/.../TESTnn/", "runs.TESTnn", "verdicts as printed, with the records of the fallback"),
    Field("measurements/.../SYSTEM.json", "description.fields", "formats, weights, retraining"),
    Field("measurements/.../user.conf, mlperf.conf", "configuration", "settings that hold for benchmark and scenario"),
    Field("systems/SYSTEM.json", "description, systems, software", "as written, and parsed where it can be"),
    Field("the path's round and division", "suite_result.round, division"),
)


class Part(Struct, frozen=True):
    """What one result is.

    Attributes:
        key: its id.
        value: its arm, claims and system, for the draft.
        origins: where their values stand.
        listed: files that were read for it.
        traces: the logs of its runs, by arm and run.
    """

    key: str
    value: SubmissionFields
    origins: Mapping[str, Origin]
    listed: Mapping[str, FolderFileFields]
    traces: Mapping[tuple[str, str], Trace]


class Plan(Struct, frozen=True):
    """What a process needs to read results of a folder.

    Attributes:
        root: the folder.
        sizes: bytes of every file.
        keys: the id of each result.
        systems: system descriptions by path.
    """

    root: Path
    sizes: Mapping[str, int]
    keys: Mapping[Place, str]
    systems: Mapping[str, Described]


def read(file: ReportFile) -> Draft:
    """Return the submission of one summary or detailed log: a result of one run."""
    root = file.name.removesuffix(file.short_name).rstrip("/")
    file = replace(file, name=file.short_name)
    is_summary = "MLPerf Results Summary" in file.text[:4096]
    logs = logs_of(None if is_summary else file, file if is_summary else None)
    draft = Drafting(f"{file.short_name}: one run of LoadGen")
    mode = (logs.text("effective_test_mode", "mode") or "").casefold()
    key = identifier(file.short_name.rpartition(".")[0] or file.short_name)
    accuracy = logs if mode.startswith("accuracy") else None
    performance = () if accuracy is not None else (logs,)
    traces = put_inference(draft, InferenceResult(key, performance=performance, accuracy=accuracy), None, 0)
    return Draft(draft.value, draft.origins, (), traces, {file.name: file}.get, file.data, root)


def read_log(file: ReportFile) -> Trace:
    """Return the trace of one detailed log."""
    return trace_of(logs_of(file, None), "")


def read_logged(tree: Tree, path: str) -> Trace:
    """Return the trace of a detailed log of a folder."""
    return read_log(tree.file(path))


def read_folder(tree: Tree, workers: Workers | None) -> Draft:
    """Return the submission of a folder, which other processes read where that pays, and keep its logs."""
    sizes = {entry.path: entry.bytes for entry in tree.entries}
    places = places_of(sizes)
    listed: dict[str, FolderFileFields] = {}
    plan = Plan(tree.root.resolve(), sizes, _keys(places), _systems(tree, sizes, places, listed))
    parts, shares = _parts(plan, places, workers)
    draft = Drafting(f"{plan.root.name}: results of MLPerf Inference", "full")
    for part in parts:
        for key, system in part.value.get("systems", {}).items():
            draft.fields.setdefault("systems", {}).setdefault(key, system)
        draft.fields.setdefault("arms", {}).update(part.value.get("arms", {}))
        draft.claims.update(part.value["claims"])
        draft.origins |= part.origins
        listed |= part.listed
    listed = dict(sorted(listed.items()))
    waivers = (entry for entry in tree.entries if entry.path not in listed and is_waiver_name(entry.path))
    listed |= {entry.path: {"bytes": entry.bytes, "role": "other"} for entry in waivers}
    draft.fields["folder"] = {"name": plan.root.name or "/", "files": listed}
    listing = "".join(f"{file['sha256']}  {path}\n" for path, file in listed.items() if "sha256" in file)
    return Draft(
        draft.value,
        draft.origins,
        (),
        _traces(plan, draft.value, parts, workers, shares),
        partial(_file, tree),
        listing.encode(),
        str(tree.root),
        {claim: (key,) for key in draft.arms for claim in (key, power_key(key)) if claim in draft.claims},
        keepers={plan.keys[place]: number for number, share in enumerate(shares) for place in share},
    )


def _keys(places: Mapping[Place, list[str]]) -> dict[Place, str]:
    """Return an id for the result of each place."""
    taken: dict[str, object] = {}
    keys = {}
    for place in places:
        named = [part for part in (place.system, place.benchmark, place.scenario) if part]
        keys[place] = identifier(".".join(named) or "result", taken)
        taken |= {keys[place]: place, power_key(keys[place]): place}
    return keys


def _systems(
    tree: Tree, sizes: Mapping[str, int], places: Mapping[Place, list[str]], listed: dict[str, FolderFileFields]
) -> dict[str, Described]:
    """Return the system descriptions of results by their paths, each with the id of its system, and list the files."""
    found: dict[str, Described] = {}
    taken: dict[str, object] = {}
    used: dict[str, ReportFile] = {}
    reader = partial(_read, tree, sizes, used)
    for place in places:
        path = description_path(place)
        described = system_of(path, sizes, reader) if path not in found else None
        if described is not None:
            key = system_id(described, place.system, taken) if described.malformed is None else ""
            if key:
                taken.setdefault(key, parsed(described, key))
            found[path] = replace(described, key=key)
    listed |= {path: _listed(path, file) for path, file in used.items()}
    return found


def _parts(
    plan: Plan, places: Mapping[Place, list[str]], workers: Workers | None
) -> tuple[list[Part], list[list[Place]]]:
    """Read the results; return what each is, in their order, and those that each other process has read.

    The results of one system are read by one process: rules compare the times of its runs.
    """
    most = len(places) // FEWEST_A_PROCESS
    if workers is None or most < 2:
        return list(_read_places(plan, list(places.items()))), []
    of_system: dict[str, list[Place]] = {}
    for place in places:
        of_system.setdefault(description_path(place), []).append(place)
    sizes = {name: sum(plan.sizes[path] for each in held for path in places[each]) for name, held in of_system.items()}
    shares = [[place for name in share for place in of_system[name]] for share in workers.shares(sizes, most)]
    read = workers.begin(_share, [[(place, places[place]) for place in share] for share in shares], plan)
    found = {part.key: part for parts in read() for part in parts}
    return [found[plan.keys[place]] for place in places], shares


@collector_paused()
def _share(places: list[tuple[Place, list[str]]], plan: Plan) -> list[Part]:
    """Read some results in a process of its own, which keeps their logs."""
    from ..kept_logs import keep

    keep_freed_memory()
    parts = list(_read_places(plan, places))
    keep({key: trace for part in parts for key, trace in part.traces.items()})
    return [replace(part, traces={}) for part in parts]


def _read_places(plan: Plan, places: list[tuple[Place, list[str]]]) -> Iterator[Part]:
    tree, beside = Tree(plan.root), beside_places(plan.sizes)
    used: dict[str, ReportFile] = {}
    reader = partial(_read, tree, plan.sizes, used)
    for place, paths in places:
        key, path = plan.keys[place], description_path(place)
        result = result_of(place, paths, plan.sizes, beside, reader, key, f"{plan.root}/{place.before}")
        draft = Drafting("")
        traces = put_inference(draft, result, plan.systems.get(path), plan.sizes.get(path, 0))
        yield Part(key, draft.fields, draft.origins, {path: _listed(path, file) for path, file in used.items()}, traces)
        # a round is larger than memory should be
        used.clear()


def _traces(
    plan: Plan, value: dict[str, Any], parts: list[Part], workers: Workers | None, shares: list[list[Place]]
) -> Mapping[tuple[str, str], Trace]:
    """Return the logs of all runs; processes that keep them are told the submission that they belong to."""
    if workers is None or not shares:
        return {key: trace for part in parts for key, trace in part.traces.items()}
    from ..kept_logs import Logs, belong_to

    # none is waited for
    workers.begin(belong_to, [plan.root for _ in shares], msgpack.encode(value), read_logged)
    return Logs(plan.root, value, {}, read_logged)


def _file(tree: Tree, path: str) -> ReportFile:
    return open_report(path, tree.bytes_of(path))


def _read(tree: Tree, sizes: Mapping[str, int], used: dict[str, ReportFile], path: str) -> ReportFile | None:
    """Return a file of the folder, or None where it is missing or no text; what was read is remembered."""
    if path not in sizes:
        return None
    if path not in used:
        try:
            used[path] = tree.file(path)
        except UserError:
            return None
    return used[path]


def _listed(path: str, file: ReportFile) -> FolderFileFields:
    name = path.rpartition("/")[2]
    roles = {
        DETAIL: "run",
        SUMMARY: "summary",
        RECORD: "accuracy",
        READINGS: "power",
        **dict.fromkeys(VERDICTS, "compliance"),
    }
    placed = "description" if "/systems/" in f"/{path}" else "other"
    role = roles.get(name, "power" if "/power/" in f"/{path}" else placed)
    entry: FolderFileFields = {"bytes": len(file.raw), "sha256": file.sha256, "role": role}
    if name in {DETAIL, SUMMARY}:
        entry["format"] = FORMAT
    return entry


IMPORTER = Importer(
    name=FORMAT,
    title="MLPerf Inference results: logs and summaries of LoadGen",
    doc=__doc__,
    signatures=(
        Signature("lines", (":::MLLOG {", '"time_ms":', '"namespace": "mlperf::', '"loadgen_version"')),
        Signature("lines", ('"pid": ', '"tid": ', '"ts": ', "LoadgenVersionInfo")),
        Signature("lines", ("MLPerf Results Summary", "Scenario :", "Result is")),
    ),
    fields=FIELDS,
    read=read,
    read_folder=read_folder,
    read_log=read_log,
)
