"""Sensors beside a trial: through `dlaudit run` on GPUs that are not there and on a processor with energy counters."""

import json
import os
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from dlaudit.runners.record import manifest
from dlaudit.runners.record.events import Events, Span, gather
from dlaudit.runners.study import execute as study
from dlaudit.runners.study.plan import make
from dlaudit.runners.telemetry import energy, process, progress, readings
from dlaudit.schemas.digest import sha256_hex
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import Spec
from dlaudit.schemas.validation import validate
from hypothesis import given
from hypothesis import strategies as st

HERE = Path(__file__).resolve().parents[1]
ZONE = "sys/class/powercap/intel-rapl:{}"
WRAP_UJ = 120_000_000
"""Four seconds of work; a period longer than half of that hides whether the counter wrapped or ran backwards."""


class Diary:
    """A recorder that keeps nothing."""

    def planned(self, plan):
        pass

    def started(self, trial):
        pass

    def ended(self, trial, outcome, artifact_digest):
        pass

    def lost(self, trial, reason):
        pass


def spec_of(seconds, trials=1, **more):
    program = [sys.executable, "-S", "-E", str(HERE / "programs" / "timed.py"), str(seconds)]
    value = {
        "dlaudit": "spec/1",
        "title": "a sleeper",
        "workload": {"command": program},
        "throughput": {"warmup": 0, "iterations": 20, "trials": trials},
        **more,
    }
    assert validate("spec", value) == ()
    return value


def run(folder, value, sysroot):
    data = json.dumps(value).encode()
    spec = to_model(value, Spec)
    plan = make(spec, sha256_hex(data))
    assert study.run(spec, plan, data, ".json", folder / "out", Diary(), sysroot=sysroot)
    statement = manifest.build(folder / "out", spec, plan)
    assert validate("manifest", statement) == ()
    return statement["predicate"]["arms"]["base"]


