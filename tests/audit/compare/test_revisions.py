"""Two revisions, and two environments, as the arms of one study, through the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.schemas.errors import UserError

pytestmark = pytest.mark.alone

STEP = """
import json, os, time
from speed import STEP_S

request = json.loads(os.environ["DLAUDIT_REQUEST"])


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


tell("options", effective={"model": "pause", "global_batch": 8}, work_per_iteration=8, work_unit="samples",
     samples_per_iteration=8)
plan = request["throughput"]
times = []
for _ in range(plan["warmup"] + plan["iterations"]):
    start = time.perf_counter()
    time.sleep(STEP_S)
    times.append(time.perf_counter() - start)
tell("warmup", step_time_s=times[: plan["warmup"]])
tell("iterations", step_time_s=times[plan["warmup"]:])
"""
SPEC = """dlaudit: spec/1
title: A pause
workload: {command: [python3, step.py]}
throughput: {warmup: 1, iterations: 10, trials: 3}
"""


def git(folder, *arguments):
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository whose first commit pauses 10 ms and whose second one, tagged slow, 50 ms."""
    folder = tmp_path / "repository"
    bench = folder / "bench"
    bench.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for name, value in (("user.name", "test"), ("user.email", "test@example.org")):
        git(folder, "config", name, value)
    (bench / "step.py").write_text(STEP)
    (bench / "spec.yaml").write_text(SPEC)
    for tag, step_s in (("quick", 0.01), ("slow", 0.05)):
        (bench / "speed.py").write_text(f"STEP_S = {step_s}\n")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", tag)
        git(folder, "tag", tag)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return bench


def compare(*arguments):
    done = CliRunner().invoke(cli, ["compare", *map(str, arguments)], standalone_mode=False)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_a_slower_revision_is_worse_and_both_are_named(repository, tmp_path):
    arguments = ("--revisions", "quick", "slow", repository / "spec.yaml", "--metric", "rate")
    done = compare(*arguments, "--format", "json:answer.json", "--format", "markdown:comment.md", "--out", "gate")
    assert done.return_value == 1
    (found,) = json.loads(Path("answer.json").read_text())["comparisons"]
    assert found["outcome"] == "worse"
    assert json.loads(Path("answer.json").read_text())["terms"]["alpha"] == 0.02
    assert found["metrics"]["rate"]["change"] == pytest.approx(1 / 5, rel=0.4)
    assert found["old"].startswith("quick (")
    comment = Path("comment.md").read_text()
    assert comment.startswith("## ❌ worse")
    assert "speed.py" in comment  # the code that differs
    arms = json.loads(Path("gate/manifest.json").read_text())["predicate"]["arms"]
    heads = {
        tag: subprocess.check_output(["git", "-C", repository, "rev-parse", tag], text=True).strip()
        for tag in ("quick", "slow")
    }
    assert {arm["software"]["code"]["commit"] for arm in arms.values()} == set(heads.values())
    plan = json.loads(Path("gate/plan.json").read_text())
    assert {one["arm"] for one in plan["trials"][:2]} == {"old", "new"}  # interleaved
    listed = subprocess.check_output(["git", "-C", repository, "worktree", "list"], text=True)
    assert len(listed.splitlines()) == 1  # the work trees are gone


def test_a_revision_that_is_not_there_and_a_build_that_fails_are_one_line(repository):
    spec = repository / "spec.yaml"
    with pytest.raises(UserError, match="no revision 'nowhere'"):
        compare("--revisions", "quick", "nowhere", spec)
    with pytest.raises(UserError, match="cannot be built"):
        compare("--revisions", "quick", "slow", spec, "--build", "sh -c 'echo broken; exit 3'")
    lonely = repository.parents[1] / "lonely.yaml"
    lonely.write_text(SPEC)
    with pytest.raises(UserError, match="no git repository"):
        compare("--revisions", "quick", "slow", lonely)
    assert not list(Path().glob("*-gate/trials/*"))


def test_two_environments_keep_their_own_packages(repository, monkeypatch):
    for name, version in (("one", "1.0"), ("two", "2.0")):
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", repository / name], check=True)
        site = next((repository / name).glob("lib/python3*/site-packages")) / f"tinything-{version}.dist-info"
        site.mkdir()
        (site / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tinything\nVersion: {version}\n")
    code = "import sys\nSTEP_S = 0.05 if sys.prefix.endswith('two') else 0.01\n"
    (repository / "speed.py").write_text(code)
    monkeypatch.chdir(repository)
    done = compare("--environments", "one", "two", "spec.yaml", "--out", "gate", "--metric", "rate")
    assert done.return_value == 1, done.output
    assert "tinything 1.0 -> 2.0" in done.output
    arms = json.loads(Path("gate/manifest.json").read_text())["predicate"]["arms"]
    assert arms["new"]["workload"]["environment"] == "two"
    assert arms["new"]["software"]["packages"] == {"tinything": "2.0"}
