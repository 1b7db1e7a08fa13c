"""`dlaudit reproduce`: a claim that holds again, one that does not, and what cannot be told."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.audit.trust import dsse
from dlaudit.schemas.validation import validate
from support.forks import dlaudit

PROGRAM = Path(__file__).parents[1] / "programs" / "naps.py"


def reproduce(*arguments):
    done = CliRunner().invoke(cli, ["reproduce", *map(str, arguments)], standalone_mode=False)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.return_value, done.output


@pytest.fixture(scope="module")
def studies(tmp_path_factory, make, key, spec_bytes):
    """The first study, a second of the same speed, and one that is a fifth slower."""
    folder = tmp_path_factory.mktemp("studies")
    make(folder / "first", spec_bytes, key)
    make(folder / "same", spec_bytes, None, factor=1.01)
    make(folder / "slower", spec_bytes, None, factor=1.2)
    return folder


def answers(out):
    value = json.loads((out / "reproduction.json").read_text())
    assert validate("reproduction", value) == ()
    return value["predicate"]


def test_the_same_speed_and_quality_again_reproduce_every_claim(studies, tmp_path):
    code, printed = reproduce(studies / "first", "--measured", studies / "same", "--unsigned", "--out", tmp_path / "o")
    found = answers(tmp_path / "o")
    assert (code, found["answer"]) == (0, "reproduced"), printed
    assert {claim["answer"] for claim in found["claims"].values()} == {"reproduced"}
    assert found["same"]["framework"].startswith("torch")
    assert found["different"] == []


def test_a_doctored_study_is_contradicted_and_its_signature_said_to_be_broken(studies, tmp_path, doctor):
    doctor(studies / "first", tmp_path / "doctored")
    code, printed = reproduce(
        tmp_path / "doctored", "--measured", studies / "same", "--unsigned", "--out", tmp_path / "o"
    )
    found = answers(tmp_path / "o")
    assert (code, found["answer"]) == (1, "contradicted")
    assert found["claims"]["digits-rate"]["change"] == pytest.approx(1 / 3.03, rel=0.01)
    assert found["claims"]["digits-first-crossing"]["answer"] == "reproduced"
    assert found["original"]["signature"] == "valid_unlisted"
    assert any("not what was signed" in problem for problem in found["original"]["problems"])
    assert "contradicted  digits-rate" in printed


def test_an_unsigned_doctored_manifest_is_contradicted_by_its_number_alone(studies, tmp_path, doctor):
    copy = doctor(studies / "first", tmp_path / "doctored")
    for name in ("manifest.dsse.json", "submission.json"):
        (copy / name).unlink()
    code, _ = reproduce(copy, "--measured", studies / "same", "--unsigned", "--out", tmp_path / "o")
    assert (code, answers(tmp_path / "o")["original"]["claims_from"]) == (1, "drafted from manifest.json")


def test_a_slower_machine_of_the_same_kind_contradicts_and_a_wide_margin_does_not(studies, tmp_path):
    paths = (studies / "first", "--measured", studies / "slower", "--unsigned")
    assert reproduce(*paths, "--out", tmp_path / "tight")[0] == 1
    assert reproduce(*paths, "--margin", "0.4", "--out", tmp_path / "wide")[0] == 0


def test_a_difference_on_another_device_contradicts_nothing(studies, tmp_path):
    other = tmp_path / "other"
    reproduce(
        studies / "first", "--measured", _elsewhere(studies / "slower", other), "--unsigned", "--out", tmp_path / "o"
    )
    found = answers(tmp_path / "o")
    assert found["claims"]["digits-rate"]["answer"] == "cannot tell"
    assert "another machine" in found["claims"]["digits-rate"]["why"]


def _elsewhere(study, copy):
    import shutil

    shutil.copytree(study, copy)
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["predicate"]["systems"]["node"] |= {"device": "Another CPU", "host_processor": "Another CPU"}
    (copy / "manifest.json").write_text(json.dumps(manifest))
    return copy


def test_a_statement_is_signed_over_both_manifests(studies, tmp_path, make, key):
    keys = tmp_path / "keys"
    CliRunner().invoke(cli, ["keygen", "--no-passphrase", "--out", str(keys)])
    (private,) = keys.glob("*.key")
    out = tmp_path / "o"
    reproduce(studies / "first", "--measured", studies / "same", "--key", private, "--out", out)
    envelope = dsse.read((out / "reproduction.dsse.json").read_bytes(), "envelope")
    assert envelope.payload == (out / "reproduction.json").read_bytes()
    assert dsse.verifies(envelope, envelope.signatures[0], envelope.signatures[0].public_raw)
    assert (
        reproduce(studies / "first", "--measured", studies / "same", "--key", private, "--out", tmp_path / "p")[0] == 0
    )


@pytest.fixture
def home(tmp_path):
    (tmp_path / "naps.py").write_bytes(PROGRAM.read_bytes())
    spec = {
        "dlaudit": "spec/1",
        "title": "naps",
        "workload": {"command": ["python3", "./naps.py", "0.01"]},
        "throughput": {"warmup": 1, "iterations": 8, "trials": 3},
    }
    (tmp_path / "naps.json").write_text(json.dumps(spec))

    def call(*arguments):
        environment = {**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": f"{tmp_path}/state"}
        return dlaudit(arguments, tmp_path, environment)

    return call


def test_a_study_runs_again_byte_for_byte_and_is_reproduced(home, tmp_path):
    assert home("run", "naps.json", "--unsigned", "--out", "first").returncode == 0
    unasked = home("reproduce", "first", "--unsigned", "--margin", "0.5")
    assert (unasked.returncode, "look at it, then name its folder with --code" in unasked.stderr) == (2, True)
    done = home("reproduce", "first", "--unsigned", "--margin", "0.5", "--code", ".")
    assert (done.returncode, "answer: reproduced" in done.stdout) == (0, True), done.stdout + done.stderr
    again = json.loads((tmp_path / "reproduction/study/manifest.json").read_text())["predicate"]["study"]
    first = json.loads((tmp_path / "first/manifest.json").read_text())["predicate"]["study"]
    assert (again["spec_sha256"] == first["spec_sha256"], again["id"] == first["id"]) == (True, False)
    (tmp_path / "naps.py").write_text("import sys; sys.exit(1)")
    other = home("reproduce", "first", "--unsigned", "--out", "other", "--code", ".")
    assert other.returncode == 2
    assert "the code is not the one that was measured: naps.py" in other.stderr
    assert not (tmp_path / "other").exists()


def test_what_is_no_study_is_one_clear_error(tmp_path, home):
    (tmp_path / "manifest.json").write_text("{")
    done = home("reproduce", "manifest.json", "--unsigned")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