@pytest.fixture
def gpu_study(gpus):
    """Return a function that keeps one GPU busy and returns the arm and what was printed."""

    def run_on_gpu(seconds=1.6, trials=1, **more):
        program = [sys.executable, "-S", "-E", str(HERE / "programs" / "busy.py"), str(gpus.folder / "gpus")]
        value = spec_of(0, trials, device="cuda:0", **more)
        value["workload"] = {"command": [*program, str(seconds)]}
        (gpus.folder / "spec.json").write_text(json.dumps(value))
        environment = {**os.environ, "HOME": str(gpus.folder), **gpus.environment}
        done = subprocess.run(
            [
                sys.executable,
                "-P",
                str(HERE / "programs" / "measure.py"),
                "run",
                "spec.json",
                "--unsigned",
                "--out",
                "out",
            ],
            cwd=gpus.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        statement = json.loads((gpus.folder / "out/manifest.json").read_text())
        return statement["predicate"]["arms"]["base"]

    return run_on_gpu


def samples(gpus):
    return json.loads((gpus.folder / "out/trials/base-t1.samples.json").read_text())


def test_readings_of_a_gpu_stand_beside_its_trial(gpus, gpu_study):
    gpus.set("thermal_percent", 50)
    gpus.set("reasons", 0x40)
    arm = gpu_study()
    trial = arm["trials"]["base-t1"]
    columns = samples(gpus)["telemetry"]
    assert set(columns["sm_clock_mhz"]) == {1980}
    assert set(columns["utilisation"]) == {0.97}
    assert set(columns["power_w"]) == {250.0}
    assert set(columns["throttle_thermal"]) == {1.0}
    assert set(columns["throttle_power_cap"]) == {0.0}
    assert {"temperature_c", "memory_used_bytes", "memory_clock_mhz"} <= columns.keys()
    assert len({len(column) for column in columns.values()}) == 1
    assert 3 <= len(columns["time_s"]) <= 17
    told = trial["telemetry"]
    assert told["file"] == trial["samples_file"]
    assert told["throttled_s"]["thermal"] == pytest.approx(told["window_s"] / 2, rel=0.1)
    assert 1.5 < told["window_s"] < 3
    assert trial["controls"]["telemetry"]["measured"]["core_share"] < 0.02


def test_energy_is_counted_between_steps_of_the_counter(gpu_study):
    arm = gpu_study(trials=3)
    energy_of = arm["energy"]
    assert (energy_of["boundary"], energy_of["method"]) == ("device", "counter")
    assert energy_of["mean_power_w"] == pytest.approx(250, rel=0.2)
    assert energy_of["energy_j"] == pytest.approx(energy_of["mean_power_w"] * energy_of["duration_s"], rel=1e-4)
    assert 3 * 2 <= energy_of["updates"] <= 3 * 16
    assert energy_of["work"] / energy_of["duration_s"] == pytest.approx(8 * 20 / 1.6, rel=0.1)
    per_joule, each = arm["performance"]["work_per_joule"], arm["performance"]["energy_per_iteration"]
    assert (per_joule["unit"], each["unit"], per_joule["trials"]) == ("samples/J", "J", 3)
    assert float(per_joule["value"]) == pytest.approx(100 / 250, rel=0.2)
    assert float(each["value"]) == pytest.approx(8 / float(per_joule["value"]), rel=1e-3)


LIES = [(1, 2.6, "stood still"), (2, 0.5, "ran backwards"), (4, 1.2, "ran backwards")]


@pytest.mark.parametrize(("mode", "seconds", "why"), LIES)
def test_a_counter_that_lies_is_refused_with_the_reason(gpus, gpu_study, mode, seconds, why):
    gpus.set("energy_mode", mode)
    arm = gpu_study(seconds)
    assert "energy" not in arm
    assert "work_per_joule" not in arm["performance"]
    record = arm["trials"]["base-t1"]["controls"]["energy"]
    assert record["verified"] == "unverifiable"
    assert record["evidence"].startswith("refused")
    assert why in record["evidence"]


def test_without_a_counter_power_is_sampled_and_said_so(gpus, gpu_study):
    gpus.set("energy_mode", 3)
    arm = gpu_study()
    assert arm["energy"]["method"] == "sampled"
    assert arm["energy"]["mean_power_w"] == pytest.approx(250, rel=1e-3)


def test_a_spec_may_want_no_telemetry(gpus, gpu_study):
    arm = gpu_study(0.3, telemetry=False)
    assert "energy" not in arm
    assert "telemetry" not in arm["trials"]["base-t1"]
    assert "telemetry" not in samples(gpus)
    assert not list((gpus.folder / "out/trials").glob("*telemetry*"))


@pytest.fixture
def packages(tmp_path):
    """Two packages of a processor with energy counters of 30 W each, which wrap around; returns the tree's root."""
    root, over = tmp_path / "root", threading.Event()
    for number in range(2):
        zone = root / ZONE.format(number)
        zone.mkdir(parents=True)
        (zone / "name").write_text(f"package-{number}\n")
        (zone / "max_energy_range_uj").write_text(f"{WRAP_UJ}\n")
        (zone / "energy_uj").write_text("000000000\n")
    core = root / (ZONE.format(0) + ":0")
    core.mkdir()
    (core / "name").write_text("core\n")

    def count():
        files = [(root / ZONE.format(number) / "energy_uj").open("r+b", buffering=0) for number in range(2)]
        while not over.wait(0.02):
            value = int(time.monotonic() * 30e6) % WRAP_UJ
            for file in files:
                file.seek(0)
                file.write(b"%09d\n" % value)
        for file in files:
            file.close()

    thread = threading.Thread(target=count)
    thread.start()
    yield root
    over.set()
    thread.join()


def test_the_counters_of_a_processor_wrap_around(tmp_path, packages):
    arm = run(tmp_path, spec_of(5.0), packages)
    record = arm["trials"]["base-t1"]["controls"]["energy"]
    assert record["found"] == "counter", record["evidence"]
    assert arm["energy"]["method"] == "counter"
    assert arm["energy"]["mean_power_w"] == pytest.approx(60, rel=0.1)
    assert arm["energy"]["energy_j"] > 2 * WRAP_UJ / 1e6, "no counter wrapped: the test shows nothing"


def test_a_processor_without_counters_has_no_energy(tmp_path):
    arm = run(tmp_path, spec_of(0.2), tmp_path)
    assert "energy" not in arm
    assert "no energy counter" in arm["trials"]["base-t1"]["controls"]["energy"]["evidence"]


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="needs sched_setaffinity")
def test_the_process_stays_off_the_trials_processors_or_says_that_it_cannot(tmp_path):
    mine = sorted(os.sched_getaffinity(0))
    arm = run(tmp_path, spec_of(0.2, controls={"affinity": mine}), Path("/"))
    record = arm["trials"]["base-t1"]["controls"]["telemetry"]
    assert record["found"] == "not apart"
    assert "every processor" in record["evidence"]
    if len(mine) > 1:
        (tmp_path / "apart").mkdir()
        arm = run(tmp_path / "apart", spec_of(0.2, controls={"affinity": mine[:1]}), Path("/"))
        record = arm["trials"]["base-t1"]["controls"]["telemetry"]
        assert record["found"] == "apart"
        assert f"processors {mine[1]}" in record["evidence"]


