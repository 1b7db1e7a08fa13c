"""Runs of tracking tools: event files of TensorBoard, offline runs of Weights & Biases, run folders of MLflow.

A run is read as the log of a training: what was logged outside the training data (`eval/accuracy`) becomes
evaluations, of each series of a rate, a time with a unit or such a quality the last value is claimed, and the values
before it are kept. Numbers that stay the same (batch size, devices, also among the configuration or the parameters)
are settings. Series whose names do not tell a quality, a rate or a time with a unit are left out and named; a run with
no other is not read.

Event files and offline runs are binary: their places are counted in scalars, as `dlaudit` reads them one a line. A file
that is cut off ends with its last whole record. Of MLflow the folder `metrics` of a run is read, with `params` beside
it; images, texts, histograms and artifacts are not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from ....schemas.errors import UserError
from ....schemas.files import open_beneath
from ....schemas.pattern import Pattern
from ..draft import Draft, Origin
from ..drafting import Drafting
from ..interface import Field, Importer, Together
from ..logs.drafts import draft_lines
from ..logs.lines import Line, Number
from ..logs.quantities import is_loss, quantity_of, split_of_key
from ..report_file import ReportFile, open_report
from . import tensorboard, wandb

FIELDS = (
    Field("tag, key or metric: samples_per_second, step_time_ms", "performance, claims", "the last value"),
    Field("eval/accuracy, val_loss", "quality, trials.t1.evaluations, claims", "outside the training data"),
    Field("batch_size, gpus", "options, devices", "of series, configuration and parameters"),
    Field("step", "trials.t1.evaluations.step"),
)
METRICS, PARAMETERS = "/metrics/", "params"
MOST_PARAMETERS, LONGEST_PARAMETER = 200, 64
SETTING = -1
FEW = 100
"""Lines by which a file is known."""
_POINT = Pattern(r"[0-9]{12,14} ([-+0-9.eEnaifNIty]{1,32}) ([0-9]{1,12})(?: [^ ]{0,200}){0,4}")


class Point(Struct, frozen=True):
    """A number of a run: its key, its digits, where it stands, and its step; a setting has none."""

    key: str
    value: str
    file: ReportFile
    line: int
    column: int
    step: int | None = None


def read(file: ReportFile) -> Draft:
    """Return the submission of one run."""
    return read_run((file,))


def read_run(files: tuple[ReportFile, ...]) -> Draft:
    """Return the submission of the files of one run."""
    beside = tuple(_parameters(files[0]))
    points = [point for file in (*beside, *files) for point in _points(file)]
    draft = Drafting(f"tracked run {_run_of(files[0])}")
    lines, unknown = _lines(points)
    draft_lines(draft.arm("run"), replace(files[0], name=_run_of(files[0])), lines)
    draft.unused.extend(f"{key}: its name tells no quantity, or no unit" for key in unknown)
    found = draft.done(files[0], *files[1:], *beside)
    places = {at: _placed(where, points, files[0]) for at, where in found.origins.items()}
    return replace(found, origins=places)


def _run_of(file: ReportFile) -> str:
    """Return what a run is called: its folder, of a single file its name."""
    return PurePosixPath(file.name.rpartition(METRICS)[0] or file.name).name


def _placed(where: Origin, points: Sequence[Point], first: ReportFile) -> Origin:
    """Return where a number stands, given its place among all points."""
    if not where.line:
        return Origin(first.name)
    point = points[where.line - 1]
    return Origin(point.file.name, point.line, point.column)


def _points(file: ReportFile) -> Iterator[Point]:
    """Yield the numbers of a file of a run."""
    if file.json_lines:
        for number, value in file.json_lines:
            if isinstance(value, dict) and isinstance(key := value.get("key"), str):
                text, step = file.line(number), value.get("step")
                printed = text.rpartition('"value": ')[2].rstrip("}").strip('"')
                column = len(text) - len(printed)
                yield Point(key, printed, file, number, column, step if isinstance(step, int) else None)
        return
    _, metrics, key = file.name.rpartition(METRICS)
    if not metrics:
        if file.folder is not None and file.folder.name == PARAMETERS:
            yield Point(file.short_name, file.text.strip(), file, 1, 1)
        return
    for number, text in enumerate(file.lines, 1):
        point = _POINT.fullmatch(text)
        if point is not None:
            yield Point(key, point[1], file, number, point.start(1) + 1, int(point[2]))


def _parameters(file: ReportFile) -> Iterator[ReportFile]:
    """Yield the parameters that lie beside the metrics of a run of MLflow."""
    run, metrics, _ = file.name.rpartition(METRICS)
    folder = Path(run) / PARAMETERS
    if not metrics or file.folder is None or not folder.is_dir():
        return
    for path in sorted(folder.iterdir())[:MOST_PARAMETERS]:
        try:
            with open_beneath(folder, path.name) as held:
                data = held.read(LONGEST_PARAMETER + 1)
            if len(data) <= LONGEST_PARAMETER:
                yield replace(open_report(str(path), data), folder=folder)
        except (OSError, UserError):
            continue


def _lines(points: Sequence[Point]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """Return the numbers as the lines of a log, those of the training data apart; and the keys that tell nothing."""
    by_step: dict[tuple[int, bool], list[Number]] = {}
    unknown: dict[str, None] = {}
    for at, point in enumerate(points, 1):
        quantity = quantity_of(point.key, "")
        if quantity is None or (point.step is None and quantity.kind != "setting"):
            unknown.setdefault(point.key)
            continue
        split = split_of_key(point.key) if quantity.kind == "quality" else ""
        split = "train" if split == "unlabelled" and is_loss(point.key) else split
        step = SETTING if point.step is None else point.step
        by_step.setdefault((step, split == "train"), []).append(Number(point.key, point.value, at, 1, quantity, split))
    held = sorted(by_step.items(), key=lambda item: item[0])
    lines = (
        Line(None, step if step != SETTING else None, True, step != SETTING, tuple(numbers))
        for (step, _), numbers in held
    )
    return tuple(lines), tuple(unknown)


def recognises(file: ReportFile) -> bool:
    """Whether a file is a run of a tracking tool, or a metric of one, with a series that its name tells."""
    if not (_is_kept_as_lines(file) or _is_metric(file)):
        return False
    lines, _ = _lines(list(_points(file)))
    return any(number.quantity.kind != "setting" for line in lines for number in line.numbers)


def _is_kept_as_lines(file: ReportFile) -> bool:
    first = file.json_lines[0][1] if file.json_lines else None
    return isinstance(first, dict) and (tensorboard.KIND in first or wandb.KIND in first)


def _is_metric(file: ReportFile) -> bool:
    """Whether a file lies in a folder of metrics, and holds times of day, values and steps."""
    lines = file.lines[:FEW] if METRICS in file.name and file.data else ("",)
    return bool(lines[0]) and all(_POINT.fullmatch(text) for text in lines if text)


def place(path: str) -> str:
    """Return the folder of the run that a file is of; of a file that is a run the file itself."""
    run, metrics, _ = f"/{path}".rpartition(METRICS)
    return run.removeprefix("/") if metrics else path


def _is_description(file: ReportFile) -> bool:
    """Whether a file describes a run of MLflow."""
    return file.short_name == "meta.yaml" and any(text.startswith("run_id:") for text in file.lines[:FEW])


IMPORTER = Importer(
    name="tracked-run",
    title="runs of tracking tools: TensorBoard, Weights & Biases offline, MLflow",
    doc=__doc__,
    signatures=(),
    fields=FIELDS,
    read=read,
    together=Together(place, read_run, _is_description),
    recognises=recognises,
)
