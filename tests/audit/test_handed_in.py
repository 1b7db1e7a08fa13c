"""The reader's nonce through the front door, and waivers that came with a submission."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.rules.bases import base

STUDY = Path(__file__).parents[2] / "examples" / "honest" / "study"
WAIVERS = {"dlaudit": "waivers/1", "waivers": {}}


@pytest.fixture
def study(tmp_path):
    """Return a function that copies a study, with a nonce in its record, and gives its submission."""

    def copy(nonce):
        folder = tmp_path / "study"
        shutil.copytree(STUDY, folder)
        (folder / "manifest.dsse.json").unlink()
        manifest = json.loads((folder / "manifest.json").read_bytes())
        manifest["predicate"]["study"]["nonce"] = nonce
        data = json.dumps(manifest, sort_keys=True, indent=1).encode()
        (folder / "manifest.json").write_bytes(data)
        submission = json.loads((folder / "submission.json").read_bytes())
        for cited in submission["manifests"].values():
            cited["sha256"] = hashlib.sha256(data).hexdigest()
        (folder / "submission.json").write_text(json.dumps(submission))
        return folder / "submission.json"

    return copy


def findings(capsys, *arguments):
    capsys.readouterr()
    code = run(["lint", "--format", "json", *map(str, arguments)])
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    found = [item for claim in document["claims"].values() for item in claim["findings"]] + document["findings"]
    return code, {item["code"]: item for item in found}


def test_another_nonce_than_the_readers_fails(study, capsys):
    submission = study("8d04e1")
    code, found = findings(capsys, "--nonce", "2f1c9b0e7a", submission)
    assert code == 1
    assert (found["I04"]["outcome"], found["I04"]["effect"]) == ("violation", "undermines")
    assert found["I04"]["place"]["file"].endswith("manifest.json")


def test_the_readers_nonce_passes_and_none_decides_nothing(study, capsys):
    submission = study("2f1c9b0e7a")
    assert "I04" not in findings(capsys, "--nonce", "2f1c9b0e7a", submission)[1]
    assert "I04" not in findings(capsys, submission)[1]


def test_procurement_asks_for_a_nonce(study, capsys):
    submission = study("2f1c9b0e7a")
    found = findings(capsys, "--profile", "procurement", submission)[1]["I04"]
    assert (found["outcome"], found["decides"]) == ("not-shown", True)


def test_the_nonce_is_among_the_settings(capsys):
    assert run(["lint", "--no-config", "--nonce", "2f1c9b0e7a", "--show-settings"]) == 0
    assert "nonce    2f1c9b0e7a  (command line)" in capsys.readouterr().out


@pytest.fixture
def handed_in(tmp_path, monkeypatch):
    """Return a folder with a submission, beneath the one where the reader works."""
    folder = tmp_path / "vendor"
    folder.mkdir()
    (folder / "claim.json").write_text(json.dumps(base("rate")))
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.mark.parametrize("name", ["waivers.json", "Waiver.yaml", "our-waivers.yml", "waivers.yaml.dsse.json"])
def test_waivers_that_came_with_a_submission(handed_in, name, capsys):
    (handed_in / name).write_text(json.dumps(WAIVERS))
    found = findings(capsys, handed_in / "claim.json")[1]["R10"]
    assert (found["effect"], name in found["message"]) == ("caveat", True)


ENVELOPE = json.dumps({"payload": "e30=", "payloadType": "application/vnd.dlaudit.waivers+json", "signatures": []})
LAST = json.dumps({"waivers": WAIVERS["waivers"], "note": "-" * 50_000, "dlaudit": "waivers/1"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("acceptance.json", json.dumps(WAIVERS)),
        ("terms", "dlaudit: waivers/1\nwaivers: {}\n"),
        ("agreed.yaml", "'dlaudit': 'waivers/1'\n"),
        ("accepted.json", ENVELOPE),
        ("last.json", LAST),
    ],
)
def test_waivers_under_another_name(handed_in, name, text, capsys):
    (handed_in / name).write_text(text)
    found = findings(capsys, handed_in / "claim.json")[1]["R10"]
    assert (found["effect"], name in found["message"]) == ("caveat", True)


def test_a_text_on_waivers_and_a_link_are_none(handed_in, capsys):
    (handed_in / "README.md").write_text('A file of waivers begins with `"dlaudit": "waivers/1"`.')
    (handed_in / "quoted.json").write_text(json.dumps({"text": '{"dlaudit": "waivers/1"}'}))
    (handed_in / "elsewhere.json").symlink_to(handed_in.parent / "gone.json")
    assert "R10" not in findings(capsys, handed_in / "claim.json")[1]


@pytest.mark.parametrize("name", ["waivers.md", "waiverless.json", "claim-waivers"])
def test_other_files_are_none(handed_in, name, capsys):
    (handed_in / name).write_text("{}")
    assert "R10" not in findings(capsys, handed_in / "claim.json")[1]


def test_the_readers_own_waivers(handed_in, monkeypatch, capsys):
    """The file that the reader chose, and one in the folder where the reader works, excuse nothing by themselves."""
    (handed_in / "waivers.json").write_text(json.dumps(WAIVERS))
    assert "R10" not in findings(capsys, "--waivers", handed_in / "waivers.json", handed_in / "claim.json")[1]
    monkeypatch.chdir(handed_in)
    assert "R10" not in findings(capsys, "claim.json")[1]
