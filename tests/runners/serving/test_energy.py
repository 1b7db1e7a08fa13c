"""Energy of a service: tokens per joule, and joules per answered request."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from dlaudit.runners.record.consumption import Timed, performance
from dlaudit.runners.record.events import Events
from dlaudit.runners.record.served import saturated
from dlaudit.runners.telemetry.readings import Header, Readings
from dlaudit.runners.trial.events import Options
from dlaudit.schemas.requests import Requests
from support.forks import dlaudit

PROGRAMS = Path(__file__).parents[1] / "programs"
MEASURE, SERVICE = PROGRAMS / "measure.py", PROGRAMS / "busy_service.py"

TOLD = {"effective": {}, "observed": {}, "work_unit": "tokens", "samples_per_iteration": 0}


def events(count, apart_s, latency_s, *, failed=0):
    due = tuple(index * apart_s for index in range(count))
    requests = Requests(
        scheduled_s=due,
        sent_s=due,
        ended_s=tuple(at + latency_s for at in due),
        content_s=tuple((at + latency_s / 2, at + latency_s) for at in due),
        outcome=("failed",) * failed + ("completed",) * (count - failed),
        output_tokens=(10,) * count,
    )
    options = Options(**TOLD, work_per_iteration=1, load={"loop": "open"})
    return Events(requests=requests, options=options)


def test_tokens_per_joule_and_joules_per_request():
    header = Header(dlaudit="telemetry/1", columns=("monotonic_s", "power_w"), period_s=0.1)
    readings = Readings(header=header, rows=tuple((0.1 * at, 50.0) for at in range(400)))
    served = events(20, 1.0, 0.5, failed=4)
    found = performance([Timed(events=served, readings=readings)], 1)
    # 16 of 20 requests were answered in 19.5 s at 50 W, with ten tokens each
    assert float(found["energy_per_request"]["value"]) == pytest.approx(19.5 * 50 / 16, rel=0.02)
    assert float(found["work_per_joule"]["value"]) == pytest.approx(160 / (19.5 * 50), rel=0.02)
    assert found["work_per_joule"]["unit"] == "tokens/J"


def test_a_load_that_is_not_kept_up_with_is_saturated():
    assert not saturated(events(50, 0.1, 0.2))
    assert saturated(events(50, 0.1, 5.0))
    assert saturated(events(50, 0.1, 0.2, failed=20))


def test_a_served_token_has_an_energy_that_is_drafted_and_holds(gpus):
    spec = {
        "dlaudit": "spec/1",
        "title": "a busy service",
        "device": "cuda:0",
        "workload": {"command": [sys.executable, "-S", "-E", str(SERVICE), str(gpus.folder / "gpus"), "1.6"]},
        "throughput": {"warmup": 0, "iterations": 60, "trials": 3},
        "claims": {"purpose": "serving_objective", "mode": "inference"},
    }
    (gpus.folder / "spec.json").write_text(json.dumps(spec))
    line = [sys.executable, "-P", MEASURE, "run", "spec.json", "--unsigned", "--out", "out"]
    environment = {**os.environ, "HOME": str(gpus.folder), **gpus.environment}
    told = subprocess.run(line, cwd=gpus.folder, env=environment, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    arm = json.loads((gpus.folder / "out/manifest.json").read_text())["predicate"]["arms"]["base"]
    each, per_joule = (float(arm["performance"][name]["value"]) for name in ("energy_per_token", "work_per_joule"))
    # 960 tokens in 1.6 s at 250 W
    assert each == pytest.approx(250 * 1.6 / 960, rel=0.25)
    assert each * per_joule == pytest.approx(1, rel=1e-3)
    assert float(arm["performance"]["energy_per_request"]["value"]) == pytest.approx(16 * each, rel=1e-3)
    drafted = json.loads((gpus.folder / "out/submission.json").read_text())["claims"]["base-energy_per_token"]
    assert f"{drafted['value']} J per output token at 37.5 requests/s offered" in drafted["statement"]
    line = ["lint", "out/submission.json", "--claim", "base-energy_per_token", "--format", "json"]
    (document,) = json.loads(dlaudit(line, gpus.folder).stdout)["documents"]
    (claim,) = document["claims"].values()
    assert not {"refutes", "undermines"} & {finding["effect"] for finding in claim["findings"]}, claim
    assert not {"L01", "L11"} & {finding["code"] for finding in claim["findings"]}, claim
