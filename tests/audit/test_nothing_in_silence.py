"""Nothing that is handed in with a folder is skipped in silence: it is judged, or named with the reason."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.rules.bases import base

EXAMPLES = Path(__file__).parents[2] / "examples"
CLAIM = json.dumps(base("rate"))
YAML = 'dlaudit: submission/1\ntitle: "Größe"\nclaims: {a: {statement: "One A100 runs 5 images/s."}}\n'
LOG = ':::MLLOG {"namespace": "", "time_ms": %d, "key": "%s", "value": %s, "metadata": {}}\n'
TRAINED = LOG % (1000, "submission_benchmark", '"resnet"') + LOG % (2000, "run_start", "null")
SERVED = json.dumps({"backend": "vllm", "completed": 9, "request_throughput": 1.5, "mean_ttft_ms": 21.5})
FORMATS = ("text", "json", "sarif", "junit", "github", "markdown", "html")
UNREADABLE = {
    "duplicate.json": CLAIM.replace('"title"', '"title": "x", "title"', 1).encode(),
    "comma.json": CLAIM[:-1].encode() + b",}",
    "nan.json": CLAIM.replace('"title"', '"extra": NaN, "title"', 1).encode(),
    "mark.json": b"\xef\xbb\xbf" + CLAIM.encode(),
    "wide.json": CLAIM.encode("utf-16"),
    "tab.yaml": YAML.replace("title: ", "title:\t").replace("claims", "\tclaims").encode(),
    "latin.yaml": YAML.encode("latin-1"),
    "no.yaml": (YAML + "coverage: no\n").encode(),
    "anchor.yml": (YAML + "extra: &a 1\n").encode(),
    "mark.YAML": b"\xef\xbb\xbf" + YAML.encode(),
    "large.yaml": (YAML + "# " + "-" * 300_000 + "\n").encode(),
    "last.yaml": ("# " + "-" * 300_000 + "\n" + YAML).encode(),
    "upper.JSON": CLAIM[:-1].encode(),
    "named.txt": CLAIM[:-1].encode(),
    "without": (YAML + "coverage: no\n").encode(),
    "claim.yaml.bak": ("---\n# mine\n" + YAML + "coverage: no\n").encode(),
    "lines.jsonl": f"{CLAIM}\n{CLAIM}\n".encode(),
    "list.json": f"[{CLAIM}]".encode(),
    "kind.json": CLAIM.replace("submission/1", "Submission/1").encode(),
    "misspelt.json": CLAIM.replace("submission/1", "submision/1").encode(),
    "number.json": CLAIM.replace('"submission/1"', "1").encode(),
    "nameless.json": CLAIM.replace('"dlaudit": "submission/1", ', "", 1).encode(),
    "submission.json": b"{",
    "manifest.json": b"[1,",
    ".hidden.json": CLAIM[:-1].encode(),
    "deep.json": b'{"dlaudit": ' + b"[" * 90 + b"]" * 90 + b"}",
    "invalid.json": CLAIM.replace('"claims"', '"claim"').encode(),
}


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    """Return a folder with a submission that passes."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "many").mkdir()
    (tmp_path / "many" / "own.json").write_text(CLAIM)
    assert run(["lint", "many"]) == 0
    capsys.readouterr()
    return tmp_path / "many"


def told(capsys, *arguments):
    capsys.readouterr()
    code = run(["lint", "--format", "json", *arguments])
    value = json.loads(capsys.readouterr().out)
    rows = {row["file"]: row["reason"] for row in value.get("not_judged", {"files": []})["files"]}
    return code, {each["file"]: each for each in value["documents"]}, rows


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("name", UNREADABLE)
def test_a_document_that_cannot_be_read_ends_with_2_as_it_does_alone(folder, name, jobs, capsys):
    (folder / "sub").mkdir()
    (folder / "sub" / name).write_bytes(UNREADABLE[name])
    code, documents, _ = told(capsys, "many", "--jobs", jobs)
    assert (code, documents[name]["verdict"]) == (2, None)
    assert documents["own.json"]["verdict"] == "PASS"
    assert run(["lint", f"many/sub/{name}"]) == 2
    (folder / "own.json").unlink()
    assert run(["lint", "many", "--jobs", jobs]) == 2


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_names_it_with_the_reason(folder, form, capsys):
    (folder / "tab.json").write_bytes(UNREADABLE["duplicate.json"])
    assert run(["lint", "many", "--format", form]) == 2
    out = capsys.readouterr().out
    assert "tab.json" in out
    assert "given twice" in out