def test_the_process_ends_with_its_runner(tmp_path):
    order = json.dumps({"sysroot": "/"})
    reader = subprocess.Popen(
        [sys.executable, "-P", "-m", "dlaudit.runners.telemetry.process", order],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert b"ready" in reader.stdout.readline()
    path = tmp_path / "readings.jsonl"
    reader.stdin.write(json.dumps(str(path)).encode() + b"\n")
    reader.stdin.flush()
    time.sleep(0.3)
    reader.stdin.close()
    assert reader.wait(500) == 0
    reader.stdout.close()
    found = readings.load(path)
    assert found is not None
    assert len(found.rows) >= 3
    assert found.cpu_s is not None


def test_a_path_and_its_end_in_one_breath_are_two_lines(tmp_path):
    lines = "".join(json.dumps(value) + "\n" for value in (str(tmp_path / "a"), None, str(tmp_path / "b"), None))
    done = subprocess.run(
        [sys.executable, "-P", "-m", "dlaudit.runners.telemetry.process", json.dumps({"sysroot": "/"})],
        input=lines,
        capture_output=True,
        text=True,
        timeout=500,
        check=True,
    )
    assert done.stdout.count("ended") == 2
    assert all(len(readings.load(tmp_path / name).rows) == 2 for name in "ab")


def header(*columns, **more):
    return {"dlaudit": process.KIND, "columns": ["monotonic_s", *columns], "period_s": 0.1, **more}


def of(rows, *columns, **more):
    parsed = readings.Header(**{**header(*columns, **more), "columns": ("monotonic_s", *columns)})
    return readings.Readings(header=parsed, rows=tuple(tuple(row) for row in rows))


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [[1.0]],
        [{"dlaudit": "telemetry/2", "columns": ["monotonic_s"], "period_s": 1}],
        [header("a"), [1.0]],
        [header("a"), [1.0, "2"]],
        [header("a"), [1.0, True]],
    ],
)
def test_a_damaged_file_is_no_readings(tmp_path, lines):
    path = tmp_path / "x"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert readings.load(path) is None
    assert readings.load(tmp_path / "gone") is None


def test_a_file_that_a_kill_cut_off_tells_what_it_holds(tmp_path):
    path = tmp_path / "x"
    path.write_text(json.dumps(header("power_w")) + "\n[1.0,5]\n[1.1,6]\n[1.2,")
    found = readings.load(path)
    assert readings.columns(found, None) == {"time_s": [0.0, 0.1], "power_w": [5.0, 6.0]}
    assert found.cpu_s is None


def test_a_sensor_that_refuses_now_and_then_costs_those_readings_alone():
    rows = [(float(n), 100.0 if n != 3 else None, None if n else 1.0) for n in range(8)]
    found = readings.columns(of(rows, "power_w", "temperature_c"), None)
    assert found.keys() == {"time_s", "power_w"}
    assert found["time_s"] == [0.0, 1.0, 2.0, 4.0, 5.0, 6.0, 7.0]


@given(st.lists(st.integers(0, 900), min_size=2, max_size=50), st.integers(0, 999))
def test_a_wrapped_counter_counts_what_was_added(steps, start):
    total, taken = start, [(0.0, start)]
    for number, step in enumerate(steps, 1):
        step = min(step, 499)
        total += step
        taken.append((float(number), total % 1000))
    found = energy.unwrapped(taken, 1000)
    assert found[-1][1] - found[0][1] == total - start
    assert all(later[1] >= sooner[1] for sooner, later in pairwise(found))


@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=60))
def test_only_a_counter_that_never_falls_has_an_energy(values):
    rows = [(0.1 * number, value) for number, value in enumerate(values)]
    found = energy.of_trial(of(rows, "energy_mj"), None, None)
    falls = any(later < sooner for sooner, later in pairwise(values))
    if falls:
        assert isinstance(found, energy.Refused)
        assert found.broken
    if isinstance(found, energy.Energy):
        assert 0 < found.energy_j <= (max(values) - min(values)) * 1e-3 + 1e-9
        assert found.duration_s > 0


def test_a_counter_that_contradicts_the_power_of_its_device_is_refused():
    rows = [(0.1 * n, 187e3 * 0.1 * n, 327.0) for n in range(100)]
    found = energy.of_trial(of(rows, "energy_mj", "power_w"), None, None)
    assert isinstance(found, energy.Refused)
    assert found.why == "the counter tells 187 W, the device's power readings 327 W"
    agreeing = energy.of_trial(of([(t, e, 190.0) for t, e, _ in rows], "energy_mj", "power_w"), None, None)
    assert isinstance(agreeing, energy.Energy)


