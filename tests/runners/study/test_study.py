"""A study keeps its promises whatever happens to a trial or to the runner.

The worker is a small program of ours that streams the real events; everything else is real: processes, signals, files.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from dlaudit.runners.record import manifest
from dlaudit.runners.study import execute as study
from dlaudit.runners.study import folder as files
from dlaudit.runners.study.plan import make
from dlaudit.runners.trial import attempt
from dlaudit.schemas.digest import sha256_hex
from dlaudit.schemas.errors import EnvironmentRefused, UserError
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import Spec
from dlaudit.schemas.validation import validate

HERE = Path(__file__).resolve().parents[1]
WORKER = (sys.executable, "-S", "-E", str(HERE / "fake_worker.py"))
WAIT_S = 500


class Diary:
    """A recorder that writes down what it is told."""

    def __init__(self, path=None):
        self.path, self.told = path, []

    def _note(self, *entry):
        self.told.append(entry)
        if self.path:
            with self.path.open("a") as file:
                file.write(json.dumps(entry) + "\n")
                file.flush()

    def planned(self, plan):
        self._note("planned", plan["study"])

    def started(self, trial):
        self._note("started", trial)

    def ended(self, trial, outcome, artifact_digest):
        self._note("ended", trial, outcome, artifact_digest)

    def lost(self, trial, reason):
        self._note("lost", trial)


def spec_of(arms=None, **more):
    value = {
        "dlaudit": "spec/1",
        "title": "a study",
        "workload": {"command": ["true"]},
        "throughput": {"warmup": 2, "iterations": 6, "trials": 3},
        **({"arms": {name: {"options": {"extra": extra}} for name, extra in arms.items()}} if arms else {}),
        **more,
    }
    assert validate("spec", value) == ()
    return value


def run(value, out, recorder=None, **more):
    data = json.dumps(value).encode()
    spec = to_model(value, Spec)
    plan = make(spec, sha256_hex(data))
    finished = study.run(spec, plan, data, ".json", out, recorder or Diary(), worker=WORKER, **more)
    return finished, spec, plan


def built(out, spec, plan):
    statement = manifest.build(out, spec, plan)
    assert validate("manifest", statement) == ()
    return statement


def outcomes(statement):
    return {
        name: trial["outcome"]
        for arm in statement["predicate"]["arms"].values()
        for name, trial in arm["trials"].items()
    }


CONVERGENCE = {
    "seeds": [1, 2, 3],
    "evaluate_every_samples": 500,
    "max_samples": 2500,
    "target": {"metric": "accuracy", "value": "0.9", "direction": "higher"},
}


def test_a_study_from_spec_to_manifest(tmp_path):
    diary = Diary()
    value = spec_of({"a": {}, "b": {}}, convergence=CONVERGENCE, nonce="n1")
    finished, spec, plan = run(value, tmp_path / "out", diary)
    assert finished
    statement = built(tmp_path / "out", spec, plan)
    predicate = statement["predicate"]
    assert set(outcomes(statement).values()) == {"completed"}
    assert predicate["study"]["complete"]
    assert predicate["study"]["nonce"] == "n1"
    arm = predicate["arms"]["a"]
    # 32 samples in 0.0102 s is the middle one of three trials
    assert arm["performance"]["rate"]["value"] == "3137.25"
    assert arm["performance"]["rate"]["n"] == {
        "unit": "iteration", "planned": 18, "completed": 18, "failed": 0, "excluded": 0,
    }  # fmt: skip
    low, high = (float(arm["performance"]["rate"]["interval"][end]) for end in ("low", "high"))
    assert low < 3137.25 < high
    # seed 1 crosses 0.9 at 2000 samples, seed 3 at 1000, and seed 2 (0.83 at 2500) never does
    assert arm["trials"]["a-c1"]["crossing"] == {"reached": True, "samples": 2000, "step": 62, "time_s": 2.0}
    assert arm["trials"]["a-c2"]["crossing"] == {"reached": False}
    assert arm["performance"]["samples_to_target"]["value"] == "2000"
    assert arm["performance"]["samples_to_target"]["n"]["completed"] == 2
    assert "seed" not in arm["options"]
    assert [trial["order"] for trial in arm["trials"].values()] == sorted(t["order"] for t in arm["trials"].values())

    names = [subject["name"] for subject in statement["subject"]]
    on_disk = sorted(
        path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()
    )
    assert sorted([*names, "plan.json"]) == on_disk
    assert len(set(names)) == len(names)
    samples = json.loads((tmp_path / "out/trials/a-t1.samples.json").read_text())
    assert len(samples["columns"]["step_time_s"]) == 6
    assert samples["warmup"]["step_time_s"] == [0.05, 0.05]

    assert diary.told[0][0] == "planned"
    for trial in plan.trials:
        assert [entry[0] for entry in diary.told if entry[1] == trial.trial] == ["started", "ended"]
    assert "hello from a-t1" in (tmp_path / "out/trials/a-t1.log").read_text()


def test_building_the_manifest_twice_gives_the_same_bytes(tmp_path):
    _, spec, plan = run(spec_of(), tmp_path / "out")
    assert built(tmp_path / "out", spec, plan) == built(tmp_path / "out", spec, plan)


def test_most_seeds_without_a_crossing_make_the_median_infinite(tmp_path):
    check = {**CONVERGENCE, "target": {"metric": "accuracy", "value": "0.95", "direction": "lower"}, "seeds": [1, 2]}
    check["target"] = {"metric": "accuracy", "value": "1.2", "direction": "higher"}
    check["seeds"] = [1, 4, 2, 3]  # only seed 3 gets to 1.2 within 2500 samples, 1 and 4 stop at 1.25: use 2 of 4
    _, spec, plan = run(spec_of(convergence=check, throughput={"iterations": 3, "trials": 1}), tmp_path / "out")
    arm = built(tmp_path / "out", spec, plan)["predicate"]["arms"]["base"]
    reached = [t["crossing"]["reached"] for t in arm["trials"].values() if t["kind"] == "convergence"]
    assert reached == [True, True, False, True]
    check["target"]["value"] = "1.3"
    _, spec, plan = run(spec_of(convergence=check, throughput={"iterations": 3, "trials": 1}), tmp_path / "out2")
    arm = built(tmp_path / "out2", spec, plan)["predicate"]["arms"]["base"]
    assert arm["performance"]["time_to_target"]["n"]["completed"] == 1
    assert "value" not in arm["performance"]["time_to_target"]


@pytest.mark.parametrize("behaviour", ["crash", "kill"])
def test_a_process_that_vanishes_is_tried_once_more_and_then_reported_lost(tmp_path, behaviour):
    diary = Diary()
    value = spec_of({"good": {}, "bad": {"behaviour": behaviour}}, throughput={"iterations": 6, "trials": 1})
    finished, spec, plan = run(value, tmp_path / "out", diary)
    assert finished
    statement = built(tmp_path / "out", spec, plan)
    assert outcomes(statement) == {"good-t1": "completed", "bad-t1": "lost"}
    bad = statement["predicate"]["arms"]["bad"]
    assert bad["trials"]["bad-t1"]["attempts"] == 2
    assert ("SIGKILL" if behaviour == "kill" else "code 9") in bad["trials"]["bad-t1"]["reason"]
    assert "rate" not in bad.get("performance", {})
    assert [entry[0] for entry in diary.told if entry[1] == "bad-t1"] == ["started", "lost", "started", "lost"]
    assert {"trials/bad-t1.log", "trials/bad-t1.again-2.log"} <= {s["name"] for s in statement["subject"]}


def test_a_trial_that_succeeds_at_the_second_attempt_says_so(tmp_path):
    value = spec_of({"a": {"behaviour": f"crash-once:{tmp_path}/mark"}}, throughput={"iterations": 6, "trials": 1})
    _, spec, plan = run(value, tmp_path / "out")
    trial = built(tmp_path / "out", spec, plan)["predicate"]["arms"]["a"]["trials"]["a-t1"]
    assert (trial["outcome"], trial["attempts"]) == ("completed", 2)


def test_a_hang_is_stopped_counts_as_failed_and_is_not_repeated(tmp_path):
    value = spec_of({"a": {"behaviour": "hang"}}, throughput={"iterations": 6, "trials": 1}, trial_timeout_s=0.5)
    _, spec, plan = run(value, tmp_path / "out")
    trial = built(tmp_path / "out", spec, plan)["predicate"]["arms"]["a"]["trials"]["a-t1"]
    assert (trial["outcome"], trial["attempts"]) == ("failed", 1)
    assert "longer than 0.5 s" in trial["reason"]


@pytest.mark.parametrize(
    ("behaviour", "outcome", "reason"),
    [
        ("garbage", "failed", "events"),
        ("short", "failed", "5 of 6"),
        ("diverge", "diverged", "loss is not finite"),
    ],
)
def test_a_bad_result_is_a_result(tmp_path, behaviour, outcome, reason):
    value = spec_of({"a": {"behaviour": behaviour}}, throughput={"iterations": 6, "trials": 1})
    _, spec, plan = run(value, tmp_path / "out")
    trial = built(tmp_path / "out", spec, plan)["predicate"]["arms"]["a"]["trials"]["a-t1"]
    assert (trial["outcome"], trial["attempts"]) == (outcome, 1)
    assert reason in trial["reason"]


def test_what_a_trial_leaves_behind_is_killed(tmp_path):
    run(spec_of({"a": {"behaviour": "child"}}, throughput={"iterations": 6, "trials": 1}), tmp_path / "out")
    identity = json.loads((tmp_path / "out/plan.json").read_text())["study"]
    assert marked(identity) == []


def marked(identity):
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"DLAUDIT_STUDY={identity}".encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def test_a_required_control_that_is_not_verified_ends_the_study(tmp_path):
    value = spec_of({"a": {"threads": "contradicted"}}, controls={"threads": 2, "required": True})
    with pytest.raises(EnvironmentRefused, match="threads = 2, which is contradicted"):
        run(value, tmp_path / "out")
    value["controls"]["required"] = False
    _, spec, plan = run(value, tmp_path / "other")
    arm = built(tmp_path / "other", spec, plan)["predicate"]["arms"]["a"]
    assert arm["environment"]["controls"]["threads"]["verified"] == "contradicted"


def test_processors_that_are_not_ours_are_refused_before_anything_runs(tmp_path):
    with pytest.raises(EnvironmentRefused, match="65000"):
        run(spec_of(controls={"affinity": [65000], "required": True}), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_of_a_long_log_the_beginning_and_the_end_are_kept(tmp_path):
    out = tmp_path / "out"
    value = spec_of({"a": {"behaviour": "print"}, "b": {}}, throughput={"iterations": 6, "trials": 1})
    _, spec, plan = run(value, out)
    assert set(outcomes(built(out, spec, plan)).values()) == {"completed"}
    log = (out / "trials/a-t1.log").read_bytes()
    assert 10 << 20 <= len(log) < (10 << 20) + 100
    assert log.startswith(b"hello from a-t1\nline")
    assert log.endswith(f"line {(20 << 14) - 1:58d}\n".encode())
    record = json.loads((out / "trials/a-t1.record.json").read_text())
    printed = len(b"hello from a-t1\n") + (20 << 20)
    assert record["log_left_out_bytes"] == printed - (10 << 20)
    assert f"{record['log_left_out_bytes']} bytes are left out here".encode() in log
    assert "log_left_out_bytes" not in json.loads((out / "trials/b-t1.record.json").read_text())


def test_a_program_that_prints_for_ever_is_stopped_in_time(tmp_path):
    ended = attempt.run(["yes"], dict(os.environ), tmp_path / "log", 1.0, None)
    assert ended.timed_out
    assert ended.duration_s < 60
    assert (tmp_path / "log").stat().st_size < 11 << 20
    assert ended.log_left_out_bytes > 0


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["./go.sh", "step.py", "sub/step.py", "no/file"], ["specs/go.sh", "step.py", "specs/sub/step.py", "no/file"]),
        (["python3", "/etc/passwd", "a" * 3000 + "/b"], ["python3", "/etc/passwd", "a" * 3000 + "/b"]),
        (["../go.sh"], ["./go.sh"]),
    ],
)
def test_a_command_lies_beside_its_spec(tmp_path, monkeypatch, command, expected):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs/sub").mkdir(parents=True)
    for name in ("specs/step.py", "specs/sub/step.py"):
        (tmp_path / name).write_text("")
    run(spec_of(workload={"command": command}), tmp_path / "out", spec_folder=Path("specs"))
    order = json.loads((tmp_path / "out/trials/base-t1.order.json").read_text())
    assert order["workload"]["command"] == expected
    assert json.loads((tmp_path / "out/plan.json").read_text())["arms"]["base"]["workload"]["command"] == command


def test_a_folder_is_never_overwritten(tmp_path):
    out = tmp_path / "out"
    run(spec_of(throughput={"iterations": 3, "trials": 1}), out)
    with pytest.raises(UserError, match="not empty"):
        run(spec_of(throughput={"iterations": 3, "trials": 1}), out)
    with pytest.raises(UserError, match="another spec"):
        run(spec_of(throughput={"iterations": 4, "trials": 1}), out, resume=True)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("x")
    with pytest.raises(UserError, match="no study"):
        run(spec_of(), tmp_path / "mine", resume=True)


def test_resuming_a_finished_study_runs_nothing(tmp_path):
    out, value, diary = tmp_path / "out", spec_of(), Diary()
    _, spec, plan = run(value, out)
    before = built(out, spec, plan)
    (out / "trials/.base-t1.record.json.00ff.tmp").write_text("half a rec")  # a write that a kill cut off
    assert run(value, out, diary, resume=True)[0]
    assert [entry[0] for entry in diary.told] == ["planned"]
    assert built(out, spec, plan) == before


def test_a_study_goes_on_only_with_the_software_it_began_with(tmp_path):
    out, value = tmp_path / "out", spec_of()
    run(value, out)
    for path in (out / "trials").glob("base-t3.*"):
        path.unlink()
    facts = json.loads((out / "environment/1.json").read_text())
    facts["packages"]["click"] = "0.0.1"
    files.write_json(out / "environment/1.json", facts)
    with pytest.raises(UserError, match="something changed: packages"):
        run(value, out, resume=True)


DRIVER = """
import json, sys
sys.path.insert(0, {here!r})
import importlib.util
loading = importlib.util.spec_from_file_location("driven", {test!r})
module = importlib.util.module_from_spec(loading)
loading.loader.exec_module(module)
from pathlib import Path
from dlaudit.runners.study.interruption import once
value = json.loads(Path(sys.argv[1]).read_text())
out = Path(sys.argv[2])
with once():
    finished, _, _ = module.run(value, out, module.Diary(Path(sys.argv[3])), resume=True)
