"""Writers of a study's tables: CSV and Parquet files, and the folders of trackers of experiments."""

from __future__ import annotations

import csv
import importlib
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from ...schemas.errors import UserError
from .tables import TABLES, Exported, Row, options

ROWS = 100_000
"""Rows that are held in memory at once."""
TEXTS = frozenset({"arm", "trial", "kind", "part", "split", "metric", "sensor", "unit"})
COUNTS = frozenset({"seed", "step", "examples"})
LONGEST = 250
"""Characters of an option's value that trackers take."""


def to_csv(study: Exported, out: Path) -> None:
    """Write each table as a CSV file."""
    for name, (heads, rows) in TABLES.items():
        with (out / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(heads)
            writer.writerows(rows(study))


def to_parquet(study: Exported, out: Path) -> None:
    """Write each table as a Parquet file."""
    arrow, parquet = _module("pyarrow", "parquet"), _module("pyarrow.parquet", "parquet")
    for name, (heads, rows) in TABLES.items():
        schema = arrow.schema([(head, _type(arrow, head)) for head in heads])
        with parquet.ParquetWriter(out / f"{name}.parquet", schema) as writer:
            for some in _chunks(rows(study)):
                columns = [
                    arrow.array(column, type=_type(arrow, head))
                    for head, column in zip(heads, zip(*some, strict=True), strict=True)
                ]
                writer.write_table(arrow.Table.from_arrays(columns, schema=schema))


def _type(arrow: Any, head: str) -> Any:
    return arrow.string() if head in TEXTS else arrow.int64() if head in COUNTS else arrow.float64()


def _chunks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while some := list(islice(rows, ROWS)):
        yield some


def to_tensorboard(study: Exported, out: Path) -> None:
    """Write a run of TensorBoard for each trial."""
    files = _module("tensorboard.summary.writer.event_file_writer", "tensorboard")
    events = _module("tensorboard.compat.proto.event_pb2", "tensorboard")
    summaries = _module("tensorboard.compat.proto.summary_pb2", "tensorboard")
    for trial, began, scalars in _by_trial(study):
        writer = files.EventFileWriter(str(out / trial))
        for tag, step, value in scalars:
            summary = summaries.Summary(value=[summaries.Summary.Value(tag=tag, simple_value=value)])
            writer.add_event(events.Event(wall_time=began, step=step, summary=summary))
        writer.close()


def to_mlflow(study: Exported, out: Path) -> None:
    """Write a run of MLflow for each trial, below `mlruns`."""
    mlflow, entities = _module("mlflow", "mlflow"), _module("mlflow.entities", "mlflow")
    client = mlflow.MlflowClient(tracking_uri=f"sqlite:///{(out / 'mlflow.db').resolve()}")
    artifacts = (out / "artifacts").resolve().as_uri()
    experiment = client.create_experiment(study.title[:LONGEST], artifact_location=artifacts)
    arms = {name: (arm, of) for arm, name, of, _ in study.trials()}
    for trial, began, scalars in _by_trial(study):
        arm, of = arms[trial]
        at_ms = round(1000 * began)
        run = client.create_run(experiment, start_time=at_ms, run_name=trial, tags={"arm": arm}).info.run_id
        told = [entities.Param(_plain(key), value[:LONGEST]) for key, value in options(of).items()]
        client.log_batch(run, params=told[:100])
        found = (entities.Metric(_plain(tag), value, at_ms, step) for tag, step, value in scalars)
        while some := list(islice(found, 1000)):  # as many as a batch takes
            client.log_batch(run, metrics=some)
        client.set_terminated(run)


def to_wandb(study: Exported, out: Path) -> None:
    """Write a run of Weights & Biases for each trial, offline: `wandb sync` sends it where the user wants it."""
    wandb = _module("wandb", "wandb")
    arms = {name: (arm, of) for arm, name, of, _ in study.trials()}
    for trial, _, scalars in _by_trial(study):
        arm, of = arms[trial]
        settings = wandb.Settings(
            silent=True, x_disable_stats=True, x_disable_meta=True, console="off", disable_git=True, save_code=False
        )
        run = wandb.init(
            mode="offline",
            dir=str(out),
            project="dlaudit",
            group=arm,
            name=trial,
            config=options(of),
            settings=settings,
            reinit="finish_previous",
        )
        by_step: dict[int, dict[str, float]] = {}
        for tag, step, value in scalars:
            by_step.setdefault(step, {})[tag] = value
        for step, values in sorted(by_step.items()):
            run.log(values, step=step)
        run.finish()


Scalars = Iterator[tuple[str, int, float]]


def _by_trial(study: Exported) -> Iterator[tuple[str, float, Scalars]]:
    """Yield (trial, when it began, its numbers as (name, step, value)) for each trial that has any."""
    for _, name, _, trial in study.trials():
        if trial.samples_file is not None:
            began = datetime.fromisoformat(trial.started).timestamp() if trial.started else 0.0
            yield name, began, _scalars(study, name)


def _scalars(study: Exported, name: str) -> Scalars:
    trial = next(one for _, key, _, one in study.trials() if key == name)
    found = study.read(trial)
    for column, values in found.columns.items() if found is not None else ():
        yield from ((column, step, value) for step, value in enumerate(values) if value == value)
    for one in trial.evaluations:
        told = ((f"{one.split}/{metric}", value) for metric, value in one.metrics.items())
        yield from ((tag, one.step or 0, value) for tag, value in told if value is not None)


def _plain(name: str) -> str:
    """Return a name of the letters that trackers take."""
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "_-. /") else "_" for letter in name)


def _module(name: str, extra: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        what = f"{name.partition('.')[0]} is not installed"
        raise UserError(what, f"pip install '.[{extra}]' in the checkout", "--format") from None


WRITERS: dict[str, Callable[[Exported, Path], None]] = {
    "csv": to_csv,
    "parquet": to_parquet,
    "tensorboard": to_tensorboard,
    "mlflow": to_mlflow,
    "wandb": to_wandb,
}
