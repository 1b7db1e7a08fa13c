"""From a finding to its evidence: the pieces of spec that not-shown findings offer are run, and the findings go."""

import json
import sys
from pathlib import Path

import pytest
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import NotShown, Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.source import parse
from dlaudit.schemas.submission import Submission
from support.forks import dlaudit

PROGRAM = Path(__file__).parent / "programs" / "naps.py"
CLAIM = {
    "statement": "Training runs at 4000 samples per second.",
    "value": "4000",
    "unit": "samples/s",
    "quantity": "rate",
    "form": "absolute",
    "scope": "step",
    "purpose": "method_speedup",
    "mode": "training",
    "compares": "none",
}


def offered(code):
    """Return the piece that a rule offers on the bare sentence."""
    case = Case(to_model({"dlaudit": "submission/1", "title": "t", "claims": {"rate": CLAIM}}, Submission))
    result = judge(case, [by_code(code)])[0]
    assert isinstance(result.branch, NotShown)
    return parse(result.branch.provide.encode(), "piece.yaml").value


@pytest.mark.parametrize("code", ["M04", "W0201"])
def test_running_the_piece_settles_the_finding(code, tmp_path):
    spec = {
        "dlaudit": "spec/1",
        "title": "naps",
        "workload": {"command": [sys.executable, "-S", "-E", str(PROGRAM), "0.001"]},
        "throughput": {"warmup": 1, "iterations": 2, "trials": 1},
        **offered(code),
    }
    if "convergence" in spec:
        # the program learns its task in 100 samples, where the piece speaks of a real one
        spec["convergence"] |= {"evaluate_every_samples": 20, "max_samples": 100}
        spec["convergence"]["target"]["value"] = "0.5"
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    done = dlaudit(["run", "spec.json", "--out", "study", "--unsigned", "--ledger", "ledger.jsonl"], tmp_path)
    assert done.returncode == 0, done.stderr
    verdict = json.loads((tmp_path / "study" / "verdict.json").read_text())["documents"][0]
    found = {finding["code"] for claim in verdict["claims"].values() for finding in claim["findings"]}
    decided = {code for claim in verdict["claims"].values() for code in claim["coverage"]["decided"]}
    assert code not in found
    assert code in decided


def test_without_the_piece_the_finding_is_there(tmp_path):
    for code in ("M04", "W0201"):
        case = Case(to_model({"dlaudit": "submission/1", "title": "t", "claims": {"rate": CLAIM}}, Submission))
        assert judge(case, [by_code(code)])[0].outcome is Outcome.NOT_SHOWN