def test_a_window_of_few_steps_is_too_short_and_no_fault_of_the_counter():
    rows = [(0.1 * n, 100 * (n // 10)) for n in range(40)]
    found = energy.of_trial(of(rows, "energy_mj"), readings.Window(began_s=0.5, ended_s=1.5), None)
    assert found == energy.Refused(why="energy_mj: the window is too short: 1 step of the counter inside", broken=False)


def told(spans, steps):
    from dlaudit.runners.trial.events import Options

    options = Options(effective={}, observed={}, work_per_iteration=8, work_unit="samples", samples_per_iteration=8)
    return Events(options=options, columns={"step_time_s": steps}, spans=spans)


def test_work_grows_inside_chunks_and_rests_between_them():
    spans = (Span(first=0, count=2, began_s=10.0, ended_s=12.0), Span(first=2, count=1, began_s=15.0, ended_s=16.0))
    at = progress.position(told(spans, [0.5, 1.5, 1.0]))
    assert [at(time_s) for time_s in (9.0, 10.0, 10.25, 10.5, 11.25, 12.0, 14.0, 15.5, 16.0, 99.0)] == [
        *(0, 0, 4, 8, 12, 16, 16, 20, 24, 24),
    ]
    assert progress.window(told(spans, [])) == readings.Window(began_s=10.0, ended_s=16.0)
    assert progress.position(told((), [0.5])) is None


@given(st.lists(st.floats(1e-6, 10), min_size=1, max_size=30), st.lists(st.floats(-1, 400), min_size=2, max_size=10))
def test_work_never_shrinks_and_never_exceeds_what_was_done(steps, moments):
    span = Span(first=0, count=len(steps), began_s=0.0, ended_s=sum(steps) * 1.01)
    at = progress.position(told((span,), steps))
    done = [at(moment) for moment in sorted(moments)]
    assert all(sooner <= later + 1e-9 for sooner, later in pairwise(done))
    assert all(0 <= one <= 8 * len(steps) for one in done)


def test_chunks_that_contradict_each_other_fail_the_trial(tmp_path):
    path = tmp_path / "events.jsonl"
    lines = [
        {"event": "iterations", "first": 0, "step_time_s": [1.0], "began_s": 5.0, "ended_s": 6.0},
        {"event": "iterations", "first": 1, "step_time_s": [1.0], "began_s": 5.5, "ended_s": 7.0},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert "before the other's end" in gather(path).problem
    del lines[1]["began_s"], lines[1]["ended_s"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert "others do not" in gather(path).problem


@pytest.mark.parametrize(("stuck", "seconds"), [(False, 0.8), (True, 2.6)])
def test_an_amd_gpu_counts_energy_or_is_refused(tmp_path, stuck, seconds):
    fake = HERE.parent / "fakes" / "amdsmi"
    state = {"cap": 1, "level": "", "limit": 0, "busy": 1, **({"stuck": 1} if stuck else {})}
    (tmp_path / "gpus").write_text(json.dumps([state, state]))
    environment = {**os.environ, "PYTHONPATH": str(fake), "FAKE_AMDSMI_STATE": str(tmp_path / "gpus")}
    order = {"sysroot": "/", "on_processor": False, "amd": ["01ff0000-0000-1000-8000-000000000000"]}
    reader = subprocess.Popen(
        [sys.executable, "-P", "-m", "dlaudit.runners.telemetry.process", json.dumps(order)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    )
    assert b"AMD GPU" in reader.stdout.readline()
    reader.stdin.write(json.dumps(str(tmp_path / "x")).encode() + b"\n")
    reader.stdin.flush()
    time.sleep(seconds)
    reader.communicate()
    taken = readings.load(tmp_path / "x")
    assert {"clock_mhz", "utilisation", "power_w"} <= readings.columns(taken, None).keys()
    found = energy.of_trial(taken, None, None)
    if stuck:
        assert isinstance(found, energy.Refused)
        assert "stood still" in found.why
    else:
        assert found.method == "counter"
        assert found.energy_j / found.duration_s == pytest.approx(500, rel=0.1)


def test_a_gpu_that_cannot_be_told_is_not_mistaken_for_the_processor(tmp_path, packages):
    sources, refused = process.open_sources(process.Order(sysroot=str(packages), on_processor=False))
    assert [source.about for source in sources] == ["the kernel's counters"]
    assert "cannot be told" in refused["device"]
