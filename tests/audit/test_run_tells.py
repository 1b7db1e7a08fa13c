"""What `dlaudit run` and `dlaudit compare` say of what was measured, and what they refuse before or after it."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.forks import dlaudit

DLAUDIT = str(Path(sys.executable).parent / "dlaudit")
PROGRAM = """\
import json, os, sys, time
from helper import PAUSE

request = json.loads(os.environ["DLAUDIT_REQUEST"])
width = int(sys.argv[sys.argv.index("--width") + 1])


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


print("a word of its own", file=sys.stderr)
if width < 0:
    raise ValueError(f"a width of {width} cannot be had")
tell(
    "options",
    effective={"model": "pause", "global_batch": 8, **request["options"]},
    work_per_iteration=8,
    work_unit="samples",
    samples_per_iteration=8,
)
if request["kind"] == "throughput":
    for event, count in (("warmup", request["throughput"]["warmup"]), ("iterations", request["throughput"]["iterations"])):
        times = []
        for _ in range(count):
            began = time.perf_counter()
            time.sleep(PAUSE)
            times.append(time.perf_counter() - began)
        tell(event, step_time_s=times)
else:
    for step in range(1, 4):
        tell(
            "evaluation", split="test", samples=step * 100, step=step, time_s=step / 10 + request["seed"] / 100,
            evaluation_s=0.01, examples=100, metrics={"accuracy": step / 4}, correct=25 * step,
        )
