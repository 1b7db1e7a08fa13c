"""Services that fail, stall, cache or cut answers, measured and judged through the command line: each is flagged."""

import json
import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from dlaudit.runners.serving import process
from support.forks import dlaudit, program

MEASURE = Path(__file__).parents[1] / "programs" / "measure.py"
SCRIPT = {"ttft_s": 0.2, "gap_s": 0.001}  # a pause counts from five times the first of these: no busy machine makes one
LOAD = {
    "model": "scripted",
    "rate": 100,
    "prompt_tokens": 8,
    "output_tokens": 6,
    "ttft_ms": 20000,
    "tpot_ms": 5000,
    "tokenizer": "words",
    "prefix_cache": False,
    "speculation": "none",
    "batching": "none",
}
FLAWED = {
    "honest": ({}, {}, set()),
    "lossy": ({"fail_every": 40}, {}, {"L11"}),
    "stalling": ({"pause_every": 100, "pause_s": 2.5}, {}, {"L15"}),
    "caching": ({"cached": 6}, {"distinct_prompts": 10}, {"L08"}),
    "short": ({"cut_to": 0.5}, {}, {"L09"}),
}


def kept_quiet(path):
    """Take out of the drafted sentences how many requests were answered: said, a failure passes with a note."""
    value = json.loads(path.read_text())
    for claim in value["claims"].values():
        claim["statement"] = re.sub(r" \([\d]+ of .*?\)|, over \d+ requests of \d+", "", claim["statement"])
    path.write_text(json.dumps(value))


@pytest.mark.slow
def test_each_flaw_of_a_measured_service_is_flagged(tmp_path):
    with ExitStack() as stack:
        arms = {
            name: {
                "workload": {"parameters": asked | {"url": stack.enter_context(process.started("scripted", how))}},
                "options": {"model": "scripted"},
            }
            for name, (script, asked, _) in FLAWED.items()
            for how in [SCRIPT | script]
        }
        spec = {
            "dlaudit": "spec/1",
            "title": "Services",
            "workload": {"name": "serving", "parameters": LOAD},
            "arms": arms,
            "throughput": {"warmup": 5, "iterations": 120, "trials": 1},
            "claims": {"purpose": "serving_objective", "mode": "inference"},
            "telemetry": False,
        }
        (tmp_path / "spec.json").write_text(json.dumps(spec))
        done = program([MEASURE, "run", "spec.json", "--unsigned", "--out", "out"], tmp_path)
    assert done.returncode == 0, done.stderr
    kept_quiet(tmp_path / "out" / "submission.json")
    told = json.loads(dlaudit(["lint", "out/submission.json", "--format", "json"], tmp_path).stdout)
    claims = told["documents"][0]["claims"]
    looked_for = set.union(*(codes for *_, codes in FLAWED.values()))
    for name, (*_, codes) in FLAWED.items():
        own = [claim["findings"] for key, claim in claims.items() if key.startswith(f"{name}-")]
        shown = {found["code"] for findings in own for found in findings if found["effect"]}
        assert shown & looked_for == codes, (name, shown)
