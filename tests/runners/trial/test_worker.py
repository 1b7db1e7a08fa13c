"""The worker: orders, options, training towards a target, and every way in which a trial can end."""

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from dlaudit.runners.study import orders as order
from dlaudit.runners.trial import events
from dlaudit.runners.workloads.interface import Request
from dlaudit.runners.workloads.options import settle
from dlaudit.schemas.errors import UserError

pytestmark = pytest.mark.slow

GEMM = {"name": "gemm", "m": 8, "n": 8, "k": 8}
TARGET = {"metric": "accuracy", "value": 0.95, "direction": "higher"}
CHECK = {"evaluate_every_samples": 2000, "max_samples": 20_000, "target": TARGET, "stop_at_target": True}


def test_digits_reach_their_target_and_begin_like_a_throughput_trial(run_trial: Any) -> None:
    trained = run_trial({"name": "digits-cnn"}, kind="convergence", convergence=CHECK, throughput=None)
    ended, curve = trained.only(events.Ended), trained.all(events.Evaluation)
    assert (trained.code, ended.outcome) == (0, "completed"), trained.log
    assert ended.crossing.reached
    last = curve[-1]
    assert last.metrics["accuracy"] == last.correct / last.examples >= 0.95
    assert all(one.metrics["accuracy"] < 0.95 for one in curve[:-1])
    assert [one.samples for one in curve] == [64 * -(-2000 * number // 64) for number in range(1, len(curve) + 1)]
    assert (ended.crossing.samples, ended.crossing.step, ended.crossing.time_s) == (
        last.samples,
        last.step,
        last.time_s,
    )
    assert last.time_s == pytest.approx(sum(trained.column("step_time_s")))
    assert last.evaluation_s > 0
    assert len(trained.column("loss")) == last.step
    timed = run_trial({"name": "digits-cnn"}, throughput={"warmup": 5, "iterations": 40})
    prefix = [*timed.only(events.Warmup).loss, *timed.column("loss")]
    assert prefix == trained.column("loss")[:45]  # the evaluations in between changed nothing


def test_a_transformer_approaches_the_entropy_rate_and_not_below(run_trial: Any) -> None:
    target = {"metric": "loss", "value": 1.5, "direction": "lower"}
    plan = CHECK | {"evaluate_every_samples": 800, "max_samples": 800, "target": target, "stop_at_target": False}
    trial = run_trial(
        {"name": "text-transformer", "width": 32, "layers": 1, "heads": 2, "length": 16},
        kind="convergence",
        convergence=plan,
        options={"learning_rate": 0.02},
    )
    floor = trial.only(events.Options).effective["extra"]["entropy_rate_nats"]
    (evaluation,) = trial.all(events.Evaluation)
    assert evaluation.samples == 800
    assert floor < evaluation.metrics["loss"] < 1.5


def test_a_target_that_is_not_reached_is_no_failure(run_trial: Any) -> None:
    plan = CHECK | {"evaluate_every_samples": 100, "max_samples": 150}
    trial = run_trial({"name": "digits-cnn", "width": 1}, kind="convergence", convergence=plan)
    assert [one.samples for one in trial.all(events.Evaluation)] == [128]
    assert trial.only(events.Ended).crossing == events.Crossing(reached=False)
    assert trial.only(events.Ended).outcome == "completed"


def test_bf16_is_in_effect_and_seen(run_trial: Any) -> None:
    trial = run_trial({"name": "digits-cnn", "width": 2}, options={"precision": {"compute": "bf16"}})
    options = trial.only(events.Options)
    assert options.effective["precision"]["compute"] == options.observed["precision"]["compute"] == "bf16"
    assert options.effective["precision"]["weights"] == options.observed["precision"]["weights"] == "fp32"
    extra = options.observed["extra"]
    assert (extra["autocast"], extra["output_formats"], extra["product_mantissa_bits"]) == ("bf16", "bf16", 7)
    assert extra["gradient_formats"] == extra["optimizer_state_formats"] == "fp32"


def test_dropout_and_accumulation_are_in_effect_and_seen(run_trial: Any) -> None:
    asked = {"dropout": True, "global_batch": 12, "accumulation": 3, "optimizer": "sgd", "momentum": 0.5}
    options = run_trial({"name": "digits-cnn", "width": 2}, options=asked).only(events.Options)
    for found in (options.effective, options.observed):
        assert found.items() >= asked.items()
        assert found["micro_batch"] == 4


def test_a_compiled_model_is_seen_to_be_compiled(run_trial: Any) -> None:
    small = {"name": "mlp", "inputs": 4, "width": 4, "layers": 1}
    trial = run_trial(small, options={"compile": True, "name": "fast", "extra": {"note": "compiled"}})
    options = trial.only(events.Options)
    assert trial.code == 0, trial.log
    assert options.observed["compile"] is options.effective["compile"] is True
    assert options.observed["extra"]["compiled_graphs"] >= 1
    assert options.effective["name"] == "fast"
    assert options.effective["extra"]["note"] == "compiled"
    assert trial.column("loss") == pytest.approx(run_trial(small).column("loss"), rel=1e-4)


def test_without_warm_up_the_look_comes_after_the_measurement(start_trial: Any) -> None:
    trial = start_trial(GEMM, throughput={"warmup": 0, "iterations": 4})
    order_of = [type(event).__name__ for event in trial.events]
    assert order_of == ["Started", "Iterations", "Options", "Controls", "Ended"]
    assert len(trial.column("step_time_s")) == 4


def test_an_option_that_cannot_take_effect_fails_the_trial(run_trial: Any) -> None:
    trial = run_trial(GEMM, options={"sparsity": "2:4"})
    ended = trial.only(events.Ended)
    assert (trial.code, ended.outcome, ended.error.type) == (1, "failed", "UserError")
    assert "gemm has no option sparsity" in ended.error.message
    assert "Traceback" not in trial.log


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"momentum": 0.9, "flux": 3}, "no option momentum, flux"),
        ({"precision": {"communication": "fp16"}}, r"no option precision\.communication"),
        ({"seed": 8}, "seed .asked 8, runs with 7"),
        ({"dataset": "imagenet"}, "asked 'imagenet', runs with 'synthetic'"),
        ({"input_shape": [2]}, "input_shape"),
    ],
)
def test_every_requested_option_must_be_in_effect(options: Any, words: str) -> None:
    effective = {"dataset": "synthetic", "input_shape": [8, 8], "precision": {"compute": "fp32"}}
    request = Request(options=options, seed=7, device="cpu", kind="throughput")
    with pytest.raises(UserError, match=words):
        settle("gemm", request, effective)


