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

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ....rules.facts.runs.names import is_waiver_name
from ....rules.trace import Trace
from ....schemas.errors import UserError
from ....schemas.pattern import Pattern
from ..draft import Draft, identifier
from ..drafting import Drafting
from ..interface import Field, Importer, Signature
from ..report_file import ReportFile, open_report
from ..tree import Tree
from .accuracy import holds_outputs
from .inference_power import READINGS, power_of
from .inference_result import Configuration, InferenceResult, Outputs, Test, power_key, put_inference
from .inference_run import DETAIL, FORMAT, SUMMARY, Logs, logs_of, trace_of
from .loadgen_conf import read_settings
from .system_description import LIMIT_BYTES, Described, description, unreadable

if TYPE_CHECKING:
    from ...workers import Workers
    from ..fields import FolderFileFields

Reader = Callable[[str], ReportFile | None]
"""Returns a file of the folder by its path, or None where it is missing or no text."""

RECORD, OUTPUTS = "accuracy.txt", "mlperf_log_accuracy.json"
VERDICTS = ("verify_accuracy.txt", "verify_performance.txt", "verify_output_len.txt", "output_length.txt")
_ROUND = Pattern(r"inference_results_v([0-9]{1,2}\.[0-9])(?![0-9])")
_TEST = Pattern(r"TEST[0-9]{2}(?:-[A-Z])?\Z")
KINDS = ("results", "compliance", "measurements")
CONFIGURATION = ("mlperf.conf", "user.conf")
FALLBACK = ("baseline_accuracy", "compliance_accuracy")
MOST_OUTPUTS = 64 << 20

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


class Place(Struct, frozen=True, order=True):
    """Where a result lies: what stands before `results/`, and its system, benchmark and scenario."""

    before: str
    system: str
    benchmark: str
    scenario: str


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


def read_folder(tree: Tree, workers: Workers | None) -> Draft:
    """Return the submission of a folder."""
    root = str(tree.root.resolve())
    sizes = {entry.path: entry.bytes for entry in tree.entries}
    places, beside = _places(sizes), _grouped(sizes)
    used: dict[str, ReportFile] = {}
    reader = partial(_read, tree, sizes, used)
    draft = Drafting(f"{tree.root.resolve().name}: results of MLPerf Inference", "full")
    traces: dict[tuple[str, str], Trace] = {}
    systems: dict[str, Described | None] = {}
    listed: dict[str, FolderFileFields] = {}
    for place, paths in places.items():
        described = _system(place, sizes, reader, systems)
        named = [part for part in (place.system, place.benchmark, place.scenario) if part]
        key = identifier(".".join(named) or "result", draft.claims)
        result = _result(place, paths, sizes, beside, reader, key, f"{root}/{place.before}")
        size = sizes.get(described.file.name, 0) if described is not None else 0
        traces |= put_inference(draft, result, described, size)
        # a round is larger than memory should be
        listed |= {path: _listed(path, file) for path, file in used.items()}
        used.clear()
    listed = dict(sorted(listed.items()))
    waivers = (entry for entry in tree.entries if entry.path not in listed and is_waiver_name(entry.path))
    listed |= {entry.path: {"bytes": entry.bytes, "role": "other"} for entry in waivers}
    draft.fields["folder"] = {"name": tree.root.resolve().name or "/", "files": listed}
    listing = "".join(f"{file['sha256']}  {path}\n" for path, file in listed.items() if "sha256" in file)
    apart = {claim: (key,) for key in draft.arms for claim in (key, power_key(key)) if claim in draft.claims}
    return Draft(draft.value, draft.origins, (), traces, partial(_file, tree), listing.encode(), str(tree.root), apart)


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


def _places(sizes: Iterable[str]) -> dict[Place, list[str]]:
    """Return the files of each result by its place."""
    found: dict[Place, list[str]] = {}
    for path in sizes:
        before, marker, below = f"/{path}".rpartition("/results/")
        parts = below.split("/")
        if not marker or len(parts) < 5 or parts[3] not in {"performance", "accuracy"}:
            continue
        place = Place(before.lstrip("/"), parts[0], parts[1], parts[2])
        found.setdefault(place, []).append(path)
    if found:
        return dict(sorted(found.items()))
    runs = [path for path in sizes if path.rpartition("/")[2] in {DETAIL, SUMMARY}]
    return {Place("", "", "", ""): sorted(sizes)} if runs else {}


def _beside(place: Place, kind: str) -> str:
    """Return the folder that stands beside `results/` for a place, as compliance/SYSTEM/BENCHMARK/SCENARIO/."""
    below = f"{kind}/{place.system}/{place.benchmark}/{place.scenario}/"
    return f"{place.before}/{below}" if place.before else below


