"""Tables of one's own: validated, named in the verdict with their digest, and never taken from a submission."""

import hashlib
import json

import pytest
from dlaudit.audit.cli import run
from dlaudit.rules.bases import base
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.facts.device.specification import device_of, named_device
from dlaudit.rules.facts.training.dataset import counted
from dlaudit.rules.tables.accelerators import Device
from dlaudit.rules.tables.datasets import Dataset
from dlaudit.rules.tables.own import OwnTable
from dlaudit.schemas.conditions import System
from dlaudit.schemas.submission import Submission

MINE = {
    "dlaudit": "accelerators/1",
    "devices": {"mine-x1": {"vendor": "Mine", "segment": "datacenter", "names": ["x1"], "dense_tflops": {"bf16": 100}}},
}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hand-in").mkdir()
    (tmp_path / "hand-in" / "submission.json").write_text(json.dumps(merge_patch(base("rate"), {})))
    (tmp_path / "mine.json").write_text(json.dumps(MINE))
    (tmp_path / "dlaudit.toml").write_text('tables = ["mine.json"]\n')
    return tmp_path


def notes(capsys, *arguments):
    run(["lint", "--format", "json", *arguments, "hand-in/submission.json"])
    return json.loads(capsys.readouterr().out)["documents"][0]["notes"]


def test_the_verdict_names_the_table_with_its_digest(capsys, here):
    digest = hashlib.sha256((here / "mine.json").read_bytes()).hexdigest()
    assert f"entries of own tables count: mine.json (sha256 {digest})" in notes(capsys)


def test_without_tables_nothing_is_said(capsys):
    assert not any("table" in note for note in notes(capsys, "--no-config"))


def test_under_procurement_a_table_in_the_submission_counts_for_nothing(capsys, here):
    (here / "hand-in" / "theirs.json").write_text(json.dumps(MINE))
    (here / "dlaudit.toml").write_text('tables = ["mine.json", "hand-in/theirs.json"]\n')
    said = notes(capsys, "--profile", "procurement")
    assert "left out, because they lie in the submission's folder: theirs.json" in said
    assert not any("theirs.json (sha256" in note for note in said)
    assert any("theirs.json (sha256" in note for note in notes(capsys, "--profile", "gate"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"dlaudit": "accelerators/1", "devices": {"a": {"vendor": "x"}}}', "missing field 'segment'"),
        ('{"dlaudit": "accelerators/1", "devices": {"a": {"vendr": "x"}}}', "did you mean 'vendor'"),
        ('{"dlaudit": "suites/1", "suites": {}}', "no table of devices or data sets"),
        ("[]", "no table of devices or data sets"),
        ("{", "mine.json:1"),
    ],
)
def test_a_table_that_is_not_valid_is_one_clear_error(capsys, here, text, words):
    (here / "mine.json").write_text(text)
    assert run(["lint", "hand-in/submission.json"]) == 2
    assert words in capsys.readouterr().err


def case(**tables):
    return Case(Submission(dlaudit="submission/1", title="x", claims={}), tables=(OwnTable("t.json", "0", **tables),))


def test_own_entries_are_added_to_ours_and_replace_them():
    mine = Device(vendor="Mine", segment="datacenter", names=("x1",), dense_tflops={"bf16": 100})
    changed = Device(vendor="NVIDIA", segment="datacenter", names=("a10",), memory_gb=48)
    both = case(devices={"mine-x1": mine, "nvidia-a10": changed})
    assert named_device(both, "8x X1").devices == (mine,)
    assert named_device(both, "NVIDIA A10").devices == (changed,)
    assert device_of(both, System(name="node", device="A100")).kind == "envelope"
    data = case(datasets={"ours": Dataset("Ours", ("ours", "Our set"), "image", evaluated=123, metrics={"acc": True})})
    found = counted(data, "our-set", "test accuracy")
    assert (found.examples, found.is_count) == (123, True)
    assert counted(data, "ImageNet", "top-1").examples == 50000
    assert counted(data, "unheard of", "top-1") is None
    assert counted(data, None, "top-1") is None
