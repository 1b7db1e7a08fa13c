"""The knobs on a real NVIDIA GPU, read and never changed."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from dlaudit.runners.environment import accelerators, gpu_clocks, nvml
from dlaudit.runners.environment.knobs import registry
from dlaudit.runners.environment.knobs.interface import Refused
from dlaudit.runners.telemetry import energy, readings
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import Controls

CONTROLS = {
    "gpus": [0],
    "gpu_sm_clock_mhz": 1005,
    "gpu_memory_clock_mhz": 1005,
    "gpu_power_limit_w": 500,
    "gpu_persistence_mode": True,
    "gpu_compute_mode": "default",
    "gpu_ecc": True,
}
STEADY = [knob for knob in registry.KNOBS if knob.NAME in ("gpu_persistence_mode", "gpu_power_limit_w")]


def uuids():
    try:
        return nvml.uuids()
    except Refused:
        return ()


pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not uuids(), reason="no NVIDIA driver answers")]


@pytest.mark.parametrize("knob", [one for one in registry.KNOBS if one.SCOPE == "gpu"], ids=lambda one: one.NAME)
def test_every_knob_can_be_read(knob):
    assert knob.NAME in CONTROLS
    try:
        json.dumps(knob.read(uuids()[0]))
    except Refused as refused:
        pytest.skip(str(refused))


def test_what_the_driver_shows():
    facts = accelerators.accelerators().value
    assert facts["driver"]
    assert facts["devices"][0]["uuid"].startswith("GPU-")
    assert facts["devices"][0]["memory_bytes"] > 2**30


def test_the_clock_under_load_is_seen():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no CUDA device")
    uuid = f"GPU-{torch.cuda.get_device_properties(0).uuid}"
    matrix = torch.randn(8192, 8192, device="cuda:0")
    readings = [gpu_clocks.read(uuid)]
    end = time.monotonic() + 2
    while time.monotonic() < end:
        matrix @ matrix
        torch.cuda.synchronize()
        readings.append(gpu_clocks.read(uuid))
    held = gpu_clocks.judge(readings, "sm", readings[-2]["sm_mhz"])
    assert held.measured["samples_loaded"] > 5, readings[-3:]


def test_a_dry_run_changes_nothing(tmp_path):
    before = [knob.read(uuids()[0]) for knob in STEADY]
    assert registry.requested(to_model(CONTROLS, Controls))
    spec = {"dlaudit": "spec/1", "title": "t", "workload": {"name": "gemm"}, "throughput": {"iterations": 1}}
    (tmp_path / "spec.json").write_text(json.dumps({**spec, "device": "cuda:0", "controls": CONTROLS}))
    line = [str(Path(sys.executable).parent / "dlaudit"), "run", "spec.json", "--dry-run"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.count("gpu_sm_clock_mhz") == 1
    assert before == [knob.read(uuids()[0]) for knob in STEADY]


def test_sensors_are_read_beside_the_work(tmp_path):
    order = {"sysroot": "/", "on_processor": False, "gpus": [uuids()[0]]}
    reader = subprocess.Popen(
        [sys.executable, "-P", "-m", "dlaudit.runners.telemetry.process", json.dumps(order)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert uuids()[0].encode() in reader.stdout.readline()
    reader.stdin.write(json.dumps(str(tmp_path / "x")).encode() + b"\n")
    reader.stdin.flush()
    time.sleep(8)
    reader.communicate()
    taken = readings.load(tmp_path / "x")
    told = readings.columns(taken, None)
    assert {"sm_clock_mhz", "power_w", "temperature_c", "utilisation"} <= told.keys()
    assert taken.cpu_s / taken.wall_s < 0.01
    found = energy.of_trial(taken, None, None)
    if isinstance(found, energy.Refused):
        pytest.skip(found.why)
    mean_w = sum(told["power_w"]) / len(told["power_w"])
    assert found.energy_j / found.duration_s == pytest.approx(mean_w, rel=0.2)