def test_labels_and_extras_take_effect_by_being_written_down() -> None:
    asked = {"name": "a", "seed": 7, "extra": {"x": 1, "y": 1}, "precision": {"compute": "fp32"}}
    request = Request(options=asked, seed=7, device="cpu", kind="throughput")
    settled = settle("gemm", request, {"precision": {"compute": "fp32", "tf32": False}, "extra": {"y": 2}})
    assert settled == {
        "precision": {"compute": "fp32", "tf32": False},
        "seed": 7,
        "name": "a",
        "extra": {"x": 1, "y": 2},
    }


def test_a_loss_that_explodes_is_diverged(run_trial: Any) -> None:
    trial = run_trial(
        {"name": "mlp", "inputs": 4, "width": 8, "layers": 3},
        options={"learning_rate": 1e30},
        throughput={"warmup": 1, "iterations": 20},
    )
    ended = trial.only(events.Ended)
    assert (trial.code, ended.outcome) == (0, "diverged")
    assert "not finite" in ended.error.message
    assert None in trial.column("loss")
    assert trial.only(events.Controls).records


def test_a_device_that_is_not_there(run_trial: Any) -> None:
    trial = run_trial(GEMM, device="cuda:99")
    assert "no device cuda:99" in trial.only(events.Ended).error.message


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_trial_and_keeps_what_was_measured(number: int, tmp_path: Path, worker: Any) -> None:
    path = worker.order(tmp_path, GEMM, throughput={"warmup": 1, "iterations": 10**9})
    file = tmp_path / "events.jsonl"
    process = subprocess.Popen(worker.command_line(path), env=worker.environment())
    try:
        deadline = time.monotonic() + 500
        while not file.exists() or file.read_bytes().count(b'"iterations"') < 2:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(number)
        assert process.wait(500) == 1
    finally:
        process.kill()
    found = events.read(file)
    ended = found[-1]
    assert isinstance(ended, events.Ended)
    assert ended.outcome == "failed"
    assert ended.error is not None
    assert ended.error.message == f"interrupted by {signal.Signals(number).name}"
    chunks = [event for event in found if isinstance(event, events.Iterations)]
    assert len(chunks) >= 2
    assert [chunk.first for chunk in chunks[1:]] == [chunk.first + len(chunk.step_time_s) for chunk in chunks[:-1]]


