"""A study on two of eight GPUs that are not there, of which the second one misbehaves: that must not go unseen."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from dlaudit.runners.telemetry import process
from support.forks import dlaudit

HERE = Path(__file__).resolve().parents[1]
TOOL = str(Path(sys.executable).with_name("dlaudit"))


@pytest.fixture
def study(gpus):
    """Return a function that runs a study which keeps GPUs 0 and 1 busy, and returns its predicate."""

    def run(seconds=1.6, trials=1, **controls):
        program = [sys.executable, "-S", "-E", str(HERE / "programs" / "busy.py"), str(gpus.folder / "gpus")]
        spec = {
            "dlaudit": "spec/1",
            "title": "two GPUs",
            "device": "cuda:0",
            "workload": {"command": [*program, str(seconds), "0", "1"]},
            "throughput": {"warmup": 0, "iterations": 20, "trials": trials},
            "controls": {"gpus": [0, 1], **controls},
        }
        (gpus.folder / "spec.json").write_text(json.dumps(spec))
        command(
            gpus,
            sys.executable,
            "-P",
            HERE / "programs" / "measure.py",
            "run",
            "spec.json",
            "--unsigned",
            "--out",
            "out",
        )
        return json.loads((gpus.folder / "out/manifest.json").read_text())["predicate"]

    return run


def command(gpus, *arguments, code=0):
    environment = {**os.environ, "HOME": str(gpus.folder), **gpus.environment}
    done = subprocess.run(arguments, cwd=gpus.folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout


def findings(gpus):
    """Return the names of the rules that object to the study."""
    environment = {**os.environ, "HOME": str(gpus.folder)}
    done = dlaudit(["lint", "out", "--format", "json"], gpus.folder, environment)
    claims = json.loads(done.stdout)["documents"][0]["claims"]
    return {
        found["name"] for claim in claims.values() for found in claim["findings"] if found["outcome"] == "violation"
    }


def test_both_are_read_named_and_summed_up(gpus, study):
    gpus.set("power_limit_mw", 600_000, gpu=1)
    found = study(trials=2, gpu_sm_clock_mhz=1410)
    arm, system = found["arms"]["base"], next(iter(found["systems"].values()))
    trial = arm["trials"]["base-t1"]
    both = [gpus.uuid(0), gpus.uuid(1)]
    assert (arm["devices"], trial["device_ids"]) == (2, both)
    assert system["name"].startswith("2x ")
    assert system["interconnect"] == "18 NVLinks each, one processor"
    assert "power_limit_w" not in arm["environment"], "one number stands for two limits"
    assert trial["telemetry"]["devices"].keys() == set(both)
    columns = json.loads((gpus.folder / "out/trials/base-t1.samples.json").read_text())["telemetry"]
    assert {f"{name}.{uuid}" for name in ("sm_clock_mhz", "power_w", "utilisation") for uuid in both} <= columns.keys()
    assert "sm_clock_mhz" not in columns
    assert len({len(column) for column in columns.values()}) == 1
    energy = arm["energy"]
    assert energy["mean_power_w"] == pytest.approx(500, rel=0.2)
    assert energy["devices"].keys() == set(both)
    assert sum(energy["devices"].values()) == pytest.approx(energy["energy_j"], rel=1e-4)
    assert trial["controls"]["energy"]["measured"][f"energy_j.{both[1]}"] > 0
    assert float(arm["performance"]["work_per_joule"]["value"]) == pytest.approx(100 / 500, rel=0.2)
    assert findings(gpus).isdisjoint({"throttle-observed", "clock-outside-lock"})


def test_the_second_one_throttles_alone(gpus, study):
    gpus.set("thermal_percent", 50, gpu=1)
    gpus.set("reasons", 0x40, gpu=1)
    arm = study(gpu_sm_clock_mhz=1410)["arms"]["base"]
    told = arm["trials"]["base-t1"]["telemetry"]
    assert told["throttled_s"]["thermal"] == pytest.approx(told["window_s"] / 2, rel=0.1)
    each = {uuid: one["throttled_s"]["thermal"] for uuid, one in told["devices"].items()}
    assert each == {gpus.uuid(0): 0, gpus.uuid(1): told["throttled_s"]["thermal"]}
    lock = arm["environment"]["controls"]["gpu_sm_clock_mhz"]
    assert lock["verified"] == "contradicted"
    assert "1 of 2 contradicted, among them GPU 1" in lock["evidence"]
    assert "throttle-observed" in findings(gpus)


def test_the_second_one_ignores_its_lock_alone(gpus, study):
    gpus.set("ignores_lock", 1, gpu=1)
    arm = study(gpu_sm_clock_mhz=1410)["arms"]["base"]
    lock = arm["environment"]["controls"]["gpu_sm_clock_mhz"]
    assert (lock["verified"], lock["found"]) == ("contradicted", 1980)
    assert lock["measured"][f"found.{gpus.uuid(0)}"] == 1410
    assert lock["measured"][f"found.{gpus.uuid(1)}"] == 1980
    # The sensors alone tell it too: a study may say that its clocks are locked, and lock them elsewhere.
    path = gpus.folder / "out/manifest.json"
    manifest = json.loads(path.read_text())
    base = manifest["predicate"]["arms"]["base"]
    for place in (base["environment"], base["trials"]["base-t1"]):
        del place["controls"]["gpu_sm_clock_mhz"]
    path.write_text(json.dumps(manifest))
    assert "clock-outside-lock" in findings(gpus)


@pytest.mark.parametrize(("mode", "why"), [(2, "ran backwards"), (3, "counts its energy, and others do not")])
def test_the_second_one_s_counter_lies_alone(gpus, study, mode, why):
    gpus.set("energy_mode", mode, gpu=1)
    arm = study()["arms"]["base"]
    assert "energy" not in arm
    assert why in arm["trials"]["base-t1"]["controls"]["energy"]["evidence"]


def test_one_that_cannot_be_read_leaves_no_sum(gpus, monkeypatch):
    monkeypatch.chdir(gpus.folder)
    gone = "GPU-00000000-0000-0000-0000-000000000099"
    order = process.Order(sysroot="/", on_processor=False, gpus=(gpus.uuid(0), gone))
    line = json.dumps({"sysroot": "/", "on_processor": False, "gpus": order.gpus})
    told = "".join(json.dumps(value) + "\n" for value in ("readings", None))
    subprocess.run(
        [sys.executable, "-P", "-m", "dlaudit.runners.telemetry.process", line],
        input=told,
        env={**os.environ, **gpus.environment},
        stdout=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    from dlaudit.runners.telemetry import energy, readings

    taken = readings.load(gpus.folder / "readings")
    assert taken.header.devices == (gpus.uuid(0),)
    found = energy.of_trial(taken, None, None)
    assert isinstance(found, energy.Refused)
    assert "not every device can be read" in found.why


def test_a_study_holds_all_that_it_uses(gpus, study):
    spec = {
        "dlaudit": "spec/1",
        "title": "the other one",
        "device": "cuda:1",
        "workload": {"command": ["true"]},
        "throughput": {"warmup": 0, "iterations": 5, "trials": 1},
    }
    (gpus.folder / "other.json").write_text(json.dumps(spec))
    program = [sys.executable, "-P", str(HERE / "programs" / "measure.py")]
    environment = {**os.environ, "HOME": str(gpus.folder), **gpus.environment}
    inner = [*program, "run", "../other.json", "--unsigned", "--out", "../second"]
    nested = {
        **spec,
        "title": "starts the other one",
        "device": "cuda:0",
        "controls": {"gpus": [0, 1]},
        "workload": {"command": [sys.executable, "-c", f"import subprocess; subprocess.run({inner!r}, cwd='out')"]},
    }
    (gpus.folder / "spec.json").write_text(json.dumps(nested))
    subprocess.run(
        [*program, "run", "spec.json", "--unsigned", "--out", "out"],
        cwd=gpus.folder,
        env=environment,
        capture_output=True,
        check=False,
    )
    log = (gpus.folder / "out/trials/base-t1.log").read_text()
    assert f"{gpus.uuid(1)} is in use" in log
