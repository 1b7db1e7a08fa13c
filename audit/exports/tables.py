"""All samples of a study as tables: steps, evaluations, readings of sensors, and what each arm states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ...rules.case import Columns
from ...rules.facts.comparison.options import flat, printed
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.evidence import Arm, Trial
from ...schemas.files import open_beneath
from ...schemas.manifest import Predicate
from ...schemas.samples import SampleFile, read_samples
from ...schemas.source import read_bytes
from ...schemas.submission import ManifestRef
from ..lint.studies import SAMPLES_LIMIT_BYTES, read_studies

MANIFEST_LIMIT_BYTES = 32 << 20
Value = str | int | float | None
Row = tuple[Value, ...]
STEPS = ("arm", "trial", "kind", "seed", "part", "step", "step_time_s", "data_wait_s", "loss", "work")
EVALUATIONS = ("arm", "trial", "seed", "split", "step", "samples", "time_s", "examples", "metric", "value")
READINGS = ("arm", "trial", "time_s", "sensor", "value")
ARMS = ("arm", "metric", "value", "low", "high", "unit")
MEASURED = STEPS[6:]


@dataclass(frozen=True, slots=True)
class Exported:
    """A study that is read for writing elsewhere."""

    title: str
    record: Predicate
    read: Callable[[Trial], SampleFile | None]

    def trials(self) -> Iterator[tuple[str, str, Arm, Trial]]:
        """Yield (arm, id, the arm, the trial) in the order in which the trials ran."""
        found = [(arm, name, of, one) for arm, of in self.record.arms.items() for name, one in of.trials.items()]
        yield from sorted(found, key=lambda item: item[3].order or 0)


def of_folder(folder: Path) -> Exported:
    """Read a study's folder.

    Raises:
        UserError: it holds no manifest, or what it holds does not verify.
    """
    path = folder / "manifest.json"
    if not path.is_file():
        raise UserError("there is no manifest.json in this folder", "name the folder of a study", str(folder))
    digest = sha256_hex(read_bytes(path, MANIFEST_LIMIT_BYTES))
    study = read_studies({"study": ManifestRef(at="", path=path.name, sha256=digest)}, folder, None)["study"].study
    if study.record is None or study.problems:
        raise UserError("; ".join(study.problems) or "this is not a valid manifest", "see dlaudit verify", str(folder))

    def read(trial: Trial) -> SampleFile | None:
        if trial.samples_file is None:
            return None
        with open_beneath(folder, trial.samples_file.path) as file:
            return read_samples(file.read(SAMPLES_LIMIT_BYTES), trial.samples_file.path)

    return Exported(study.record.study.title, study.record, read)


def steps(study: Exported) -> Iterator[Row]:
    """Yield a row a step: those of the warm-up, then the timed ones."""
    for arm, name, _, trial in study.trials():
        found = study.read(trial)
        for part, columns in (("warmup", found.warmup), ("timed", found.columns)) if found is not None else ():
            for step in range(max(map(len, columns.values()), default=0)):
                yield (arm, name, trial.kind, trial.seed, part, step, *_at(columns, step))


def _at(columns: Columns, step: int) -> Iterator[Value]:
    for name in MEASURED:
        column = columns.get(name, ())
        value = column[step] if step < len(column) else None
        yield value if value is None or value == value else None  # NaN: a loss that was not finite


def evaluations(study: Exported) -> Iterator[Row]:
    """Yield a row for each metric of each evaluation."""
    for arm, name, _, trial in study.trials():
        for one in trial.evaluations:
            of_one = (arm, name, trial.seed, one.split, one.step, one.samples, one.time_s, one.examples)
            for metric, value in one.metrics.items():
                yield (*of_one, metric, value)


def readings(study: Exported) -> Iterator[Row]:
    """Yield a row for each reading of a sensor."""
    for arm, name, _, trial in study.trials():
        found = study.read(trial)
        columns = dict(found.telemetry) if found is not None else {}
        times = columns.pop("time_s", ())
        for sensor, values in columns.items():
            yield from ((arm, name, time_s, sensor, value) for time_s, value in zip(times, values, strict=True))


def arms(study: Exported) -> Iterator[Row]:
    """Yield a row for each number that an arm states of itself."""
    for arm, of in study.record.arms.items():
        for name, metric in of.performance.items():
            interval = (metric.interval.low, metric.interval.high) if metric.interval is not None else (None, None)
            yield (arm, name, *map(_number, (metric.value, *interval)), metric.unit)
        for name, quality in of.quality.items():
            yield (arm, name, _number(quality.value), None, None, quality.unit or "")


def _number(text: str | None) -> float | None:
    return float(text) if text is not None else None


def options(arm: Arm) -> dict[str, str]:
    """Return the options of an arm as texts."""
    stated = flat(arm.options) | (dict(arm.options.extra) if arm.options is not None else {})
    return {name: printed(value) for name, value in stated.items()}


TABLES: dict[str, tuple[tuple[str, ...], Callable[[Exported], Iterator[Row]]]] = {
    "steps": (STEPS, steps),
    "evaluations": (EVALUATIONS, evaluations),
    "readings": (READINGS, readings),
    "arms": (ARMS, arms),
}