@pytest.mark.parametrize("name", ["own.txt", "own", "own.Yaml", "claim.yml.orig", "submission.JSON", ".own.json"])
def test_a_document_under_another_name_is_judged(folder, name, capsys):
    text = YAML.replace("ö", "o").replace("ß", "s") if "y" in name.casefold().split("own")[-1] else CLAIM
    (folder / name).write_text(CLAIM.replace("rate", "again") if name.casefold().endswith("json") else text)
    _, documents, rows = told(capsys, "many", "--fail-on", "never")
    assert name in documents
    assert name not in rows


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("README.md", "A submission begins with\n\n```yaml\ndlaudit: submission/1\n```\n"),
        ("quoted.json", json.dumps({"text": CLAIM})),
        ("mkdocs.yml", "theme: !!python/name:x\n"),
        ("tsconfig.json", '{\n // a comment\n "strict": true,\n}'),
        ("verdict.json", json.dumps({"dlaudit": "verdict/1", "tool": "1", "documents": []})),
        ("data.json", json.dumps({"claims": 3})),
        ("notes.txt", "see dlaudit: it lints"),
    ],
)
def test_what_only_speaks_of_documents_is_none(folder, name, text, capsys):
    (folder / name).write_text(text)
    code, documents, _ = told(capsys, "many")
    assert (code, list(documents)) == (0, ["own.json"])


def test_links_are_named_and_those_that_lead_out_end_with_2(folder, capsys):
    (folder / "again.json").symlink_to("own.json")
    code, _, rows = told(capsys, "many")
    assert (code, "again.json" in rows) == (0, True)
    (folder.parent / "bad").mkdir()
    (folder / "out").symlink_to(folder.parent / "bad")
    assert run(["lint", "many"]) == 2
    assert run(["lint", "many", "--jobs", "2"]) == 2
    (folder / "out").unlink()
    (folder / "gone.yaml").symlink_to("nowhere.yaml")
    assert run(["lint", "many"]) == 2


def test_a_study_is_never_read_through_a_linked_folder(tmp_path, capsys):
    shutil.copytree(EXAMPLES / "honest" / "study", tmp_path / "elsewhere")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "study").symlink_to(tmp_path / "elsewhere")
    value = json.loads((tmp_path / "elsewhere" / "submission.json").read_text())
    for cited in value["manifests"].values():
        cited["path"] = "study/manifest.json"
    (tmp_path / "in" / "claim.json").write_text(json.dumps(value))
    _, documents, _ = told(capsys, str(tmp_path / "in" / "claim.json"))
    (study,) = documents["claim.json"]["studies"]
    assert study["signature"] == "unread"
    assert "symbolic link" in study["problems"][0]


