"""Runs as tracking tools keep them become submissions: written by the tools themselves where they are installed."""

import struct
from pathlib import Path

import pytest
from dlaudit.audit.importers.tracking.tensorboard import KIND
from dlaudit.audit.lint.read import read_documents
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.validation import validate

STEPS = range(4)


def runs(path):
    found = [document.draft for document in read_documents([str(path)])]
    for draft in found:
        assert not validate("submission", draft.value)
    return found


def claimed(draft):
    return {(claim["quantity"], claim["value"], claim.get("unit")) for claim in draft.value["claims"].values()}


def tensorboard_run(folder, tensors=False):
    summaries = pytest.importorskip("tensorboard.compat.proto.summary_pb2")
    events = pytest.importorskip("tensorboard.compat.proto.event_pb2")
    tensor = pytest.importorskip("tensorboard.compat.proto.tensor_pb2")
    writers = pytest.importorskip("tensorboard.summary.writer.event_file_writer")
    writer = writers.EventFileWriter(str(folder))
    for step in STEPS:
        for tag, value in (
            ("train/loss", 2 - step / 8),
            ("eval/accuracy", 0.55 + step / 10),
            ("samples_per_sec", 900.0),
        ):
            if tensors:
                held = tensor.TensorProto(dtype=1, tensor_content=struct.pack("<f", value))
                item = summaries.Summary.Value(tag=tag, tensor=held)
            else:
                item = summaries.Summary.Value(tag=tag, simple_value=value)
            writer.add_event(events.Event(wall_time=1.0, step=step, summary=summaries.Summary(value=[item])))
    writer.close()
    (path,) = Path(folder).iterdir()
    return path


@pytest.mark.parametrize("tensors", [False, True])
def test_an_event_file_of_tensorboard_is_the_log_of_a_run(tmp_path, tensors):
    tensorboard_run(tmp_path / "logs", tensors)
    (draft,) = runs(tmp_path)
    assert claimed(draft) == {("accuracy", "0.85", None), ("rate", "900", "samples/s")}
    evaluations = draft.value["arms"]["run"]["trials"]["t1"]["evaluations"]
    assert {each["split"] for each in evaluations} == {"train", "unlabelled"}
    where = draft.origins["/claims/eval-accuracy/value"]
    assert '"step": 3, "key": "eval/accuracy"' in draft.files(where.file).line(where.line)


def test_a_cut_event_file_ends_with_its_last_whole_record(tmp_path):
    path = tensorboard_run(tmp_path)
    path.write_bytes(path.read_bytes()[:-5])
    (draft,) = runs(path)
    assert ("accuracy", "0.85", None) in claimed(draft)


def test_a_run_folder_of_mlflow_is_one_run_with_its_parameters(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "1")
    store = tmp_path / "mlruns"
    client = mlflow.MlflowClient(tracking_uri=store.as_uri())
    for rate in (700.0, 800.0):
        run = client.create_run("0" if (store / "0").exists() else client.create_experiment("speed")).info.run_id
        client.log_param(run, "gpus", 8)
        for step in STEPS:
            client.log_metric(run, "samples_per_second", rate + step, step=step)
            client.log_metric(run, "eval_accuracy", 0.5, step=step)
    found = runs(store)
    assert sorted(value for draft in found for kind, value, _ in claimed(draft) if kind == "rate") == ["703.0", "803.0"]
    for draft in found:
        assert draft.value["arms"]["run"]["devices"] == 8
        where = next(origin for at, origin in draft.origins.items() if at.endswith("samples_per_second/value"))
        assert where.file.endswith("metrics/samples_per_second")
        assert where.line == 4


def test_an_offline_run_of_weights_and_biases_is_the_log_of_a_run(tmp_path, monkeypatch):
    wandb = pytest.importorskip("wandb")
    for name, value in (("WANDB_MODE", "offline"), ("WANDB_SILENT", "true"), ("WANDB_DIR", str(tmp_path))):
        monkeypatch.setenv(name, value)
    run = wandb.init(project="speed", config={"gpus": 4}, dir=str(tmp_path))
    for step in STEPS:
        run.log({"tokens_per_second": 500.0 + step, "val_loss": 2.0 - step / 8, "note": "x" * 70_000})
    run.finish()
    (draft,) = runs(tmp_path)
    assert ("rate", "503", "tokens/s") in claimed(draft)
    assert ("loss", "1.625", None) in claimed(draft)
    assert draft.value["arms"]["run"]["devices"] == 4


def record(message):
    return struct.pack("<Q", len(message)) + b"crc1" + message + b"crc2"


VERSION = record(b"\x1a\x0dbrain.Event:2")


@pytest.mark.parametrize(
    "data",
    [
        VERSION,
        VERSION + b"\xff" * 400,
        VERSION + record(b"\x2a\xff\xff\xff\xff\x0f" + b"\0" * 40),
        VERSION + record(b"\x10" + b"\xff" * 30),
        struct.pack("<Q", 2**63) + b"crc1" + b"\x1a\x0dbrain.Event:2" + b"\0" * 20,
        b":W&B\xe1\xbe\0",
        b":W&B\xe1\xbe\0" + b"crc_" + struct.pack("<HB", 40_000, 1) + b"\xff" * 100,
        b":W&B\xe1\xbe\0" + b"crc_" + struct.pack("<HB", 6, 1) + b"\x12\x04\x0a\x02\x0a\x09" + b"\xfe" * 9,
    ],
)
def test_a_broken_file_is_one_clear_error(tmp_path, data):
    path = tmp_path / "run.bin"
    path.write_bytes(data)
    with pytest.raises(UserError, match="no report that an importer reads"):
        read_documents([str(path)])


def test_series_whose_names_tell_nothing_are_named(tmp_path):
    path = tmp_path / "events.jsonl"
    series = (("gn/blob", 0.5), ("images_per_sec", 310.5))
    lines = [f'{{"step": 1, "key": "{key}", "value": {value}}}' for key, value in series]
    path.write_text("\n".join((f'{{"{KIND}": true}}', *lines, "")))
    (draft,) = runs(path)
    assert claimed(draft) == {("rate", "310.5", "images/s")}
    assert any("gn/blob" in text for text in draft.unused)


def test_a_run_that_tells_nothing_does_not_hide_the_reports_beside_it(tmp_path):
    (tmp_path / "events.bin").write_bytes(VERSION)
    (tmp_path / "README.md").write_text("The fused kernel is 2.5x faster.\n")
    (draft,) = runs(tmp_path)
    assert len(draft.value["claims"]) == 1