def _result(
    place: Place,
    paths: list[str],
    sizes: Mapping[str, int],
    beside: Mapping[str, list[str]],
    reader: Reader,
    key: str,
    root: str,
) -> InferenceResult:
    folder = _beside(place, "results") if place.system else ""
    rounds = _ROUND.findall(f"{root}/{folder}")
    parts = root.rstrip("/").split("/")
    division = next((part for part in reversed(parts) if part in {"closed", "open"}), None)
    after = parts[parts.index(division) + 1] if division is not None and parts[-1] != division else None
    performance = tuple(_logs(each, reader) for each in _folders(paths, f"{folder}performance/run"))
    if not performance and not folder:
        performance = tuple(_logs(each, reader) for each in _folders(paths, "") if "accuracy" not in each)
    accuracy = f"{folder}accuracy/"
    record = reader(accuracy + RECORD)
    has_accuracy = any(path.startswith(accuracy) and path.rpartition("/")[2] in {DETAIL, SUMMARY} for path in paths)
    scored = _logs(accuracy, reader) if has_accuracy else None
    if scored is not None and any(_is_same_run(scored, each) for each in performance):
        scored = None
    ranging = f"{folder}performance/ranging/"
    ranged = _logs(ranging, reader) if any(path.startswith(ranging) for path in paths) else None
    return InferenceResult(
        key,
        folder.rstrip("/"),
        place.system,
        place.benchmark,
        place.scenario,
        f"v{rounds[-1]}" if rounds else None,
        division,
        after,
        performance,
        ranged,
        scored,
        record,
        _outputs(accuracy + OUTPUTS, sizes, reader),
        power_of(f"{folder}performance/", performance[0], ranged, reader) if performance else None,
        _tests(place, beside, reader) if place.system else (),
        _measurement(place, beside, reader) if place.system else {},
        _configuration(place, beside, reader) if place.system else (),
    )


def _is_same_run(one: Logs, other: Logs) -> bool:
    """Whether two folders hold the logs of one run, as the mode does that measures both at once (up to v0.7)."""
    mode = (one.text("effective_test_mode", "mode") or "").casefold()
    if not mode.startswith("submission") or one.file is None or other.file is None:
        return False
    return one.file.sha256 == other.file.sha256


def _folders(paths: Iterable[str], start: str) -> list[str]:
    """Return the folders that begin so and hold logs of a run."""
    found = {path.rpartition("/")[0] for path in paths if path.rpartition("/")[2] in {DETAIL, SUMMARY}}
    return sorted(f"{folder}/" if folder else "" for folder in found if folder.startswith(start))


def _logs(folder: str, reader: Reader) -> Logs:
    return logs_of(reader(folder + DETAIL), reader(folder + SUMMARY))


def _outputs(path: str, sizes: Mapping[str, int], reader: Reader) -> Outputs | None:
    if not 0 < sizes.get(path, 0) <= MOST_OUTPUTS:
        return None
    file = reader(path)
    return Outputs(len(file.raw), file.sha256) if file is not None and holds_outputs(file.raw) else None


def _grouped(sizes: Iterable[str]) -> dict[str, list[str]]:
    """Return files by the folder of their result, as compliance/SYSTEM/BENCHMARK/SCENARIO/."""
    found: dict[str, list[str]] = {}
    for path in sizes:
        for kind in KINDS:
            before, marker, below = f"/{path}".rpartition(f"/{kind}/")
            parts = below.split("/")
            if marker and len(parts) >= 4:
                base = f"{before}{marker}{'/'.join(parts[:3])}/".lstrip("/")
                found.setdefault(base, []).append(path)
    return found


def _tests(place: Place, beside: Mapping[str, list[str]], reader: Reader) -> tuple[Test, ...]:
    found: dict[str, tuple[str, list[str]]] = {}
    for kind in ("compliance", "results"):
        base = _beside(place, kind)
        for path in beside.get(base, ()):
            name = path[len(base) :].partition("/")[0]
            if _TEST.match(name):
                found.setdefault(name, (f"{base}{name}/", []))[1].append(path)
    return tuple(_test(name, folder, paths, reader) for name, (folder, paths) in sorted(found.items()))


def _test(name: str, folder: str, paths: Iterable[str], reader: Reader) -> Test:
    there, run = frozenset(paths), f"{folder}performance/run_1/"
    logged = any(run + each in there for each in (DETAIL, SUMMARY))
    verdicts = (reader(folder + each) for each in VERDICTS)
    fallback = tuple(each for each in FALLBACK if any(f"{folder}{sub}{each}.txt" in there for sub in ("accuracy/", "")))
    return Test(name, _logs(run, reader) if logged else None, tuple(file for file in verdicts if file), fallback)


def _measurement(place: Place, beside: Mapping[str, list[str]], reader: Reader) -> dict[str, str]:
    """Return the fields of the measurement file: the JSON file that names data types."""
    for kind in ("measurements", "results"):
        base = _beside(place, kind)
        for path in beside.get(base, ()):
            if path.endswith(".json") and "/" not in path[len(base) :]:
                file = reader(path)
                value = file.json.value if file is not None and file.json is not None else None
                if isinstance(value, dict) and "weight_data_types" in value:
                    return {name[:200]: item[:3900] for name, item in value.items() if isinstance(item, str) and name}
    return {}


def _configuration(place: Place, beside: Mapping[str, list[str]], reader: Reader) -> tuple[Configuration, ...]:
    """Return the configuration files of a result, for all scenarios or for its own; user.conf has to be there."""
    base = _beside(place, "measurements")
    if not beside.get(base):
        return ()
    above = base.rstrip("/").rpartition("/")[0]
    found = []
    for name in CONFIGURATION:
        file = reader(base + name) or reader(f"{above}/{name}")
        settings = read_settings(file.text, place.benchmark, place.scenario) if file is not None else {}
        if file is not None or name == "user.conf":
            found.append(Configuration(name, file, settings))
    return tuple(found)


def _system(
    place: Place, sizes: Mapping[str, int], reader: Reader, known: dict[str, Described | None]
) -> Described | None:
    path = f"{place.before}/systems/{place.system}.json".lstrip("/")
    if path not in known:
        fits = 0 < sizes.get(path, 0) <= LIMIT_BYTES
        file = reader(path) if fits else None
        known[path] = description(path, file.raw) or unreadable(file) if file is not None else None
    return known[path]


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
