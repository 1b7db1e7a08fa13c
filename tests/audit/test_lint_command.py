"""`dlaudit lint` through the front door: what it reads, what it writes, and its exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch

TOOL = Path(sys.executable).with_name("dlaudit")
FEW = {"arms": {"a": {"trials": None, "performance": {"rate": {"n": {"unit": "iteration", "completed": 20}}}}}}


@pytest.fixture
def honest(tmp_path):
    path = tmp_path / "honest.json"
    path.write_text(json.dumps(base("rate")))
    return path


@pytest.fixture
def caveat(tmp_path):
    path = tmp_path / "caveat.json"
    path.write_text(json.dumps(merge_patch(base("rate"), FEW)))
    return path


def test_json_is_one_document_with_every_verdict(honest, caveat, capsys):
    assert run(["lint", "--format", "json", str(honest), str(caveat)]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["dlaudit"] == "verdict/1"
    assert [item["file"] for item in value["documents"]] == ["honest.json", "caveat.json"]
    assert [item["verdict"] for item in value["documents"]] == ["PASS", "PASS WITH CAVEATS"]


def test_several_formats_at_once(honest, tmp_path, capsys):
    out = tmp_path / "verdict.json"
    assert run(["lint", "--format", f"json:{out}", "--format", "text", str(honest)]) == 0
    assert capsys.readouterr().out.startswith("PASS  honest.json")
    assert json.loads(out.read_text())["documents"][0]["verdict"] == "PASS"


@pytest.mark.parametrize(("fail_on", "code"), [("fail", 0), ("insufficient", 0), ("caveats", 1), ("never", 0)])
def test_fail_on(caveat, fail_on, code):
    assert run(["lint", "--fail-on", fail_on, str(caveat)]) == code


def test_a_folder_is_read_for_submissions(honest, caveat, tmp_path, capsys):
    (tmp_path / "notes.json").write_text('{"not": "ours"}')
    (tmp_path / "readme.txt").write_text("text")
    assert run(["lint", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "honest.json" in out
    assert "caveat.json" in out
    assert "notes.json" not in out


def test_an_empty_folder_is_nothing_to_assess(tmp_path, capsys):
    assert run(["lint", str(tmp_path)]) == 3
    assert "nothing to assess" in capsys.readouterr().err


def test_a_submission_without_claims_has_no_verdict(tmp_path):
    path = tmp_path / "empty.json"
    path.write_text(json.dumps({"dlaudit": "submission/1", "title": "nothing", "claims": {}}))
    assert run(["lint", str(path)]) in {2, 3}


def test_standard_input(honest):
    done = subprocess.run([TOOL, "lint", "-"], input=honest.read_bytes(), capture_output=True)
    assert done.returncode == 0
    assert done.stdout.startswith(b"PASS")


@pytest.mark.parametrize(
    "arguments", [["--format", "pdf"], ["--profile", "none"], ["--trust", "nowhere.json"], ["--no"]]
)
def test_bad_usage_is_exit_2_and_one_line(honest, arguments, capsys):
    assert run(["lint", *arguments, str(honest)]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_what_is_not_ours_is_named(tmp_path, capsys):
    path = tmp_path / "other.json"
    path.write_text('{"accuracy": 0.5}')
    assert run(["lint", str(path)]) == 2
    assert "neither a submission nor a study's manifest" in capsys.readouterr().err


def test_nothing_steers_the_terminal(honest, tmp_path):
    value = merge_patch(
        base("rate"), {"title": "a\u001b[2Jb\u202e", "claims": {"rate": {"statement": "x\u0007\u001b]0;y"}}}
    )
    honest.write_text(json.dumps(value))
    done = subprocess.run([TOOL, "lint", str(honest)], capture_output=True)
    assert b"\x1b" not in done.stdout
    assert "\u202e".encode() not in done.stdout


def test_a_report_never_takes_the_place_of_its_document(honest, capsys):
    before = honest.read_bytes()
    assert run(["lint", "--format", f"json:{honest}", str(honest)]) == 2
    assert honest.read_bytes() == before
    assert "a document to judge" in capsys.readouterr().err


def test_a_report_is_written_through_links_and_never_over_a_pipe(honest, tmp_path):
    (tmp_path / "link.json").symlink_to(tmp_path / "target.json")
    (tmp_path / "target.json").write_text("old")
    assert run(["lint", "--format", f"json:{tmp_path / 'link.json'}", str(honest)]) == 0
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "target.json").read_text())["dlaudit"] == "verdict/1"
    os.mkfifo(tmp_path / "pipe")
    assert run(["lint", "--format", f"json:{tmp_path / 'pipe'}", str(honest)]) == 2
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        (
            {"claims": {"rate": {"measured": {"arm": "nosuch"}}}},
            "(/claims/rate/measured/arm): there is no arm 'nosuch'",
        ),
        ({"arms": {"a": {"system": "elsewhere"}}}, "there is no system 'elsewhere'; write one of: node"),
        ({"claims": {"rate": {"row": {"table": "t"}}}}, "there is no table 't'; there is no table at all: add it"),
        ({"arms": {"a": {"trials": {"t1": {"samples": {"step_time_s": [0.1, -5.0]}}}}}}, "step_time_s/1"),
    ],
)
def test_what_leads_nowhere_or_cannot_be_is_one_clear_line(tmp_path, patch, said, capsys):
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(merge_patch(base("rate"), patch)))
    assert run(["lint", str(path)]) == 2
    assert said in capsys.readouterr().out


def test_a_full_disk_is_one_line(honest):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([TOOL, "lint", honest], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == b"dlaudit: No space left on device\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a submission that cites a log, and a table of results that nobody cites."""
    monkeypatch.chdir(tmp_path)
    document = merge_patch(base("rate"), {"arms": {"a": {"label": "x"}}})
    (tmp_path / "many").mkdir()
    (tmp_path / "many" / "own.json").write_text(json.dumps(document))
    (tmp_path / "many" / "speed.md").write_text("| model | images/s |\n|---|---|\n| ours | 412 |\n| theirs | 200 |\n")
    return tmp_path / "many"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_report_beside_a_submission_is_judged_as_it_would_be_alone(folder, capsys, jobs):
    assert run(["lint", "many", "--fail-on", "never", "--jobs", jobs]) == 0
    said = capsys.readouterr()
    assert "not judged" not in said.out + said.err
    assert " many/speed.md: " in said.out


