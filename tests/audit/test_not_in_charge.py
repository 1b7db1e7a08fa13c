"""What is handed in is not in charge: no setting, list, waiver or code of its own changes how it is judged."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.handed_in import bar
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch

MIXED = {
    "claims": {"speedup": {"quality": {"arm": "plain", "quality": "loss"}}},
    "arms": {"fused": {"options": {"attention": "window 128"}}},
}
FORMATS = ("text", "json", "sarif", "junit", "github", "markdown", "html")
TERMS = ["--reason", "accepted_risk", "--justification", "known", "--approver", "A. Vendor", "--expires", "2999-12-31"]
SAID = "ignored, because it is part of what is being judged"


@pytest.fixture
def vendor(tmp_path, monkeypatch, capsys):
    """A folder that a vendor hands in: a claim that fails, and a configuration with a waiver that would excuse it."""
    folder = tmp_path / "vendor"
    folder.mkdir()
    (folder / "claim.json").write_text(json.dumps(merge_patch(base("training-pair"), MIXED)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    _, _, found = judged(capsys, "vendor/claim.json")
    fingerprint = next(item["fingerprint"] for item in found if item["code"] == "W0801")
    assert run(["waive", fingerprint, "vendor/claim.json", *TERMS, "--out", "vendor/waivers.json"]) == 0
    (folder / "dlaudit.toml").write_text('waivers = "waivers.json"\n')
    capsys.readouterr()
    return folder


def judged(capsys, *arguments):
    """Return the verdict, the notes and the findings of the first document."""
    capsys.readouterr()
    run(["lint", "--format", "json", *map(str, arguments)])
    document = json.loads(capsys.readouterr().out)["documents"][0]
    parts = [document, *document["claims"].values()]
    return document["verdict"], document["notes"], [finding for part in parts for finding in part["findings"]]


@pytest.mark.parametrize(
    ("here", "named"),
    [
        ("vendor", "."),
        ("vendor", "claim.json"),
        ("vendor", "../vendor"),
        ("vendor", "../vendor/claim.json"),
        ("vendor/below", ".."),
        ("vendor/below", "../claim.json"),
        (".", "vendor"),
        ("vendor", "../linked"),
        ("linked", "claim.json"),
    ],
)
def test_a_configuration_in_what_is_judged_counts_for_nothing(vendor, here, named, monkeypatch, capsys):
    (vendor / "below").mkdir()
    (vendor.parent / "linked").symlink_to(vendor)
    monkeypatch.chdir(vendor.parent / here)
    verdict, notes, _ = judged(capsys, named)
    assert verdict == "FAIL"
    assert any(note.startswith(SAID) for note in notes) == (here != ".")


@pytest.mark.parametrize("text", ["[tool.dlaudit]\nwaivers = 'waivers.json'\n", "[tool.dlaudit]\nprofile = 3\n"])
def test_nor_does_one_in_a_project_file(vendor, text, monkeypatch, capsys):
    (vendor / "dlaudit.toml").unlink()
    (vendor / "pyproject.toml").write_text(text)
    monkeypatch.chdir(vendor)
    verdict, notes, _ = judged(capsys, ".")
    assert (verdict, [note.startswith(SAID) for note in notes]) == ("FAIL", [True])


@pytest.mark.parametrize("text", ["x = " + "[" * 5000 + "]" * 5000, "not toml", "plugins = true", "[rules.W0801]\nx=1"])
def test_what_it_says_is_not_even_read(vendor, text, monkeypatch, capsys):
    (vendor / "dlaudit.toml").write_text(text)
    monkeypatch.chdir(vendor)
    assert judged(capsys, ".")[0] == "FAIL"


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_says_what_was_passed_over(vendor, form, monkeypatch, capsys):
    monkeypatch.chdir(vendor)
    capsys.readouterr()
    assert run(["lint", ".", "--format", form]) == 1
    assert " ".join(capsys.readouterr().out.split()).count(SAID) == 1


NAMED = "in force because you named it, though whoever changes what is judged can change it, too: "


def test_a_configuration_above_stays_in_force(vendor, capsys):
    (vendor.parent / "dlaudit.toml").write_text('waivers = "vendor/waivers.json"\n')
    verdict, notes, _ = judged(capsys, "vendor")
    assert verdict == "PASS WITH CAVEATS"
    assert notes == [f"{NAMED}vendor/waivers.json"]


def test_one_that_is_too_deep_is_one_clear_error(vendor, capsys):
    (vendor.parent / "dlaudit.toml").write_text("x = " + "[" * 5000 + "]" * 5000)
    capsys.readouterr()
    assert run(["lint", "vendor"]) == 2
    assert "nested too deeply" in capsys.readouterr().err


def test_what_the_reader_names_counts_and_is_said(vendor, monkeypatch, capsys):
    monkeypatch.chdir(vendor)
    verdict, notes, _ = judged(capsys, ".", "--config", "dlaudit.toml")
    assert verdict == "PASS WITH CAVEATS"
    assert notes[0] == f"{NAMED}dlaudit.toml, waivers.json"
    run(["lint", ".", "--no-config", "--format", "json:known.json"])
    _, notes, _ = judged(capsys, ".", "--no-config", "--baseline", "known.json")
    assert notes[0] == f"{NAMED}known.json"


def test_show_settings_tells_of_both(vendor, monkeypatch, capsys):
    monkeypatch.chdir(vendor)
    capsys.readouterr()
    assert run(["lint", "--show-settings", "."]) == 0
    assert SAID in capsys.readouterr().out


RULE = """
from pathlib import Path
Path(__file__).with_name("ran").touch()
rule = None
"""


@pytest.mark.parametrize(("here", "named"), [("vendor", "."), ("vendor", "claim.json"), (".", "vendor")])
def test_no_plugin_is_loaded_from_what_is_judged(vendor, here, named):
    (vendor.parent / "dlaudit.toml").write_text("plugins = true\n")
    (vendor / "house.py").write_text(RULE)
    (vendor / "house-1.0.dist-info").mkdir()
    (vendor / "house-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: house\nVersion: 1.0\n")
    points = "[dlaudit.rules]\nx = house:rule\n[dlaudit.importers]\ny = house:rule\n"
    (vendor / "house-1.0.dist-info" / "entry_points.txt").write_text(points)
    for search in (".", str(vendor), f"{vendor}/../vendor"):
        environment = {**os.environ, "PYTHONPATH": search}
        command = [Path(sys.executable).with_name("dlaudit"), "lint", named, "--format", "json"]
        done = subprocess.run(command, cwd=vendor.parent / here, env=environment, capture_output=True, text=True)
        assert done.returncode == 1, done.stderr
        assert not (vendor / "ran").exists()
        if search != "." or here == "vendor":
            assert "no module is imported from what is judged" in done.stdout


def test_the_places_of_the_interpreter_itself_stay(monkeypatch):
    before = list(sys.path)
    monkeypatch.setattr(sys, "path", list(before))
    assert bar([Path(sys.prefix).resolve()]) == ()
    assert sys.path == before


def listed(version, name="buyers"):
    times = {"issued": "2026-01-01T00:00:00Z", "expires": "2999-01-01T00:00:00Z"}
    return {
        "dlaudit": "trust/1",
        "name": name,
        "version": version,
        **times,
        "keys": {},
        "rules": {"submission": {"lab": 1}},
    }


def test_no_list_that_is_handed_in_raises_the_version_of_the_readers(vendor, capsys):
    (vendor.parent / "mine.json").write_text(json.dumps(listed(3)))
    (vendor / "theirs.json").write_text(json.dumps(listed(999)))
    (vendor.parent / "sent.json").write_text(json.dumps(listed(1000)))
    assert run(["lint", "vendor", "--trust", "mine.json"]) == 1
    assert run(["lint", "vendor", "--trust", "vendor/theirs.json"]) == 1
    assert run(["lint", "vendor", "--trust", "sent.json"]) == 1
    assert run(["lint", "vendor", "--trust", "mine.json"]) == 1
    (vendor.parent / "mine.json").write_text(json.dumps(listed(2)))
    capsys.readouterr()
    assert run(["lint", "vendor", "--trust", "mine.json"]) == 5
    assert "version 3 was used here before" in capsys.readouterr().err


def test_a_signed_list_that_is_handed_in_takes_no_name(vendor, capsys):
    (vendor.parent / "mine.json").write_text(json.dumps(listed(3)))
    assert run(["keygen", "--no-passphrase", "--out", "keys"]) == 0
    (private,) = (vendor.parent / "keys").glob("*.key")
    assert run(["trust", "sign", "mine.json", "--key", str(private), "--out", "vendor/signed.json"]) == 0
    assert run(["lint", "vendor", "--trust", "vendor/signed.json"]) == 1
    assert run(["lint", "vendor", "--trust", "mine.json"]) == 1
