"""`dlaudit export`: the samples of a study for other tools."""

import csv
import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.schemas.errors import UserError

STUDY = Path(__file__).parents[3] / "examples" / "honest" / "study"
RAW = json.loads((STUDY / "trials" / "digits-t1.samples.json").read_text())


def export(folder, form, out):
    done = CliRunner().invoke(cli, ["export", str(folder), "--format", form, "--out", str(out)], standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    assert done.return_value == 0
    return out


def of_first_trial(rows):
    return [float(row["step_time_s"]) for row in rows if row["trial"] == "digits-t1" and row["part"] == "timed"]


def test_csv_holds_every_sample_and_every_evaluation(tmp_path):
    out = export(STUDY, "csv", tmp_path / "out")
    with (out / "steps.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert of_first_trial(rows) == RAW["columns"]["step_time_s"]
    assert Counter(row["part"] for row in rows if row["trial"] == "digits-t1") == {"warmup": 10, "timed": 60}
    with (out / "evaluations.csv").open(newline="") as file:
        found = list(csv.DictReader(file))
    assert {row["metric"] for row in found} == {"accuracy", "loss"}
    with (out / "arms.csv").open(newline="") as file:
        rate = next(row for row in csv.DictReader(file) if row["metric"] == "rate")
    assert (rate["value"], rate["unit"]) == ("15033.2", "samples/s")


def test_parquet_holds_the_same(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    out = export(STUDY, "parquet", tmp_path / "out")
    found = parquet.read_table(out / "steps.parquet")
    assert of_first_trial(found.to_pylist()) == RAW["columns"]["step_time_s"]
    assert str(found.schema.field("step").type) == "int64"


def test_tensorboard_reads_the_steps_of_each_trial(tmp_path):
    reader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")
    out = export(STUDY, "tensorboard", tmp_path / "out")
    (file,) = (out / "digits-t1").iterdir()
    values = [
        event.summary.value[0].simple_value
        if event.summary.value[0].simple_value
        else event.summary.value[0].tensor.float_val[0]
        for event in reader.EventFileLoader(str(file)).Load()
        if event.summary.value and event.summary.value[0].tag == "step_time_s"
    ]
    assert values == pytest.approx(RAW["columns"]["step_time_s"])


def test_mlflow_reads_a_run_for_each_trial(tmp_path):
    mlflow = pytest.importorskip("mlflow")
    pytest.importorskip("sqlalchemy")
    out = export(STUDY, "mlflow", tmp_path / "out")
    client = mlflow.MlflowClient(tracking_uri=f"sqlite:///{out / 'mlflow.db'}")
    (experiment,) = [one for one in client.search_experiments() if one.name != "Default"]
    runs = {run.info.run_name: run for run in client.search_runs([experiment.experiment_id])}
    history = client.get_metric_history(runs["digits-t1"].info.run_id, "step_time_s")
    assert [one.value for one in sorted(history, key=lambda one: one.step)] == RAW["columns"]["step_time_s"]
    assert runs["digits-t1"].data.params["global_batch"] == "128"


def test_wandb_gets_an_offline_run_for_each_trial(tmp_path):
    pytest.importorskip("wandb")
    out = tmp_path / "out"
    # A process of its own: the library keeps a service and threads until the process ends.
    command = [Path(sys.executable).with_name("dlaudit"), "export", STUDY, "--format", "wandb", "--out", out]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(list(out.glob("wandb/offline-run-*/run-*.wandb"))) == 10


def test_a_folder_that_is_there_is_not_written_into_and_a_doctored_study_not_read(tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(UserError, match="exists already"):
        export(STUDY, "csv", tmp_path / "out")
    with pytest.raises(UserError, match=r"no manifest\.json"):
        export(tmp_path, "csv", tmp_path / "new")
    shutil.copytree(STUDY, tmp_path / "study")
    raw = tmp_path / "study" / "trials" / "digits-t1.samples.json"
    raw.write_text(raw.read_text().replace("0.0", "0.1", 1))
    with pytest.raises(UserError, match="digits-t1"):
        export(tmp_path / "study", "csv", tmp_path / "new")
