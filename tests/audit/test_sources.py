"""A document and its evidence are held together: through the command line, as a gate does it."""

import hashlib

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli, run

README = """\
# Fast

<!-- dlaudit: evidence/claims.yaml#speedup -->
Training is **2.1x** faster
than the baseline.

On 8 A100 it reaches 4200 images/s.
"""
CLAIMS = """\
dlaudit: submission/1
title: "Fast"
{source}
claims:
  speedup:
    statement: "Training is 2.1x faster than the baseline."
    value: "2.1"
    unit: x
    quantity: rate
    form: ratio
    scope: step
    purpose: method_speedup
    mode: training
    compares: own_variants
    measured: {{arm: new, metric: rate}}
    base: {{arm: old, metric: rate, definition: "the same code before"}}
    {more}
arms:
  new:
    options: {{model: ResNet-50, global_batch: 256, precision: {{compute: bf16}}}}
    performance:
      rate:
        {{quantity: rate, value: "{rate}", unit: images/s{place}, n: {{unit: iteration, completed: 100}}, trials: 5}}
  old:
    options: {{model: ResNet-50, global_batch: 256, precision: {{compute: bf16}}}}
    performance:
      rate: {{quantity: rate, value: "2000", unit: images/s, n: {{unit: iteration, completed: 100}}, trials: 5}}
"""


@pytest.fixture
def lint(tmp_path, monkeypatch, capsys):
    """Return a function that writes a README and its claims, lints one of them, and returns what is printed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evidence").mkdir()

    def linted(readme=README, marked=False, source="source: {file: README.md}", rate="4200", place="", more=""):
        name = "evidence/claims.yaml" if marked else "claims.yaml"
        text = CLAIMS.format(source="" if marked else source, rate=rate, place=place, more=more)
        (tmp_path / name).write_text(text)
        if readme is not None:
            (tmp_path / "README.md").write_bytes(readme if isinstance(readme, bytes) else readme.encode())
        code = run(["lint", "README.md" if marked else name])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return linted


@pytest.mark.parametrize("marked", [False, True])
def test_a_readme_that_agrees_is_told_with_its_place(lint, marked):
    _, out = lint(marked=marked)
    assert "D04" not in out
    assert "0 violations" in out
    assert "note: the sentence stands in README.md, line 4" in out


@pytest.mark.parametrize("marked", [False, True])
def test_a_changed_readme_fails_with_both_places(lint, marked):
    code, out = lint(README.replace("2.1x", "3.1x"), marked=marked)
    assert code == 1
    assert "FAIL: D04 undermines it" in out
    assert "where line 4 reads: Training is **3.1x** faster" in " ".join(out.split())
    assert f"--> {'evidence/' if marked else ''}claims.yaml:6:16" in out
    assert "see README.md:4:1" in out


@pytest.mark.parametrize("marked", [False, True])
def test_changed_evidence_fails_with_both_places(lint, marked):
    code, out = lint(marked=marked, rate="6200")
    assert code == 1
    assert "FAIL: F04 refutes it" in out
    assert "claims.yaml:7:12 (/claims/speedup/value)" in out
    assert "the sentence stands in README.md, line 4" in out


@pytest.mark.parametrize(
    "sentence",
    [
        "Training is\n2.1x   faster than the\n\tbaseline.",
        "Training is *2.1x* faster than the `baseline`.",
        "Training is 2.1x\u00a0faster than the baseline.",
        "Training is 2.1x <b>faster</b> than the baseline.",
    ],
)
def test_white_space_and_marks_of_format_do_not_count(lint, sentence):
    _, out = lint(f"# Fast\n\n{sentence}\n")
    assert "D04" not in out


@pytest.mark.parametrize(
    "text",
    [
        "Training is 12.1x faster than the baseline.",
        "Training is 2.1x faster than the baselines.",
        "<!-- Training is 2.1x faster than the baseline. -->Training is 3.1x faster than the baseline.",
        "Nothing of the kind.",
        "",
    ],
)
def test_what_differs_or_is_hidden_does_not_stand_there(lint, text):
    code, out = lint(text + "\n")
    assert code == 1
    assert "D04 undermines it" in out


def test_a_marked_sentence_stands_in_the_paragraph_after_its_mark(lint):
    moved = (
        README.replace("Training is **2.1x**", "Training is **3.1x**")
        + "\nTraining is 2.1x faster than the baseline.\n"
    )
    code, out = lint(moved, marked=True)
    assert code == 1
    assert "does not stand at its mark in README.md" in " ".join(out.split())


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ("evidence/claims.yaml#other", "README.md:3: there is no claim 'other' in evidence/claims.yaml"),
        ("evidence/none.yaml#speedup", "README.md:3: the mark names evidence/none.yaml"),
        ("../claims.yaml#speedup", "README.md:3: the mark names ../claims.yaml"),
        ("README.md#speedup", "README.md:3: the mark names README.md, which is no submission"),
    ],
)
def test_a_mark_that_leads_nowhere_is_an_error(lint, mark, said):
    code, out = lint(README.replace("evidence/claims.yaml#speedup", mark), marked=True)
    assert code == 2
    assert said in out


def test_two_marks_of_one_claim_are_an_error(lint):
    mark = "<!-- dlaudit: evidence/claims.yaml#speedup -->\n"
    code, out = lint(README + mark, marked=True)
    assert code == 2
    assert "is marked before" in out


def test_what_is_not_marked_is_told_of(lint):
    _, out = lint(marked=True)
    assert "README.md: what it says without a mark was not judged" in out


def test_numbers_and_quotes_stand_on_their_lines(lint):
    said = 'said: [{topic: other, quote: "On 8 A100", printed_at: {line: 7}}]'
    _, out = lint(place=", printed_at: {line: 7}", more=said)
    assert "D04" not in out
    assert "0 violations" in out
    code, out = lint(place=", printed_at: {line: 6}", more=said)
    assert code == 1
    assert "`4200` is said to stand on line 6 of README.md; it stands on line 7" in out
    _, out = lint(README.replace("4200", "4,200"), place=", printed_at: {line: 7}", more=said)
    assert "D04" not in out
    code, out = lint(more=said.replace("8 A100", "9 A100"))
    assert code == 1
    assert "a quotation does not stand in README.md, where line 7 reads" in out


def test_a_gap_is_written_as_such(lint):
    more = 'said: [{topic: other, quote: "On 8 A100 [...] images/s"}]'
    assert "D04" not in lint(more=more)[1]


def test_another_version_is_a_caveat(lint):
    sha256 = hashlib.sha256(README.encode()).hexdigest()
    assert "D05" not in lint(source=f'source: {{file: README.md, sha256: "{sha256}"}}')[1]
    _, out = lint(README + "More.\n", source=f'source: {{file: README.md, sha256: "{sha256}"}}')
    assert "D05 source-changed: caveat" in out
    assert "D04" not in out


@pytest.mark.parametrize("readme", [None, b"%PDF-1.7 \xff\xfe\x00", b"x" * (3 << 20)])
def test_a_source_that_cannot_be_read_is_not_shown(lint, readme):
    code, out = lint(readme)
    assert code == 1
    assert "D04 quotation-not-in-source: not-shown" in out
    assert "is not there, or is no text" in out


def test_a_source_lies_beneath_the_submission(lint):
    code, out = lint(source="source: {file: ../README.md}")
    assert code == 2
    assert "/source/file" in out


def test_questions_name_the_place(lint):
    lint()
    done = CliRunner().invoke(cli, ["lint", "claims.yaml", "--format", "questions"])
    assert "“Training is 2.1x faster than the baseline.” (README.md:4)" in done.output
