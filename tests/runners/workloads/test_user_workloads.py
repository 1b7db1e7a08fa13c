"""A user's own workloads: a factory, and a program."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from dlaudit.runners.study.orders import Entry
from dlaudit.runners.trial import events
from dlaudit.runners.workloads import load
from dlaudit.schemas.errors import UserError

pytestmark = pytest.mark.slow

PROGRAM = str(Path(__file__).parents[1] / "programs" / "tiny_program.py")
TARGET = {"metric": "accuracy", "value": 0.9, "direction": "higher"}
CHECK = {"evaluate_every_samples": 160, "max_samples": 1600, "target": TARGET, "stop_at_target": True}


def entry(factory: str, **arguments: Any) -> dict[str, Any]:
    return {"entry": f"tiny_entry:{factory}", "arguments": arguments}


def command(*arguments: str) -> dict[str, Any]:
    return {"command": [sys.executable, PROGRAM, *arguments]}


def failure(trial: Any) -> str:
    ended = trial.only(events.Ended)
    assert (trial.code, ended.outcome) == (1, "failed")
    return f"{ended.error.type}: {ended.error.message}"


def test_a_factory_of_ones_own_is_timed_and_looked_at(run_trial: Any) -> None:
    trial = run_trial(entry("make", width=3), options={"learning_rate": 0.5})
    assert trial.code == 0, trial.log
    options = trial.only(events.Options)
    assert options.observed["learning_rate"] == options.effective["learning_rate"] == 0.5
    assert options.observed["input_shape"] == [3]
    assert options.observed["optimizer"] == "sgd"
    assert len(trial.column("loss")) == 3


def test_a_factory_of_ones_own_converges_undisturbed_by_its_evaluations(run_trial: Any) -> None:
    trial = run_trial(entry("make"), kind="convergence", convergence=CHECK)
    assert trial.only(events.Ended).crossing.reached, trial.log
    rare = CHECK | {"evaluate_every_samples": 1600, "stop_at_target": False}
    other = run_trial(entry("make"), kind="convergence", convergence=rare)
    count = len(trial.column("loss"))
    assert trial.column("loss") == other.column("loss")[:count]
    assert other.only(events.Ended).crossing.samples == 1600


@pytest.mark.parametrize(
    ("name", "arguments", "error", "words"),
    [
        ("tiny_entry:absent", {}, UserError, "tiny_entry has no absent"),
        ("no_such_module:make", {}, UserError, "there is no module no_such_module"),
        ("tiny_entry", {}, UserError, "tiny_entry names no factory"),
        ("tiny_entry:PI", {}, UserError, "not a factory"),
        ("tiny_entry:make_nothing", {}, UserError, "has no build, batches, step, evaluate"),
        ("tiny_entry:make", {"colour": "red"}, TypeError, "colour"),
        ("tiny_broken:make", {}, ModuleNotFoundError, "something_absent"),
    ],
)
def test_a_factory_that_is_wrong_is_named(
    name: str, arguments: Any, error: type[Exception], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(PROGRAM).parent))
    with pytest.raises(error, match=words):
        load(Entry(entry=name, arguments=arguments))


@pytest.mark.parametrize(
    ("workload", "words"),
    [
        (entry("crash"), "RuntimeError: out of luck in two lines"),
        (entry("make", batches=2), "the batches ended after 2 steps"),
        (entry("make", effective={"speed": 3}), "there is no option speed"),
        (entry("make", effective={"global_batch": "many"}), "global_batch"),
        (entry("make", work_unit="images"), "work_unit"),
    ],
)
def test_a_workload_that_is_wrong_fails_its_trial(workload: Any, words: str, run_trial: Any) -> None:
    trial = run_trial(workload)
    assert words in failure(trial)
    assert trial.stdout == ""


def test_a_request_that_ones_own_code_does_not_report_fails(run_trial: Any) -> None:
    assert "no option dropout" in failure(run_trial(entry("make"), options={"dropout": True}))


def test_what_was_measured_before_a_divergence_is_kept(run_trial: Any) -> None:
    trial = run_trial(entry("make", explode_at=3), throughput={"warmup": 1, "iterations": 4})
    assert trial.only(events.Ended).outcome == "diverged"
    assert trial.column("loss")[0] is not None
    assert trial.column("loss")[1] is None


def test_an_evaluation_on_training_data_is_refused(run_trial: Any) -> None:
    trial = run_trial(entry("make", split="train"), kind="convergence", convergence=CHECK)
    assert "unseen data" in failure(trial)


def test_a_target_that_no_evaluation_has_is_named(run_trial: Any) -> None:
    plan = CHECK | {"target": TARGET | {"metric": "bleu"}}
    assert "no bleu; it has accuracy" in failure(run_trial(entry("make"), kind="convergence", convergence=plan))


def test_a_program_of_ones_own_is_timed_by_itself(start_trial: Any) -> None:
    trial = start_trial(command(), options={"global_batch": 4})
    assert trial.code == 0, trial.log
    assert len(trial.column("step_time_s")) == 3
    assert trial.column("data_wait_s") == []
    assert trial.only(events.Options).effective["global_batch"] == 4
    assert trial.only(events.Ended).timer.name == "time.perf_counter"
    assert "loading ..." in trial.log
    assert '"progress"' in trial.log
    records = {record.knob: record.verified for record in trial.only(events.Controls).records}
    own = {"affinity": "not_requested", "threads": "unverifiable", "seed": "unverifiable"}
    assert records == own | dict.fromkeys(("aslr", "cpuset", "numa_nodes", "scheduling"), "not_requested")


@pytest.mark.skipif(sys.platform != "linux", reason="needs sched_setaffinity and /proc")
def test_a_program_inherits_its_processors(start_trial: Any) -> None:
    trial = start_trial(command(), controls={"affinity": [0], "threads": None})
    record = trial.only(events.Controls).records[0]
    assert (record.found, record.verified) == ("0", "verified")


def test_a_program_of_ones_own_converges(start_trial: Any) -> None:
    plan = CHECK | {"evaluate_every_samples": 400, "max_samples": 1200}
    trial = start_trial(command(), kind="convergence", convergence=plan)
    assert [one.samples for one in trial.all(events.Evaluation)] == [400, 800, 1200]
    crossing = trial.only(events.Ended).crossing
    assert (crossing.reached, crossing.samples) == (True, 1200)


@pytest.mark.parametrize(
    ("workload", "words"),
    [
        (command("short"), "made 1 + 2 iterations of 1 + 3 planned"),
        (command("garbage"), "colour"),
        (command("inflate"), "s of steps and lived"),
        (command("exit"), "exit code 3"),
        ({"command": ["/no/such/program"]}, "cannot be started"),
        ({"command": [sys.executable, "-c", "pass"]}, "printed no options"),
    ],
)
def test_a_program_that_breaks_the_contract_fails_its_trial(workload: Any, words: str, start_trial: Any) -> None:
    assert words in failure(start_trial(workload))


def test_a_program_that_diverges_says_so(start_trial: Any) -> None:
    trial = start_trial(command("diverge"))
    assert trial.only(events.Ended).outcome == "diverged"
    assert trial.column("loss")[1] is None


def test_a_program_ends_with_its_worker(tmp_path: Path, worker: Any) -> None:
    path = worker.order(tmp_path, command("sleep"))
    process = subprocess.Popen(worker.command_line(path), env=worker.environment(), stderr=subprocess.DEVNULL)
    file = tmp_path / "events.jsonl"
    deadline = time.monotonic() + 500
    while not file.exists() or b'"options"' not in file.read_bytes():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    child = int(children.read_text().split()[0]) if children.exists() else None
    process.terminate()
    assert process.wait(500) == 1
    assert child is None or not Path(f"/proc/{child}").exists()