sys.exit(0 if finished else 130)
"""


def drive(tmp_path, value):
    (tmp_path / "spec.json").write_text(json.dumps(value))
    code = DRIVER.format(here=str(HERE), test=__file__)
    arguments = [
        sys.executable,
        "-c",
        code,
        str(tmp_path / "spec.json"),
        str(tmp_path / "out"),
        str(tmp_path / "diary"),
    ]
    return subprocess.Popen(arguments, cwd=tmp_path, stderr=subprocess.PIPE)


def wait_for(condition):
    end = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def told(tmp_path):
    path = tmp_path / "diary"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def begun(tmp_path):
    """Return how many attempts have begun so far."""
    return sum(entry[0] == "started" for entry in told(tmp_path))


@pytest.mark.slow
def test_a_runner_that_is_killed_again_and_again_loses_and_repeats_nothing(tmp_path):
    value = spec_of({"a": {"sleep_s": 0.05}, "b": {"sleep_s": 0.05}}, throughput={"iterations": 6, "trials": 8})
    rng = random.Random(20)
    for _ in range(10):
        process = drive(tmp_path, value)
        ended = process.poll
        before = begun(tmp_path)
        wait_for(lambda ended=ended, before=before: ended() is not None or begun(tmp_path) > before)
        time.sleep(rng.uniform(0, 0.25))
        process.kill()
        process.communicate()
    process = drive(tmp_path, value)
    _, error = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0, error

    out = tmp_path / "out"
    spec = to_model(value, Spec)
    plan = make(spec, sha256_hex((tmp_path / "out/spec.json").read_bytes()))
    statement = built(out, spec, plan)
    assert sorted(outcomes(statement)) == sorted(trial.trial for trial in plan.trials)
    assert set(outcomes(statement).values()) == {"completed"}
    assert statement["predicate"]["study"]["interruptions"] >= 1
    entries = told(tmp_path)
    for trial in plan.trials:
        ends = {tuple(entry) for entry in entries if entry[:2] == ["ended", trial.trial]}
        assert len(ends) == 1, "a trial that ended ran again"
        samples = (out / f"trials/{trial.trial}.samples.json").read_bytes()
        assert next(iter(ends))[3] == sha256_hex(samples)
        starts = sum(entry[:2] == ["started", trial.trial] for entry in entries)
        attempts = statement["predicate"]["arms"][trial.arm]["trials"][trial.trial]["attempts"]
        assert starts <= attempts
    left = [path for path in out.rglob("*") if path.name.endswith(".tmp")]
    assert left == []
    assert marked(statement["predicate"]["study"]["id"]) == []


def test_a_killed_runner_takes_its_trial_with_it(tmp_path):
    value = spec_of({"a": {"sleep_s": 60}}, throughput={"iterations": 6, "trials": 1})
    process = drive(tmp_path, value)
    events = tmp_path / "out/trials/a-t1.events.jsonl"
    wait_for(lambda: events.exists() and b"started" in events.read_bytes())
    identity = json.loads((tmp_path / "out/plan.json").read_text())["study"]
    assert marked(identity) != []
    process.kill()
    process.communicate()
    wait_for(lambda: marked(identity) == [])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_study_is_a_valid_part_and_goes_on(tmp_path, number):
    value = spec_of({"a": {"sleep_s": 0.6}}, throughput={"iterations": 6, "trials": 3})
    process = drive(tmp_path, value)
    second = tmp_path / "out/trials/a-t2.events.jsonl"
    wait_for(lambda: second.exists() and b"started" in second.read_bytes())
    process.send_signal(number)
    _, error = process.communicate(timeout=WAIT_S)
    assert process.returncode == 130, error
    spec = to_model(value, Spec)
    plan = make(spec, sha256_hex((tmp_path / "out/spec.json").read_bytes()))
    statement = built(tmp_path / "out", spec, plan)
    assert outcomes(statement) == {"a-t1": "completed", "a-t2": "lost", "a-t3": "not_run"}
    assert not statement["predicate"]["study"]["complete"]

    process = drive(tmp_path, value)
    assert process.wait(timeout=WAIT_S) == 0
    statement = built(tmp_path / "out", spec, plan)
    assert set(outcomes(statement).values()) == {"completed"}
    trials = statement["predicate"]["arms"]["a"]["trials"]
    assert [trials[name]["attempts"] for name in ("a-t1", "a-t2", "a-t3")] == [1, 2, 1]


def test_two_runs_on_one_folder_exclude_each_other(tmp_path):
    value = spec_of({"a": {"sleep_s": 5}}, throughput={"iterations": 6, "trials": 1})
    process = drive(tmp_path, value)
    wait_for(lambda: (tmp_path / "out/plan.json").exists())
    try:
        data = (tmp_path / "spec.json").read_bytes()
        spec = to_model(value, Spec)
        with pytest.raises(UserError, match="another run"):
            study.run(spec, make(spec, sha256_hex(data)), data, ".json", tmp_path / "out", Diary(), resume=True)
    finally:
        process.kill()
        process.communicate()


def test_a_pipe_sees_no_progress(tmp_path):
    process = drive(tmp_path, spec_of(throughput={"iterations": 3, "trials": 1}))
    _, error = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0
    assert error == b""
    assert (tmp_path / "out/plan.json").exists()
