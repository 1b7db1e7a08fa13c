"""`dlaudit draft --evidence`: the sentences of a document tied to the numbers of a file of results."""

import json

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli, run
from dlaudit.schemas.validation import validate

POST = """\
# Fast

On one L4, training reaches 3900 images/s, 1.95x as many as with release 1.4.

Inference takes 4.1 ms a batch.
"""
RUNS = [{"release": "1.5", "images_per_s": 3900.2}, {"release": "1.4", "images_per_s": 2000}]


@pytest.fixture
def tie(tmp_path, monkeypatch):
    """Return a function that drafts a post with its results, and returns the draft and what was said."""
    monkeypatch.chdir(tmp_path)

    def drafted(post=POST, runs=RUNS):
        (tmp_path / "README.md").write_text(post)
        (tmp_path / "results.json").write_text(json.dumps(runs))
        arguments = ["draft", "README.md", "claims.json", "--evidence", "results.json"]
        done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return json.loads((tmp_path / "claims.json").read_text()), done.output

    return drafted


def test_numbers_of_a_post_are_tied_to_the_results_that_round_to_them(tie):
    draft, said = tie()
    rate, ratio, latency = draft["claims"].values()
    new, old = draft["arms"]["t1-r1"], draft["arms"]["t1-r2"]
    assert rate["measured"] == ratio["measured"] == {"arm": "t1-r1", "metric": "images-per-s"}
    assert {name: ratio["base"][name] for name in ("arm", "metric")} == {"arm": "t1-r2", "metric": "images-per-s"}
    places = [arm["performance"]["images-per-s"]["printed_at"] for arm in (new, old)]
    assert places == [{"file": "results.json", "at": f"/{n}/images_per_s"} for n in (0, 1)]
    assert (new["system"], new["devices"]) == ("L4", 1)
    assert draft["source"] == {"file": "README.md"}
    assert latency["measured"]["arm"] == "line-5"
    assert "not tied: line-5: 4.1 ms is not one number of results.json" in said
    assert not validate("submission", draft)


def test_a_tied_draft_fails_once_the_results_change(tie, tmp_path, capsys):
    tie()
    assert run(["lint", "claims.json", "--fail-on", "fail"]) == 0
    (tmp_path / "results.json").write_text(json.dumps([{**RUNS[0], "images_per_s": 3400.5}, RUNS[1]]))
    assert run(["lint", "claims.json", "--fail-on", "fail"]) == 1
    assert "which holds 3400.5 there" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "runs",
    [
        [{"release": "1.5", "images_per_s": 3900.2}, {"release": "1.6", "images_per_s": 3900.4}],
        [{"release": "1.5", "images_per_s": 3901}, {"release": "1.4", "images_per_s": 2000}],
        [{"release": "1.5", "latency_ms": 3900.2}, {"release": "1.4", "latency_ms": 2000}],
    ],
)
def test_a_number_that_several_results_give_or_none_is_tied_to_none(tie, runs):
    draft, said = tie(runs=runs)
    assert draft["claims"]["line-3"]["measured"]["arm"] == "line-3"
    assert "not tied: line-3: 3900 images/s" in said


def test_arms_of_the_post_and_of_the_results_keep_apart(tie):
    table = "\n| Release | Throughput (images/s) |\n|---|---|\n| 1.5 | 3900 |\n| 1.4 | 2000 |\n"
    draft, _ = tie(POST + table)
    assert draft["claims"]["t1-r1-throughput"]["measured"]["arm"] == "results-t1-r1"
    assert not validate("submission", draft)


def test_a_file_of_results_in_the_place_of_the_draft_is_told_from_it(tie, tmp_path):
    tie()
    done = CliRunner().invoke(cli, ["draft", "README.md", "results.json"], standalone_mode=False)
    assert "--evidence" in str(done.exception)


SPEEDUP = "# Fast\n\nTraining runs 1.7x faster than the plain one.\n"


def test_an_ambiguity_names_what_there_is_to_choose(tie):
    runs = {"plain": {"wall_s": 3.4, "images_per_s": 500}, "fast": {"wall_s": 2.0, "images_per_s": 850}}
    draft, said = tie(SPEEDUP, runs)
    assert "measured" not in draft["claims"]["line-3"]
    pairs = "wall-s of t1-r2 / wall-s of t1-r1 and images-per-s of t1-r2 / images-per-s of t1-r1"
    assert f"not tied: line-3: 1.7 x: in results.json 2 pairs give it: {pairs}; name one" in said


def test_several_numbers_are_named_too(tie):
    _, said = tie(runs=[{"release": "1.5", "images_per_s": 3900.2}, {"release": "1.6", "images_per_s": 3900.4}])
    assert "in results.json 2 numbers give it: images-per-s of t1-r1 and images-per-s of t1-r2; name one" in said


def test_what_a_file_says_of_itself_names_no_arm(tie):
    runs = {
        "meta": {"date": "2026-03-04", "host": "box-3", "batch": 32},
        "samples": 1920,
        "plain": {"wall_s": 3.4},
        "fast": {"wall_s": 2.0},
    }
    draft, said = tie(SPEEDUP, runs)
    assert "not tied" not in said
    claim = draft["claims"]["line-3"]
    labels = [draft["arms"][claim[side]["arm"]]["label"] for side in ("measured", "base")]
    assert [label.partition(",")[0] for label in labels] == ["fast", "plain"]
    assert not any("date" in label or "host" in label or "batch" in label for label in labels)
    assert {arm["options"]["global_batch"] for arm in draft["arms"].values()} == {32}
