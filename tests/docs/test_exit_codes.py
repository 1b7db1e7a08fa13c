"""Every exit code of the documented table is produced through the front door, and the tables agree."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOL = str(Path(sys.executable).with_name("dlaudit"))
SLEEP = (
    '{"dlaudit": "spec/1", "title": "naps", "workload": {"command": ["sleep", "30"]}, "throughput": {"iterations": 5}}'
)
STRICT = (
    '{"dlaudit": "spec/1", "title": "no such GPU", "workload": {"command": ["true"]}, '
    '"throughput": {"iterations": 5}, "controls": {"gpus": [999], "gpu_sm_clock_mhz": 1410, "required": true}}'
)
CRASH = """
import sys
from dlaudit.audit.commands import rules
from dlaudit.audit import cli
rules.command.callback = lambda **_: 1 / 0
sys.exit(cli.run(["rules"]))
"""


@pytest.fixture
def call(tmp_path):
    environment = os.environ | {
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": f"{tmp_path}/c",
        "XDG_STATE_HOME": f"{tmp_path}/s",
    }

    def call(*command):
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=500)
        assert "Traceback" not in done.stderr
        return done.returncode

    return call


def test_0_it_holds(call):
    assert call(TOOL, "rules") == 0


def test_1_the_verdict_is_that_bad(call):
    claim = str(ROOT / "examples/named/mixed-option-sets/submission.yaml")
    assert call(TOOL, "lint", claim) == 1
    assert call(TOOL, "lint", "--fail-on", "never", claim) == 0


def test_2_usage_and_unreadable_input(call, tmp_path):
    (tmp_path / "broken.json").write_text("{")
    assert call(TOOL, "lint", "broken.json") == 2
    assert call(TOOL, "lint") == 2
    assert call(TOOL, "nothing") == 2


def test_3_nothing_to_judge(call, tmp_path):
    (tmp_path / "empty").mkdir()
    assert call(TOOL, "lint", "empty") == 3


def test_4_the_environment_refuses(call, tmp_path):
    (tmp_path / "spec.json").write_text(STRICT)
    assert call(TOOL, "run", "spec.json", "--unsigned") == 4


def test_5_a_verification_fails(call, tmp_path):
    (tmp_path / "ledger.jsonl").write_text('{"seq": 7}\n')
    assert call(TOOL, "ledger", "check", "--ledger", "ledger.jsonl") == 5


def test_70_a_defect_is_one_line(call):
    assert call(sys.executable, "-P", "-c", CRASH) == 70


def test_130_interrupted(tmp_path):
    (tmp_path / "spec.json").write_text(SLEEP)
    environment = os.environ | {"HOME": str(tmp_path), "XDG_STATE_HOME": f"{tmp_path}/s"}
    process = subprocess.Popen(
        [TOOL, "run", "spec.json", "--unsigned", "--out", "out"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE
    )
    end = time.monotonic() + 40
    while not list((tmp_path / "out").glob("trials/*.events.jsonl")):
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=500)
    assert process.returncode == 130


def test_141_the_reader_went_away(tmp_path):
    done = subprocess.run(
        ["bash", "-c", f"{TOOL} rules | true; exit ${{PIPESTATUS[0]}}"], cwd=tmp_path, stderr=subprocess.PIPE
    )
    assert (done.returncode, done.stderr) == (141, b"")


def test_the_tables_of_the_pages_name_just_these_codes():
    here = {int(number) for number in re.findall(r"^def test_(\d+)_", Path(__file__).read_text(), re.MULTILINE)}
    for page in ("README.md", "docs/troubleshooting.md"):
        section = (ROOT / page).read_text(encoding="utf-8").split("## Exit codes")[1].split("\n## ")[0]
        assert {int(code) for code in re.findall(r"^\| (\d+) \|", section, re.MULTILINE)} == here, page
