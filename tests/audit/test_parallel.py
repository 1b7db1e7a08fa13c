"""Judging in several processes gives what judging in one gives: the same reports, in order, and the same refusals."""

import json

import pytest
from dlaudit.audit.cli import run
from dlaudit.rules.bases import base


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(("rate", "training-pair", "kernel", "energy") * 2):
        folder = tmp_path / "all" / f"{number}"
        folder.mkdir(parents=True)
        (folder / "submission.json").write_text(json.dumps({**base(name), "title": f"number {number}"}))
    (tmp_path / "all" / "3" / "notes.json").write_text("[1, 2")
    (tmp_path / "all" / "3" / "other.json").write_text('{"dlaudit": "waivers/1", "waivers": {}}')
    (tmp_path / "one.json").write_text(json.dumps(base("accuracy")))
    return tmp_path


def both(capsys, *arguments):
    found = []
    for jobs in ("1", "2"):
        code = run(["lint", "--jobs", jobs, "--format", "json", *arguments])
        found.append((code, *capsys.readouterr()))
    return found


@pytest.mark.parametrize("paths", [["all"], ["one.json", "all", "one.json"], ["all/0/submission.json", "one.json"]])
def test_the_reports_are_the_same_and_in_order(capsys, paths):
    one, two = both(capsys, *paths)
    assert one == two
    assert len(json.loads(one[1])["documents"]) >= len(paths)


def test_the_titles_stand_in_the_order_of_the_files(capsys):
    _, (_, out, _) = both(capsys, "all")
    assert [item["title"] for item in json.loads(out)["documents"]] == [f"number {number}" for number in range(8)]


@pytest.mark.parametrize("text", ['{"dlaudit": "submission/1", ', '{"dlaudit": "submission/1", "title": 3}'])
def test_a_document_that_cannot_be_judged_is_told_alike(capsys, here, text):
    (here / "all" / "5" / "submission.json").write_text(text)
    one, two = both(capsys, "all")
    assert one == two
    assert one[0] == 2
    assert "submission.json" in one[1] + one[2]


def test_a_folder_without_documents_is_told_alike(capsys, here):
    (here / "empty").mkdir()
    one, two = both(capsys, "empty")
    assert one == two
    assert one[0] == 3