def test_a_folder_of_reports_alone_and_a_file_that_is_cited_are_not_named(folder, capsys):
    document = json.loads((folder / "own.json").read_text())
    document["arms"]["a"]["runs"] = {"r": {"file": {"name": "speed.md"}}}
    (folder / "own.json").write_text(json.dumps(document))
    assert run(["lint", "many", "--fail-on", "never"]) == 0
    assert "not judged" not in capsys.readouterr().err
    (folder / "own.json").unlink()
    assert run(["lint", "many", "--fail-on", "never"]) == 0
    said = capsys.readouterr()
    assert "speed.md" in said.out
    assert "not judged" not in said.err


def test_a_folder_too_deep_for_reports_ends_as_one_that_cannot_be_read(folder, capsys):
    deep = folder.joinpath(*["d"] * 40)
    deep.mkdir(parents=True)
    (deep / "log.txt").write_text("x")
    assert run(["lint", "many", "--fail-on", "never"]) == 2
    assert "PASS  many/own.json" in capsys.readouterr().out


def test_a_headline_has_the_path(folder, capsys):
    (folder.parent / "many2").mkdir()
    (folder.parent / "many2" / "own.json").write_text((folder / "own.json").read_text())
    run(["lint", "many", "many2"])
    out = capsys.readouterr().out
    assert " many/own.json: " in out
    assert " many2/own.json: " in out
    run(["lint", "many2"])
    assert " many2/own.json: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("empty.yaml", "\n", "empty.yaml: it is empty"),
        ("two.yaml", "dlaudit: spec/1\ntitle: two\nworkload: {name: mlp}\n", "`dlaudit run two.yaml` runs it"),
        ("w.json", json.dumps({"dlaudit": "waivers/1", "waivers": {}}), "this is a waivers document"),
    ],
)
def test_what_makes_no_claim_is_called_by_its_name(tmp_path, monkeypatch, capsys, name, text, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text)
    assert run(["lint", name]) == 2
    assert said in capsys.readouterr().err


def test_a_field_that_excludes_another_is_named_with_it(tmp_path, capsys):
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        'dlaudit: spec/1\ntitle: x\nworkload: {name: mlp, entry: "a:b"}\n'
        "throughput: {warmup: 5, iterations: 10, trials: 2}\n"
    )
    assert run(["run", "--dry-run", str(spec)]) == 2
    assert "(/workload/entry): field 'entry' is not allowed beside 'name'" in capsys.readouterr().err


def test_a_claimed_number_is_shown_as_printed_beside_its_value(tmp_path, capsys):
    document = tmp_path / "claim.yaml"
    document.write_text(
        "dlaudit: submission/1\ntitle: Blog\nclaims:\n  a:\n"
        '    statement: "Our kernel reaches 720 TFLOP/s in BF16 on one A100-SXM4-80GB."\n'
        '    value: "720"\n    unit: TFLOP/s\n'
        "    quantity: flops\n    form: absolute\n    scope: kernel\n    purpose: kernel_benchmark\n    mode: none\n"
        "    compares: none\n    measured: {arm: k, metric: f}\n"
        "systems: {node: {name: A100, device: A100-SXM4-80GB}}\n"
        "arms:\n  k:\n    system: node\n    devices: 1\n    options: {precision: {compute: bf16}}\n"
        "    operations: {counted: model, fractions: {bf16: 1}}\n"
        '    performance: {f: {quantity: flops, value: "720", unit: TFLOP/s}}\n'
    )
    assert run(["lint", str(document)]) == 1
    out = capsys.readouterr().out
    assert "720 TFLOP/s is 2.308 times" in out
    assert "claimed 720 TFLOP/s (7.2e+14 FLOP/s) | recomputed 3.12e+14" in out