"""  # noqa: E501
SPEC = {
    "dlaudit": "spec/1",
    "title": "pauses",
    "workload": {"command": [sys.executable, "./program.py", "--width", "64"]},
    "throughput": {"warmup": 1, "iterations": 6, "trials": 3},
}
CHECK = {
    "seeds": [1, 2, 3],
    "evaluate_every_samples": 100,
    "max_samples": 300,
    "target": {"metric": "accuracy", "value": "0.5", "direction": "higher"},
}


@pytest.fixture
def home(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "helper.py").write_text("PAUSE = 0.002\n")
    return tmp_path


def call(home, *arguments):
    environment = os.environ | {"HOME": str(home), "XDG_CONFIG_HOME": f"{home}/c", "XDG_STATE_HOME": f"{home}/s"}
    return dlaudit(arguments, home, environment)


def run(home, name="a", *arguments, **changes):
    spec = {key: value for key, value in (SPEC | changes).items() if value is not None}
    (home / f"{name}.json").write_text(json.dumps(spec))
    return call(home, "run", f"{name}.json", "--unsigned", *arguments)


def predicate(home, name="a"):
    return json.loads((home / f"{name}-study/manifest.json").read_bytes())["predicate"]


def with_width(width):
    return {"command": [sys.executable, "./program.py", "--width", str(width)]}


def test_the_manifest_says_what_ran(home):
    assert run(home).returncode == 0
    arm = predicate(home)["arms"]["base"]
    assert arm["workload"]["parameters"] == {"width": 64}
    assert arm["workload"]["command"] == [Path(sys.executable).name, "./program.py", "--width", "64"]
    assert arm["workload"]["files"].keys() == {"program.py", "helper.py"}
    assert arm["options"]["extra"] == {"workload.width": 64}
    assert str(home) not in json.dumps(arm)


def test_two_widths_of_one_program_are_not_one_work(home):
    run(home, "a")
    run(home, "b", workload=with_width(4096))
    answer = call(home, "compare", "a-study", "b-study")
    assert answer.returncode == 3
    assert "answer: not comparable" in answer.stdout
    assert "workload.width 64 -> 4096" in answer.stdout
    meant = call(home, "compare", "a-study", "b-study", "--vary", "workload.width")
    assert "varied, as asked: workload.width 64 -> 4096" in meant.stdout


def test_code_that_differs_is_named_beside_the_answer(home):
    run(home, "a")
    (home / "helper.py").write_text("PAUSE = 0.004\n")
    run(home, "b")
    answer = call(home, "compare", "a-study", "b-study")
    assert "also different: helper.py " in answer.stdout


def interrupted(home):
    """Leave a study of which one trial is missing."""
    run(home)
    for path in (home / "a-study/trials").glob("base-t3.*"):
        path.unlink()


def ended_after_a_trial(home):
    """Start a study, and end it as a batch system does."""
    (home / "a.json").write_text(json.dumps(SPEC))
    environment = os.environ | {"HOME": str(home), "XDG_STATE_HOME": f"{home}/s"}
    with subprocess.Popen([DLAUDIT, "run", "a.json", "--unsigned"], cwd=home, env=environment) as running:
        while not (home / "a-study/trials/base-t1.record.json").exists():
            time.sleep(0.01)
            assert running.poll() is None
        running.terminate()
    assert running.returncode == 130


def test_going_on_with_other_code_is_refused_with_the_difference(home):
    interrupted(home)
    kept = (home / "helper.py").read_text()
    (home / "helper.py").write_text("PAUSE = 0.1\n")
    answer = run(home, "a", "--resume")
    assert answer.returncode == 2
    assert "helper.py (SHA-256 " in answer.stderr
    (home / "helper.py").write_text(kept)
    assert run(home, "a", "--resume").returncode == 0
    assert len(predicate(home)["study"]["sessions"]) == 2


def test_going_on_in_another_environment_is_refused_with_the_difference(home, monkeypatch):
    interrupted(home)
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    answer = run(home, "a", "--resume")
    assert answer.returncode == 2
    assert "OMP_NUM_THREADS" in answer.stderr
    assert "7 now" in answer.stderr


def test_a_new_arm_takes_the_place_of_one_whose_code_changed(home):
    ended_after_a_trial(home)
    (home / "helper.py").write_text("PAUSE = 0.004\n")
    refused = run(home, "a", "--resume")
    assert (refused.returncode, "measure it as a new arm with --new-arm" in refused.stderr) == (2, True)
    answer = run(home, "a", "--resume", "--new-arm")
    assert answer.returncode == 0, answer.stderr
    arms = predicate(home)["arms"]
    first, *_, last = arms["base"]["trials"].values()
    assert (first["outcome"], last["outcome"]) == ("completed", "not_run")
    assert last["reason"] == "it changed, and arm base-2 took its place"
    assert [(name, trial["outcome"]) for name, trial in arms["base-2"]["trials"].items()] == [
        (f"base-2-t{number}", "completed") for number in (1, 2, 3)
    ]
    assert arms["base"]["workload"]["files"]["helper.py"] != arms["base-2"]["workload"]["files"]["helper.py"]
    assert (arms["base-2"]["label"], arms["base-2"]["measurement"]["order"]) == (
        "base, begun anew in session 2",
        "blocked",
    )
    plan = [trial["trial"] for trial in predicate(home)["plan"]]
    assert plan == ["base-t1", "base-t2", "base-t3", "base-2-t1", "base-2-t2", "base-2-t3"]
    assert predicate(home)["ledger"]["plans_of_spec"] == 1
    verified = call(home, "verify", "a-study")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    compared = call(home, "compare", "a-study@base", "a-study@base-2")
    assert "also different: helper.py " in compared.stdout


def test_a_new_arm_that_is_interrupted_goes_on_and_can_be_replaced(home):
    interrupted(home)
    (home / "helper.py").write_text("PAUSE = 0.003\n")
    assert run(home, "a", "--resume", "--new-arm").returncode == 0
    for path in (home / "a-study/trials").glob("base-2-t3.*"):
        path.unlink()
    assert run(home, "a", "--resume").returncode == 0
    again = run(home, "a", "--resume", "--new-arm")
    assert "nothing changed since the study began; leave out --new-arm" in again.stderr
    (home / "helper.py").write_text("PAUSE = 0.002\n")
    assert run(home, "a", "--resume").returncode == 0  # nothing is left to run
    assert run(home, "a", "--resume", "--new-arm").returncode == 0
    assert list(predicate(home)["arms"]) == ["base", "base-2", "base-3"]


def test_other_options_are_refused_with_the_difference_or_measured_as_a_new_arm(home):
    interrupted(home)
    other = {"base": {"options": {"attention": "flash"}, "workload": with_width(32)}}
    refused = run(home, "a", "--resume", arms=other)
    assert refused.returncode == 2
    assert "options.attention absent then, flash now" in refused.stderr
    assert run(home, "a", "--resume", "--new-arm", arms=other).returncode == 0
    arms = predicate(home)["arms"]
    assert arms["base-2"]["options"]["attention"] == "flash"
    assert [arm["workload"]["parameters"]["width"] for arm in arms.values()] == [64, 32]
    assert run(home, "a", "--resume", arms=other).returncode == 0


def test_of_what_all_arms_share_no_new_arm_may_differ(home):
    interrupted(home)
    answer = run(home, "a", "--resume", "--new-arm", throughput=SPEC["throughput"] | {"iterations": 7})
    assert answer.returncode == 2
    assert "a study of another spec: throughput.iterations 6 then, 7 now; give that spec" in answer.stderr
    answer = run(home, "a", "--resume", "--new-arm", arms={"base": {}, "more": {}})
    assert "a study of another spec: arms base then, base, more now" in answer.stderr


def test_a_new_arm_goes_on_with_a_study_that_is_there(home):
    answer = run(home, "a", "--new-arm")
    assert (answer.returncode, "--new-arm goes on with a study; add --resume" in answer.stderr) == (2, True)
    assert not (home / "a-study").exists()


def test_other_variables_are_measured_as_a_new_arm(home, monkeypatch):
    interrupted(home)
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    assert run(home, "a", "--resume", "--new-arm").returncode == 0
    assert list(predicate(home)["arms"]) == ["base", "base-2"]


def test_code_that_is_edited_while_the_study_runs_ends_it(home):
    spec = SPEC | {"throughput": {"warmup": 1, "iterations": 200, "trials": 6}}
    (home / "a.json").write_text(json.dumps(spec))
    environment = os.environ | {"HOME": str(home), "XDG_STATE_HOME": f"{home}/s"}
    command = [DLAUDIT, "run", "a.json", "--unsigned"]
    with subprocess.Popen(command, cwd=home, env=environment, stderr=subprocess.PIPE, text=True) as running:
        while not (home / "a-study/trials/base-t1.record.json").exists():
            time.sleep(0.01)
            assert running.poll() is None
        (home / "helper.py").write_text("PAUSE = 0.003\n")
        said = running.stderr.read()
    assert running.returncode == 130
    assert "helper.py" in said
    assert not predicate(home)["study"]["complete"]


def test_a_misspelt_entry_or_program_fails_at_the_dry_run(home):
    (home / "mine.py").write_text("class Workload:\n    pass\n")
    for workload, words in (
        ({"entry": "mien:Workload"}, "there is no module mien"),
        ({"entry": "json:Workload"}, "json has no Workload"),
        ({"command": ["./programm.py"]}, "there is no program ./programm.py"),
    ):
        answer = run(home, "a", "--dry-run", workload=workload)
        assert (answer.returncode, answer.stdout) == (2, "")
        assert words in answer.stderr


def test_the_dry_run_shows_what_each_arm_runs(home):
    answer = run(home, "a", "--dry-run")
    assert "--width 64; code helper.py " in answer.stdout


def test_a_target_outside_the_scale_is_refused_before_the_first_trial(home):
    target = {"metric": "accuracy", "value": "90", "direction": "higher"}
    answer = run(home, workload={"name": "digits-cnn"}, throughput=None, convergence=CHECK | {"target": target})
    assert answer.returncode == 2
    assert "accuracy lies between 0 and 1, and the target is 90" in answer.stderr
    assert not (home / "a-study").exists()


def test_a_share_that_cannot_reach_its_target_fails_at_the_first_evaluation(home):
    target = {"metric": "accuracy", "value": "90", "direction": "higher"}
    answer = run(home, throughput=None, convergence=CHECK | {"target": target})
    assert answer.returncode == 3
    assert "accuracy is a share of 100 examples, from 0 to 1, and the target is 90; write 0.9" in answer.stderr


def test_a_missed_target_is_called_missed_and_trials_are_counted_by_kind(home):
    target = {"metric": "accuracy", "value": "0.99", "direction": "higher"}
    answer = run(home, convergence=CHECK | {"target": target})
    assert "target accuracy 0.99 missed: 0 of 3 seeds reached it; the best evaluation gave 0.75" in answer.stdout
    assert "3 of 3 throughput trials completed, 3 of 3 convergence trials completed" in answer.stdout


def test_a_time_to_the_target_carries_an_interval(home):
    answer = run(home, throughput=None, convergence=CHECK)
    time_to = predicate(home)["arms"]["base"]["performance"]["time_to_target"]
    assert float(time_to["interval"]["low"]) < 0.22 < float(time_to["interval"]["high"])
    assert f"in {time_to['value']} s [{time_to['interval']['low']}, {time_to['interval']['high']}]" in answer.stdout


def test_three_failures_of_one_cause_stop_an_arm_and_show_the_last_lines(home):
    arms = {"bad": {"workload": with_width(-1)}, "good": {}}
    answer = run(home, arms=arms, throughput=SPEC["throughput"] | {"trials": 5}, claims={"baseline": "good"})
    assert answer.returncode == 3
    outcomes = [one["outcome"] for one in predicate(home)["arms"]["bad"]["trials"].values()]
    assert outcomes == ["failed", "failed", "failed", "not_run", "not_run"]
    assert "arm bad stops: 3 trials of its arm had failed for one cause" in answer.stderr
    assert "ValueError: a width of -1 cannot be had" in answer.stderr
    names = [line.split(":")[0] for line in answer.stdout.splitlines()]
    assert names.index("good") < names.index("bad")  # the baseline first


def test_a_closed_pipe_loses_no_file(home):
    (home / "a.json").write_text(json.dumps(SPEC))
    environment = os.environ | {"HOME": str(home), "XDG_STATE_HOME": f"{home}/s"}
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [DLAUDIT, "run", "a.json", "--unsigned"], cwd=home, env=environment, stdout=writing, check=False
    )
    os.close(writing)
    assert done.returncode == 141
    assert {"manifest.json", "submission.json", "verdict.json", "report.html"} <= {
        path.name for path in (home / "a-study").iterdir()
    }


def test_a_drafted_ratio_follows_from_the_raw_numbers(home):
    fast, slow = ({"workload": with_width(width)} for width in (1, 2))
    answer = run(home, arms={"fast": fast, "slow": slow}, claims={"baseline": "slow"})
    assert answer.returncode == 0
    assert '"code": "F04"' not in (home / "a-study/verdict.json").read_text()
    claim = json.loads((home / "a-study/submission.json").read_bytes())["claims"]["fast-over-slow"]
    medians = {}
    for arm in ("fast", "slow"):
        found = []
        for path in sorted((home / "a-study/trials").glob(f"{arm}-t?.samples.json")):
            times = sorted(json.loads(path.read_bytes())["columns"]["step_time_s"])
            found.append(8 / ((times[2] + times[3]) / 2))
        medians[arm] = sorted(found)[1]
    assert float(claim["value"]) == pytest.approx(medians["fast"] / medians["slow"], rel=5e-6)


def test_a_preflight_tries_each_arm_and_says_how_long_the_study_takes(home):
    answer = run(home, "a", "--dry-run", "--preflight", convergence=CHECK)
    assert answer.returncode == 0, answer.stderr
    assert "tried base (throughput): a step takes 0.00" in answer.stdout
    assert "6 trials take about " in answer.stdout
    assert not (home / "a-study").exists()


def test_a_preflight_shows_what_an_arm_that_fails_printed(home):
    answer = run(home, "a", "--preflight", arms={"good": {}, "bad": {"workload": with_width(-1)}})
    assert answer.returncode == 2
    assert "arm bad cannot be run (throughput)" in answer.stderr
    assert "ValueError: a width of -1 cannot be had" in answer.stderr
    assert not (home / "a-study").exists()
