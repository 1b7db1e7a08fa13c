"""The submission that a study drafts says what a careful author would say."""

import json
from pathlib import Path

import pytest
from dlaudit.audit import implied
from dlaudit.rules.documentation import merge_patch
from dlaudit.schemas.model import to_model
from dlaudit.schemas.source import read
from dlaudit.schemas.spec import Spec
from dlaudit.schemas.validation import validate

ROOT = Path(__file__).parents[2]


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


@pytest.mark.slow
def test_every_claim_of_a_draft_on_synthetic_inputs_says_so(two_batches):
    claims = json.loads((two_batches / "submission.json").read_bytes())["claims"]
    assert claims.keys() == {"small-rate", "large-rate", "large-over-small"}
    for claim in claims.values():
        assert claim["said"] == [{"topic": "synthetic_input", "quote": "synthetic inputs"}]
        assert "synthetic inputs" in claim["statement"]
    assert "undermines" not in (two_batches / "verdict.json").read_text()
