"""A document and its evidence are held together: through the command line, as a gate does it."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli, run
from dlaudit.audit.lint.published import published

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
        code = run(["lint", "--verbose", "README.md" if marked else name])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return linted


@pytest.mark.parametrize("marked", [False, True])
def test_a_readme_that_agrees_is_told_with_its_place(lint, marked):
    _, out = lint(marked=marked)
    assert "D04" not in out
    assert "0 violations" in out
    assert "note: the sentence is in README.md, line 4" in out


@pytest.mark.parametrize("marked", [False, True])
def test_a_changed_readme_fails_with_both_places(lint, marked):
    code, out = lint(README.replace("2.1x", "3.1x"), marked=marked)
    assert code == 1
    assert "FAIL: quotation not in source (D04)" in out
    assert "where line 4 reads: Training is **3.1x** faster" in " ".join(out.split())
    first = out.index("--> README.md:4:1")
    assert out.index(f"see {'evidence/' if marked else ''}claims.yaml:6:16: what the submission says") > first


@pytest.mark.parametrize("marked", [False, True])
def test_changed_evidence_fails_with_both_places(lint, marked):
    code, out = lint(marked=marked, rate="6200")
    assert code == 1
    assert "FAIL: speedup contradicts values (F04)" in out
    assert "claims.yaml:7:12 (/claims/speedup/value)" in out
    assert "the sentence is in README.md, line 4" in out


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
    assert "quotation not in source (D04)" in out


def test_a_marked_sentence_stands_in_the_paragraph_after_its_mark(lint):
    moved = (
        README.replace("Training is **2.1x**", "Training is **3.1x**")
        + "\nTraining is 2.1x faster than the baseline.\n"
    )
    code, out = lint(moved, marked=True)
    assert code == 1
    assert "is not found at its mark in README.md" in " ".join(out.split())


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ("evidence/claims.yaml#other", "README.md:3: there is no claim 'other' in evidence/claims.yaml"),
        ("evidence/none.yaml#speedup", "README.md:3: the mark names evidence/none.yaml"),
        ("../claims.yaml#speedup", "README.md:3: the mark names ../claims.yaml"),
        ("README.md#speedup", "README.md:3: the mark names README.md, which is not a submission"),
        ("evidence/claims.yaml", "README.md:3: the mark names no file and claim"),
        ("evidence/claims.yaml #speedup", "README.md:3: the mark names no file and claim"),
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
    assert "is marked already" in out


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
    assert "`4200` is cited to line 6 of README.md; it is on line 7" in out
    _, out = lint(README.replace("4200", "4,200"), place=", printed_at: {line: 7}", more=said)
    assert "D04" not in out
    code, out = lint(more=said.replace("8 A100", "9 A100"))
    assert code == 1
    assert "quotation is not found in README.md, where line 7 reads" in out


@pytest.mark.parametrize("printed", ["4200img/s", "x4200", "4200x", "(4200)"])
def test_a_number_stands_before_its_unit_and_after_the_sign_of_a_factor(lint, printed):
    _, out = lint(f"{README}\nPeak: {printed}.\n", place=f", printed_at: {{line: {len(README.splitlines()) + 2}}}")
    assert "D04" not in out


@pytest.mark.parametrize("printed", ["42001", "14200", "4200.5", "A4200", "4,200.1"])
def test_a_part_of_a_number_or_of_a_name_is_no_number(lint, printed):
    line = len(README.splitlines()) + 2
    _, out = lint(f"{README}\nPeak: {printed}.\n", place=f", printed_at: {{line: {line}}}")
    assert f"`4200` is cited to line {line} of README.md; it is on line 7" in out


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
    assert re.search(r"\bD04 [^:]+: not-shown", out)
    assert "is not there, or is no text" in out


def test_a_source_lies_beneath_the_submission(lint):
    code, out = lint(source="source: {file: ../README.md}")
    assert code == 2
    assert "/source/file" in out


def test_questions_name_the_place(lint):
    lint()
    done = CliRunner().invoke(cli, ["lint", "claims.yaml", "--format", "questions"])
    assert "“Training is 2.1x faster than the baseline.” (README.md:4)" in done.output


def test_a_marked_sentence_may_hold_a_link(lint):
    linked = README.replace("**2.1x** faster", "[2.1x faster](bench.md)")
    _, out = lint(linked, marked=True)
    assert "D04" not in out
    _, out = lint(linked.replace("2.1x", "3.1x"), marked=True)
    assert "D04" in out


def test_a_document_that_is_no_text_is_read_as_its_readers_see_it():
    paper = Path(__file__).parents[2] / "examples" / "papers" / "prefetch.pdf"
    found = published("prefetch.pdf", paper.read_bytes())
    assert found.text is not None
    assert "the raw times of all iterations are at" in " ".join(found.text.split())


def test_a_page_of_html_is_read_without_its_tags(lint, tmp_path):
    (tmp_path / "page.html").write_text("<!doctype html><p>Training is <b>2.1x</b> faster than the baseline.</p>")
    _, out = lint(source="source: {file: page.html}")
    assert "D04" not in out


def test_a_sentence_that_is_found_satisfies_a_gate(lint):
    lint()
    done = CliRunner().invoke(cli, ["lint", "--profile", "gate", "claims.yaml"])
    assert "needs T2" in done.output
    assert "D04" not in done.output


BOTH = "source: {file: README.md}"


@pytest.fixture
def gate(tmp_path, monkeypatch, capsys):
    """Return a function that writes a README beside claims that name it, and lints paths as a pull request would."""
    monkeypatch.chdir(tmp_path)
    two = CLAIMS.format(source=BOTH, rate="4200", place="", more="").replace(
        "arms:\n",
        """  rate:
    statement: "On 8 A100 it reaches 4200 images/s."
    value: "4200"
    unit: images/s
    quantity: rate
    form: absolute
    scope: step
    purpose: hardware_throughput
    mode: training
    compares: none
    measured: {arm: new, metric: rate}
