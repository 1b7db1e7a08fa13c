"""Whole studies of a service: an honest one passes under publication, and its quality is that of what was served."""

import json
import subprocess
from pathlib import Path

import pytest
from dlaudit.runners.serving import process
from support.forks import dlaudit, program

MEASURE = Path(__file__).parents[1] / "programs" / "measure.py"
CLAIMED = ("rate", "goodput", "ttft", "tpot", "latency")
SERVED = {
    "model": "scripted",
    "weights": "none",
    "precision": {"compute": "fp32", "accumulate": "fp32", "weights": "fp32", "communication": "fp32"},
    "sparsity": "none",
    "quantisation": "none",
    "attention": "exact",
    "cache_format": "fp32",
    "tensor_parallel": 1,
    "devices": 1,
}


def run(folder, spec, *, git=False):
    (folder / "spec.json").write_text(json.dumps({"dlaudit": "spec/1", "title": "A service", **spec}))
    if git:
        for words in (["init", "-q"], ["add", "spec.json"], ["commit", "-q", "-m", "m"]):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=folder, check=True)
        subprocess.run(["git", "remote", "add", "origin", "https://git.example.org/s"], cwd=folder, check=True)
    done = program([MEASURE, "run", "spec.json", "--unsigned", "--out", "out"], folder)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "out" / "manifest.json").read_text())["predicate"]["arms"]


def judged(folder):
    line = ["lint", "out/submission.json", "--profile", "publication", "--format", "json"]
    return json.loads(dlaudit(line, folder).stdout)


@pytest.mark.slow
def test_an_honest_study_passes_under_publication(tmp_path):
    with process.started("scripted", {"ttft_s": 0.1, "gap_s": 0.02}) as url:
        load = {
            "url": url,
            "model": "scripted",
            "rate": 100,
            "prompt_tokens": 8,
            "output_tokens": 6,
            "tokenizer": "words",
        }
        load |= {"prefix_cache": False, "speculation": "none", "batching": "none"}
        spec = {
            "workload": {
                "name": "serving",
                "parameters": load | {"ttft_ms": 30000, "tpot_ms": 5000, "latency_ms": 60000},
            },
            "arms": {"base": {"options": SERVED}},
            "throughput": {"warmup": 10, "iterations": 110, "trials": 5},
            "claims": {"purpose": "serving_objective", "mode": "inference"},
        }
        arms = run(tmp_path, spec, git=True)
    performance = arms["base"]["performance"]
    assert performance["rate"]["n"] == {"unit": "request", "planned": 550, "completed": 550, "failed": 0, "excluded": 0}
    assert set(performance["ttft"]["summary"]["percentiles"]) == {"50", "90", "95", "99"}
    tail = performance["ttft_p99"]
    assert tail["value"] == performance["ttft"]["summary"]["percentiles"]["99"]
    assert float(tail["interval"]["low"]) < float(tail["interval"]["high"])
    assert float(performance["goodput"]["value"]) == pytest.approx(float(performance["request_rate"]["value"]))
    assert arms["base"]["measurement"]["client"]["requests"] == 40
    claims = judged(tmp_path)["documents"][0]["claims"]
    assert set(claims) == {f"base-{name}" for name in CLAIMED}
    assert {one["verdict"] for one in claims.values()} <= {"PASS", "PASS WITH CAVEATS"}, claims
    assert dlaudit(["report", "out/submission.json", "--out", "r.html"], tmp_path).returncode == 0
    page = (tmp_path / "r.html").read_text("utf-8")
    assert all(
        title in page for title in ("Time to the first token", "Time of a request", "Requests one after another")
    )


@pytest.mark.slow
def test_the_quality_is_that_of_what_was_served_beside_its_reference(tmp_path):
    load = {"rate": 50, "prompt_tokens": 8, "output_tokens": 8, "test_examples": 60, "train_steps": 30, "length": 48}
    spec = {
        "workload": {"name": "serving", "parameters": load},
        "arms": {
            "reference": {},
            "int4": {"workload": {"parameters": {"quantisation": "int4"}}, "interference": 0.2},
        },
        "throughput": {"warmup": 1, "iterations": 6, "trials": 1},
        "claims": {"baseline": "reference", "purpose": "method_speedup", "mode": "inference"},
        "telemetry": False,
        "controls": {"threads": 1},
    }
    arms = run(tmp_path, spec)
    exact, rounded = arms["reference"]["quality"]["accuracy"], arms["int4"]["quality"]["accuracy"]
    assert exact["examples"] == rounded["examples"] == 60
    assert exact["counted"] is True
    assert exact["output_length"]["generated"] == exact["output_length"]["reference"]
    assert rounded["output_length"]["reference"] == exact["output_length"]["reference"]
    assert arms["int4"]["options"]["quantisation"] == "int4 weights"
    assert arms["int4"]["options"]["extra"]["interference"] == 0.2
    assert arms["int4"]["options"]["weights"] != arms["reference"]["options"]["weights"]
    claims = json.loads((tmp_path / "out" / "submission.json").read_text())["claims"]
    assert claims["int4-rate"]["quality"] == {"manifest": "study", "arm": "int4", "quality": "accuracy"}
    assert "quantisation" in claims["int4-over-reference"]["treatment"]
