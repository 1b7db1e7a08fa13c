"""The submission that a study drafts says what a careful author would say."""

import json
import os
import subprocess
import sys
from pathlib import Path

from dlaudit.audit import implied
from dlaudit.rules.documentation import merge_patch
from dlaudit.schemas.model import to_model
from dlaudit.schemas.source import read
from dlaudit.schemas.spec import Spec
from dlaudit.schemas.validation import validate

ROOT = Path(__file__).parents[2]
DLAUDIT = str(Path(sys.executable).parent / "dlaudit")


def drafted(patch):
    manifest = json.loads((ROOT / "schemas" / "examples" / "manifest.json").read_bytes())
    arm = next(iter(manifest["predicate"]["arms"]))
    manifest = merge_patch(manifest, {"predicate": {"arms": {arm: patch}}})
    spec = to_model(read(ROOT / "examples" / "quickstart.yaml").value, Spec)
    submission = implied.submission(manifest, "0" * 64, spec)
    assert validate("submission", submission) == ()
    return submission["claims"][f"{arm}-rate"]


def test_synthetic_inputs_are_said_beside_the_number():
    claim = drafted({"measurement": {"pipeline": {"kind": "synthetic"}}})
    assert claim["said"] == [{"topic": "synthetic_input", "quote": "synthetic inputs"}]
    assert "synthetic inputs" in claim["statement"]


def test_real_inputs_need_no_word():
    claim = drafted({"measurement": {"pipeline": {"kind": "real"}}})
    assert "said" not in claim
    assert "synthetic" not in claim["statement"]


def test_every_claim_of_a_draft_on_synthetic_inputs_says_so(tmp_path):
    spec = {
        "dlaudit": "spec/1",
        "title": "batches",
        "workload": {"name": "mlp"},
        "arms": {"small": {"options": {"global_batch": 32}}, "large": {"options": {"global_batch": 128}}},
        "throughput": {"warmup": 5, "iterations": 30, "trials": 2},
        "controls": {"threads": 1},
        "claims": {"purpose": "method_speedup", "baseline": "small"},
    }
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    command = [DLAUDIT, "run", "spec.json", "--unsigned", "--out", "study"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    claims = json.loads((tmp_path / "study/submission.json").read_bytes())["claims"]
    assert claims.keys() == {"small-rate", "large-rate", "large-over-small"}
    for claim in claims.values():
        assert claim["said"] == [{"topic": "synthetic_input", "quote": "synthetic inputs"}]
        assert "synthetic inputs" in claim["statement"]
    assert "undermines" not in (tmp_path / "study/verdict.json").read_text()
