"""`dlaudit run` through the front door, with the real worker and a small program as workload."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from dlaudit.schemas.digest import sha256_hex
from dlaudit.schemas.validation import validate
from support.forks import dlaudit

DLAUDIT = (str(Path(sys.executable).parent / "dlaudit"),)
PROGRAM = (Path(__file__).parent / "programs" / "naps.py").read_text()


def write_spec(folder, pause=0.002, **more):
    (folder / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-S", "-E", str(folder / "program.py")]
    spec = {
        "dlaudit": "spec/1",
        "title": "naps",
        "workload": {"command": [*command, str(pause)]},
        "arms": {
            "short": {"options": {"compile": False}},
            "long": {"options": {"compile": True}, "workload": {"command": [*command, str(pause * 3)]}},
        },
        "throughput": {"warmup": 1, "iterations": 8, "trials": 3},
        "convergence": {
            "trials": 2,
            "evaluate_every_samples": 20,
            "max_samples": 100,
            "target": {"metric": "accuracy", "value": "0.5", "direction": "higher"},
            "stop_at_target": False,
        },
        "claims": {"baseline": "long", "purpose": "method_speedup"},
        **more,
    }
    (folder / "spec.json").write_text(json.dumps({key: value for key, value in spec.items() if value is not None}))
    return spec


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def call(home, *arguments):
    environment = {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": f"{home}/config",
        "XDG_STATE_HOME": f"{home}/state",
    }
    return dlaudit(arguments, home, environment)


def files_below(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_empty_words_on_tuning_are_refused_before_anything_runs(home):
    write_spec(home)
    answer = call(home, "run", "spec.json", "--out", "out", "--unsigned", "--tuning", " ")
    assert answer.returncode == 2
    assert "give a sentence or two" in answer.stderr
    assert not (home / "out").exists()


def test_a_signed_study_with_a_drafted_submission(home):
    write_spec(home)
    assert call(home, "keygen", "--no-passphrase").returncode == 0
    before = files_below(home)
    answer = call(home, "run", "spec.json", "--out", "out", "--tuning", "We tuned nothing.")
    assert answer.returncode == 0, answer.stderr
    out = home / "out"
    assert {name.split("/")[0] for name in files_below(home) - before} - {".cache"} == {"out", "state"}
    assert call(home, "verify", "out").returncode == 0

    manifest = json.loads((out / "manifest.json").read_bytes())
    submission = json.loads((out / "submission.json").read_bytes())
    assert validate("manifest", manifest) == ()
    assert validate("submission", submission) == ()
    assert submission["disclosures"] == [{"topic": "tuning_effort", "quote": "We tuned nothing."}]
    assert submission["manifests"]["study"] == {
        "path": "manifest.json",
        "sha256": sha256_hex((out / "manifest.json").read_bytes()),
    }
    claims = submission["claims"]
    assert set(claims) == {"short-rate", "long-rate", "short-over-long", "short-first-crossing", "long-first-crossing"}
    arm = manifest["predicate"]["arms"]["short"]
    assert claims["short-rate"]["value"] == arm["performance"]["rate"]["value"]
    # naps of 2 ms and 6 ms, give or take a fiftieth
    assert 2.8 < float(claims["short-over-long"]["value"]) < 3.2
    ratio = claims["short-over-long"]["interval"]
    assert float(ratio["low"]) < float(claims["short-over-long"]["value"]) < float(ratio["high"])
    assert claims["short-over-long"]["treatment"] == ["compile"]
    # 20, 40, 60: the third evaluation is the first at 0.5 or above
    assert claims["short-first-crossing"]["crossing_samples"] == 60
    outside = arm["measurement"]["exclusions"]
    assert 0 <= outside["init"]["duration_s"] < 60
    assert outside["evaluation"]["duration_s"] == 0
    assert f"init {outside['init']['duration_s']:g} s" in claims["short-first-crossing"]["statement"]
    assert manifest["predicate"]["ledger"]["plans_of_spec"] == 1
    for name in ("short", "long"):
        assert f"{name}: " in answer.stdout
    assert str(home) not in json.dumps(manifest["predicate"]["arms"]["short"]["trials"])
    order = json.loads((out / "trials/short-t1.order.json").read_bytes())
    assert order["events"] == "out/trials/short-t1.events.jsonl"


def test_without_a_key_nothing_runs_unless_unsigned(home):
    write_spec(home, throughput={"iterations": 3, "trials": 1}, convergence=None)
    before = files_below(home)
    answer = call(home, "run", "spec.json", "--out", "out")
    assert answer.returncode == 2
    assert "--unsigned" in answer.stderr
    assert answer.stderr.count("\n") == 1
    assert files_below(home) == before
    answer = call(home, "run", "spec.json", "--out", "out", "--unsigned", "--ledger", "led.jsonl")
    assert answer.returncode == 0, answer.stderr
    assert not (home / "out/manifest.dsse.json").exists()
    # .cache is the plotting library's list of the fonts of this account
    assert {name.split("/")[0] for name in files_below(home) - before} - {".cache"} == {"out", "led.jsonl"}
    verdict = json.loads((home / "out/verdict.json").read_text())["documents"][0]["verdict"]
    assert f"report.html: {verdict}" in answer.stdout


def test_a_dry_run_prints_the_plan_and_writes_nothing(home):
    write_spec(home)
    before = files_below(home)
    answer = call(home, "run", "spec.json", "--dry-run")
    assert answer.returncode == 0
    assert answer.stdout.count("throughput") == 6
    assert answer.stdout.count("up to 100 samples") == 4
    assert files_below(home) == before


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{", "spec.json:1"),
        (
            '{"dlaudit": "spec/1", "title": "t", "workload": {"name": "x"}, "throughput": {"iterations": 0}}',
            "iterations",
        ),
        ('{"dlaudit": "submission/1"}', "dlaudit"),
    ],
)
def test_a_bad_spec_is_one_clear_error(home, text, what):
    (home / "spec.json").write_text(text)
    answer = call(home, "run", "spec.json", "--unsigned")
    assert answer.returncode == 2
    assert what in answer.stderr
    assert "Traceback" not in answer.stderr
    assert not (home / "spec-study").exists()


def test_a_study_without_any_number_cannot_tell(home):
    write_spec(home, workload={"command": ["false"]}, arms=None, convergence=None, claims=None)
    answer = call(home, "run", "spec.json", "--unsigned")
    assert answer.returncode == 3
    assert "base: 3 failed" in answer.stderr
    manifest = json.loads((home / "spec-study/manifest.json").read_bytes())
    assert validate("manifest", manifest) == ()
    assert not (home / "spec-study/submission.json").exists()


def test_a_baseline_that_fails_is_said_and_stands_in_the_submission(home):
    spec = write_spec(home)
    arms = {**spec["arms"], "long": {"workload": {"command": ["false"]}}}
    write_spec(home, convergence=None, arms=arms)
    answer = call(home, "run", "spec.json", "--unsigned")
    assert answer.returncode == 3
    words = "arm long gave no number: none of its 3 trials completed; no comparison of short with long was drafted"
    assert f"dlaudit: {words}; the trials' logs say why\n" in answer.stderr
    submission = json.loads((home / "spec-study/submission.json").read_bytes())
    assert validate("submission", submission) == ()
    assert submission["claims"].keys() == {"short-rate"}
    trials = submission["arms"]["long"]["trials"]
    assert [trial["outcome"] for trial in trials.values()] == ["failed"] * 3
    assert all("false ended with exit code 1" in trial["reason"] for trial in trials.values())
    assert (home / "spec-study/report.html").exists()


@pytest.mark.parametrize("folder", ["absent", "empty"])
def test_to_resume_nothing_is_one_clear_error(home, folder):
    write_spec(home)
    (home / "empty").mkdir()
    answer = call(home, "run", "spec.json", "--out", folder, "--resume", "--unsigned")
    assert answer.returncode == 2
    words = "there is no study to resume; leave out --resume, or name its folder: --out"
    assert answer.stderr == f"dlaudit: {folder}: {words}\n"
    assert not (home / "absent").exists()
    assert list((home / "empty").iterdir()) == []


def test_ctrl_c_leaves_a_signed_part_and_resume_completes_it(home):
    write_spec(
        home,
        pause=0.02,
        arms=None,
        claims=None,
        throughput={"warmup": 1, "iterations": 30, "trials": 3},
        convergence=None,
    )
    call(home, "keygen", "--no-passphrase")
    environment = {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": f"{home}/config",
        "XDG_STATE_HOME": f"{home}/state",
    }
    process = subprocess.Popen(
        [*DLAUDIT, "run", "spec.json", "--out", "out"], cwd=home, env=environment, stderr=subprocess.PIPE, text=True
    )
    second = home / "out/trials/base-t2.events.jsonl"
    end = time.monotonic() + 40
    while not (second.exists() and second.stat().st_size):
        assert time.monotonic() < end
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=500)
    assert process.returncode == 130, error
    assert "--resume" in error
    partial = json.loads((home / "out/manifest.json").read_bytes())
    trials = partial["predicate"]["arms"]["base"]["trials"]
    assert [trials[f"base-t{n}"]["outcome"] for n in (1, 2, 3)] == ["completed", "lost", "not_run"]
    assert call(home, "verify", "out").returncode == 0

    answer = call(home, "run", "spec.json", "--out", "out", "--resume")
    assert answer.returncode == 0, answer.stderr
    whole = json.loads((home / "out/manifest.json").read_bytes())
    trials = whole["predicate"]["arms"]["base"]["trials"]
    assert [(trial["outcome"], trial["attempts"]) for trial in trials.values()] == [
        ("completed", 1),
        ("completed", 2),
        ("completed", 1),
    ]
    assert whole["predicate"]["study"]["interruptions"] == 1
    assert call(home, "verify", "out").returncode == 0
