"""The examples, through the front door: each report is flagged with the codes that its page tells, and no other.

DLAUDIT_UPDATE=1 rewrites the findings that the pages quote; which codes they are stays written down here.
"""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from support import forks

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
HONEST = EXAMPLES / "honest"

FAIL, INSUFFICIENT, CAVEATS = "FAIL", "INSUFFICIENT EVIDENCE", "PASS WITH CAVEATS"
FLAGGED = {
    "fooling/way01": (INSUFFICIENT, {"W0101", "W1107"}),
    "fooling/way02": (INSUFFICIENT, {"W0201"}),
    "fooling/way03": (FAIL, {"W0302", "W0304"}),
    "fooling/way04": (CAVEATS, {"W0401"}),
    "fooling/way05": (FAIL, {"W0501"}),
    "fooling/way06": (FAIL, {"W0601"}),
    "fooling/way07": (FAIL, {"W0701"}),
    "fooling/way08": (FAIL, {"W0801"}),
    "fooling/way09": (CAVEATS, {"W0901", "W0902"}),
    "fooling/way10": (FAIL, {"W1001"}),
    "fooling/way11": (FAIL, {"W1101", "W1103"}),
    "fooling/way12": (INSUFFICIENT, {"W1201"}),
    "fooling/cautionary-tale": (FAIL, {"M23", "W0601", "S05"}),
    "named/mixed-option-sets": (FAIL, {"W0801"}),
    "named/missing-test-accuracy": (INSUFFICIENT, {"W0201"}),
    "named/unreported-precision-fractions": (INSUFFICIENT, {"W0702"}),
    "named/non-normalised-scaling": (INSUFFICIENT, {"W1101", "W0404", "S13"}),
    "named/too-few-repetitions": (INSUFFICIENT, {"M04"}),
}
OMISSIONS = {"fooling/way01", "fooling/way02", "fooling/way12"} | {
    name for name in FLAGGED if name.startswith("named/") and name != "named/mixed-option-sets"
}
FOOLING = sorted(name for name in FLAGGED if name.startswith("fooling/"))
FORGED = "15033.3"
QUOTES = re.compile(r"(?:^> .+\n\n)+", re.MULTILINE)


def dlaudit(*words, state):
    """Run one command away from any configuration of this account."""
    environment = {"PATH": "", "HOME": str(state), "XDG_STATE_HOME": str(state), "XDG_CONFIG_HOME": str(state)}
    return forks.dlaudit(words, state, environment)


def findings(document):
    return [finding for claim in document["claims"].values() for finding in claim["findings"]]


def flags(document):
    """The findings that accuse, and those that lack what a verdict needs."""
    return [item for item in findings(document) if item["outcome"] == "violation" or item["decides"]]


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """The verdict of every report, in one call: by its path below examples/."""
    paths = [f"{name}/submission.yaml" for name in FLAGGED] + [f"{name}/honest.yaml" for name in FOOLING]
    state = tmp_path_factory.mktemp("state")
    options = ("--format", "json", "--no-config", "--fail-on", "never")
    done = dlaudit("lint", *(EXAMPLES / path for path in paths), *options, state=state)
    assert done.returncode == 0, done.stderr
    documents = json.loads(done.stdout)["documents"]
    assert [document["file"] for document in documents] == [Path(path).name for path in paths]
    return dict(zip(paths, documents, strict=True))


def test_every_example_is_in_the_table():
    folders = {path.parent.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.glob("*/*/submission.yaml")}
    assert folders == set(FLAGGED)


@pytest.mark.parametrize("name", FLAGGED)
def test_flagged_with_its_codes_and_no_other(verdicts, name):
    document = verdicts[f"{name}/submission.yaml"]
    verdict, codes = FLAGGED[name]
    assert ({item["code"] for item in flags(document)}, document["verdict"]) == (codes, verdict)
    accused = {item["code"] for item in findings(document) if item["outcome"] == "violation"}
    assert accused == (set() if name in OMISSIONS else codes)
    assert not [item for item in findings(document) if item["outcome"] == "error"]


