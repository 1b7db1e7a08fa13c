"""What a leaflet states without a study behind it: named with its place, and held against the load of the tender."""

import json

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli

SERVICE = """\
dlaudit: spec/1
title: "A decoder at 30 requests a second"
workload: {name: serving, parameters: {rate: 30, ttft_ms: 500, tpot_ms: 50, test_examples: 100}}
throughput: {warmup: 30, iterations: 400, trials: 8}
claims: {purpose: serving_objective, mode: inference}
"""
FLYER = """\
Our decoder answers 60 requests/s. Accuracy 0.91.

| load | requests/s | TTFT p99 ms | TPOT p50 ms |
|---|---|---|---|
| chat | 60 | 3 | 0.4 |
"""
LEAFLET = """\
dlaudit: submission/1
title: "60 requests a second"
claims:
  goodput:
    statement: "One answers 60 requests a second."
    value: "60"
    unit: requests/s
    quantity: rate
    form: absolute
    scope: request
    mode: inference
    compares: none
    measured: {arm: base, metric: goodput}
arms:
  base:
    performance:
      goodput: {quantity: rate, unit: requests/s, value: "60"}
      ttft_p99: {quantity: latency, unit: s, scope: request, value: "0.003"}
"""
NOT_THERE = "not in what was handed in"


def call(*arguments):
    done = CliRunner().invoke(cli, [*map(str, arguments)], standalone_mode=False)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.stdout


@pytest.fixture
def against(tmp_path):
    """Return a function that hands in a file, and returns what speaks against each number, and the vendor's letter."""
    (tmp_path / "chat.yaml").write_text(SERVICE)
    facts = ("--vendor", "One", "--title", "t", "--buyer", "b")
    call("tender", "init", tmp_path / "t", "--spec", tmp_path / "chat.yaml", *facts)

    def judged(name, text):
        (tmp_path / "hand" / "one").mkdir(parents=True)
        (tmp_path / "hand" / "one" / name).write_text(text)
        tender, out = tmp_path / "t" / "tender.yaml", tmp_path / "out"
        printed = call("offers", tmp_path / "hand", "--tender", tender, "--out", out, "--format", "json")
        vendor = json.loads(printed)["vendors"]["one"]
        problems = vendor["problems"]
        assert vendor["verdict"] in {"INSUFFICIENT EVIDENCE", "FAIL"}
        assert [words for words in problems if words.startswith("no study was handed in: ")]
        told = dict(words.split(": ", 1) for words in problems if " of chat" in words.split(": ", 1)[0])
        return told, " ".join((out / "one" / "letter.txt").read_text().split())

    return judged


def test_numbers_in_a_table_and_in_words_are_named_with_their_place(against):
    told, letter = against("flyer.md", FLYER)
    assert (
        told["Wait for the first token of chat, 99th percentile"]
        == "stated as 3 ms in flyer.md line 5, without evidence"
    )
    assert told["Accuracy of chat"] == "stated as 0.91 in flyer.md line 1, without evidence"
    assert (told["Time per output token of chat, 99th percentile"], told["Rate of chat"]) == (NOT_THERE, NOT_THERE)
    goodput = told["Requests of chat that keep the objective"]
    assert goodput.startswith("stated as 60 requests/s in flyer.md line ")
    assert goodput.endswith("more than the load of chat offers (29.26 requests/s): it is of another load")
    assert goodput in letter


def test_a_number_of_an_arm_is_found_by_its_name_and_a_claim_above_the_load_is_named(against):
    told, letter = against("leaflet.yaml", LEAFLET)
    words = "stated as 0.003 s in leaflet.yaml (/arms/base/performance/ttft_p99), without evidence"
    assert told["Wait for the first token of chat, 99th percentile"] == words
    goodput = "60 requests/s is claimed, more than the load of chat offers (29.26 requests/s): it is of another load"
    assert told["Requests of chat that keep the objective"] == goodput
    assert goodput in letter
