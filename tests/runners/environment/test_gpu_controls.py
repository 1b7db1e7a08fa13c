"""Knobs of GPUs through `dlaudit run`, on a machine of eight GPUs that are not there.

The library of the driver is ours (tests/fakes/nvml); everything else is real: nvidia-ml-py, processes, signals, files.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from dlaudit.schemas.validation import validate

HERE = Path(__file__).resolve().parents[1]
KILLS = 12
LOCKS = {"gpus": "all", "gpu_sm_clock_mhz": 1410, "gpu_power_limit_w": 500, "gpu_persistence_mode": True}


def write_spec(gpus, controls, busy_s=0.5, trials=1, **more):
    """Write a spec whose trials keep a GPU busy."""
    program = [sys.executable, "-S", "-E", str(HERE / "programs" / "busy.py"), str(gpus.folder / "gpus"), str(busy_s)]
    program += [str(number) for number in range(8)] if controls.get("gpus") == "all" else []
    spec = {
        "dlaudit": "spec/1",
        "title": "a busy GPU",
        "device": "cuda:0",
        "workload": {"command": program},
        "throughput": {"warmup": 0, "iterations": 5, "trials": trials},
        "controls": controls,
        "telemetry": False,
        **more,
    }
    assert validate("spec", spec) == ()
    path = gpus.folder / "spec.json"
    path.write_text(json.dumps(spec))
    return path


def command_line(gpus, *arguments, report=False):
    program = (
        [str(Path(sys.executable).parent / "dlaudit")]
        if report
        else [sys.executable, "-P", str(HERE / "programs" / "measure.py")]
    )
    return [*program, "run", str(gpus.folder / "spec.json"), *arguments]


def start(gpus, *arguments, report=False, **variables):
    environment = {**os.environ, "HOME": str(gpus.folder), **gpus.environment, **variables}
    line = [*command_line(gpus, "--unsigned", "--out", str(gpus.folder / "out"), report=report), *arguments]
    return subprocess.Popen(
        line, cwd=gpus.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(gpus, *arguments, report=False, **variables):
    process = start(gpus, *arguments, report=report, **variables)
    out, err = process.communicate(timeout=500)
    return process.returncode, out, err


def arm(gpus):
    return json.loads((gpus.folder / "out/manifest.json").read_text())["predicate"]["arms"]["base"]


def wait_for(condition, seconds=500):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def is_locked(gpus):
    return gpus.get(7, "locked_sm_mhz") == 1410


def test_a_study_locks_verifies_and_restores(gpus):
    before = gpus.settings()
    write_spec(gpus, LOCKS)
    code, _, err = run(gpus, report=True)
    assert code == 0, err
    assert gpus.settings() == before
    environment = arm(gpus)["environment"]
    clock = environment["controls"]["gpu_sm_clock_mhz"]
    assert (clock["requested"], clock["applied"], clock["found"]) == (1410, 1410, 1410)
    assert (clock["verified"], clock["restored"]) == ("verified", "reset"), clock
    assert "NVML cannot tell whether another lock stood before" in clock["evidence"]
    assert clock["measured"]["samples_loaded"] >= 2
    assert clock["measured"]["share_outside"] == 0
    assert environment["clocks"] == {"policy": "locked", "low_mhz": 1410, "high_mhz": 1410}
    power = environment["controls"]["gpu_power_limit_w"]
    assert (power["found"], power["verified"], power["restored"]) == (500, "verified", "restored")
    assert environment["power_limit_w"] == 500
    changed = {(function, gpu) for function, gpu, _ in gpus.calls()}
    assert {gpu for function, gpu in changed if function == "nvmlDeviceSetGpuLockedClocks"} == set(range(8))
    assert not list((gpus.folder / "state/dlaudit/controls").iterdir()), "the journal stays behind"
    report = (gpus.folder / "out/report.html").read_text()
    assert "gpu sm clock (MHz)" in report
    assert "1410" in report


def test_only_the_study_s_own_gpu_is_changed_and_only_what_is_asked(gpus):
    write_spec(gpus, {"gpu_sm_clock_mhz": 1403}, device="cuda:3", busy_s=0.3)
    code, _, err = run(gpus)
    assert code == 0, err
    assert gpus.calls() == [("nvmlDeviceSetGpuLockedClocks", 3, 1410), ("nvmlDeviceResetGpuLockedClocks", 3, 0)]
    assert arm(gpus)["environment"]["controls"]["gpu_sm_clock_mhz"]["applied"] == 1410


def test_nothing_is_changed_that_is_not_asked(gpus):
    write_spec(gpus, {}, busy_s=0.1)
    code, _, err = run(gpus)
    assert code == 0, err
    assert gpus.calls() == []
    assert arm(gpus)["environment"]["clocks"] == {"policy": "none"}


def test_a_dry_run_says_what_it_would_change_and_changes_nothing(gpus):
    write_spec(gpus, {"gpus": [2], "gpu_sm_clock_mhz": 1410, "gpu_power_limit_w": 500})
    code, out, err = run(gpus, "--dry-run")
    assert code == 0, err
    assert "would set gpu_power_limit_w = 500 on GPU 2" in out
    assert "now: 700 W" in out
    assert "would set gpu_sm_clock_mhz = 1410 on GPU 2" in out
    assert gpus.calls() == []


def test_a_gpu_that_ignores_the_lock_is_found_out(gpus):
    gpus.set("ignores_lock", 1, gpu=5)
    write_spec(gpus, LOCKS)
    code, _, err = run(gpus)
    assert code == 0, err
    clock = arm(gpus)["environment"]["controls"]["gpu_sm_clock_mhz"]
    assert clock["verified"] == "contradicted"
    assert "GPU 5" in clock["evidence"]
    assert clock["found"] == 1980
    assert clock["measured"]["share_outside"] == 1


def test_what_holds_the_clock_back_contradicts_the_lock(gpus):
    gpus.set("thermal_percent", 30, gpu=0)
    gpus.set("reasons", 0x40, gpu=0)
    write_spec(gpus, {"gpu_sm_clock_mhz": 1410}, busy_s=0.4)
    code, _, err = run(gpus)
    assert code == 0, err
    clock = arm(gpus)["environment"]["controls"]["gpu_sm_clock_mhz"]
    assert clock["verified"] == "contradicted"
    assert "thermal held clocks back" in clock["evidence"]
    assert clock["measured"]["thermal_share"] == 1
    assert clock["measured"]["thermal_s"] > 0.05


def test_a_gpu_that_does_nothing_verifies_nothing(gpus):
    write_spec(gpus, {"gpu_sm_clock_mhz": 1410, "gpus": [1]}, busy_s=0.3)
    code, _, err = run(gpus)
    assert code == 0, err
    clock = arm(gpus)["environment"]["controls"]["gpu_sm_clock_mhz"]
    assert clock["verified"] == "unverifiable"
    assert "no sample was taken while the GPU was at work" in clock["evidence"]


def test_without_permission_the_run_goes_on_and_says_so(gpus):
    write_spec(gpus, {"gpu_sm_clock_mhz": 1410}, busy_s=0.1)
    code, _, err = run(gpus, FAKE_NVML_DENY="1")
    assert code == 0, err
    lines = [line for line in err.splitlines() if "gpu_sm_clock_mhz" in line]
    assert len(lines) == 1
    assert "Insufficient Permissions" in lines[0]
    assert "sudoers" in lines[0] or "--cap-add=SYS_ADMIN" in lines[0]
    clock = arm(gpus)["environment"]["controls"]["gpu_sm_clock_mhz"]
    assert (clock["verified"], clock.get("applied")) == ("not_permitted", None)
    assert arm(gpus)["environment"]["clocks"] == {"policy": "none"}


def test_one_line_for_sudoers_is_enough(gpus):
    before = gpus.settings()
    more = {"gpus": [0], "gpu_memory_clock_mhz": 1593, "gpu_compute_mode": "exclusive_process"}
    write_spec(gpus, {**LOCKS, **more}, busy_s=0.3)
    code, _, err = run(gpus, FAKE_NVML_DENY="1", PATH=f"{gpus.with_sudo()}:{os.environ['PATH']}")
    assert (code, err) == (0, "")
    controls = arm(gpus)["environment"]["controls"]
    knobs = {name: controls[name]["verified"] for name in controls if name in {*LOCKS, "gpu_memory_clock_mhz"}}
    assert set(knobs.values()) == {"verified"}
    assert gpus.settings() == before


def test_what_the_driver_shows_is_kept(gpus):
    gpus.set("process", 4711, gpu=3)
    gpus.set("ecc", 0, gpu=3)
    write_spec(gpus, {"gpu_ecc": True}, busy_s=0.1, device="cuda:3")
    code, _, err = run(gpus)
    assert code == 0, err
    environment = arm(gpus)["environment"]
    assert environment["co_tenants"] == "1 other processes before the first trial"
    ecc = environment["controls"]["gpu_ecc"]
    assert (ecc["requested"], ecc["verified"], ecc["restored"]) == (True, "contradicted", "not_changed")
    assert "takes a restart" in ecc["evidence"]
    facts = json.loads((gpus.folder / "out/environment/1.json").read_text())["accelerators"]["value"]
    assert facts["paths"]["0-1"] == "one processor"
    assert facts["paths"]["0-7"] == "processors"
    device = facts["devices"][3]
    assert (device["vbios"], device["nvlinks"], device["pcie_width"]) == ("96.00.99.00.01", 18, 16)


def test_a_required_knob_without_permission_ends_the_study_and_restores_the_others(gpus):
    before = gpus.settings()
    write_spec(gpus, {**LOCKS, "required": ["gpu_sm_clock_mhz"]})
    code, _, err = run(gpus, FAKE_NVML_FAIL="nvmlDeviceSetGpuLockedClocks=4")
    assert code == 4, err
    assert "the spec requires gpu_sm_clock_mhz = 1410 on GPU 0" in err
    assert gpus.settings() == before
    assert ("nvmlDeviceSetPersistenceMode", 7, 1) in gpus.calls()
    assert not (gpus.folder / "out").exists()


def test_a_required_lock_that_does_not_hold_ends_the_study(gpus):
    before = gpus.settings()
    gpus.set("ignores_lock", 1)
    write_spec(gpus, {"gpu_sm_clock_mhz": 1410, "required": True}, trials=3)
    code, _, err = run(gpus)
    assert code == 4, err
    assert "contradicted" in err
    assert gpus.settings() == before


def test_a_machine_without_a_driver_is_no_obstacle_unless_the_knob_is_required(gpus):
    write_spec(gpus, {"gpu_sm_clock_mhz": 1410}, busy_s=0.1)
    code, _, err = run(gpus, FAKE_NVML_FAIL="nvmlInitWithFlags=9")
    assert code == 0, err
    assert "no NVIDIA driver answers" in err
    assert arm(gpus)["environment"]["controls"]["gpu_sm_clock_mhz"]["verified"] == "unverifiable"


def test_a_limit_that_the_gpu_does_not_take_is_refused_in_words(gpus):
    write_spec(gpus, {"gpu_power_limit_w": 900}, busy_s=0.1)
    code, _, err = run(gpus)
    assert code == 0, err
    assert "this GPU takes limits from 200 to 700 W" in err


def test_a_knob_that_is_required_and_not_set_is_an_error_of_the_spec(gpus):
    write_spec(gpus, {"required": ["gpu_sm_clock_mhz"]})
    code, _, err = run(gpus)
    assert code == 2
    assert "/controls/required" in err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("pause_s", [0.0, 0.001, 0.01, 0.1])
def test_a_signal_restores_however_soon_the_next_one_comes(gpus, number, pause_s):
    before = gpus.settings()
    write_spec(gpus, LOCKS, busy_s=20)
    process = start(gpus)
    wait_for(lambda: is_locked(gpus))
    process.send_signal(number)
    for _ in range(3):
        time.sleep(pause_s)
        process.send_signal(number)
    _, err = process.communicate(timeout=500)
    assert process.returncode == 130, err
    assert gpus.settings() == before


def test_a_trial_that_crashes_restores_too(gpus):
    before = gpus.settings()
    write_spec(gpus, LOCKS, workload={"command": [sys.executable, "-S", "-c", "import os; os.kill(os.getppid(), 9)"]})
    code, _, err = run(gpus)
    assert code == 3, err
    assert "SIGKILL" in err
    assert gpus.settings() == before
    assert ("nvmlDeviceSetGpuLockedClocks", 7, 1410) in gpus.calls()


def test_a_resumed_study_says_that_the_killed_session_was_put_back(gpus):
    write_spec(gpus, {"gpu_sm_clock_mhz": 1410}, busy_s=0.6, trials=2)
    process = start(gpus)
    wait_for(lambda: (gpus.folder / "out/trials/base-t2.events.jsonl").exists())
    process.kill()
    process.communicate()
    assert gpus.get(0, "locked_sm_mhz") == 1410
    code, _, err = run(gpus, "--resume")
    assert code == 0, err
    assert "a killed run left gpu_sm_clock_mhz" in err
    trials = arm(gpus)["trials"]
    assert [trials[f"base-t{n}"]["controls"]["gpu_sm_clock_mhz"]["restored"] for n in (1, 2)] == ["reset", "reset"]
    assert (gpus.folder / "out/environment/controls-1.json").exists()
    assert gpus.get(0, "locked_sm_mhz") == 0


def test_two_studies_on_one_gpu_exclude_each_other_and_those_on_two_do_not(gpus):
    write_spec(gpus, {"gpu_sm_clock_mhz": 1410}, busy_s=20)
    first = start(gpus)
    try:
        wait_for(lambda: gpus.get(0, "locked_sm_mhz") == 1410)
        write_spec(gpus, {}, busy_s=0.1)
        code, _, err = run(gpus, "--out", str(gpus.folder / "other"))
        assert code == 4, err
        assert f"process {first.pid}" in err
        write_spec(gpus, {"gpu_sm_clock_mhz": 1005}, busy_s=0.1, device="cuda:1")
        code, _, err = run(gpus, "--out", str(gpus.folder / "third"))
        assert code == 0, err
        assert gpus.get(0, "locked_sm_mhz") == 1410, "the living study's lock was taken for a dead one's"
    finally:
        first.terminate()
        first.communicate()
    assert gpus.get(0, "locked_sm_mhz") == 0


@pytest.mark.slow
def test_a_runner_killed_at_any_moment_leaves_nothing_behind_after_the_next_start(gpus):
    gpus.set("power_limit_mw", 650_000, gpu=2)
    before = gpus.settings()
    write_spec(gpus, LOCKS, busy_s=0.05, trials=3)
    rng = random.Random(20)
    caught = 0
    for _ in range(KILLS):
        process = start(gpus, FAKE_NVML_SLOW_US="3000")
        known = len(gpus.calls())
        wait_for(lambda p=process, known=known: p.poll() is not None or len(gpus.calls()) > known)
        time.sleep(rng.uniform(0, 0.6))
        process.kill()
        process.communicate()
        caught += gpus.settings() != before
        shutil.rmtree(gpus.folder / "out", ignore_errors=True)
        told = next_start(gpus)
        assert gpus.settings() == before, told
        assert "cannot be put back" not in told
        assert not list((gpus.folder / "state/dlaudit/controls").iterdir())
    assert caught > KILLS / 4, "the kills came too late to test anything"
    write_spec(gpus, {}, busy_s=0.01)
    code, _, err = run(gpus)
    assert (code, err) == (0, "")


def next_start(gpus):
    """Start dlaudit, and return what it says."""
    program = str(Path(sys.executable).parent / "dlaudit")
    environment = {**os.environ, "HOME": str(gpus.folder), **gpus.environment}
    done = subprocess.run([program, "doctor", "--restore"], env=environment, capture_output=True, text=True, check=True)
    return done.stdout