@pytest.mark.parametrize("name", FOOLING)
def test_the_repaired_report_is_free_of_violations(verdicts, name):
    document = verdicts[f"{name}/honest.yaml"]
    assert not flags(document)
    assert document["verdict"] in {"PASS", CAVEATS}
    fooled = {code for code in FLAGGED[name][1] if code.startswith("W")}
    assert not fooled & {item["code"] for item in findings(document)}


@pytest.mark.parametrize("name", FLAGGED)
def test_the_page_quotes_the_findings_word_for_word(verdicts, name):
    document, path = verdicts[f"{name}/submission.yaml"], EXAMPLES / name / "README.md"
    expected = "".join(
        f"> {item['code']} {item['name']} ({grade(item)}), "
        f"submission.yaml:{item['place']['line']}: {item['message']}\n\n"
        for item in flags(document)
    )
    text = path.read_text(encoding="utf-8")
    if os.environ.get("DLAUDIT_UPDATE"):
        text = QUOTES.sub(lambda _: expected, text, count=1)
        path.write_text(text, encoding="utf-8")
    assert "".join(QUOTES.findall(text)) == expected
    assert f"Verdict: {document['verdict']}." in " ".join(text.split())


def grade(item):
    return f"{item['effect']}, {item['confidence']}" if item["outcome"] == "violation" else "not shown"


@pytest.mark.parametrize("name", FLAGGED)
def test_the_first_line_says_what_it_shows(name):
    first = (EXAMPLES / name / "submission.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# ")
    if name.startswith("named/"):
        assert all(code in first for code in FLAGGED[name][1])


def test_the_index_tells_the_codes_of_every_example():
    rows = re.findall(r"^\| \[[\w-]+\]\(([\w/-]+)/\) \|.*?([\w, ]+) \|$", (EXAMPLES / "README.md").read_text(), re.M)
    assert {name: set(codes.strip().split(", ")) for name, codes in rows} == {
        name: codes for name, (_, codes) in FLAGGED.items()
    }


def lint_honest(study, tmp_path):
    options = ("--trust", HONEST / "trust.json", "--no-config", "--format", "json", "--fail-on", "never")
    done = dlaudit("lint", study / "submission.json", *options, state=tmp_path)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["documents"][0]


def test_the_honest_study_verifies_and_its_claims_hold(tmp_path):
    done = dlaudit("verify", HONEST / "study", "--trust", HONEST / "trust.json", state=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    document = lint_honest(HONEST / "study", tmp_path)
    assert document["verdict"] in {"PASS", CAVEATS}
    assert {claim["tier"] for claim in document["claims"].values()} == {"T4"}
    # Its one core was shared with others: the trials scatter, and the report says so.
    assert {(item["code"], item["effect"]) for item in flags(document)} <= {("M06", "caveat")}
    assert (HONEST / "spec.yaml").read_bytes() == (HONEST / "study" / "spec.yaml").read_bytes()


def test_one_changed_digit_is_found(tmp_path):
    study = tmp_path / "study"
    shutil.copytree(HONEST / "study", study)
    for name in ("manifest.json", "submission.json"):
        text = (study / name).read_text(encoding="utf-8")
        assert "15033.2" in text
        (study / name).write_text(text.replace("15033.2", FORGED), encoding="utf-8")
    done = dlaudit("verify", study, "--trust", HONEST / "trust.json", state=tmp_path)
    assert done.returncode == 5, done.stdout
    document = lint_honest(study, tmp_path)
    assert document["verdict"] == FAIL
    assert "I01" in {item["code"] for item in flags(document)}


def test_the_honest_study_tells_nothing_of_private_places():
    private = re.compile(rb"(?<![\w.-])/(?:home|Users|root|tmp|work|mnt)/|PRIVATE KEY")
    files = [path for path in HONEST.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 700_000
    assert [path.name for path in files if private.search(path.read_bytes())] == []
