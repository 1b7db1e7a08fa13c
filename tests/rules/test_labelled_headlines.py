"""Published headlines with hand-made labels, as the rules of statistics and serving see them."""

import json
import os
from pathlib import Path

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome

pytestmark = pytest.mark.skipif("DLAUDIT_CORPUS" not in os.environ, reason="DLAUDIT_CORPUS is not set")
PASS, NOT_SHOWN, VIOLATION = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.VIOLATION


def labelled(name):
    labels = json.loads((Path(os.environ["DLAUDIT_CORPUS"]) / "labels.json").read_text())
    return next(label for label in labels if label["id"] == name)


def test_a_rate_averaged_over_three_runs_arithmetically(judged):
    """One of three runs is 2.5 times as fast as the others: their mean is 21 % above what the machine did."""
    facts = labelled("lambda-tacotron2-fp16-8xH200-2024")["facts"]
    rows = {f"r{i}": {"values": {"rate": f"{rate:.1f}"}} for i, rate in enumerate(facts["raw_runs"])}
    table = {"columns": {"rate": {"quantity": "rate", "unit": "samples/s"}}, "rows": rows}
    claim = {"form": "absolute", "superlative": None, "statistic": "mean", "value": str(facts["published"])}
    claim |= {"unit": "samples/s", "digits": None, "row": {"table": "runs", "row": None, "base_row": None}}
    patch = {"claims": {"best": claim}, "tables": {"runs": {**table, "aggregator": "arithmetic"}}}
    result = judged("comparison", "S07", "best", patch)
    assert (result.outcome, result.branch.effect) == (VIOLATION, UNDERMINES)
    assert float(result.branch.recomputed.split(" to ")[0]) == pytest.approx(facts["harmonic_mean"], rel=1e-4)
    patch["tables"]["runs"]["aggregator"] = "unstated"
    assert judged("comparison", "S07", "best", patch).outcome is VIOLATION


def up_to(value, statement, **claim):
    return {"claims": {"speedup": {"value": str(value), "statement": statement, "base": None, **claim}}}


def test_up_to_without_a_range_is_not_shown(judged):
    facts = labelled("vllm-2023-24x")["facts"]
    low, high = facts["vs_hf"]
    alone = up_to(high, f"It delivers up to {high}x higher throughput.")
    assert judged("training-pair", "S15", "speedup", alone).outcome is NOT_SHOWN
    stated = {"low": str(low), "high": str(high), "where": "elsewhere"}
    result = judged(
        "training-pair", "S15", "speedup", up_to(high, alone["claims"]["speedup"]["statement"], range=stated)
    )
    assert (result.outcome, result.branch.effect) == (VIOLATION, CAVEAT)
    caption = up_to(high, f"{low}x to {high}x higher throughput.", range={**stated, "where": "same_place"})
    assert judged("training-pair", "S15", "speedup", caption).outcome is PASS


@pytest.mark.parametrize(
    ("name", "key"), [("deepspeed-1bit-adam-2020", "title_speedup"), ("deepspeed-chat-15x-2023", "claim_speedup")]
)
def test_over_without_the_numbers_behind_it_is_not_shown(judged, name, key):
    label = labelled(name)
    assert "up_to_claim" in label["method_defects"]
    value = label["facts"][key]
    for word in ("up to", "over"):
        assert judged("training-pair", "S15", "speedup", up_to(value, f"{word} {value}x faster")).outcome is NOT_SHOWN


def hosted(facts, metric):
    """A hosted service's latencies as its table prints them, over five requests in flight."""
    times = facts[metric]
    summary = {
        "mean": str(times["mean"]),
        "median": str(times["median"]),
        "max": str(times["max"]),
        "sd": None,
        "min": None,
    }
    latency = {
        "value": str(times["mean"]),
        "column": None,
        "interval": None,
        "summary": {**summary, "percentiles": None},
    }
    latency["n"] = {"planned": facts["n"], "completed": facts["n"] - facts["errors"], "failed": facts["errors"]}
    latency["load"] = {"concurrency": facts["concurrency"], "batching": None}
    claim = {"value": str(times["mean"]), "statement": f"The mean time to the first token is {times['mean']} s."}
    arm = {"performance": {"latency": latency}, "trials": {f"t{i}": None for i in range(1, 6)}}
    return {"claims": {"latency": {**claim, "site": "hosted"}}, "arms": {"server": arm}}


@pytest.mark.parametrize("code", ["S09", "L05", "L08", "L11", "L12", "L13", "S16", "S17"])
def test_the_clean_service_is_accused_of_nothing(judged, code):
    facts = labelled("llmperf-groq70b-2024")["facts"]
    assert judged("serving", code, "latency", hosted(facts, "ttft")).outcome is not VIOLATION


def test_one_failed_request_of_150_is_no_tail(judged):
    raw = labelled("llmperf-together13b-ttft-2023")["facts"]["raw"]
    facts = {"n": raw["n_ok"] + raw["errors"], "errors": raw["errors"], "concurrency": 5, "ttft": raw}
    assert judged("serving", "L11", "latency", hosted(facts, "ttft")).outcome is PASS
    assert judged("serving", "S09", "latency", hosted(facts, "ttft")).outcome is PASS
