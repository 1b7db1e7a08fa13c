"""Input that cannot be used ends with 2, and every format says so at its place: none is left from an earlier run."""

import json

import pytest
from dlaudit.audit.cli import run
from dlaudit.rules.bases import base

MARKED = "# Fast\n\n<!-- dlaudit: claims.json#other -->\nOne A100 trains at 2500 images per second.\n"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "claims.json").write_text(json.dumps(base("rate"), indent=1))
    (tmp_path / "broken.json").write_text('{\n "dlaudit": "submission/1",\n "title": ,\n}')
    (tmp_path / "README.md").write_text(MARKED)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "file", "line", "column"),
    [
        (["broken.json"], "broken.json", 3, 11),
        (["README.md"], "README.md", 3, 1),
        (["none.json"], "none.json", 1, 1),
        (["claims.json", "--claim", "none"], "claims.json", 1, 1),
        (["claims.json", "--config", "none.toml"], "none.toml", 1, 1),
    ],
)
def test_an_error_stands_at_its_place_in_annotations_and_sarif(here, capsys, arguments, file, line, column):
    (here / "verdict.sarif").write_text("of an earlier run")
    assert run(["lint", *arguments, "--format", "github", "--format", "sarif:verdict.sarif"]) == 2
    printed = capsys.readouterr()
    assert f"::error file={file},line={line},col={column},title=D01 " in printed.out
    assert printed.err.startswith(f"dlaudit: {file}")
    (log,) = json.loads((here / "verdict.sarif").read_text())["runs"]
    (invocation,) = log["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (2, False)
    (told,) = invocation["toolExecutionNotifications"]
    place = told["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == (file, line)


@pytest.mark.parametrize("form", ["json", "junit", "markdown", "html", "questions", "text"])
def test_no_file_of_an_earlier_run_is_left(here, capsys, form):
    (here / "verdict").write_text("of an earlier run")
    assert run(["lint", "broken.json", "--format", f"{form}:verdict"]) == 2
    assert "of an earlier run" not in (here / "verdict").read_text()
    assert capsys.readouterr().out == ""


def test_no_line_of_a_file_is_quoted_that_a_document_points_to(here, capsys):
    (here / "secret").write_text("a secret\n")
    (here / "linked.json").symlink_to("secret")
    (here / "README.md").write_text("<!-- dlaudit: linked.json#rate -->\nFast.\n")
    assert run(["lint", "README.md", "--format", "sarif"]) == 2
    printed = capsys.readouterr()
    assert "a secret" not in printed.out + printed.err