def test_a_manifest_is_left_to_a_submission_only_where_that_cites_it(tmp_path, capsys):
    shutil.copytree(EXAMPLES / "honest" / "study", tmp_path / "study")
    _, documents, _ = told(capsys, str(tmp_path))
    assert list(documents) == ["submission.json"]
    value = json.loads((tmp_path / "study" / "submission.json").read_text())
    (tmp_path / "study" / "submission.json").write_text(json.dumps({**base("rate"), "title": value["title"]}))
    for jobs in ("1", "2"):
        _, documents, _ = told(capsys, str(tmp_path), "--jobs", jobs)
        assert set(documents) == {"claims implied by manifest.json", "submission.json"}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_logs_in_folders_of_their_own_are_judged_beside_a_submission(folder, jobs, capsys):
    (folder / "runs" / "a").mkdir(parents=True)
    (folder / "served").mkdir()
    (folder / "runs" / "a" / "result_0.txt").write_text(TRAINED)
    (folder / "served" / "bench.json").write_text(SERVED)
    _, documents, rows = told(capsys, "many", "--jobs", jobs, "--fail-on", "never")
    assert set(documents) == {"own.json", "runs", "bench.json"}
    assert rows == {}


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_counts_what_was_not_judged(folder, form, capsys):
    (folder / "bench.zip").write_bytes(b"PK\x03\x04" + bytes(40))
    (folder / "speed.json").symlink_to("own.json")
    assert run(["lint", "many", "--format", form, "--fail-on", "never"]) == 0
    said = capsys.readouterr()
    for name in ("bench.zip", "speed.json"):
        assert name in said.out
    counted = said.out.count("(not judged)") if form == "junit" else None
    found = re.search(r'(?:[Nn]ot judged: |"count": )(\d+)', said.out)
    assert counted == 2 or (found is not None and found[1] == "2")


def test_archives_and_what_is_too_large_are_named(folder, capsys):
    (folder / "more.zip").write_bytes(b"PK\x03\x04" + bytes(40))
    (folder / "large.csv").write_bytes(b"a,b\n" + b"1,2\n" * (5 << 20))
    _, _, rows = told(capsys, "many")
    assert "ZIP archive" in rows["more.zip"]
    assert "larger than" in rows["large.csv"]


def test_more_files_than_are_looked_at_are_counted(folder, capsys):
    for number in range(2_100):
        (folder / f"n{number}.txt").write_text("x")
    _, _, rows = told(capsys, "many")
    assert rows[""] == "100 further files were not looked at"


def test_the_names_of_files_need_not_be_utf8(folder, capsys):
    name = os.fsdecode(b"caf\xe9.json")
    try:
        (folder / name).write_text(CLAIM)
    except OSError:
        pytest.skip("this file system takes no such name")
    for form in FORMATS:
        capsys.readouterr()
        assert run(["lint", "many", "--format", form]) == 0
        out = capsys.readouterr().out
        assert (
            r"caf\xe9.json" in out.replace(r"\\", "\\")
            or "caf%5CxE9" in out
            or r"caf\udce9" in out.replace(r"\\", "\\")
        )
    code, documents, _ = told(capsys, "many")
    assert (code, len(documents)) == (0, 2)


RECORD = {"build_commit": "a", "model_type": "llama 7B Q4_0", "model_filename": "m.gguf", "n_gen": 0, "avg_ts": 1.5}


@pytest.mark.parametrize(("form", "below"), [("lines", "bench.json"), ("list", "")])
def test_the_first_thousand_records_are_never_shown_as_all(tmp_path, form, below, capsys):
    records = [{**RECORD, "n_prompt": number + 1, "samples_ts": [1.5]} for number in range(1_500)]
    text = "\n".join(map(json.dumps, records)) if form == "lines" else json.dumps(records)
    (tmp_path / "bench.json").write_text(text)
    _, documents, _ = told(capsys, str(tmp_path / below))
    (document,) = documents.values()
    assert len(document["claims"]) == 1_000
    assert any("1,500" in note and "1,000" in note for note in document["notes"]), document["notes"]


def test_verify_names_the_files_that_no_signature_covers(tmp_path, capsys):
    shutil.copytree(EXAMPLES / "honest" / "study", tmp_path / "study")
    (tmp_path / "study" / "report.html").write_text("<p>mine</p>")
    run(["verify", str(tmp_path / "study")])
    out = capsys.readouterr().out
    assert re.search(r"not signed +.*report\.html", out)
    run(["verify", str(tmp_path / "study"), "--json"])
    assert "report.html" in json.loads(capsys.readouterr().out)["not_signed"]
