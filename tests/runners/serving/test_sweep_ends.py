"""A sweep over the load ends at saturation, and a load that was never offered is told as not run."""

import json
from pathlib import Path

import pytest
from dlaudit.runners.record.outcomes import SATURATED
from support.forks import program

MEASURE = Path(__file__).parents[1] / "programs" / "measure.py"
SLOW = {"width": 64, "layers": 2, "batch": 1, "train_steps": 0}


@pytest.mark.slow
def test_loads_above_the_one_that_was_not_kept_up_with_do_not_run(tmp_path):
    load = {"until_saturation": True, "arrival": "constant", "prompt_tokens": 4, "output_tokens": 60, **SLOW}
    spec = {
        "dlaudit": "spec/1",
        "title": "t",
        "workload": {"name": "serving", "parameters": load},
        "arms": {f"r{rate:g}": {"workload": {"parameters": {"rate": rate}}} for rate in (0.5, 2000.0, 4000.0)},
        "throughput": {"warmup": 0, "iterations": 3, "trials": 1},
        "order": {"kind": "blocked"},
        "telemetry": False,
        "controls": {"threads": 1},
    }
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    done = program([MEASURE, "run", "spec.json", "--unsigned", "--out", "out"], tmp_path)
    assert done.returncode == 0, done.stderr
    arms = json.loads((tmp_path / "out" / "manifest.json").read_text())["predicate"]["arms"]
    outcomes = {name: [one["outcome"] for one in arm["trials"].values()] for name, arm in arms.items()}
    assert outcomes == {"r0.5": ["completed"], "r2000": ["completed"], "r4000": ["not_run"]}
    assert arms["r4000"]["trials"]["r4000-t1"]["reason"] == SATURATED
    claims = json.loads((tmp_path / "out" / "submission.json").read_text())["claims"]
    assert "at 0.5 requests/s offered (constant), prompts of 4 tokens each" in claims["r0.5-rate"]["statement"]
