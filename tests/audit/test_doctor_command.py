"""`dlaudit doctor` on this machine, on GPUs that are not there, and after a killed study."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = str(Path(sys.executable).with_name("dlaudit"))
LEAVE = """
import os, sys
from pathlib import Path
from dlaudit.runners.environment import journal
kept = journal.begin("s", [journal.Entry(knob="governor", target=sys.argv[1], original=json) for json in [
    {"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave"}]])
kept.applying(0)
os.kill(os.getpid(), 9)
"""


def doctor(*arguments, **environment):
    done = subprocess.run(
        [TOOL, "doctor", *arguments], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout


def rows(document):
    return {row["name"]: row for row in document["abilities"]}


@pytest.fixture
def left(tmp_path):
    """A governor that a killed study left changed; returns its file and the environment of the account."""
    file = tmp_path / "root/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
    file.parent.mkdir(parents=True)
    file.write_text("performance")
    environment = {"XDG_STATE_HOME": str(tmp_path / "state"), "DLAUDIT_LOCKS": str(tmp_path)}
    killed = subprocess.run(
        [sys.executable, "-c", LEAVE, str(tmp_path / "root")], env={**os.environ, **environment}, check=False
    )
    assert killed.returncode == -9
    return file, environment


def test_it_says_what_this_machine_can_do():
    code, printed = doctor("--json")
    assert code == 0
    document = json.loads(printed)
    assert document["dlaudit"] == "doctor/1"
    assert {"affinity", "threads", "aslr", "numa_nodes", "governor", "turbo", "smt"} <= rows(document).keys()
    assert all(row["by"] for row in document["abilities"])
    assert all(complaint["what"] and complaint["help"] for complaint in document["complaints"])


def test_what_a_killed_study_left_is_shown_and_put_back(left):
    file, environment = left
    code, printed = doctor(**environment)
    assert code == 0
    assert "Left changed by a killed study" in printed
    assert file.read_text() == "performance", "looking changed something"
    code, printed = doctor("--restore", **environment)
    assert (code, file.read_text()) == (0, "powersave")
    assert "it has been put back" in printed
    assert "nothing was left" in doctor("--restore", **environment)[1]


def test_what_cannot_be_put_back_ends_with_4_and_stays(left):
    file, environment = left
    file.unlink()
    code, printed = doctor("--restore", **environment)
    assert code == 4
    assert "cannot be put back" in printed
    assert json.loads(doctor("--json", **environment)[1])["left_by_killed_studies"]


def test_gpus_are_looked_at_and_not_touched(gpus):
    gpus.set("process", 4242, gpu=2)
    gpus.set("reasons", 0x40, gpu=3)
    gpus.set("persistence_mode", 1, gpu=5)
    code, printed = doctor("--json", **gpus.environment)
    assert code == 0
    document = json.loads(printed)
    assert rows(document)["gpu_power_limit_w"]["now"] == "700 W"
    assert rows(document)["gpu_ecc"]["can_set"] == "never"
    assert rows(document)["gpu_persistence_mode"]["now"] == "off (0-4,6-7); on (5)"
    wrong = [complaint["what"] for complaint in document["complaints"]]
    assert "1 other process on GPU 2" in wrong
    assert "GPU 3: slowed down (thermal)" in wrong
    assert sum("persistence mode is off" in what for what in wrong) == 1
    assert any(what.startswith("GPUs 0-4,6-7: ") for what in wrong)
    assert gpus.calls() == []
