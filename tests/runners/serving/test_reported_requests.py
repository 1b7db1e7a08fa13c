"""A program that reports requests: they may overlap, and their rate is work over the window."""

import json
import sys
from pathlib import Path

import pytest
from support import forks

PROGRAMS = Path(__file__).parents[1] / "programs"
MEASURE = PROGRAMS / "measure.py"


def measured(folder, program, iterations=40, trials=3, **spec):
    value = {
        "dlaudit": "spec/1",
        "title": "t",
        "workload": {"command": [sys.executable, "-S", str(program)]},
        "throughput": {"warmup": 2, "iterations": iterations, "trials": trials},
        "telemetry": False,
        **spec,
    }
    (folder / "spec.json").write_text(json.dumps(value))
    done = forks.program([MEASURE, "run", "spec.json", "--unsigned", "--out", "out"], folder)
    assert (folder / "out" / "manifest.json").exists(), done.stderr
    return json.loads((folder / "out" / "manifest.json").read_text())["predicate"]["arms"], done


def test_an_open_loop_has_the_rate_of_its_window_and_not_of_its_median_latency(tmp_path):
    arms, _ = measured(tmp_path, PROGRAMS / "open_loop.py")
    performance = arms["base"]["performance"]
    # 100 times faster than 32 tokens each 0.93 s, which are 34.4 tokens/s; over the median latency they would be 108.9
    window_s = 39 * 0.9302 + 0.2938
    assert float(performance["rate"]["value"]) / 100 == pytest.approx(40 * 32 / window_s, rel=1e-3)
    assert float(performance["rate"]["value"]) / 100 == pytest.approx(34.4, rel=0.02)
    assert float(performance["request_rate"]["value"]) / 100 == pytest.approx(40 / window_s, rel=1e-3)
    assert performance["rate"]["n"] == {"unit": "request", "planned": 120, "completed": 120, "failed": 0, "excluded": 0}
    assert float(performance["ttft"]["value"]) == pytest.approx(0.2938 / 400, rel=1e-3)
    claims = json.loads((tmp_path / "out" / "submission.json").read_text())["claims"]
    assert float(claims["base-rate"]["value"]) / 100 == pytest.approx(34.4, rel=0.02)
    samples = json.loads((tmp_path / "out" / "trials" / "base-t1.samples.json").read_text())
    assert len(samples["requests"]["outcome"]) == 40
    assert len(samples["warmup_requests"]["outcome"]) == 2
