"""A tender for a service: its acceptance test decides on rates, goodput, medians and percentiles of its requests."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.runners.serving import process
from dlaudit.schemas.validation import validate

from .services import again

SPEC = """\
dlaudit: spec/1
title: "A server by its address"
workload:
  name: serving
  parameters:
    url: {url}
    model: our-model
    api: chat
    arrival: {arrival}
    rate: 150
    prompt_tokens: 8
    output_tokens: 4
    ttft_ms: 5000
    tokenizer: words
throughput: {{warmup: 5, iterations: 200, trials: 5}}
claims: {{purpose: serving_objective, mode: inference}}
"""


def call(*arguments):
    done = CliRunner().invoke(cli, [*map(str, arguments)], standalone_mode=False)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.return_value, done.output


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A study of a server that follows a script, on a quiet machine."""
    folder = tmp_path_factory.mktemp("service")
    with process.started("scripted", {"ttft_s": 0.05, "gap_s": 0.01}) as url:
        (folder / "chat.yaml").write_text(SPEC.format(url=url, arrival="poisson"))
        code, printed = call("run", folder / "chat.yaml", "--out", folder / "measured", "--unsigned")
    assert code == 0, printed
    return again(folder / "measured", folder / "first")


def answers(first, second, out, *options):
    code, printed = call("reproduce", first, "--measured", second, "--unsigned", "--out", out, *options)
    value = json.loads((out / "reproduction.json").read_text())
    assert validate("reproduction", value) == ()
    return code, value["predicate"]["claims"], printed


@pytest.mark.slow
def test_the_same_service_again_reproduces_every_claim(first, tmp_path):
    code, claims, printed = answers(first, again(first, tmp_path / "same", 1.01, draw=2), tmp_path / "o")
    assert {name: claim["answer"] for name, claim in claims.items()} == dict.fromkeys(claims, "reproduced"), printed
    assert {"base-rate", "base-goodput", "base-ttft", "base-latency"} <= set(claims)
    assert code == 0
    assert claims["base-rate"]["again"] == pytest.approx(float(claims["base-rate"]["claimed"].split()[0]), rel=0.02)


@pytest.mark.slow
def test_a_slower_service_contradicts_its_latencies_and_not_its_rate_which_the_load_caps(first, tmp_path):
    code, claims, _ = answers(first, again(first, tmp_path / "slow", 1.3, draw=2), tmp_path / "o")
    assert code == 1
    assert claims["base-latency"]["answer"] == "contradicted"
    assert claims["base-latency"]["change"] == pytest.approx(1.3, rel=0.02)
    assert claims["base-rate"]["answer"] == "reproduced"


@pytest.mark.slow
def test_a_doctored_rate_of_a_service_is_contradicted(first, tmp_path, doctor):
    copy = doctor(first, tmp_path / "doctored")
    code, claims, _ = answers(copy, again(first, tmp_path / "same", draw=2), tmp_path / "o")
    (wrong,) = (claim for claim in claims.values() if claim["answer"] == "contradicted")
    assert (code, wrong["change"]) == (1, pytest.approx(1 / 3, rel=0.02))


def tendered(first, folder, **margins):
    """Begin a tender of the study's spec, and return it."""
    (folder / "chat.yaml").write_bytes((first / "spec.yaml").read_bytes())
    words = ("tender", "init", folder / "t", "--spec", folder / "chat.yaml", "--vendor", "One")
    call(*words, "--title", "t", "--buyer", "b")
    path = folder / "t" / "tender.yaml"
    text = path.read_text()
    for old, new in margins.items():
        text = text.replace(old, new)
    path.write_text(text)
    return path


@pytest.mark.slow
def test_what_the_tender_asks_for_decides_percentiles_that_nobody_claims_among_it(first, tmp_path):
    tender = tendered(first, tmp_path)
    same = again(first, tmp_path / "same", 1.01, draw=2)
    _, claims, printed = answers(first, same, tmp_path / "o", "--tender", tender)
    tail = claims["chat-ttft-p99"]
    assert tail["counts"]
    assert tail["answer"] == "reproduced", printed
    assert tail["interval"][0] < 1.01 < tail["interval"][1]
    assert not claims["base-latency"]["counts"]
    assert "(the tender does not ask for it)" in printed
    slow = again(first, tmp_path / "slow", 3.0, draw=2)
    code, claims, _ = answers(first, slow, tmp_path / "p", "--tender", tender)
    assert (code, claims["chat-ttft-p99"]["answer"]) == (1, "contradicted")


@pytest.mark.slow
def test_what_cannot_be_told_says_how_many_trials_would_tell(first, tmp_path):
    near = again(first, tmp_path / "near", 1.015, draw=2)
    code, claims, _ = answers(first, near, tmp_path / "o", "--margin", "0.02")
    untold = [claim["why"] for claim in claims.values() if claim["answer"] == "cannot tell"]
    assert (code, bool(untold)) == (3, True)
    assert all(re.search(r"about [\d,]+ trials a study would tell", why) for why in untold)


SMALL = {"model": "small", "width": 16, "layers": 1, "heads": 2, "train_steps": 0, "length": 64}


