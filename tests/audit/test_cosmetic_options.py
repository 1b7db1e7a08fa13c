"""Free options that whoever judges calls cosmetic: out of comparisons, named in the verdict, no say of a submission."""

import json
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.rules.bases import base
from dlaudit.rules.cosmetic_options import found, without
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.facts.comparison.options import Same, compare
from dlaudit.schemas.manifest import Predicate
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission

EXAMPLES = Path(__file__).parents[2] / "examples"
CONFIG = 'cosmetic = ["Job-Queue", "rack"]\n'


def tagged(name, **options):
    """A base whose arms bear a free option each, with another value."""
    value = base(name)
    arms = {key: {"options": {"extra": {"job queue": key, **options}}} for key in value["arms"]}
    return merge_patch(value, {"arms": arms})


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hand-in").mkdir()
    (tmp_path / "hand-in" / "submission.json").write_text(json.dumps(tagged("comparison")))
    return tmp_path


def told(capsys, *arguments):
    code = run(["lint", "--format", "json", *arguments, "hand-in"])
    out, err = capsys.readouterr()
    return code, json.loads(out)["documents"][0] if out else None, err


def notes(document):
    return [note for note in document["notes"] if "cosmetic" in note]


def findings(document):
    every = [*document["findings"], *(each for claim in document["claims"].values() for each in claim["findings"])]
    return {(each["code"], each["message"]) for each in every}


def test_a_cosmetic_option_is_out_of_every_comparison():
    document = to_model(tagged("comparison"), Submission)
    plain = to_model(base("comparison"), Submission)
    one, other = list(document.arms.values())[:2]
    assert "extra.job queue" in {key for key, _, _ in compare(one.options, other.options).different}
    left = without(document, {"job_queue"})
    assert left == plain
    assert found(document, {"job_queue", "rack"}) == ("job_queue",)
    assert without(plain, {"job_queue"}) is plain


def test_other_free_options_still_decide():
    document = without(to_model(tagged("comparison", kernel="k"), Submission), {"job_queue"})
    one, other = list(document.arms.values())[:2]
    changed = to_model({"extra": {"kernel": "other"}}, type(one.options))
    assert compare(one.options, changed).within("HARD") is not Same.EQUAL
    assert {"kernel": "k"} == one.options.extra == other.options.extra


def test_the_verdict_is_that_without_the_option_and_names_it(capsys, here):
    _, differing, _ = told(capsys)
    (here / "dlaudit.toml").write_text(CONFIG)
    _, known, _ = told(capsys)
    (here / "hand-in" / "submission.json").write_text(json.dumps(base("comparison")))
    _, plain, _ = told(capsys)
    assert findings(known) == findings(plain)
    assert findings(differing) >= findings(plain)
    assert notes(known) == ["cosmetic by the configuration, and ignored: job_queue"]
    assert notes(differing) == notes(plain) == []


def test_a_submission_has_no_say_in_it(capsys, here):
    (here / "hand-in" / "dlaudit.toml").write_text(CONFIG)
    _, document, _ = told(capsys)
    assert notes(document) == []


@pytest.mark.parametrize("name", ["dtype", "global_batch_size", "num_gpus", "AMP"])
def test_what_stands_for_a_field_is_not_cosmetic(capsys, here, name):
    (here / "dlaudit.toml").write_text(f'cosmetic = ["{name}"]\n')
    code, _, err = told(capsys)
    assert code == 2
    assert f"the free option {name!r} stands for a field" in err


def test_the_settings_name_it(capsys, here):
    (here / "dlaudit.toml").write_text(CONFIG)
    assert run(["lint", "--show-settings"]) == 0
    assert "cosmetic Job-Queue" in capsys.readouterr().out


def test_it_holds_for_the_arms_of_a_study():
    (manifest,) = EXAMPLES.glob("honest/study/manifest.json")
    value = json.loads(manifest.read_text())["predicate"]
    arms = {key: {"options": {"extra": {"job_queue": key}}} for key in value["arms"]}
    record = to_model(merge_patch(value, {"arms": arms}), Predicate)
    left = without(record, {"job_queue"})
    assert not any("job_queue" in arm.options.extra for arm in left.arms.values())
