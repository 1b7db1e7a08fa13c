"""Every workload through the real worker, and what each reports of itself."""

import json
import subprocess
import sys
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
import torch
from dlaudit.runners.study.orders import Named
from dlaudit.runners.trial import events
from dlaudit.runners.workloads import BUILT_IN, digits, load
from dlaudit.runners.workloads.interface import Request
from dlaudit.runners.workloads.parameters import BY_WORKLOAD
from dlaudit.runners.workloads.precision import product_mantissa_bits, training_precision
from dlaudit.schemas.errors import UserError
from referencing import Registry, Resource

pytestmark = pytest.mark.slow

SMALL: dict[str, dict[str, Any]] = {
    "digits-cnn": {"width": 2},
    "text-transformer": {"width": 8, "layers": 1, "heads": 1, "length": 8},
    "resnet": {"width": 8, "image": 8},
    "mlp": {"inputs": 8, "width": 8, "layers": 1},
    "gemm": {"m": 3, "n": 5, "k": 7},
    "copy": {"values": 100},
    "conv": {"batch": 2, "channels": 3, "filters": 4, "image": 5, "window": 3},
    "attention": {"batch": 2, "heads": 3, "length": 4, "head_width": 8},
    "rnn": {"length": 3, "batch": 2, "inputs": 4, "hidden": 5},
    "launch": {},
    "all-reduce": {"message_bytes": 4096, "sweep_bytes": []},
    "all-gather": {"message_bytes": 4096, "sweep_bytes": []},
    "reduce-scatter": {"message_bytes": 4096, "sweep_bytes": []},
    "all-to-all": {"message_bytes": 4096, "sweep_bytes": []},
    "tensor-parallel": {"inputs": 8, "width": 8, "layers": 1},
    "data-parallel": {"inputs": 8, "width": 8, "layers": 1},
    "split-gemm": {"m": 32, "n": 40, "k": 48, "slices": 2},
}
WORK = {
    "digits-cnn": (64, "samples"),
    "text-transformer": (32 * 8, "tokens"),
    "resnet": (32, "samples"),
    "mlp": (32, "samples"),
    "gemm": (210, "operations"),
    "copy": (800, "bytes"),
    "conv": (2 * 2 * 4 * 25 * 3 * 9, "operations"),
    "attention": (2 * 3 * (1 + 2 + 3 + 4) * 4 * 8, "operations"),
    "rnn": (2 * 3 * 2 * 4 * 5 * (4 + 5), "operations"),
    "launch": (1, "operations"),
    "all-reduce": (4096, "bytes"),
    "all-gather": (4096, "bytes"),
    "reduce-scatter": (4096, "bytes"),
    "all-to-all": (4096, "bytes"),
    "data-parallel": (32, "samples"),
    "split-gemm": (2 * 32 * 40 * 48, "operations"),
}


def option_problems(options: dict[str, Any]) -> list[str]:
    common = json.loads((files("dlaudit.schemas") / "json" / "common.schema.json").read_text())
    registry = Registry().with_resource(common["$id"], Resource.from_contents(common))
    schema = {"$ref": common["$id"] + "#/$defs/options"}
    return [error.message for error in jsonschema.Draft202012Validator(schema, registry=registry).iter_errors(options)]


def build(name: str, options: dict[str, Any] | None = None, seed: int = 3, **parameters: Any) -> Any:
    torch.manual_seed(seed)
    workload = load(Named(name=name, parameters=SMALL[name] | parameters))
    built = workload.build(Request(options=options or {}, seed=seed, device="cpu", kind="throughput"))
    return workload, built


def losses(workload: Any, count: int) -> list[float]:
    batches = iter(workload.batches())
    return [float(workload.step(next(batches))) for _ in range(count)]


def test_the_parameters_of_every_workload_are_known_without_loading_it():
    assert BY_WORKLOAD.keys() - {"serving", "loadgen"} == BUILT_IN.keys() == SMALL.keys()
    for name, parameters in SMALL.items():
        load(Named(name=name, parameters=parameters))  # asserts that it reads those of its name


@pytest.mark.parametrize("name", sorted(BUILT_IN.keys() - {"tensor-parallel"}))  # which takes several ranks
def test_three_iterations_in_a_process(name: str, run_trial: Any) -> None:
    trial = run_trial({"name": name, **SMALL[name]})
    assert (trial.code, trial.stdout) == (0, ""), trial.log
    ended, options = trial.only(events.Ended), trial.only(events.Options)
    assert ended.outcome == "completed"
    assert ended.error is None
    assert ended.peak_memory_bytes > 10**7
    assert ended.timer.name == "time.perf_counter_ns"
    assert len(trial.column("step_time_s")) == len(trial.column("data_wait_s")) == 3
    pairs = zip(trial.column("step_time_s"), trial.column("data_wait_s"), strict=True)
    assert all(step > wait > 0 for step, wait in pairs)
    assert sum(trial.column("step_time_s")) < ended.wall_s
    assert len(trial.only(events.Warmup).step_time_s) == 1
    assert (options.work_per_iteration, options.work_unit) == WORK[name]
    assert option_problems(options.effective) == []
    assert option_problems(options.observed) == []
    assert options.effective["seed"] == options.observed["seed"] == 7
    trains = options.samples_per_iteration > 0
    assert len(trial.column("loss")) == (3 if trains else 0)
    for key in ("optimizer", "global_batch", "micro_batch", "input_shape", "compile", "dropout") if trains else ():
        assert options.observed[key] == options.effective[key], key
    assert options.observed["precision"].items() <= options.effective["precision"].items()
    order = [type(event).__name__ for event in trial.events]
    assert order == ["Started", "Options", "Warmup", "Iterations", "Controls", "Ended"]


