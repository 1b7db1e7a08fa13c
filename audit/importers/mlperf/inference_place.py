"""Where the files of a result of MLPerf Inference lie in a folder, and what one result is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from ....schemas.pattern import Pattern
from ..report_file import ReportFile
from .accuracy import holds_outputs
from .inference_power import power_of
from .inference_result import Configuration, InferenceResult, Outputs, Test
from .inference_run import DETAIL, SUMMARY, Logs, logs_of
from .loadgen_conf import read_settings
from .system_description import LIMIT_BYTES, Described, description, unreadable

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


class Place(Struct, frozen=True, order=True):
    """Where a result lies: what stands before `results/`, and its system, benchmark and scenario."""

    before: str
    system: str
    benchmark: str
    scenario: str


def places_of(sizes: Iterable[str]) -> dict[Place, list[str]]:
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


def result_of(
    place: Place,
    paths: list[str],
    sizes: Mapping[str, int],
    beside: Mapping[str, list[str]],
    reader: Reader,
    key: str,
    root: str,
) -> InferenceResult:
    """Return what the files of a result hold.

    Args:
        place: where it lies.
        paths: its files.
        sizes: bytes of every file of the folder.
        beside: files by the folders that stand for a result, as `beside_places` gives them.
        reader: reads them.
        key: its id.
        root: path that leads to it, which may name round, division and submitter.
    """
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


def beside_places(sizes: Iterable[str]) -> dict[str, list[str]]:
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


def description_path(place: Place) -> str:
    """Return the path of the system description of a result."""
    return f"{place.before}/systems/{place.system}.json".lstrip("/")


def system_of(path: str, sizes: Mapping[str, int], reader: Reader) -> Described | None:
    """Return the description of a system, also one that cannot be read; None where there is none."""
    file = reader(path) if 0 < sizes.get(path, 0) <= LIMIT_BYTES else None
    return description(path, file.raw) or unreadable(file) if file is not None else None