arms:
""",
    )
    (tmp_path / "claims.yaml").write_text(two)

    def linted(readme, *arguments):
        (tmp_path / "README.md").write_text(readme)
        code = run(["lint", *arguments])
        return code, capsys.readouterr().out

    return linted


MARKED = README.replace("evidence/", "").replace("\nOn 8", "\n<!-- dlaudit: claims.yaml#rate -->\nOn 8")


@pytest.mark.parametrize("path", ["README.md", "claims.yaml"])
def test_a_mark_that_is_deleted_lets_no_other_number_through(gate, path):
    assert "D04" not in gate(MARKED, path)[1]
    without = MARKED.replace("<!-- dlaudit: claims.yaml#speedup -->\n", "")
    code, out = gate(without.replace("2.1x", "3.1x"), path)
    assert code == 1
    assert "claim speedup  FAIL: quotation not in source (D04)" in out
    assert "and no mark there names the claim" in " ".join(out.split())
    _, out = gate(without, path)
    assert "quotation not in source (D04)" not in out
    assert "no mark in README.md names the claim, though marks name others" in out


def test_from_the_side_of_the_claims_it_matters_not_whether_there_are_marks(gate):
    code, out = gate(re.sub("<!--.*-->\n", "", MARKED).replace("2.1x", "3.1x"), "claims.yaml")
    assert code == 1
    assert "claim speedup  FAIL: quotation not in source (D04)" in out


def test_from_the_side_of_the_claims_a_marked_sentence_stands_at_its_mark(gate):
    moved = MARKED.replace("**2.1x**", "**3.1x**") + "\nTraining is 2.1x faster than the baseline.\n"
    code, out = gate(moved, "claims.yaml")
    assert code == 1
    assert "is not found at its mark in README.md" in " ".join(out.split())
    code, out = gate(MARKED.replace("#rate", "#rates"), "claims.yaml", "--format", "github")
    assert code == 2
    assert "::error file=README.md,line=7,col=1,title=D01 document invalid::there is no claim 'rates'" in out


def test_a_sentence_that_changed_is_annotated_where_it_stands(gate, tmp_path):
    code, out = gate(
        MARKED.replace("2.1x", "3.1x"), "claims.yaml", "--format", "github", "--format", "sarif:verdict.sarif"
    )
    assert code == 1
    assert "::error file=README.md,line=4,col=1,title=D04 " in out
    (log,) = json.loads((tmp_path / "verdict.sarif").read_text())["runs"]
    (found,) = (result for result in log["results"] if result["ruleId"] == "D04")
    assert _place(found["locations"][0]) == ("README.md", 4)
    assert ("claims.yaml", 6) in {_place(related) for related in found["relatedLocations"]}


def _place(location):
    physical = location["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    "paths",
    [["README.md", "claims.yaml"], ["claims.yaml", "README.md"], ["claims.yaml", "./claims.yaml"], [".", "README.md"]],
)
def test_a_submission_that_is_named_twice_is_judged_once(gate, paths, jobs):
    _, out = gate(MARKED, *paths, "--jobs", jobs, "--format", "json")
    (document,) = json.loads(out)["documents"]
    assert document["file"] == "claims.yaml"


def test_a_mark_or_a_source_that_is_a_link_in_a_circle_is_an_error_of_input(gate, tmp_path):
    (tmp_path / "circle.yaml").symlink_to("circle.yaml")
    assert gate(MARKED + "<!-- dlaudit: circle.yaml#other -->\n", "claims.yaml")[0] in {0, 1}
    assert gate(MARKED + "<!-- dlaudit: a\0b#other -->\n", "claims.yaml")[0] in {0, 1}
    (tmp_path / "claims.yaml").write_text((tmp_path / "claims.yaml").read_text().replace("README.md}", "circle.yaml}"))
    assert gate(MARKED, "README.md")[0] in {0, 1}
    assert gate(MARKED, ".")[0] == 2


MORE = "\nA batch takes 9.5 ms on one L40S. Nothing is said of energy.\n"


@pytest.mark.parametrize(
    ("readme", "note"),
    [
        (README, "1 sentence states a performance and is not marked in README.md: line 7"),
        (README + MORE, "2 sentences state a performance and are not marked in README.md: lines 7, 9"),
        (README.replace("\nOn 8 A100 it reaches 4200 images/s.\n", ""), ""),
        (README.replace("<!-- dlaudit: evidence/claims.yaml#speedup -->\n", ""), ""),
    ],
)
def test_sentences_with_a_performance_and_without_a_mark_are_counted_and_fail_nothing(lint, readme, note):
    code, out = lint(readme, marked="#speedup" in readme)
    said = " ".join(out.split())
    assert f"note: {note}" in said
    assert ("marked in README.md" in said) is bool(note)
    assert code == lint()[0]


def test_a_sentence_that_was_changed_at_its_mark_or_is_marked_for_another_file_is_not_counted(lint, tmp_path):
    _, out = lint(README.replace("2.1x", "3.1x"), marked=True)
    assert "1 sentence states a performance and is not marked in README.md: line 7" in " ".join(out.split())
    other = CLAIMS.format(source="", rate="4200", place="", more="").replace("Training is 2.1x", "Inference is 2.1x")
    (tmp_path / "other.yaml").write_text(other)
    both = "\n<!-- dlaudit: other.yaml#speedup -->\nInference is 2.1x faster than the baseline.\n"
    _, out = lint(README + both, marked=True)
    assert " ".join(out.split()).count("1 sentence states a performance and is not marked in README.md: line 7") == 2
