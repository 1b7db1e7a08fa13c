"""`dlaudit draft`: a document as the shortest submission, what a person must decide in it, and questions about that."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.audit.drafts.decisions import decisions, groups
from dlaudit.audit.drafts.judging import judge_in
from dlaudit.audit.drafts.page import as_yaml
from dlaudit.audit.drafts.reports import drafts_of
from dlaudit.audit.drafts.submission import submission_of
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.schemas.source import parse
from dlaudit.schemas.validation import validate

FIXTURES = Path(__file__).parent / "importers" / "fixtures"
POST = """\
# Quicker fine-tuning with Kestrel 2.1

Fine-tuning Llama-2 7B on 8 A100 80GB GPUs is **up to 1.9x** faster than with
release 2.0, see the [results](results.md).

Table 1. Tokens per second, mean of 3 runs.

| release | BF16 | FP8 |
|---|---|---|
| 2.0 | 21,400 | 30,100 |
| 2.1 | 38,900 | 57,200 |

Accuracy on MMLU stays at 45.3 %.

Figure 1 shows further models.
"""


@pytest.fixture
def post(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "post.md").write_text(POST)
    return "post.md"


def drafted(path, *arguments, answers=None):
    done = CliRunner().invoke(cli, ["draft", path, *arguments], input=answers, standalone_mode=False)
    assert done.exception is None, done.output
    return done.stdout, done.stderr


def value_of(text):
    value = parse(text.encode(), "draft.yaml").value
    assert not validate("submission", value)
    return value


def judged(path):
    (document,) = read_documents([str(path)])
    report = lint(document, Settings()).report
    return {
        claim.id: (claim.verdict, {(finding.code, finding.branch, finding.outcome) for finding in claim.findings})
        for claim in report.claims
    }


def test_a_draft_says_what_was_read_and_where(post):
    value = value_of(drafted(post)[0])
    assert value["title"] == "Quicker fine-tuning with Kestrel 2.1"
    assert value["source"] == {"file": "post.md"}
    claim = value["claims"]["line-3"]
    assert (claim["value"], claim["qualifier"], claim["printed_at"]) == ("1.9", "up_to", {"line": 3})
    assert value["claims"]["t1-r2-fp8-rate"]["put_together"]
    assert value["arms"]["t1-r2-fp8"]["performance"]["rate"]["value"] == "57200"


def test_a_comment_stands_above_what_a_person_must_decide(post):
    lines = drafted(post)[0].split("\n")
    at = next(n for n, line in enumerate(lines) if "Faster in what sense?" in line)
    assert lines[at].lstrip().startswith("# ? ")
    assert lines[at + 1].strip() == "quantity: time"
    assert any("Which number is it compared with?" in line and "57200" in line for line in lines)


@pytest.mark.parametrize("path", [*sorted(FIXTURES.glob("table/*/report*")), "post.md"], ids=str)
def test_a_draft_is_judged_as_its_document(path, post, tmp_path):
    path = Path(path)
    beside = tmp_path / f"copy{path.suffix}"
    beside.write_bytes(path.read_bytes())
    drafted(str(beside), "draft.yaml")
    assert judged("draft.yaml") == judged(beside)


def test_one_sentence_is_enough(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["draft", "-"], input="Our optimizer trains ResNet-50 3.2x faster than SGD.\n")
    (claim,) = value_of(done.stdout)["claims"].values()
    assert (claim["value"], claim["comparator"]) == ("3.2", {"name": "SGD"})
    assert "source" not in value_of(done.stdout)


def test_a_question_is_asked_only_where_two_answers_are_judged_differently(post):
    ((_, draft),) = drafts_of(post, None, plugins=False)
    value, judge = submission_of(draft, post, None), judge_in(Path())
    for alike in groups(value):
        asked = decisions(value, alike, judge)
        assert len(asked) <= 6
        assert len({question.ask for question in asked}) == len(asked)
    nothing_differs = decisions(value, groups(value)[0], lambda *_: (0, frozenset()))
    assert not nothing_differs


def test_answers_are_written_and_an_empty_one_leaves_it_open(post):
    _, asked = drafted(post, "--ask")
    questions = [line.split(": ", 1)[1] for line in asked.split("\n") if line[:1].isdigit()]
    assert questions[0] == "Faster in what sense?", questions
    ((_, draft),) = drafts_of(post, None, plugins=False)
    value, judge = submission_of(draft, post, None), judge_in(Path())
    about = decisions(value, groups(value)[0], judge)
    wanted = {"quantity": "1", "measured": "4", "base": "3"}
    answers = "".join(f"{wanted.get(question.field, '')}\n" for question in about)
    text, told = drafted(post, "--ask", answers=answers)
    claim = value_of(text)["claims"]["line-3"]
    assert claim["quantity"] == "rate"
    assert claim["measured"] == {"arm": "t1-r2-fp8", "metric": "rate"}
    assert claim["base"]["arm"] == "t1-r1-fp8"
    assert claim["scope"] == "not_stated"
    assert "no more answers: the rest is left open" in told
    Path("answered.yaml").write_text(text)
    assert "F04" not in {code for code, *_ in judged("answered.yaml")["line-3"][1]}


def test_an_answer_that_is_none_is_asked_again(post):
    text, told = drafted(post, "--ask", answers="maybe\n99\n1\n")
    assert "Faster in what sense?" in told
    assert told.count("write one of the numbers") == 2
    assert value_of(text)["claims"]["line-3"]["quantity"] == "rate"


def test_words_of_a_document_stay_words(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text(
        "# A: b # c\n\nOur `k: [v]` kernel is 2.4x faster # than\u2028x: {y} 'z' \u202e.\n\nIt is up to 3x as fast?\n"
    )
    ((_, draft),) = drafts_of("a.md", None, plugins=False)
    value = submission_of(draft, "a.md", None)
    text = as_yaml(value, {}, ["x\n  y: 1\x1b[0m"])
    assert parse(text.encode(), "a.yaml").value == value
    assert "\x1b" not in text
    assert value_of(drafted("a.md")[0])


def test_what_cannot_be_drafted_is_one_error(post, capsys):
    from dlaudit.audit.cli import run

    for arguments, says in (
        (["draft"], "Missing argument"),
        (["draft", "-", "--ask"], "name a file"),
        (["draft", "none.md"], "no such file"),
        (["draft", post, post], "exists already"),
    ):
        assert run(arguments) == 2
        assert says in capsys.readouterr().err


def test_a_draft_may_be_json(post):
    drafted(post, "draft.json")
    assert json.loads(Path("draft.json").read_text())["claims"]["line-3"]["value"] == "1.9"