def test_the_table_of_workloads_loads_no_torch() -> None:
    code = "import sys, dlaudit.runners.workloads; sys.exit('torch' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["digits-cnn", "text-transformer", "resnet", "mlp"])
def test_micro_batches_keep_the_losses(name: str) -> None:
    options = {"global_batch": 12, "optimizer": "sgd", "learning_rate": 0.1, "momentum": 0.9}
    whole, _ = build(name, options)
    parts, built = build(name, options | {"accumulation": 4})
    assert built.effective["micro_batch"] == 3
    expected = losses(whole, 12)
    assert losses(parts, 12) == pytest.approx(expected, rel=2e-4)
    assert expected[-1] != expected[0]


@pytest.mark.parametrize("name", ["digits-cnn", "text-transformer"])
def test_a_cached_pipeline_gives_the_same_batches(name: str) -> None:
    real, _ = build(name)
    cached, built = build(name, pipeline="cached_device")
    assert built.pipeline["kind"] == "cached_device"
    assert losses(real, 5) == losses(cached, 5)


def test_a_synthetic_pipeline_states_no_dataset() -> None:
    workload, built = build("digits-cnn", pipeline="synthetic")
    assert "dataset" not in built.effective
    assert built.effective["extra"]["pipeline"] == built.pipeline["kind"] == "synthetic"
    batches = iter(workload.batches())
    assert next(batches)[0] is next(batches)[0]


def test_the_seed_decides_the_batches() -> None:
    one, two, again = (build("digits-cnn", seed=seed)[0] for seed in (1, 2, 1))
    first = losses(one, 5)
    assert losses(again, 5) == first
    assert losses(two, 5) != first


def test_the_digits_split_is_fixed_disjoint_and_covers_every_class() -> None:
    train, test = digits.load()
    records = digits.split_records(train, test)
    assert (records["train"]["examples"], records["test"]["examples"]) == (1446, 351)
    assert records["test"]["overlap_with_train"] == 0
    assert records["test"]["digest"] == "sha256:" + TEST_DIGEST
    assert min(torch.bincount(test.classes).tolist()) > 20
    swapped = digits.Split(test.images.flip(0), test.classes.flip(0))
    assert digits.split_records(train, swapped)["test"]["digest"] != records["test"]["digest"]


TEST_DIGEST = "93cbf64b5af39156b9da99087530120c422f009448cb77c192da8c19b7e0b69b"


def test_a_product_keeps_the_bits_of_its_format() -> None:
    assert product_mantissa_bits(training_precision({}, "cpu").autocast(), "cpu") == 23
    bf16 = training_precision({"precision": {"compute": "bf16"}}, "cpu")
    assert product_mantissa_bits(bf16.autocast(), "cpu") == 7


@pytest.mark.parametrize(
    ("name", "parameters", "options", "words"),
    [
        ("mlp", {"depth": 2}, {}, "no parameter depth"),
        ("mlp", {"width": "wide"}, {}, "width"),
        ("mlp", {"width": 0}, {}, "at least 1"),
        ("digits-cnn", {"pipeline": "disk"}, {}, "pipeline of digits-cnn cannot be 'disk'; name one of real"),
        ("mlp", {}, {"precision": {"compute": "fp8"}}, "fp8"),
        ("mlp", {}, {"precision": {"compute": "tf32"}}, "CUDA"),
        ("mlp", {}, {"precision": {"compute": "bf16", "tf32": True}}, "contradicts"),
        ("mlp", {}, {"optimizer": "lion"}, "lion"),
        ("mlp", {}, {"optimizer": "adam", "momentum": 0.9}, "momentum"),
        ("mlp", {}, {"global_batch": 10, "accumulation": 3}, "divide"),
        ("mlp", {}, {"global_batch": 10, "micro_batch": 4}, "micro_batch"),
        ("mlp", {}, {"learning_rate": -1.0}, "out of range"),
        ("gemm", {"m": 0}, {}, "at least 1"),
        ("conv", {"window": 2}, {}, "odd"),
    ],
)
def test_what_cannot_be_had_is_one_clear_error(
    name: str, parameters: dict[str, Any], options: dict[str, Any], words: str
) -> None:
    with pytest.raises(UserError, match=words):
        build(name, options, **parameters)


def test_an_unknown_workload_names_the_known_ones() -> None:
    with pytest.raises(UserError, match="digits-cnn"):
        load(Named(name="alexnet", parameters={}))


def test_nothing_converges_on_synthetic_inputs() -> None:
    for name, parameters in (("mlp", {}), ("gemm", {}), ("digits-cnn", {"pipeline": "synthetic"})):
        workload = load(Named(name=name, parameters=parameters))
        with pytest.raises(UserError, match="converge"):
            workload.build(Request(options={}, seed=1, device="cpu", kind="convergence"))
