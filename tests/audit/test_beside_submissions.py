"""A harmless document excuses nothing that lies beside it: reports, hidden files, packed documents, renamed studies."""

import gzip
import json
import shutil
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.lint.draft import draft
from dlaudit.audit.lint.read import read_documents
from dlaudit.rules.bases import base
from dlaudit.rules.documentation import merge_patch

EXAMPLES = Path(__file__).parents[2] / "examples"
CLAIM = json.dumps(base("rate"))
FLAWED = json.dumps(merge_patch(base("training-flops"), {"claims": {"flops": {"value": "900000"}}}))
TABLE = """# Results

| GPUs | Throughput - TF32 (img/s) | Throughput - mixed precision (img/s) | Speedup (TF32 to mixed precision) |
|---|---|---|---|
| 1 | 812 | 2496 | 3.67 |
"""


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a submission that passes."""
    (tmp_path / "own.json").write_text(CLAIM)
    return tmp_path


def told(capsys, folder):
    capsys.readouterr()
    code = run(["lint", "--format", "json", str(folder)])
    documents = json.loads(capsys.readouterr().out)["documents"]
    return code, {each["file"]: each["verdict"] for each in documents}


@pytest.mark.parametrize("name", ["README.md", "docs/speed.md", "notes/.tables.md", ".data/speed.txt", ".speed.md"])
def test_a_table_beside_a_submission_is_judged(folder, name, capsys):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(TABLE)
    code, verdicts = told(capsys, folder)
    assert (code, verdicts) == (1, {"own.json": "PASS", Path(name).name: "FAIL"})


def test_a_hidden_table_is_judged_without_a_submission(folder, capsys):
    (folder / "own.json").unlink()
    (folder / "README.md").write_text("Mixed precision is 3.67x as fast; see [the tables](.tables.md).\n")
    (folder / ".tables.md").write_text(TABLE)
    assert told(capsys, folder) == (1, {"README.md": "INSUFFICIENT EVIDENCE", ".tables.md": "FAIL"})


@pytest.mark.parametrize("mark", ["CACHEDIR.TAG", "pyvenv.cfg"])
def test_what_a_tool_keeps_for_itself_is_not_judged(folder, mark, capsys):
    (folder / ".tool" / "lib").mkdir(parents=True)
    (folder / ".tool" / mark).write_text("x")
    (folder / ".tool" / "lib" / "README.md").write_text(TABLE)
    assert told(capsys, folder) == (0, {"own.json": "PASS"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CHANGELOG.md", "# 1.1\n\n- 2 % faster\n\n| release | date |\n|---|---|\n| 1.1 | 2026-01-02 |\n"),
        ("src/bench.py", "STEPS = 100\nprint(STEPS)\n"),
        ("README.md", "# A net\n\nRun `bench.py`; the submission has the numbers.\n"),
        (".github/workflow.yml", "on: push\n"),
    ],
)
def test_a_repository_without_claims_of_its_own_is_left_alone(folder, name, text, capsys):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    assert told(capsys, folder) == (0, {"own.json": "PASS"})


@pytest.mark.parametrize("name", ["claim.json.gz", "claim", ".claim.gz", "old.bin"])
def test_a_packed_submission_is_judged(folder, name, capsys):
    (folder / name).write_bytes(gzip.compress(FLAWED.encode()))
    code, verdicts = told(capsys, folder)
    assert (code, verdicts) == (1, {"own.json": "PASS", name: "FAIL"})


@pytest.mark.parametrize("name", [".manifest.json", "old.json", "run.manifest.json"])
def test_a_study_under_another_name_is_verified(tmp_path, name, capsys):
    shutil.copytree(EXAMPLES / "honest" / "study", tmp_path / "study")
    study = tmp_path / "study"
    (study / "manifest.json").rename(study / name)
    (study / "manifest.dsse.json").rename(study / f"{name.removesuffix('.json')}.dsse.json")
    (study / "submission.json").write_text(CLAIM)
    implied = f"claims implied by {name}"
    assert told(capsys, study)[1][implied] != "FAIL"
    samples = next(iter(sorted((study / "trials").glob("*samples.json"))))
    samples.write_text(samples.read_text() + " ")
    assert told(capsys, study)[1][implied] == "FAIL"


@pytest.mark.parametrize(
    ("device", "compute"),
    [
        ("NVIDIA \u0410100-SXM4-80GB", "bf16"),
        ("NVIDI\u0410 A100-SXM4-80GB", "\u0412F16"),
        ("NVIDIA \u0391100-SXM4-80GB", "bf16"),
        ("NVIDIA A100-SXM4-80G\u0412", "B\u03dc16"),
    ],
)
def test_letters_that_look_latin_are_read_as_latin(tmp_path, device, compute, capsys):
    gaming = Path(__file__).parents[2] / "benchmarks" / "data" / "gaming" / "bases" / "above-peak"
    claim = json.loads((gaming / "submission.json").read_text())
    claim["systems"]["node"]["device"] = device
    claim["arms"]["teal"]["options"]["precision"]["compute"] = compute
    (tmp_path / "submission.json").write_text(json.dumps(claim))
    assert told(capsys, tmp_path) == (1, {"submission.json": "FAIL"})


@pytest.fixture
def study(folder):
    """Return a study in a folder beside a submission, with the draft as `dlaudit run` writes it."""
    copy = Path(shutil.copytree(EXAMPLES / "honest" / "study", folder / "measured" / "study"))
    (manifest,) = read_documents([str(copy / "manifest.json")])
    (copy / "submission.json").write_bytes(draft(manifest).source.data)
    return copy


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_draft_of_a_study_is_no_publication_unless_it_is_named(folder, study, jobs, capsys):
    said = []
    for path in (folder, folder / "measured", study):
        run(["lint", "--jobs", jobs, "--format", "json", str(path)])
        said.append(json.loads(capsys.readouterr().out))
    beside, studies, named = said
    assert [each["file"] for each in beside["documents"]] == ["own.json"]
    (row,) = beside["not_judged"]["files"]
    assert (row["file"], "the draft that" in row["reason"]) == ("measured/study/submission.json", True)
    assert [len(each["documents"]) for each in (studies, named)] == [1, 1]


def test_a_draft_whose_claims_were_changed_is_judged(folder, study, capsys):
    value = json.loads((study / "submission.json").read_text())
    for claim in value["claims"].values():
        claim["value"] = f"{0.5 * float(claim['value']):g}"
    (study / "submission.json").write_text(json.dumps(value))
    _, verdicts = told(capsys, folder)
    assert verdicts == {"own.json": "PASS", "submission.json": "FAIL"}