def test_a_killed_trial_leaves_no_end_and_its_file_is_readable(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text('{"event": "started", "pid": 1, "boot_id": null, "unix_ns": "5"}\n{"event": "iterat')
    assert events.read(path) == (events.Started(pid=1, boot_id=None, unix_ns="5"),)


@pytest.mark.parametrize("line", ["{}", "[1]", '{"event": "dance"}', '{"event": "started", "pid": "x"}', "\xff"])
def test_a_damaged_line_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text('{"event": "started", "pid": 1, "boot_id": null, "unix_ns": "5"}\n' + line + "\n")
    with pytest.raises(UserError, match=r"events\.jsonl:2"):
        events.read(path)


def test_an_events_file_is_never_overwritten(tmp_path: Path, worker: Any) -> None:
    (tmp_path / "events.jsonl").write_text("precious")
    done = subprocess.run(
        worker.command_line(worker.order(tmp_path, GEMM)), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "exists already" in done.stderr
    assert (tmp_path / "events.jsonl").read_text() == "precious"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "latency"}, "latency"),
        ({"throughput": None}, "throughput"),
        ({"throughput": {"warmup": -1, "iterations": 3}}, "warmup"),
        ({"throughput": {"warmup": 1, "iterations": 0}}, "iterations"),
        ({"kind": "convergence"}, "convergence"),
        ({"kind": "convergence", "convergence": CHECK | {"max_samples": 10}}, "max_samples"),
        ({"workload": {}}, "exactly one"),
        ({"workload": {"name": "gemm", "command": ["x"]}}, "exactly one"),
        ({"workload": {"command": []}}, "empty"),
        ({"workload": {"entry": "a:b", "parameters": {}}}, "parameters"),
        ({"seed": -1}, "seed"),
        ({"controls": {"threads": 0}}, "threads"),
        ({"controls": {"affinity": []}}, "affinity"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_an_order_that_is_wrong_is_one_clear_error(change: Any, words: str, tmp_path: Path, worker: Any) -> None:
    path = worker.order(tmp_path, GEMM, **change)
    with pytest.raises(UserError, match=words):
        order.read(path)


def test_an_unusable_order_ends_the_worker_with_2(tmp_path: Path, worker: Any) -> None:
    (tmp_path / "broken.json").write_text("{")
    for path in (tmp_path / "broken.json", tmp_path / "absent.json"):
        done = subprocess.run(worker.command_line(path), capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1


def test_an_order_survives_the_way_to_the_worker(tmp_path: Path, worker: Any) -> None:
    path = worker.order(tmp_path, GEMM, kind="convergence", convergence=CHECK)
    read = order.read(path)
    assert read.source() == order.Named(name="gemm", parameters={"m": 8, "n": 8, "k": 8})
    assert read.convergence == order.Convergence(
        evaluate_every_samples=2000,
        max_samples=20_000,
        target=order.Target(metric="accuracy", value=0.95, direction="higher"),
        stop_at_target=True,
    )
    assert json.loads(path.read_text())["seed"] == read.seed == 7


@pytest.mark.parametrize(
    ("direction", "value", "met"),
    [("higher", 0.9, True), ("higher", 0.8, False), ("lower", 0.9, True), ("lower", 1.0, False)],
)
def test_a_target_is_met_at_its_value(direction: Any, value: float, met: bool) -> None:
    target = order.Target(metric="m", value=0.9, direction=direction)
    assert target.met({"m": value}) is met
    assert not target.met({"m": float("nan")})
    assert not target.met({})