@pytest.mark.slow
def test_a_tender_for_a_server_by_its_address_goes_from_the_call_to_the_page_with_its_quality(tmp_path):
    facts = ("--vendor", "One", "--title", "t", "--buyer", "b", "--per", "hour")
    with process.started("server", SMALL) as url:
        call("tender", "init", tmp_path / "offered", "--url", url, "--model", "small", *facts)
        text = (tmp_path / "offered" / "service.yaml").read_text()
        for old, new in (
            ("api: chat", "api: completions\n    tokenizer: words"),
            ("rate: 4", "rate: 60"),
            ("prompt_tokens: 512", "prompt_tokens: 8"),
            ("output_tokens: 128", "output_tokens: 4"),
            ("iterations: 200, trials: 5", "iterations: 60, trials: 3"),
            ("    # test_set:", "    test_set: questions.jsonl  #"),
        ):
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "mine.yaml").write_text(text)
        asked = [json.dumps({"prompt": f"w{number} w2", "answer": "w"}) for number in range(6)]
        (tmp_path / "questions.jsonl").write_text("\n".join(asked) + "\n")
        call("tender", "init", tmp_path / "t", "--spec", tmp_path / "mine.yaml", *facts)
        tender = tmp_path / "t" / "tender.yaml"
        assert 'quality: "accuracy"\n    unit: "share"' in tender.read_text()
        tender.write_text(tender.read_text().replace('# least: "0.94"', 'least: "0.5"'))
        call("tender", "call", tender)
        sent = tmp_path / "t" / "call" / "one"
        digest = hashlib.sha256((tmp_path / "questions.jsonl").read_bytes()).hexdigest()
        told = f"Accuracy of mine: 6 examples, in questions.jsonl (SHA-256 {digest})."
        assert told in (sent / "READ-ME-FIRST.txt").read_text()
        assert (sent / "questions.jsonl").read_bytes() == (tmp_path / "questions.jsonl").read_bytes()
        line = [Path(sys.executable).with_name("dlaudit"), "run", "mine.yaml", "--out", "mine", "--unsigned"]
        done = subprocess.run(line, cwd=sent, capture_output=True, text=True, timeout=500)
        assert done.returncode == 0, done.stderr
    (tmp_path / "hand" / "one").mkdir(parents=True)
    offer = "dlaudit: offer/1\nvendor: one\nprice: {amount: 9, currency: EUR, per: hour}\n"
    (tmp_path / "hand" / "one" / "offer.yaml").write_text(offer)
    shutil.copytree(sent / "mine", tmp_path / "hand" / "one" / "mine")
    words = ("offers", tmp_path / "hand", "--tender", tender, "--out", tmp_path / "out", "--format", "json")
    printed = call(*words)[1]
    vendor = json.loads(printed[: printed.rindex("}") + 1])["vendors"]["one"]
    accuracy = vendor["figures"]["mine-accuracy"]
    assert (accuracy["value"], accuracy["unit"], accuracy["limit"]) == ("1.00000", "share", "kept")
    assert (accuracy["counted"], accuracy["interval"]) == ("6 of 6", ["0.609666", "1"])
    assert {"mine-goodput", "mine-rate", "mine-ttft-p90"} <= set(vendor["figures"])
    without = without_quality(tmp_path / "hand" / "one" / "mine")
    assert without
    printed = call(*words)[1]
    vendor = json.loads(printed[: printed.rindex("}") + 1])["vendors"]["one"]
    assert "Accuracy of mine" in vendor["unproven"]
    assert "unproven" in (tmp_path / "out" / "offers.html").read_text()


def without_quality(study):
    """Take the quality out of a study's record."""
    manifest = json.loads((study / "manifest.json").read_text())
    for arm in manifest["predicate"]["arms"].values():
        arm.pop("quality")
    (study / "manifest.json").write_text(json.dumps(manifest))
    submission = json.loads((study / "submission.json").read_text())
    for claim in submission["claims"].values():
        claim.pop("quality", None)
    (study / "submission.json").write_text(json.dumps(submission))
    return True


def test_a_quality_that_no_study_measures_is_refused_with_the_way_to_it(tmp_path):
    from dlaudit.schemas.errors import UserError

    (tmp_path / "chat.yaml").write_text(SPEC.format(url="http://127.0.0.1:1", arrival="constant"))
    words = ("tender", "init", tmp_path / "t", "--spec", tmp_path / "chat.yaml", "--vendor", "One")
    call(*words, "--title", "t", "--buyer", "b")
    path = tmp_path / "t" / "tender.yaml"
    number = "  q: {workload: chat, arm: base, quality: accuracy, unit: share, better: higher, tier: T3}\n"
    path.write_text(path.read_text().replace("metrics:\n", f"metrics:\n{number}", 1))
    with pytest.raises(UserError, match=r"a study of chat measures no accuracy; .*test_set"):
        call("tender", "call", path)
    assert not (tmp_path / "t" / "call").exists()


def test_what_vendors_measure_is_a_spec_or_an_address(tmp_path):
    from dlaudit.schemas.errors import UserError

    with pytest.raises(UserError, match="give --spec, or --url with --model"):
        call("tender", "init", tmp_path / "t", "--url", "http://a", "--vendor", "V", "--title", "t", "--buyer", "b")
