"""What a spec asks for and the machine does not have or allow: found before anything runs, and said in a dry run."""

import json
import os
import sys
from pathlib import Path

import pytest
from dlaudit.runners.study import impossible
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import Spec
from support.forks import dlaudit

PROGRAM = Path(__file__).parent / "programs" / "naps.py"
SMT = Path("/sys/devices/system/cpu/smt")
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /sys and sched_setaffinity")


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def call(home, text, *arguments, trials=1):
    (home / "spec.yaml").write_text(
        f'dlaudit: spec/1\ntitle: "t"\nthroughput: {{iterations: 5, trials: {trials}}}\n{text}\n'
    )
    environment = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": f"{home}/state"}
    return dlaudit(["run", "spec.yaml", *arguments], home, environment)


def controlled(controls):
    command = json.dumps([sys.executable, "-S", "-E", str(PROGRAM), "0.001"])
    return f"workload: {{command: {command}}}\ncontrols: {{{controls}}}"


WRONG = [
    ("workload: {name: nosuch}", "4:18 (/workload/name): there is no workload nosuch; name one of digits-cnn, "),
    (
        "workload: {name: digits_cnn}",
        "4:18 (/workload/name): there is no workload digits_cnn; did you mean digits-cnn?",
    ),
    (
        "workload: {name: mlp, parameters: {widht: 3}}",
        "4:43 (/workload/parameters/widht): mlp has no parameter widht; it has inputs, width, layers, classes",
    ),
    (
        "workload: {name: data-parallel}\narms:\n  one: {workload: {parameters: {ranks: 1}}}",
        "6:40 (/arms/one/workload/parameters/ranks): ranks of data-parallel must be at least 2; correct it",
    ),
    (
        "workload: {name: text-transformer, parameters: {width: 66}}",
        "4:48 (/workload/parameters): text-transformer: width must be a multiple of heads; correct it",
    ),
]


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
@pytest.mark.parametrize(("text", "words"), WRONG)
def test_a_typing_error_in_a_workload_costs_no_study(home, text, words, dry):
    answer = call(home, text, "--unsigned", *dry)
    assert answer.returncode == 2
    assert answer.stderr.startswith(f"dlaudit: spec.yaml:{words}")
    assert answer.stderr.count("\n") == 1
    assert [path.name for path in home.iterdir()] == ["spec.yaml"]


@linux
@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
@pytest.mark.parametrize(
    ("controls", "place", "what"),
    [
        ("affinity: [4095]", "/controls/affinity/0", "this machine has no processor 4095; it has processor"),
        ("cpuset: [0, 4095]", "/controls/cpuset/1", "this machine has no processor 4095; it has processor"),
        ("irq_free: [4095]", "/controls/irq_free/0", "this machine has no processor 4095; it has processor"),
        ("numa_nodes: [1023]", "/controls/numa_nodes/0", "this machine has no NUMA node 1023; it has node"),
    ],
)
def test_what_the_machine_does_not_have_is_refused_with_its_place(home, controls, place, what, dry):
    answer = call(home, controlled(controls), "--unsigned", *dry)
    assert answer.returncode == 2
    assert f"({place}): {what}" in answer.stderr
    assert answer.stderr.startswith("dlaudit: spec.yaml:5:")
    assert [path.name for path in home.iterdir()] == ["spec.yaml"]


@linux
def test_some_processor_must_be_left_for_interrupts(home):
    online = Path("/sys/devices/system/cpu/online")
    if not online.exists() or online.read_text().strip() != "0-" + str((os.cpu_count() or 0) - 1):
        pytest.skip("not all processors of this machine are online")
    answer = call(home, controlled(f"irq_free: {[*range(os.cpu_count())]}"), "--unsigned")
    assert answer.returncode == 2
    assert "(/controls/irq_free): no processor would be left for interrupts; keep fewer of them free" in answer.stderr


def test_a_machine_that_tells_nothing_leaves_nothing_impossible(tmp_path):
    controls = {"affinity": [7], "irq_free": [7], "numa_nodes": [7]}
    value = {"dlaudit": "spec/1", "title": "t", "workload": {"command": ["true"]}, "controls": controls}
    assert impossible.problems(to_model(value, Spec), tmp_path) == ()


@linux
@pytest.mark.skipif(not (SMT / "active").exists(), reason="the kernel shows no smt/active")
def test_a_dry_run_says_what_the_machine_allows_and_ends_as_the_run_does(home):
    if (SMT / "control").read_text().strip() in ("on", "off"):
        pytest.skip("this machine can switch SMT")
    active = (SMT / "active").read_text().strip() == "1"
    there, other = ("true", "false") if active else ("false", "true")
    answer = call(home, controlled(f"smt: {there}, aslr: false, required: [smt]"), "--dry-run")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert f"smt = {there} on the host: stands so already" in answer.stdout
    assert "set aslr = false" in answer.stdout

    wanted = controlled(f"smt: {other}, required: true")
    dry, real = call(home, wanted, "--dry-run"), call(home, wanted, "--unsigned")
    assert f"cannot set smt = {other} on the host: nothing to switch" in dry.stdout
    assert (dry.returncode, real.returncode) == (4, 4)
    assert f"dlaudit: the spec requires smt = {other} on the host: " in dry.stderr
    assert f"dlaudit: the spec requires smt = {other} on the host: " in real.stderr
    assert not (home / "spec-study").exists()
    assert not [path for path in home.rglob("ledger.jsonl") if path.stat().st_size]


def test_a_refusal_leaves_a_folder_as_it_was(home):
    (home / "mine").mkdir()
    controls = "gpus: [999], gpu_sm_clock_mhz: 1410, required: true"
    answer = call(home, controlled(controls), "--unsigned", "--out", "mine")
    assert answer.returncode == 4
    assert list((home / "mine").iterdir()) == []


def test_gpus_that_are_not_there_are_said(home):
    for arguments in (("--dry-run",), ("--unsigned",)):
        answer = call(home, controlled("gpus: [999]"), *arguments)
        assert answer.returncode == 0
        assert "gpus = [999] names none" in answer.stdout + answer.stderr


@linux
@(
    pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two processors")
    if sys.platform == "linux"
    else linux
)
def test_a_program_that_leaves_its_processors_is_said_once(home):
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two processors")
    first, second, *_ = sorted(os.sched_getaffinity(0))
    program = f"import os; os.sched_setaffinity(0, [{first}]); exec(open({str(PROGRAM)!r}).read())"
    command = json.dumps([sys.executable, "-S", "-E", "-c", program, "0.02"])
    text = f"workload: {{command: {command}}}\ncontrols: {{affinity: [{second}]}}"
    answer = call(home, text, "--unsigned", trials=2)
    assert answer.returncode == 0
    assert answer.stderr.count(f"dlaudit: affinity = [{second}] is contradicted, and recorded so: ") == 1


def test_a_dry_run_names_the_request_and_not_what_will_be_in_effect(home):
    answer = call(home, "workload: {name: mlp}\narms:\n  a: {options: {global_batch: 8}}\n  b: {}", "--dry-run")
    assert answer.returncode == 0
    assert "arm a: requests global_batch = 8; digest of the request sha256:" in answer.stdout
    assert "arm b: requests no options\n" in answer.stdout
    assert "option set" not in answer.stdout
